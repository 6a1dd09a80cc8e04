"""The runner: admits jobs, supervises their actors, and is where a job is cancelled, touched and drained."""

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import structlog
import trio

from ..events.job import (
    Contradiction,
    Interrupt,
    Job,
    JobCancelled,
    JobEvicted,
    JobFinished,
    JobInterrupted,
    JobStatus,
    JobSubmitted,
    JobSwept,
    Submit,
    TargetSpec,
    Touch,
)
from ..fetch.target import Caller, Fetcher, Outcome, Target
from ..store.reader import JobView, Reader
from .job import CancelAsked, Interrupted, JobActor, Looked, host_of, place_of
from .journal import Commit, Journal
from .limits import Limits
from .mailbox import ActorDied, MailboxFull, Reply
from .settings import BatchSettings

STOPPED: Final = "interrupted: server stopped"
CRASHED: Final = "internal error: the job's actor crashed"
MAX_WAITING_FETCHES: Final = 1024
TOUCHED_CAPACITY: Final = 4096

_ENDS = (JobFinished, JobCancelled, JobInterrupted, JobSwept, JobEvicted)
_log = structlog.get_logger("gofer.actors")


class CallerBusy(Exception):
    """The caller has as many live jobs as it may."""


class TooManyLive(Exception):
    """There are as many live jobs, or waiting fetches, as there may be in all."""


class KeyReused(Exception):
    """The idempotency key stands for another batch."""


class Draining(Exception):
    """The service is about to stop and takes nothing new."""


class AlreadyFinished(Exception):
    """The job is terminal."""


class Submission(msgspec.Struct, frozen=True):
    """A checked batch. `key` is the caller's own idempotency key, None if it sent none."""

    caller: Caller
    targets: tuple[Target, ...]
    key: str | None = None


class Submitted(msgspec.Struct, frozen=True):
    """The job that answers a submission: a new one, or one that was there (`reused`)."""

    job_id: str
    status: JobStatus
    targets: int
    reused: bool


class RunnerStatistics(msgspec.Struct, frozen=True):
    """Live jobs, fetches under way and waiting for a place, and lease touches that found no room since the start."""

    live: int
    fetches_running: int
    fetches_waiting: int
    touches_dropped: int


