"""GET over the guarded network: a URL in, the response it leads to out, over redirects, retries and the cache.

check -> gate -> cache -> dial -> receive, at each hop.
"""

import ssl
from collections.abc import Awaitable, Callable

import msgspec
import trio

from . import caching
from .caching import ContentCache, Kept
from .decode import ACCEPT_ENCODING
from .dial import Dialler
from .faults import BlockedFault, BrokenFault, Fault, MalformedFault, RedirectFault, StatusFault
from .guard import Blocked, CheckedUrl, Guard, Malformed, check_url
from .head import Head
from .pool import Pool
from .receive import Limits, Response, receive
from .recover import is_bot_wall
from .redirect import redirect_url
from .resolve import Resolver
from .retry import RETRY_STATUSES, retry_after_s, retry_wait_s
from .settings import FetchSettings
from .spacing import Spacing
from .target import Caller, CallerClass
from .trail import HopNotes, Trail

_ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8"

Gate = Callable[[CheckedUrl], Awaitable[None]]


async def open_gate(url: CheckedUrl) -> None:
    """Let every hop pass."""


def as_told(url: str) -> str:
    """Follow a redirect to where it says."""
    return url


class Answer(msgspec.Struct, frozen=True):
    """A response, and when its origin gave or confirmed it (unix seconds); from the cache when no body was sent."""

    response: Response
    answered_at: float
    from_cache: bool = False


