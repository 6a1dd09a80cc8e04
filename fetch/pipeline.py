"""The fetcher: one target in, one outcome out. It strings the stages together; each stage lives in its own module.

check -> dial -> receive (with its codings undone) -> convert -> envelope, over redirects and retries.
"""

import random
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import trio

from .decode import ACCEPT_ENCODING
from .dial import Dialler, tls_context
from .faults import BlockedFault, BrokenFault, Fault, RedirectFault, StatusFault, TimeoutFault
from .guard import Blocked, CheckedUrl, Guard, check_url
from .page import Converted, Converter, Page, Refused
from .pool import Pool
from .receive import Limits, Response, receive
from .redirect import redirect_url
from .resolve import Resolver
from .retry import RETRY_STATUSES, retry_after_s, retry_wait_s
from .settings import FetchSettings
from .target import Caller, CallerClass, Envelope, Failed, Fetched, Outcome, Target
from .trail import HopNotes, Trail

_ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"


class HttpFetcher:
    """A `target.Fetcher` over HTTP/1.1 and 2. Use it as an async context manager: leaving closes its connections.

    Fleet and restricted callers have connections of their own: one that was allowed for the former must never serve
    the latter. `clock` gives unix seconds, `chance` a number in [0, 1) to spread retries by; `tls` is by default a
    context on the system's trust store.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        guard: Guard,
        resolver: Resolver,
        converter: Converter,
        tls: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings
        self._guard = guard
        self._converter = converter
        self._clock = clock
        self._chance = chance
        self._limits = Limits(
            max_header_bytes=settings.max_header_bytes,
            max_body_bytes=settings.max_body_bytes,
            headers_timeout_s=settings.headers_timeout_s,
            body_timeout_s=settings.body_timeout_s,
        )
        self._headers = (
            ("User-Agent", settings.user_agent),
            ("Accept", _ACCEPT),
            ("Accept-Encoding", ACCEPT_ENCODING),
        )
        tls = tls or tls_context()
        tls.set_alpn_protocols(["h2", "http/1.1"] if settings.http2 else ["http/1.1"])
        classes: tuple[CallerClass, ...] = ("fleet", "restricted")
        self._pools = {
            each: Pool(
                Dialler(guard, resolver, each, tls, timeout_s=settings.connect_timeout_s),
                max_idle=settings.max_idle_connections,
                idle_timeout_s=settings.idle_timeout_s,
            )
            for each in classes
        }

    async def __aenter__(self) -> Self:
        """The fetcher, ready at once."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the idle connections. Fetches still under way are for whoever started them to cancel first."""
        for pool in self._pools.values():
            pool.close()

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        """See `target.Fetcher.fetch`. Takes at most `timeout_s` of the settings."""
        trail = Trail()
        with trio.move_on_after(self._settings.timeout_s):
            try:
                return await self._fetch(target, caller, trail)
            except Fault as fault:
                return Failed(fault.error, fault.hint, trail.facts())
        late = TimeoutFault("total", self._settings.timeout_s)
        return Failed(late.error, late.hint, trail.facts())

    async def _fetch(self, target: Target, caller: Caller, trail: Trail) -> Outcome:
        response = await self._get(target.url, caller, trail)
        page = Page(response.url.href, response.header("content-type"), response.body)
        if page.body:
            converted = await self._converter.convert(page, target.options)
        else:
            converted = Converted(content="", content_type=page.content_type)
        if isinstance(converted, Refused):
            return Failed(converted.error, converted.hint, trail.facts())
        envelope = Envelope(
            url=target.url,
            final_url=response.url.href,
            http_status=response.status,
            content_type=converted.content_type,
            title=converted.title,
            language=converted.language,
            author=converted.author,
            date=converted.date,
            mode=target.options.mode or "clean",
            fetched_at=datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            elapsed_ms=trail.elapsed_ms,
            nbytes=len(page.body),
            truncated=converted.truncated,
            from_cache=False,
            recovered=False,
            page_count=converted.page_count,
            matches=converted.matches,
            digest_by=converted.digest_by,
            warnings=converted.warnings,
            content=converted.content,
        )
        return Fetched(envelope, trail.facts())

    async def _get(self, url: str, caller: Caller, trail: Trail) -> Response:
        """The successful response that `url` leads to, over its redirects, each hop checked as the first one was."""
        seen: set[str] = set()
        while True:
            response = await self._hop(url, caller, trail, is_redirect=bool(seen))
            href = response.url.href
            seen.add(href)
            onward = redirect_url(response.status, response.header("location"), href)
            if onward is None:
                break
            if onward in seen:
                raise RedirectFault("in a circle")
            if len(seen) > self._settings.max_redirects:
                raise RedirectFault(f"more than {self._settings.max_redirects} in a row")
            url = onward
        if response.is_success:
            return response
        raise StatusFault(
            response.status,
            place=f" (after {len(seen) - 1} redirects, at {href})" if len(seen) > 1 else "",
            retry_after_s=retry_after_s(response.header("retry-after"), self._clock()),
        )

    async def _hop(self, url: str, caller: Caller, trail: Trail, *, is_redirect: bool) -> Response:
        try:
            checked = self._guard.check(url, caller.caller_class)
            if isinstance(checked, Blocked):
                trail.hop(url).verdict = checked.reason
                raise BlockedFault(checked.reason)
            return await self._attempts(checked, caller.caller_class, trail)
        except BlockedFault as fault:
            if is_redirect:
                raise BlockedFault(f"redirect to {_described(url, fault.reason, caller)}") from fault
            raise

    async def _attempts(self, url: CheckedUrl, caller_class: CallerClass, trail: Trail) -> Response:
        """A response of any status to `url`, asked for again as the settings allow while it fails in passing."""
        attempt = 1
        while True:
            notes = trail.hop(url.href, attempt)
            outcome: Response | Fault
            try:
                outcome = await self._exchange(url, caller_class, notes)
            except BlockedFault as fault:
                notes.verdict = fault.reason
                raise
            except Fault as fault:
                outcome = fault
            finally:
                notes.ended_at = trio.current_time()
            wait_s = self._wait_s(outcome, attempt)
            if wait_s is None:
                if isinstance(outcome, Fault):
                    raise outcome
                return outcome
            await trio.sleep(wait_s)
            attempt += 1

    def _wait_s(self, outcome: Response | Fault, attempt: int) -> float | None:
        """How long to wait before asking again after `outcome`; None not to."""
        if isinstance(outcome, Fault):
            may_retry, asked_s = outcome.retryable, None
        else:
            may_retry = outcome.status in RETRY_STATUSES
            asked_s = retry_after_s(outcome.header("retry-after"), self._clock())
        if not may_retry:
            return None
        return retry_wait_s(
            attempt,
            retries=self._settings.retries,
            asked_s=asked_s,
            base_s=self._settings.retry_base_s,
            max_wait_s=self._settings.max_retry_wait_s,
            remaining_s=trio.current_effective_deadline() - trio.current_time(),
            chance=self._chance(),
        )

    async def _exchange(self, url: CheckedUrl, caller_class: CallerClass, notes: HopNotes) -> Response:
        """One request and its response. An idle connection that proves dead is replaced without further ado."""
        while True:
            try:
                async with self._pools[caller_class].connection(url, notes) as connection:
                    return await receive(connection, url, self._headers, self._limits, notes)
            except BrokenFault:
                if not notes.reused or notes.status is not None:
                    raise
                notes.reused = False


def _described(url: str, reason: str, caller: Caller) -> str:
    """A redirect's place that was refused. A restricted caller learns no host and no reason: it may be internal."""
    if caller.caller_class == "restricted":
        return "a place that may not be reached"
    checked = check_url(url)
    return reason if isinstance(checked, Blocked) else f"{checked.authority}: {reason}"