class Runner:
    """Owns the job actors while `run` runs. All decisions on admission are made between two awaits."""

    def __init__(
        self,
        *,
        settings: BatchSettings,
        journal: Journal,
        reader: Reader,
        fetcher: Fetcher,
        limits: Limits,
        clock: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        self._settings = settings
        self._journal = journal
        self._reader = reader
        self._fetcher = fetcher
        self._limits = limits
        self._clock = clock
        self._new_id = new_id
        self._draining = False
        self._fallen = False  # one actor ended before its job, and takes all with it
        self._actors: dict[str, JobActor] = {}
        self._live: dict[str, str] = {}  # job id -> caller, from the admission to the commit of its terminal event
        self._live_of: Counter[str] = Counter()
        self._committing: dict[tuple[str, str], trio.Event] = {}  # (caller, idempotency key) of submissions under way
        self._touched: OrderedDict[str, int] = OrderedDict()  # job id -> second of its last touch, newest last
        self._touches_dropped = 0
        self._idle = trio.Event()
        self._idle.set()

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Own the actors until cancelled. A bug in one fails its job alone; a dead journal ends all by raising."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            await trio.sleep_forever()

    async def submit(self, submission: Submission) -> Submitted:
        """Admit a batch: the job that answers it, durable and readable.

        Raises `KeyReused`, `CallerBusy`, `TooManyLive` or `Draining`; then no job was made. `ActorDied` if the
        journal is gone. Cancelling it does not take back a submission that is under way.
        """
        caller, targets = submission.caller, submission.targets
        specs = tuple(TargetSpec(t.url, msgspec.json.encode(t.options).decode()) for t in targets)
        idem_key = idem_key_of(caller, specs, submission.key)
        slot = (caller.name, idem_key)
        while (twin := self._committing.get(slot)) is not None:
            await twin.wait()
        if self._draining:
            raise Draining("the service is stopping")
        if not self._journal.running:  # it died while a twin was waited for, and takes the actors with it
            raise ActorDied("the journal has ended")
        if (view := self._reusable(caller, idem_key, specs, submission.key)) is not None:
            self.touch(view.job.id)
            return Submitted(view.job.id, view.job.status, view.job.targets_total, reused=True)
        if self._live_of[caller.name] >= self._settings.max_live_per_caller:
            self._recount()
            if self._live_of[caller.name] >= self._settings.max_live_per_caller:
                raise CallerBusy(f"{self._live_of[caller.name]} live")
        if len(self._live) >= self._settings.max_live:
            self._recount()
            if len(self._live) >= self._settings.max_live:
                raise TooManyLive(f"{len(self._live)} live")

        job_id = self._new_id()
        now_ms = int(self._clock() * 1000)
        submitted = JobSubmitted(
            at_ms=now_ms,
            job_id=job_id,
            caller=caller.name,
            caller_class=caller.caller_class,
            idem_key=idem_key,
            targets_total=len(targets),
            created_at=now_ms // 1000,
            lease=now_ms // 1000,
        )
        actor = JobActor(
            caller=caller,
            targets=targets,
            journal=self._journal,
            fetcher=self._fetcher,
            limits=self._limits,
            clock=self._clock,
            timeout_s=self._settings.job_timeout_s,
        )
        accepted: Reply[None] = Reply()
        self._enter(job_id, actor, slot)
        self._nursery.start_soon(self._supervise, slot, Submit(submitted, specs), actor, accepted)
        await accepted.wait()
        return Submitted(job_id, "queued", len(targets), reused=False)

    async def cancel(self, job_id: str) -> None:
        """End a job; its cancellation is durable and its fetches are stopping.

        Raises `AlreadyFinished`, and `ActorDied` if the journal or the actors have died: then nobody knows its end.
        """
        actor = self._actors.get(job_id)
        if actor is None or not await self._ask_to_cancel(actor):
            if self._fallen or not self._journal.running:
                raise ActorDied("the service has ended")
            raise AlreadyFinished(job_id)

    def touch(self, job_id: str) -> None:
        """Keep a job for another `ttl_s`: somebody looked at it. At most one event a job and second."""
        second = int(self._clock())
        if self._touched.get(job_id) == second:
            return
        self._touched[job_id] = second
        self._touched.move_to_end(job_id)
        if len(self._touched) > TOUCHED_CAPACITY:
            self._touched.popitem(last=False)
        actor = self._actors.get(job_id)
        if actor is not None:
            try:
                actor.mailbox.tell_nowait(Looked())
            except (MailboxFull, ActorDied):
                self._touches_dropped += 1  # what fills its mailbox renews the lease as well
        elif not self._journal.execute_nowait(job_id, Touch(second * 1000)):
            self._touches_dropped += 1

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        """Fetch one target outside any job, within the same limits. Raises `TooManyLive` or `Draining`."""
        if self._draining:
            raise Draining("the service is stopping")
        if self._limits.statistics().waiting >= MAX_WAITING_FETCHES:
            raise TooManyLive(f"{MAX_WAITING_FETCHES} fetches are waiting")
        async with self._limits.slot(None, host_of(target.url)):
            return await self._fetcher.fetch(target, caller)

    async def drain(self) -> None:
        """Take nothing new, let live jobs end within `drain_timeout_s`, interrupt those that do not, wait for all."""
        self._draining = True
        with trio.move_on_after(self._settings.drain_timeout_s):
            await self._idle.wait()
        for actor in tuple(self._actors.values()):
            self._nursery.start_soon(self._interrupt, actor)
        await self._idle.wait()

    @property
    def draining(self) -> bool:
        """Whether it was told to stop."""
        return self._draining

    def statistics(self) -> RunnerStatistics:
        """The figures of this moment."""
        limits = self._limits.statistics()
        return RunnerStatistics(len(self._live), limits.running, limits.waiting, self._touches_dropped)

    def committed(self, commit: Commit) -> None:
        """A listener of the journal: a job is live until its terminal event is durable, not a moment longer."""
        for recorded in commit.events:
            if isinstance(recorded.event, _ENDS):
                self._no_longer_live(recorded.job_id)
            if isinstance(recorded.event, JobSwept) and recorded.job_id in self._actors:
                self._actors[recorded.job_id].remove()

    # ------------------------------------------------------------ admission

    def _reusable(
        self, caller: Caller, idem_key: str, specs: tuple[TargetSpec, ...], key: str | None
    ) -> JobView | None:
        view = self._reader.job_by_idem(caller.name, idem_key, int(self._clock()), self._settings.ttl_s)
        if view is None:
            return None
        if key is None:
            return view if view.job.status in ("queued", "running", "done") else None
        if tuple(TargetSpec(t.url, t.options) for t in view.targets) != specs:
            raise KeyReused("this key stands for a batch with other targets")
        return view

    def _enter(self, job_id: str, actor: JobActor, slot: tuple[str, str]) -> None:
        self._actors[job_id] = actor
        self._live[job_id] = actor.caller.name
        self._live_of[actor.caller.name] += 1
        self._committing[slot] = trio.Event()
        if self._idle.is_set():
            self._idle = trio.Event()

    def _recount(self) -> None:
        """Before anybody is refused: a commit shows to readers a moment before the journal tells its listeners."""
        for job_id in tuple(self._live):
            status = self._reader.status(job_id)
            if status is not None and status not in ("queued", "running"):
                self._no_longer_live(job_id)

    def _no_longer_live(self, job_id: str) -> None:
        caller = self._live.pop(job_id, None)
        if caller is not None:
            self._live_of[caller] -= 1
            if not self._live_of[caller]:
                del self._live_of[caller]

    # ------------------------------------------------------------ supervision

    async def _supervise(
        self, slot: tuple[str, str], command: Submit, actor: JobActor, accepted: Reply[None]
    ) -> None:
        job_id = command.job.job_id
        try:
            try:
                job = await self._journal.write(lambda store: store.execute(job_id, command)[0])
            except Contradiction as error:
                accepted.fail(error)  # for the one who submitted to see; no job was made, and no other is concerned
                return
            except BaseException as error:
                accepted.fail(error if isinstance(error, Exception) else ActorDied("the service is stopping"))
                raise
            finally:
                self._committing.pop(slot).set()
            accepted.give(None)
            assert job is not None
            await self._run(job, actor)
        except BaseException:
            self._fallen = True
            raise
        finally:
            actor.mailbox.close()
            del self._actors[job_id]
            self._no_longer_live(job_id)
            if not self._actors:
                self._idle.set()

    async def _run(self, job: Job, actor: JobActor) -> None:
        """Run the actor. If it crashes its job fails; the journal's death is everybody's."""
        try:
            await actor.run(job)
        except Exception as error:
            causes = tuple(_leaves(error))
            if any(isinstance(cause, ActorDied) for cause in causes):
                raise
            for cause in causes:  # its words may hold a URL: the kind and the place say enough
                _log.error("job actor crashed", job_id=job.id, error=type(cause).__name__, at=place_of(cause))
            await self._journal.execute(job.id, Interrupt(int(self._clock() * 1000), CRASHED))

    async def _ask_to_cancel(self, actor: JobActor) -> bool:
        try:
            return await actor.mailbox.ask(CancelAsked)
        except ActorDied:
            return False

    async def _interrupt(self, actor: JobActor) -> None:
        try:
            await actor.mailbox.tell(Interrupted(STOPPED))
        except ActorDied:
            return  # it ended by itself meanwhile


def idem_key_of(caller: Caller, specs: Iterable[TargetSpec], key: str | None) -> str:
    """What a submission is known by: the caller's own key, or a hash of the caller and the targets.

    Kept as a hash either way, so that no key stands in the database; the two kinds cannot meet.
    """
    if key is not None:
        return "key:" + hashlib.sha256(key.encode()).hexdigest()
    content = msgspec.json.encode((caller.name, tuple(specs)))
    return "body:" + hashlib.sha256(content).hexdigest()


def _leaves(error: BaseException) -> Iterable[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
