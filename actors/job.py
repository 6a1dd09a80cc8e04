"""The job actor: one task per live job. It starts the job's targets, consumes what comes of them, and ends with it.

Append before effect: a fetch begins after its `TargetStarted` is durable, and only durable events change the state.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import structlog
import trio

from ..events.job import (
    Cancel,
    Command,
    CompleteTarget,
    Event,
    FailTarget,
    Finish,
    Interrupt,
    Job,
    Start,
    StartTarget,
    Touch,
    act,
)
from ..fetch.guard import CheckedUrl, check_url
from ..fetch.target import Caller, Failed, Fetched, Fetcher, Outcome, Target
from ..store.batch import Append
from ..store.log import VersionConflict
from .journal import Journal
from .limits import Limits
from .mailbox import Mailbox, Reply

MAILBOX_CAPACITY: Final = 64
TIMED_OUT: Final = "timeout: job"
TIMED_OUT_HINT: Final = "the batch ran out of time before this target was done; send the rest in a smaller batch"
BROKEN: Final = "internal error"
BROKEN_HINT: Final = "a fault in gofer, not in the target; the log says where it arose, by job and idx"

_log = structlog.get_logger("gofer.actors")


class TargetBegins(msgspec.Struct, frozen=True):
    """A worker has its places and wants to fetch; it may once it is answered."""

    idx: int
    reply: Reply[None]


class TargetEnded(msgspec.Struct, frozen=True):
    """A worker is done with its target."""

    idx: int
    outcome: Outcome


class CancelAsked(msgspec.Struct, frozen=True):
    """The caller wants the job ended; answered with whether this ended it."""

    reply: Reply[bool]


class Looked(msgspec.Struct, frozen=True):
    """Somebody read the job."""


class DeadlinePassed(msgspec.Struct, frozen=True):
    """The job has had its time."""


class Interrupted(msgspec.Struct, frozen=True):
    """The service stops and cannot wait any longer."""

    error: str


Message = TargetBegins | TargetEnded | CancelAsked | Looked | DeadlinePassed | Interrupted


class JobActor:
    """Runs one job from its submission to its terminal event. `run` is the task; this is what others hold of it."""

    def __init__(
        self,
        *,
        caller: Caller,
        targets: Sequence[Target],
        journal: Journal,
        fetcher: Fetcher,
        limits: Limits,
        clock: Callable[[], float],
        timeout_s: float,
    ) -> None:
        self.mailbox: Mailbox[Message] = Mailbox(MAILBOX_CAPACITY)
        self.caller = caller
        self._targets = targets
        self._journal = journal
        self._fetcher = fetcher
        self._limits = limits
        self._clock = clock
        self._timeout_s = timeout_s
        self._removed = trio.CancelScope()
        self._ending = False  # from the moment that the job's end is on its way to the log, or is there

    def remove(self) -> None:
        """The job was removed from the store: end `run` at once, for nobody can collect what its fetches bring."""
        self._ending = True
        self._removed.cancel()

    async def run(self, job: Job) -> Job | None:
        """Drive the submitted `job` to a terminal state, which is returned once it is durable; None if removed.

        Cancelling it closes the sockets of its fetches and appends nothing. Raises, in an exception group,
        `ActorDied` if the journal has, `VersionConflict` if somebody else wrote to the stream.
        """
        try:
            with self._removed:
                return await self._drive(job)
        except* VersionConflict:
            if not self._removed.cancel_called:  # else its removal came just before a write of its own
                raise
        finally:
            self.mailbox.close()
        return None

    async def _drive(self, job: Job) -> Job:
        job = await self._append(job, (Start(self._now_ms()),), {})
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._deadline)
            for idx, target in enumerate(self._targets):
                nursery.start_soon(self._work, job.id, idx, target)
            while not job.terminal:
                first = await self.mailbox.receive()
                job = await self._handle(job, [first, *self.mailbox.receive_waiting(MAILBOX_CAPACITY)])
            nursery.cancel_scope.cancel()
        return job

    async def _handle(self, job: Job, messages: Sequence[Message]) -> Job:
        """Append what the messages come to, in one piece, and then answer those that were acted on.

        Whatever stands behind a message that ends the job comes too late; its sender is told when the mailbox closes.
        """
        commands: list[Command] = []
        bodies: dict[int, str] = {}
        begun: list[TargetBegins] = []
        ending: Message | None = None
        unfinished = {idx for idx, target in enumerate(job.targets) if not target.finished}
        for message in messages:
            at_ms = self._now_ms()
            match message:
                case TargetBegins(idx):
                    commands.append(StartTarget(at_ms, idx))
                    begun.append(message)
                case TargetEnded(idx, outcome):
                    commands.append(self._ended(at_ms, idx, outcome, bodies))
                    unfinished.discard(idx)
                case Looked():
                    commands.append(Touch(at_ms))
                case DeadlinePassed():
                    commands += [FailTarget(at_ms, idx, TIMED_OUT, TIMED_OUT_HINT) for idx in sorted(unfinished)]
                    unfinished.clear()
                case CancelAsked():
                    commands.append(Cancel(at_ms))
                    ending = message
                case Interrupted(error):
                    commands.append(Interrupt(at_ms, error))
                    ending = message
            if not unfinished and ending is None:
                commands.append(Finish(at_ms))
                ending = message
            if ending is not None:
                break
        self._ending = self._ending or ending is not None
        job = await self._append(job, commands, bodies)
        if isinstance(ending, CancelAsked):
            ending.reply.give(True)
        elif ending is None:
            for message in begun:
                message.reply.give(None)
        return job

    async def _append(self, job: Job, commands: Sequence[Command], bodies: dict[int, str]) -> Job:
        events: list[Event] = []
        state = job
        for command in commands:
            happened, after = act(state, command)
            events += happened
            state = after or state
        return await self._journal.append(Append(job, events, state, bodies)) if events else job

    def _ended(self, at_ms: int, idx: int, outcome: Outcome, bodies: dict[int, str]) -> Command:
        facts = msgspec.Raw(msgspec.json.encode(outcome.facts))
        match outcome:
            case Fetched(envelope):
                bodies[idx] = body = msgspec.json.encode(envelope).decode()
                return CompleteTarget.of(at_ms, idx, body, facts)
            case Failed(error, hint):
                return FailTarget(at_ms, idx, error, hint, facts)

    async def _work(self, job_id: str, idx: int, target: Target) -> None:
        """Fetch one target, whatever becomes of it: a fault here is that target's alone."""
        async with self._limits.slot(job_id, host_of(target.url)):
            await self.mailbox.ask(lambda reply: TargetBegins(idx, reply))
            if self._ending:  # between the answer and now; a fetch that begins now would outlive its job
                return
            try:
                outcome = await self._fetcher.fetch(target, self.caller)
            except Exception as error:  # noqa: BLE001 - one bad target never harms another
                # Its message may hold a URL: the kind and the place say enough.
                _log.error("fetch crashed", job_id=job_id, idx=idx, error=type(error).__name__, at=place_of(error))
                outcome = Failed(BROKEN, BROKEN_HINT)
        await self.mailbox.tell(TargetEnded(idx, outcome))

    async def _deadline(self) -> None:
        await trio.sleep(self._timeout_s)
        await self.mailbox.tell(DeadlinePassed())

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def host_of(url: str) -> str:
    """What fetches of `url` are counted under; "" for a URL that will be refused."""
    checked = check_url(url)
    return checked.host if isinstance(checked, CheckedUrl) else ""


def place_of(error: BaseException) -> str:
    """Where `error` was raised, as module:line, without its words."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else "unknown"
