"""`gofer serve`: the composition root. It builds the service from its settings, and ends it in order on a signal."""

import errno
import gc
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Final

import apsw
import trio

from ..actors.system import open_system
from ..http.app import create_app
from ..http.auth import Callers, CallerSettings, token_digest
from ..http.logs import Log, LoggedFetcher, log_to
from ..http.metrics import Metrics
from ..http.server import CannotListen
from ..http.server import serve as serve_http
from ..store.batch import BatchStore
from ..store.cache import ContentCache
from .failure import Failure, UsageFailure
from .home import keep_first_run_token, make_data_dir, token_file
from .live import run_live, stop_on_signal
from .pipeline import Pipeline, open_pipeline, system_settings
from .settings import Settings, located
from .streams import notice

FIRST_RUN_CALLER: Final = "local"  # who holds the first-run token: a fleet caller, as this machine is theirs


def serve(settings: Settings) -> int:
    """Run the service until a signal, and return its exit code.

    Standard output tells when it is ready and where, and when it stops; the log goes to standard error. Raises
    `Failure` if it cannot start: a setting that is none, a database in use or of a later version, a taken address.
    """
    os.umask(0o077)  # what is kept of callers and their pages is its owner's alone
    home = make_data_dir()
    callers = settings.caller
    if not callers:
        callers = (first_run_caller(keep_first_run_token(home)),)
    log = log_to(sys.stderr.buffer)

    shutdown = trio.Event()

    def stop() -> None:
        notice("stopping; a second signal ends it at once")
        shutdown.set()

    async def main() -> None:
        async with stop_on_signal(stop), trio.open_nursery() as nursery:
            url = await nursery.start(partial(run_service, settings, callers, log=log, shutdown=shutdown))
            notice(f"database {located(settings.store.path)}")
            if not settings.caller:
                notice(f"token in {token_file(home)}")
            gc.freeze()  # what was imported stays: to look through it for garbage would cost a twentieth of all time
            notice(f"gofer is ready on {url}")

    run_live(main)
    notice("gofer has stopped")
    return 0


async def run_service(
    settings: Settings,
    callers: tuple[CallerSettings, ...],
    *,
    log: Log,
    shutdown: trio.Event,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run the whole service until `shutdown` is set, then drain it; the started value is the URL it is reached at.

    It ends in this order: HTTP, admission, jobs, log, workers, cache. Cancelled, it drains all the same, within its
    bounds.
    """
    store = located(settings.store.path)
    BatchStore.open(store).close()  # one that cannot be used is told before anything is put beside it
    with _open_cache(store, settings.cache.max_bytes) as cache:
        async with open_pipeline(settings, cache) as pipeline:
            await serve_pipeline(
                pipeline, store, settings, callers, log=log, shutdown=shutdown, task_status=task_status
            )


@contextmanager
def _open_cache(store: str, max_bytes: int) -> Iterator[ContentCache | None]:
    """The content cache beside `store`, which no other service uses; None if none is wanted."""
    if not max_bytes:
        yield None
        return
    path = f"{store}.cache"
    try:
        cache = ContentCache.open(path, max_bytes)
    except (OSError, apsw.Error) as error:
        raise Failure(
            f"the content cache {path} cannot be opened: {error}; cache.max_bytes = 0 does without"
        ) from error
    with closing(cache):
        yield cache


async def serve_pipeline(
    pipeline: Pipeline,
    store: str,
    settings: Settings,
    callers: tuple[CallerSettings, ...],
    *,
    log: Log,
    shutdown: trio.Event,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """The service over `pipeline`, which stays open, and the database at `store`; else as `run_service`."""
    metrics = Metrics()
    fetcher = LoggedFetcher(pipeline.fetcher, log)
    async with open_system(system_settings(settings, store), fetcher, listeners=[metrics.committed]) as system:
        app = create_app(
            system, Callers(callers), precheck=pipeline.precheck, batch=settings.batch, log=log, metrics=metrics
        )
        bind = settings.server.bind
        try:
            await serve_http(app, bind, log=log, shutdown=shutdown, task_status=task_status)
        except CannotListen as error:
            raise _not_listening(bind, error) from error


def _not_listening(bind: str, error: CannotListen) -> Failure:
    """Why nothing can be served at `bind`: a value that cannot be, or an address that cannot be had now."""
    host = bind.rpartition(":")[0]
    match error.__cause__:
        case None:
            return UsageFailure(f"server.bind: {error}")
        case OSError(errno=socket.EAI_NONAME | socket.EAI_AGAIN | socket.EAI_FAIL):
            return UsageFailure(f"server.bind: the name {host!r} does not resolve; 127.0.0.1 is this machine alone")
        case OSError(errno=errno.EADDRNOTAVAIL):
            return UsageFailure(f"server.bind: {host} is no address of this machine; 0.0.0.0 stands for all of them")
        case OSError(errno=errno.EACCES):
            return Failure(f"cannot listen on {bind}: this user may not; set server.bind to a port over 1023")
        case OSError(errno=errno.EADDRINUSE):
            return Failure(f"cannot listen on {bind}: something listens there; stop it, or set another server.bind")
    return Failure(str(error))


def first_run_caller(token: str) -> CallerSettings:
    """The caller that `token` lets in where the settings name none."""
    return CallerSettings(name=FIRST_RUN_CALLER, caller_class="fleet", token_sha256=token_digest(token))
