"""Errors as the API words them: RFC 9457 problem documents, and the one place where a fault gets its HTTP status.

Nothing below this floor knows a status code; nothing above the handlers words an error.
"""

from collections.abc import Mapping
from http import HTTPStatus

import msgspec
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from ..actors.mailbox import ActorDied
from ..actors.runner import AlreadyFinished, CallerBusy, Draining, KeyReused, TooManyLive

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """A request that is refused: the HTTP status, the message, and what the caller can do about it.

    The message and the hint go to the caller alone: they may quote the request, so they are never logged.
    """

    def __init__(self, status: int, error: str, hint: str | None = None, **headers: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.hint = hint
        self.headers: Mapping[str, str] = {name.replace("_", "-"): value for name, value in headers.items()}

    def document(self) -> bytes:
        """The body, of media type `MEDIA_TYPE`: the members of RFC 9457, section 3.1, then ours.

        There is no `type`, which stands for `about:blank`: the status says what kind of problem it is.
        """
        members: dict[str, object] = {
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.error,
            "success": False,
            "error": self.error,
        }
        if self.hint:
            members["hint"] = self.hint
        return msgspec.json.encode(members)


def not_found() -> Problem:
    """The same for a job that never was, one that is gone, and one that is another caller's."""
    return Problem(404, "not found", "check the id; a finished job is kept for a limited time after its last use")


def no_target(targets_total: int) -> Problem:
    """A job of the caller's own has no such idx."""
    return Problem(404, "not found", f"the targets of this job are 0 to {targets_total - 1}")


def blocked(fault: str) -> Problem:
    """The guard's pre-check refuses a target; `fault` says why, and which of several."""
    return Problem(422, f"blocked: {fault}", "correct the URL, or leave it out: only the public web is fetched")


def batch_disabled() -> Problem:
    """What each batch call is answered with while batches are off."""
    return Problem(503, "batch disabled", "the operator of this service has switched batches off")


def as_problem(error: BaseException) -> Problem:
    """What the caller is told of `error`; of a bug, nothing but that there is one."""
    match error:
        case Problem():
            return error
        case CallerBusy():
            hint = "wait for it, or cancel it with DELETE /v1/batch/{id}"
            return Problem(429, "busy: a batch of yours is still running", hint, Retry_After="30")
        case TooManyLive():
            return Problem(429, "batch jobs busy", "the service is at its limit; try again later", Retry_After="60")
        case KeyReused():
            hint = "send a new Idempotency-Key with a new batch, or the same batch with the same key"
            return Problem(422, "idempotency key reused with another body", hint)
        case AlreadyFinished():
            return Problem(409, "job already finished")
        case Draining() | ActorDied():
            return Problem(503, "shutting down", "try again in a moment", Retry_After="5")
        case HTTPException(code=int(status)):
            return _of_http(error, status)
    return Problem(500, "internal error", "this is a fault of the service; it was logged")


def _of_http(error: HTTPException, status: int) -> Problem:
    if status == 404:
        return Problem(404, "not found", "there is no such path")
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        return Problem(405, "method not allowed", f"this path takes {allowed}", Allow=allowed)
    return Problem(status, (HTTPStatus(status).phrase if status in set(HTTPStatus) else error.name).lower())
