"""The application: routes, and what happens to each request before and after its handler."""

from collections.abc import Awaitable, Callable

import trio
from quart import Response
from quart.typing import ResponseTypes
from quart_trio import QuartTrio

from ..actors.settings import BatchSettings
from ..actors.system import System
from .auth import Callers
from .batch import BatchPaths, Precheck
from .exchange import Exchange, Request, current_request, refusal
from .fetch import FetchPath
from .logs import Log, log_crash
from .metrics import Metrics
from .open_paths import OpenPaths
from .outflow import Outflow
from .problems import as_problem


class _App(QuartTrio):
    request_class = Request
    asgi_http_class = Exchange


def create_app(
    system: System,
    callers: Callers,
    *,
    precheck: Precheck,
    batch: BatchSettings,
    log: Log,
    metrics: Metrics,
) -> QuartTrio:
    """The API over a running `system`, for a server to serve.

    `metrics.committed` must be among the system's listeners for `/metrics` to count jobs and targets.
    """
    app = _App(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # no redirects to another spelling of a path
    metrics.watch(system)

    outflow = Outflow()
    batches = BatchPaths(system.runner, system.reader, precheck, outflow, batch, log)
    fetches = FetchPath(system.runner, precheck, outflow)
    opens = OpenPaths(system, metrics)
    routes: list[tuple[str, str, Callable[..., Awaitable[Response]]]] = [
        ("POST", "/v1/batch", batches.submit),
        ("GET", "/v1/batch/<job_id>", batches.summary),
        ("DELETE", "/v1/batch/<job_id>", batches.cancel),
        ("GET", "/v1/batch/<job_id>/<idx>", batches.one),
        ("POST", "/v1/fetch", fetches.fetch),
        ("GET", "/healthz", opens.healthz),
        ("GET", "/readyz", opens.readyz),
        ("GET", "/metrics", opens.metrics),
    ]
    for method, rule, handler in routes:
        app.add_url_rule(rule, f"{method} {rule}", handler, methods=[method])

    @app.before_request
    async def admit() -> None:
        request = current_request()
        if request.path == "/v1" or request.path.startswith("/v1/"):
            request.caller = callers.identify(request.single("Authorization"))
        if not request.path.startswith("/v1/batch"):  # whose handlers check it, so that each refusal is in their log
            request.body.check()

    @app.after_request
    async def count(response: ResponseTypes) -> ResponseTypes:
        request = current_request()
        elapsed_s = trio.current_time() - request.started_at
        metrics.answered(request.method, request.rule, response.status_code, elapsed_s)
        return response

    @app.errorhandler(Exception)
    async def refuse(error: Exception) -> Response:
        problem = as_problem(error)
        if problem.status == 500:
            log_crash(log, "http", error)
        await current_request().body.linger()
        return refusal(problem)

    return app
