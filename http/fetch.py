"""`POST /v1/fetch`: one target, answered at once with its envelope."""

from quart import Response

from ..actors.runner import Runner, TooManyLive
from ..fetch.target import Fetched
from .batch import Precheck
from .exchange import answer, current_request
from .outflow import WAIT_S, Outflow
from .problems import Problem, blocked
from .schema import read_target


class FetchPath:
    """The handler of `/v1/fetch`, over the same pipeline and limits as batches."""

    def __init__(self, runner: Runner, precheck: Precheck, outflow: Outflow) -> None:
        self._runner = runner
        self._precheck = precheck
        self._outflow = outflow

    async def fetch(self) -> Response:
        """Fetch the target while the client waits; a client that goes away cancels the fetch.

        A target that fails is a 502: its error and hint are the target's, as a batch would tell them.
        """
        request = current_request()
        target = read_target(await request.body.read())
        if refused := await self._precheck([target.url], request.caller):
            raise blocked(refused[1])
        try:
            outcome = await self._runner.fetch(target, request.caller)
        except TooManyLive:  # here it counts fetches that wait, not batches
            raise Problem(429, "fetches busy", "try again later", Retry_After="10") from None
        if not isinstance(outcome, Fetched):
            raise Problem(502, outcome.error, outcome.hint)
        response = answer(outcome.envelope)
        nbytes = response.content_length or 0
        await request.held.enter_async_context(self._outflow.hold(request.caller.name, nbytes, wait_s=WAIT_S))
        return response
