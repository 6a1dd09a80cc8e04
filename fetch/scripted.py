"""A public fake of `target.Fetcher`: it follows a script, for tests of whatever drives fetches. No network."""

import math
from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
import trio

from .target import Caller, Envelope, Failed, Fetched, Outcome, Target


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """What one URL does when fetched: wait `delay_s`, then crash, fail with `error`, or answer `content`.

    `content` None echoes the target's URL, so that results can be told apart. `delay_s` may be `math.inf`: the
    fetch then ends only by cancelling. `crash` is raised as it is, which a real fetcher does only by a bug.
    """

    content: str | None = None
    delay_s: float = 0
    error: str = ""
    hint: str = ""
    crash: BaseException | None = None


NEVER = Script(delay_s=math.inf)


class ScriptedFetcher:
    """A `Fetcher` whose answers come from `scripts`, by URL as sent; a URL without one follows `default`.

    It records what was asked of it: `calls` in order of their start, `active` now, `max_active` and
    `max_active_by_host` at their highest, and how many calls were `cancelled`.
    """

    def __init__(self, scripts: Mapping[str, Script] | None = None, *, default: Script | None = None) -> None:
        self._scripts = dict(scripts or {})
        self._default = default or Script()
        self._active_by_host: Counter[str] = Counter()
        self.calls: list[tuple[Target, Caller]] = []
        self.active = 0
        self.max_active = 0
        self.max_active_by_host: Counter[str] = Counter()
        self.cancelled = 0

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        """Follow the script of `target.url`. Cancelling it counts in `cancelled` and ends it at once."""
        script = self._scripts.get(target.url, self._default)
        host = urlsplit(target.url).hostname or ""
        self.calls.append((target, caller))
        self._enter(host)
        try:
            await trio.sleep(script.delay_s)
        except trio.Cancelled:
            self.cancelled += 1
            raise
        finally:
            self._leave(host)
        if script.crash is not None:
            raise script.crash
        if script.error:
            return Failed(error=script.error, hint=script.hint)
        return Fetched(envelope_of(target, target.url if script.content is None else script.content))

    def _enter(self, host: str) -> None:
        self.active += 1
        self._active_by_host[host] += 1
        self.max_active = max(self.max_active, self.active)
        self.max_active_by_host[host] = max(self.max_active_by_host[host], self._active_by_host[host])

    def _leave(self, host: str) -> None:
        self.active -= 1
        self._active_by_host[host] -= 1


def envelope_of(target: Target, content: str) -> Envelope:
    """The envelope a plain, instant 200 of `content` would have; the same for the same arguments."""
    return Envelope(
        url=target.url,
        final_url=target.url,
        http_status=200,
        content_type="text/plain",
        title=None,
        language=None,
        mode=target.options.mode or "clean",
        fetched_at="2026-01-01T00:00:00Z",
        elapsed_ms=0,
        nbytes=len(content.encode()),
        truncated=False,
        from_cache=False,
        recovered=False,
        content=content,
    )
