"""Polite spacing: requests to one host start no closer together than an interval. No I/O but waiting."""

import trio

_MAX_HOSTS = 1_024


class Spacing:
    """Gives out turns at hosts, `interval_s` apart; 0 spaces nothing."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._free_at: dict[str, float] = {}

    async def turn(self, host: str) -> None:
        """Wait for the next turn at `host`, in order of asking. Cancelling gives up the wait, not the turn."""
        if not self._interval_s:
            return
        now = trio.current_time()
        if len(self._free_at) >= _MAX_HOSTS:
            self._free_at = {host: free_at for host, free_at in self._free_at.items() if free_at > now}
        starts_at = max(now, self._free_at.get(host, now))
        self._free_at[host] = starts_at + self._interval_s
        await trio.sleep_until(starts_at)
