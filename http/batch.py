"""The batch handlers: submit, follow, collect, cancel. Each logs one line `batch`."""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import trio
from quart import Response

from ..actors.runner import Runner, Submission
from ..actors.settings import BatchSettings
from ..fetch.target import Caller
from ..store.reader import Reader
from ..store.rows import BatchJob
from .exchange import Request, answer, answer_in_pieces, current_request
from .logs import Log
from .outflow import WAIT_S, Outflow
from .problems import Problem, as_problem, batch_disabled, blocked, no_target, not_found
from .schema import Accepted, Cancelled, One, Summary, read_batch

Precheck = Callable[[Sequence[str], Caller], Awaitable[tuple[int, str] | None]]
"""The guard's pre-check of URLs for a caller: the lowest idx it may not fetch, with the reason, or None."""

MAX_KEY_CHARS = 255
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")  # as the API writes it: one target has one path


class BatchPaths:
    """Handlers of `/v1/batch` and below."""

    def __init__(
        self,
        runner: Runner,
        reader: Reader,
        precheck: Precheck,
        outflow: Outflow,
        settings: BatchSettings,
        log: Log,
    ) -> None:
        self._runner = runner
        self._reader = reader
        self._precheck = precheck
        self._outflow = outflow
        self._reading = trio.Lock()  # one job's results at a time, so that other tasks get their turns
        self._settings = settings
        self._log = log

    async def submit(self) -> Response:
        """`POST /v1/batch`. The checks stand in the contract's order; those of the live jobs are the runner's."""
        with self._line("submit") as (request, line):
            targets = await read_batch(await request.body.read())
            key = idempotency_key(request)
            line["targets"] = len(targets)
            if refused := await self._precheck([target.url for target in targets], request.caller):
                idx, reason = refused
                raise blocked(f"target {idx}: {reason}")
            if len(targets) > self._settings.max_targets:
                raise Problem(422, f"too many targets (max {self._settings.max_targets})", "send several batches")
            submitted = await self._runner.submit(Submission(request.caller, targets, key))
            line |= {"job_id": submitted.job_id, "status": submitted.status, "reused": submitted.reused}
        accepted = Accepted(
            job_id=submitted.job_id,
            status=submitted.status,
            targets=submitted.targets,
            reused=submitted.reused,
        )
        return answer(accepted, 202, {"Location": f"/v1/batch/{submitted.job_id}"})

    async def summary(self, job_id: str) -> Response:
        """`GET /v1/batch/{id}`; with `?results=1` the envelopes too."""
        with self._line("summary") as (request, line):
            view = self._reader.job(job_id)
            if view is None:
                raise not_found()
            self._claim(view.job, request, line)
            if request.args.get("results") != "1":
                return answer(await Summary.of(view.job, view.targets))
            await request.held.enter_async_context(
                self._outflow.hold(request.caller.name, view.job.nbytes, wait_s=WAIT_S)
            )
            return answer_in_pieces(await self._with_results(job_id))

    async def _with_results(self, job_id: str) -> list[bytes]:
        async with self._reading:
            view = self._reader.job(job_id, results=True)
            if view is None:  # it has gone while its answer waited for room
                raise not_found()
            return (await Summary.of(view.job, view.targets)).pieces()

    async def one(self, job_id: str, idx: str) -> Response:
        """`GET /v1/batch/{id}/{idx}`."""
        with self._line("result") as (request, line):
            found = self._reader.target(job_id, int(idx) if _INDEX.fullmatch(idx) else -1)
            if found is None:
                raise not_found()
            job, target = found
            self._claim(job, request, line)
            if target is None:
                raise no_target(job.targets_total)
            response = answer(One.of(target))
            nbytes = response.content_length or 0
            await request.held.enter_async_context(self._outflow.hold(job.caller, nbytes, wait_s=0))
            return response

    async def cancel(self, job_id: str) -> Response:
        """`DELETE /v1/batch/{id}`."""
        with self._line("cancel") as (request, line):
            view = self._reader.job(job_id)
            if view is None:
                raise not_found()
            self._claim(view.job, request, line)
            await self._runner.cancel(job_id)
            line["status"] = "cancelled"
        return answer(Cancelled())

    @contextmanager
    def _line(self, action: str) -> Iterator[tuple[Request, dict[str, object]]]:
        """The request, and the fields of its log line, which is written when the block ends, however it ends."""
        request = current_request()
        line: dict[str, object] = {"action": action, "caller": request.caller.name}
        try:
            if not self._settings.enabled:
                raise batch_disabled()
            request.body.check()
            yield request, line
        except Exception as error:
            line["refused"] = as_problem(error).status
            raise
        finally:
            self._log.info("batch", **line)

    def _claim(self, job: BatchJob, request: Request, line: dict[str, object]) -> None:
        """Touch the lease of `job` and name it in the log line; the 404 if it is another caller's."""
        if job.caller != request.caller.name:
            raise not_found()
        self._runner.touch(job.id)
        line |= {"job_id": job.id, "targets": job.targets_total, "status": job.status}


def idempotency_key(request: Request) -> str | None:
    """The Idempotency-Key header, None without one. Raises the 400; the key itself is not quoted."""
    key = request.single("Idempotency-Key")
    if key is None or (0 < len(key) <= MAX_KEY_CHARS and key.isascii() and key.isprintable()):
        return key
    raise Problem(400, "invalid Idempotency-Key", f"send 1 to {MAX_KEY_CHARS} printable ASCII characters")
