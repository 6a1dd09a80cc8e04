"""The paths that need no token: is it alive, is it ready, what does it count."""

from quart import Response

from ..actors.system import System
from .exchange import answer, current_request
from .metrics import Metrics
from .problems import Problem


class OpenPaths:
    """Handlers of `/healthz`, `/readyz` and `/metrics`."""

    def __init__(self, system: System, metrics: Metrics) -> None:
        self._system = system
        self._metrics = metrics

    async def healthz(self) -> Response:
        """200 as long as the process answers."""
        return answer({"status": "alive"})

    async def readyz(self) -> Response:
        """200 when the log is replayed, the store can be written and the service is not draining; else 503."""
        if not self._system.ready:
            raise Problem(503, "not ready", Retry_After="5")
        return answer({"status": "ready"})

    async def metrics(self) -> Response:
        """The Prometheus exposition."""
        body, content_type = self._metrics.render(current_request().headers.get("Accept", ""))
        return Response(body, content_type=content_type)
