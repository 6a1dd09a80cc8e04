"""What is logged, and where it goes: JSON lines, and never a URL, a token or an idempotency key in one.

A host appears in one place only, the `fetch` line of a fleet caller. No error's message is logged: it may quote what
a caller sent.
"""

import traceback
from datetime import UTC, datetime
from typing import Any, BinaryIO, cast

import msgspec
import structlog
import trio
from structlog.typing import EventDict, FilteringBoundLogger

from ..fetch.guard import Blocked, check_url
from ..fetch.target import Caller, Fetched, Fetcher, Outcome, Target

Log = FilteringBoundLogger

REDACTED = "redacted"


def log_to(stream: BinaryIO) -> Log:
    """Make structlog write one JSON object a line to `stream`, for the whole process, and give its logger.

    Each line is flushed as it is written. Loggers that other modules hold follow, whenever they were made.
    """
    structlog.configure(
        processors=[_stamp, structlog.processors.JSONRenderer(_serialize)],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.BytesLoggerFactory(stream),
        context_class=dict,
        cache_logger_on_first_use=False,
    )
    return cast("Log", structlog.get_logger().bind())


def _stamp(logger: object, method: str, event: EventDict) -> EventDict:
    return {"at": datetime.now(UTC), "level": method, "event": event.pop("event"), **event}


def _serialize(event: EventDict, **_: Any) -> bytes:
    return msgspec.json.encode(event)


def log_crash(log: Log, where: str, error: BaseException) -> None:
    """Log a bug: its type and the lines it passed through, without its message. Of a group, each in it."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            log_crash(log, where, each)
        return
    frames = traceback.extract_tb(error.__traceback__)
    log.error(
        "crash",
        where=where,
        exception=type(error).__qualname__,
        trace=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    )


class LoggedFetcher:
    """A `Fetcher` that logs one `fetch` line for each target that `fetcher` fetches.

    It names the host for fleet callers; a restricted caller's line says neither where it went nor what came back.
    """

    def __init__(self, fetcher: Fetcher, log: Log) -> None:
        self._fetcher = fetcher
        self._log = log

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        """As the wrapped fetcher does. A cancelled fetch is logged as such."""
        started_at = trio.current_time()
        line: dict[str, object] = {"caller": caller.name, "host": REDACTED}
        if caller.caller_class == "fleet":
            line["host"] = _host(target.url)
        try:
            outcome = await self._fetcher.fetch(target, caller)
        except BaseException as error:
            line["outcome"] = "cancelled" if isinstance(error, trio.Cancelled) else "crashed"
            raise
        else:
            line["outcome"] = "done" if isinstance(outcome, Fetched) else "failed"
            if caller.caller_class == "fleet":
                line |= _details(outcome)
            return outcome
        finally:
            self._log.info("fetch", **line, elapsed_ms=round((trio.current_time() - started_at) * 1000))


def _host(url: str) -> str:
    checked = check_url(url)
    return "invalid" if isinstance(checked, Blocked) else checked.host


def _details(outcome: Outcome) -> dict[str, object]:
    if isinstance(outcome, Fetched):
        envelope = outcome.envelope
        return {"http_status": envelope.http_status, "nbytes": envelope.nbytes, "from_cache": envelope.from_cache}
    hops = outcome.facts.hops
    return {"http_status": hops[-1].status if hops else None, "hops": len(hops)}