class Client:
    """Makes requests, for fleet and for restricted callers over connections of their own: one that was allowed for
    the former must never serve the latter. `clock` gives unix seconds, `chance` a number in [0, 1) to spread retries.
    """

    def __init__(
        self,
        settings: FetchSettings,
        *,
        guard: Guard,
        resolver: Resolver,
        cache: ContentCache | None,
        tls: ssl.SSLContext,
        clock: Callable[[], float],
        chance: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._guard = guard
        self._cache = cache
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
        self._spacing = Spacing(settings.host_interval_s)
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

    def close(self) -> None:
        """Close the idle connections."""
        for pool in self._pools.values():
            pool.close()

    async def get(
        self,
        url: str,
        caller: Caller,
        trail: Trail,
        *,
        gate: Gate = open_gate,
        onward: Callable[[str], str] = as_told,
        max_redirects: int | None = None,
        max_body_bytes: int | None = None,
    ) -> Answer:
        """The successful response that `url` leads to.

        Each hop is checked as the first one was, by the guard and by `gate`; `onward` may change where a redirect
        goes. The maxima are those of the settings unless given. Raises a `Fault`. Not bounded in time as a whole.
        """
        limits = self._limits
        if max_body_bytes is not None:
            limits = msgspec.structs.replace(limits, max_body_bytes=max_body_bytes)
        if max_redirects is None:
            max_redirects = self._settings.max_redirects
        seen: list[str] = []
        while True:
            answer = await self._hop(url, caller, trail, gate, limits, is_redirect=bool(seen))
            response = answer.response
            seen.append(response.url.href)
            location = redirect_url(response.status, response.header("location"), response.url.href)
            if location is None:
                break
            url = onward(location)
            if url in seen:
                raise RedirectFault("in a circle")
            if len(seen) > max_redirects:
                raise RedirectFault(f"more than {max_redirects} in a row")
        if response.is_success:
            return answer
        raise StatusFault(
            response.status,
            place=f" (after {len(seen) - 1} redirects, at {response.url.href})" if len(seen) > 1 else "",
            retry_after_s=retry_after_s(response.header("retry-after"), self._clock()),
            is_bot_wall=is_bot_wall(response),
        )

    async def _hop(
        self, url: str, caller: Caller, trail: Trail, gate: Gate, limits: Limits, *, is_redirect: bool
    ) -> Answer:
        try:
            checked = self._guard.check(url, caller.caller_class)
            if isinstance(checked, Blocked):
                trail.hop(url).verdict = checked.reason
                raise (
                    MalformedFault(checked.reason) if isinstance(checked, Malformed) else BlockedFault(checked.reason)
                )
            await gate(checked)
            return await self._answer(checked, caller, trail, limits)
        except BlockedFault as fault:
            if is_redirect:
                raise BlockedFault(f"redirect to {_described(url, fault.reason, caller)}") from fault
            raise

    async def _answer(self, url: CheckedUrl, caller: Caller, trail: Trail, limits: Limits) -> Answer:
        """The answer to `url`: a kept one while it is fresh, else the origin's, which may confirm a kept one."""
        if self._cache is None:
            return Answer(await self._attempts(url, caller.caller_class, trail, limits), self._clock())
        kept, body = self._recall(self._cache, url, caller)
        if kept is not None and caching.is_fresh(kept, self._clock()):
            trail.hop(url.href).status = kept.head.status
            return Answer(Response(kept.head.status, kept.head.headers, url, body), kept.received_at, from_cache=True)
        asked_at = self._clock()
        conditions = () if kept is None else caching.validators(kept.head)
        response = await self._attempts(url, caller.caller_class, trail, limits, conditions)
        received_at = self._clock()
        if kept is not None and response.status == 304:
            kept = caching.renewed(kept, response, asked_at=asked_at, received_at=received_at)
            self._keep(self._cache, url, caller, kept, body)
            return Answer(Response(kept.head.status, kept.head.headers, url, body), received_at, from_cache=True)
        if caching.is_storable(response):
            kept = Kept(Head(response.status, response.headers), asked_at, received_at)
            self._keep(self._cache, url, caller, kept, response.body)
        return Answer(response, received_at)

    def _recall(self, cache: ContentCache, url: CheckedUrl, caller: Caller) -> tuple[Kept | None, bytes]:
        for is_private in (True, False):
            found = cache.get(caching.cache_key(url.href, caller, is_private=is_private))
            kept = None if found is None else caching.decode(found[0])
            if found is not None and kept is not None:
                return kept, found[1]
        return None, b""

    def _keep(self, cache: ContentCache, url: CheckedUrl, caller: Caller, kept: Kept, body: bytes) -> None:
        if len(body) <= self._settings.max_cached_bytes:
            key = caching.cache_key(url.href, caller, is_private=caching.is_private(kept.head))
            cache.put(key, caching.encode(kept), body)

    async def _attempts(
        self,
        url: CheckedUrl,
        caller_class: CallerClass,
        trail: Trail,
        limits: Limits,
        conditions: tuple[tuple[str, str], ...] = (),
    ) -> Response:
        """A response of any status to `url`, asked for again as the settings allow while it fails in passing."""
        attempt = 1
        while True:
            await self._spacing.turn(url.authority)
            notes = trail.hop(url.href, attempt)
            outcome: Response | Fault
            try:
                outcome = await self._exchange(url, caller_class, notes, limits, conditions)
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

    async def _exchange(
        self,
        url: CheckedUrl,
        caller_class: CallerClass,
        notes: HopNotes,
        limits: Limits,
        conditions: tuple[tuple[str, str], ...],
    ) -> Response:
        """One request and its response. An idle connection that proves dead is replaced without further ado."""
        while True:
            try:
                async with self._pools[caller_class].connection(url, notes) as connection:
                    return await receive(connection, url, (*self._headers, *conditions), limits, notes)
            except BrokenFault:
                if not notes.reused or notes.status is not None:
                    raise
                notes.reused = False


def _described(url: str, reason: str, caller: Caller) -> str:
    """A redirect's place that was refused. A restricted caller learns no host and no reason: it may be internal."""
    if caller.caller_class == "restricted":
        return "a place that may not be reached"
    checked = check_url(url)
    return f"no web address ({reason})" if isinstance(checked, Malformed) else f"{checked.authority}: {reason}"
