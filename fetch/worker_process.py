"""The process that a worker runs in, which Ctrl-C on a terminal passes by. Parent and worker import it: no trio."""

import signal
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess


class WorkerProcess(SpawnProcess):
    """A process that is born with SIGINT blocked.

    A terminal sends SIGINT to every process in its foreground, but what becomes of the workers is their parent's to
    say. A process that ignores the signal only once it runs has shown a traceback by then.
    """

    def start(self) -> None:
        """Start it. The calling thread's signals are blocked for as long only."""
        resource_tracker.ensure_running()  # or it would be started within, which unblocks the signal
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class WorkerSpawning(SpawnContext):
    """How multiprocessing is told of it."""

    Process = WorkerProcess
