"""Whether and when a request is sent again: pure decisions; time and chance come in as data."""

from email.utils import parsedate_to_datetime

RETRY_STATUSES = frozenset({429, 502, 503, 504})
MAX_RETRY_AFTER_S = 86_400.0


def retry_after_s(value: str, now: float) -> float | None:
    """The wait that a Retry-After header asks for (RFC 9110 section 10.2.3), clamped to 0..`MAX_RETRY_AFTER_S`.

    `value` is a number of seconds or an HTTP date, `now` in unix seconds. None when it is neither.
    """
    value = value.strip()
    try:
        seconds = float(value) if value.lstrip("+-").isdecimal() else parsedate_to_datetime(value).timestamp() - now
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER_S)


def retry_wait_s(
    attempt: int,
    *,
    retries: int,
    asked_s: float | None,
    base_s: float,
    max_wait_s: float,
    remaining_s: float,
    chance: float,
) -> float | None:
    """How long to wait before sending a request again after its `attempt` (1 is the first); None not to.

    It is what the origin asked for, or else `base_s` doubled with each attempt and jittered by `chance` (0 <= chance
    < 1) between half and one and a half of it. An origin that asks for more than `max_wait_s`, or for more than the
    target has left, is not asked again: a shorter wait would only anger it.
    """
    if attempt > retries:
        return None
    backoff_s = min(base_s * 2 ** (attempt - 1), max_wait_s) * (0.5 + chance)
    wait_s = backoff_s if asked_s is None else max(asked_s, backoff_s)
    return wait_s if (asked_s or 0) <= max_wait_s and wait_s < remaining_s else None
