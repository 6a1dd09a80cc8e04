"""The fetcher: one target in, one outcome out. It strings the stages together; each lives in its own module.

get (client.py), or recover an archived copy -> convert -> envelope.
"""

import random
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import trio

from .caching import ContentCache
from .client import Answer, Client, Gate, open_gate
from .dial import tls_context
from .faults import Fault, TimeoutFault
from .guard import CheckedUrl, Guard
from .page import Converted, Converter, Page, Refused
from .recover import Memento, advice, is_recoverable, memento_of, raw_capture_url, timegate_url
from .resolve import Resolver
from .robots import MAX_ROBOTS_BYTES, MAX_ROBOTS_REDIRECTS, Robots
from .settings import FetchSettings
from .target import Caller, Envelope, Failed, Fetched, Outcome, Target
from .trail import Trail
from .walls import BOT_WALL


class HttpFetcher:
    """A `target.Fetcher` over HTTP/1.1 and 2. Use it as an async context manager: leaving closes its connections.

    Without a `cache` every fetch goes to its origin. `tls` is by default a context on the system's trust store,
    `clock` gives unix seconds, `chance` a number in [0, 1) to spread retries by.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        guard: Guard,
        resolver: Resolver,
        converter: Converter,
        cache: ContentCache | None = None,
        tls: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings
        self._converter = converter
        self._robots = Robots(settings.user_agent)
        self._client = Client(
            settings,
            guard=guard,
            resolver=resolver,
            cache=cache,
            tls=tls or tls_context(),
            clock=clock,
            chance=chance,
        )

    async def __aenter__(self) -> Self:
        """The fetcher, ready at once."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the idle connections. Fetches still under way are for whoever started them to cancel first."""
        self._client.close()

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        """See `target.Fetcher.fetch`. Takes at most `timeout_s` of the settings."""
        trail = Trail()
        with trio.move_on_after(self._settings.timeout_s):
            try:
                return await self._fetch(target, caller, trail)
            except Fault as fault:
                more = advice(fault, asked=target.options.recover, timegate=self._settings.memento_timegate)
                return Failed(fault.error, fault.hint + more, trail.facts())
        late = TimeoutFault("total", self._settings.timeout_s)
        return Failed(late.error, late.hint, trail.facts())

    async def _fetch(self, target: Target, caller: Caller, trail: Trail) -> Outcome:
        try:
            answer = await self._client.get(target.url, caller, trail, gate=self._gate(caller, trail))
        except Fault as fault:
            if not (target.options.recover and is_recoverable(fault)):
                raise
            recovered = await self._recover(target, caller, trail)
            if recovered is None:
                raise
            return await self._outcome(target, trail, *recovered)
        outcome = await self._outcome(target, trail, answer)
        if target.options.recover and isinstance(outcome, Fetched) and BOT_WALL in outcome.envelope.warnings:
            recovered = await self._recover(target, caller, trail)
            if recovered is not None:
                return await self._outcome(target, trail, *recovered)
        return outcome

    def _gate(self, caller: Caller, trail: Trail) -> Gate:
        """What asks robots.txt before each hop, where the settings say so."""
        if self._settings.robots == "ignore":
            return open_gate

        async def load(url: str) -> bytes:
            answer = await self._client.get(
                url, caller, trail, max_redirects=MAX_ROBOTS_REDIRECTS, max_body_bytes=MAX_ROBOTS_BYTES
            )
            return answer.response.body

        async def ask(url: CheckedUrl) -> None:
            await self._robots.check(url, caller.caller_class, load)

        return ask

    async def _recover(self, target: Target, caller: Caller, trail: Trail) -> tuple[Answer, Memento] | None:
        """The latest archived copy of the target, None when the archive has none or gives none."""
        if not self._settings.memento_timegate:
            return None
        gate_url = timegate_url(self._settings.memento_timegate, target.url)
        try:
            answer = await self._client.get(gate_url, caller, trail, onward=raw_capture_url)
        except Fault:
            return None  # the origin's own fault is what the caller has to know
        memento = memento_of(answer.response, answer.response.url.href, target.url)
        return None if memento is None else (answer, memento)

    async def _outcome(self, target: Target, trail: Trail, answer: Answer, memento: Memento | None = None) -> Outcome:
        """What the target's caller gets of `answer`, which is an archived copy when there is a `memento`."""
        response = answer.response
        final_url = response.url.href if memento is None else memento.original
        page = Page(final_url, response.header("content-type"), response.body)
        if page.body:
            converted = await self._converter.convert(page, target.options)
        else:
            converted = Converted(content="", content_type=page.content_type)
        if isinstance(converted, Refused):
            return Failed(converted.error, converted.hint, trail.facts())
        envelope = Envelope(
            url=target.url,
            final_url=final_url,
            http_status=response.status,
            content_type=converted.content_type,
            title=converted.title,
            language=converted.language,
            author=converted.author,
            date=converted.date,
            mode=target.options.mode or "clean",
            fetched_at=datetime.fromtimestamp(answer.answered_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            elapsed_ms=trail.elapsed_ms,
            nbytes=len(page.body),
            truncated=converted.truncated,
            from_cache=answer.from_cache,
            recovered=memento is not None,
            memento_url=memento.url if memento else None,
            memento_date=memento.date if memento else None,
            page_count=converted.page_count,
            matches=converted.matches,
            digest_by=converted.digest_by,
            warnings=converted.warnings,
            content=converted.content,
        )
        return Fetched(envelope, trail.facts())
