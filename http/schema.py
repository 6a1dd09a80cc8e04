"""What request and response bodies say: their structs, and reading a request with errors that name idx and field."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Self, get_args

import msgspec
import trio
from msgspec.structs import replace

from ..fetch.options import InvalidOption, check
from ..fetch.target import Mode, Options, Target
from ..store.rows import BatchJob, BatchTarget
from .problems import Problem

_MESSAGE = re.compile(r"(?P<fault>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_TARGET_PATH = re.compile(r"\.targets\[(?P<idx>\d+)\](?:\.(?P<field>\w+))?")
_NAMED_FIELD = re.compile(
    r"Object (?:contains (?P<unknown>unknown)|missing required) field `(?P<name>.*)`", re.DOTALL
)
_CUT_SHORT = "Input data was truncated"
_NO_CHOICE = "Invalid enum value"  # which only a mode can be
_MODES = ", ".join(filter(None, get_args(Mode)))

MAX_ECHO_CHARS = 200
BATCH_HINT = 'send JSON like {"targets": [{"url": "https://…"}, …]}'
TARGET_HINT = 'send JSON like {"url": "https://…"}'
OPTION_HINT = "correct this field of the target, or leave the target out"


# ---------------------------------------------------------------- requests


class FlatTarget(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One target as a caller sends it: the URL and its options side by side."""

    url: str

    def checked(self) -> Target:
        """The target as it is kept and compared: a default that is written out is the default.

        Raises `InvalidOption` for an empty URL and for an option that cannot be parsed.
        """
        if not self.url:
            raise InvalidOption("url", "must not be empty")
        options = Options(**{name: getattr(self, name) for name in Options.__struct_fields__})
        check(options)
        return Target(self.url, options if options.mode != "clean" else replace(options, mode=""))


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /v1/batch`."""

    targets: list[FlatTarget]


_ENCODER = msgspec.json.Encoder()
_BATCH = msgspec.json.Decoder(Batch)
_FLAT_TARGET = msgspec.json.Decoder(FlatTarget)


async def read_batch(body: bytes) -> tuple[Target, ...]:
    """The targets of a submission.

    It gives way to other tasks between two targets: a body may hold thousands, and to try out the program or the
    pattern of each takes a while. Raises the 400, with idx and field.
    """
    try:
        flat = _BATCH.decode(body)
    except msgspec.DecodeError as error:
        raise _invalid("batch", _worded(str(error), body), BATCH_HINT) from None
    if not flat.targets:
        raise _invalid("batch", "targets: must not be empty", BATCH_HINT)
    targets = []
    for idx, each in enumerate(flat.targets):
        try:
            targets.append(each.checked())
        except InvalidOption as error:
            raise _invalid("batch", f"target {idx}: {error.field}: {error.reason}", OPTION_HINT) from None
        await trio.lowlevel.checkpoint()
    return tuple(targets)


def read_target(body: bytes) -> Target:
    """The one target of `POST /v1/fetch`. Raises the 400, with the field."""
    try:
        return _FLAT_TARGET.decode(body).checked()
    except msgspec.DecodeError as error:
        raise _invalid("target", _worded(str(error), body), TARGET_HINT) from None
    except InvalidOption as error:
        raise _invalid("target", f"{error.field}: {error.reason}", OPTION_HINT) from None


def _invalid(what: str, fault: str, hint: str) -> Problem:
    return Problem(400, f"invalid {what}: {fault}", hint)


def _worded(message: str, body: bytes) -> str:
    """msgspec's message of `body`, with the place first: `target 3: grep: Expected str, got int`."""
    if not body.strip():
        return "the body is empty"
    if message == _CUT_SHORT:
        return "the JSON ends too early"
    match = _MESSAGE.fullmatch(message)
    assert match is not None, "the pattern matches every string"
    fault, path = match["fault"], match["path"] or ""
    place = ""
    if at := _TARGET_PATH.match(path):
        place = f"target {at['idx']}: " + (f"{at['field']}: " if at["field"] else "")
    elif path:
        place = path.removeprefix(".") + ": "
    if fault.startswith(_NO_CHOICE):
        fault = f"must be one of {_MODES}, not{fault.removeprefix(_NO_CHOICE)}"
    if named := _NAMED_FIELD.fullmatch(fault):
        name = named["name"][:MAX_ECHO_CHARS]
        return f"{place}{name}: " + ("unknown field" if named["unknown"] else "is missing")
    return place + fault[:MAX_ECHO_CHARS].replace("`", "")


# ---------------------------------------------------------------- responses


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a submission."""

    success: bool = True
    job_id: str
    status: str
    targets: int
    reused: bool


class Cancelled(msgspec.Struct, frozen=True):
    """The answer to a cancellation."""

    success: bool = True
    status: str = "cancelled"


class TargetRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A target in a summary. `result` is the stored envelope, passed on as it is."""

    idx: int
    url: str
    status: str
    error: str | None = None
    hint: str | None = None
    result: msgspec.Raw | None = None

    @classmethod
    def of(cls, target: BatchTarget) -> Self:
        """The row of `target`, with its result if that was read."""
        return cls(target.idx, target.url, target.status, target.error, target.hint, _raw(target.result))


class Summary(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A job with its targets."""

    job_id: str
    status: str
    error: str = ""
    targets_total: int
    targets_done: int
    created_at: datetime
    targets: list[msgspec.Raw]

    @classmethod
    async def of(cls, job: BatchJob, targets: Iterable[BatchTarget]) -> Self:
        """It gives way to other tasks after each result: there may be 6 MB of them."""
        rows = []
        for target in targets:
            rows.append(msgspec.Raw(_ENCODER.encode(TargetRow.of(target))))
            if target.result is not None:
                await trio.lowlevel.checkpoint()
        return cls(
            job_id=job.id,
            status=job.status,
            error=job.error,
            targets_total=job.targets_total,
            targets_done=job.targets_done,
            created_at=datetime.fromtimestamp(job.created_at, UTC),
            targets=rows,
        )

    def pieces(self) -> list[bytes]:
        """Its JSON in pieces, one for each target."""
        head, tail = _ENCODER.encode(replace(self, targets=[])).rsplit(b"]", 1)
        rows = [b"".join((b"," if idx else b"", row)) for idx, row in enumerate(self.targets)]
        return [head, *rows, b"]" + tail]


class One(msgspec.Struct, frozen=True, omit_defaults=True):
    """One target of a job."""

    job_id: str
    idx: int
    url: str
    status: str
    result: msgspec.Raw | None = None
    error: str | None = None
    hint: str | None = None

    @classmethod
    def of(cls, target: BatchTarget) -> Self:
        """The answer about `target`."""
        return cls(
            target.job_id,
            target.idx,
            target.url,
            target.status,
            _raw(target.result),
            target.error,
            target.hint,
        )


def _raw(result: str | None) -> msgspec.Raw | None:
    return None if result is None else msgspec.Raw(result)
