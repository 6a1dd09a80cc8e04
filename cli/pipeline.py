"""The lower half of the composition root: what `serve` and `run` both build from the settings."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

import msgspec

from ..actors.settings import ConcurrencySettings
from ..actors.system import SystemSettings
from ..fetch.caching import ContentCache
from ..fetch.digest_llm import DigestSettings, ModelDigest
from ..fetch.guard import Guard, precheck_all
from ..fetch.page import Converter
from ..fetch.pipeline import HttpFetcher
from ..fetch.resolve import Resolver, SystemResolver
from ..fetch.target import Caller, Fetcher
from ..fetch.workers import CannotConvert, WorkerConverter
from .failure import Failure, UsageFailure
from .settings import Settings, located


class Pipeline(msgspec.Struct, frozen=True):
    """What fetches, and the check that its guard makes before a batch is taken."""

    fetcher: Fetcher
    guard: Guard
    resolver: Resolver

    async def precheck(self, urls: Sequence[str], caller: Caller) -> tuple[int, str] | None:
        """The lowest idx in `urls` that `caller` may not fetch, with the reason; None if there is none."""
        return await precheck_all(self.guard, self.resolver, urls, caller)


@asynccontextmanager
async def open_pipeline(settings: Settings, cache: ContentCache | None = None) -> AsyncIterator[Pipeline]:
    """The fetch pipeline for the length of the block; its worker processes and connections end with it.

    Raises `Failure` if no worker can be started, and `UsageFailure` for an entry of `guard.allow` that is none and
    for a `[digest]` that cannot work.
    """
    try:
        guard = Guard(settings.guard.allow)
    except ValueError as error:
        raise UsageFailure(str(error)) from error
    timeout_s = settings.fetch.dns_timeout_s
    # Two resolvers: however many names a batch asks the pre-check for, fetches have their look-ups.
    asked = SystemResolver(timeout_s=timeout_s, max_lookups=16, max_threads=64)
    resolver = SystemResolver(timeout_s=timeout_s)
    async with (
        _converting(settings) as workers,
        _digesting(workers, settings) as converter,
        HttpFetcher(settings.fetch, guard=guard, resolver=resolver, converter=converter, cache=cache) as fetcher,
    ):
        yield Pipeline(fetcher, guard, asked)


@asynccontextmanager
async def _converting(settings: Settings) -> AsyncIterator[Converter]:
    try:
        async with WorkerConverter(settings.fetch) as workers:
            yield workers
    except CannotConvert as error:
        raise Failure(str(error)) from error


def _digesting(workers: Converter, settings: Settings) -> AbstractAsyncContextManager[Converter]:
    """`workers`, with a model to write digests if the settings name one."""
    if settings.digest == DigestSettings():
        return nullcontext(workers)
    try:
        return ModelDigest(
            workers, settings.digest, environ=os.environ, max_content_bytes=settings.fetch.max_content_bytes
        )
    except ValueError as error:
        raise UsageFailure(str(error)) from error


def system_settings(settings: Settings, store: str) -> SystemSettings:
    """What the actor system is told of the settings, with its database at `store`."""
    fetch, audit = settings.fetch, settings.audit
    return SystemSettings(
        store=store,
        batch=settings.batch,
        audit=msgspec.structs.replace(
            audit,
            checkpoints=audit.checkpoints and located(audit.checkpoints),
            key=audit.key and located(audit.key),
        ),
        concurrency=ConcurrencySettings(fetch.concurrency, fetch.per_job, fetch.per_host),
    )
