"""When a request is sent again: the header's forms, the clamp, the back-off."""

import pytest
from gofer.fetch.retry import retry_after_s, retry_wait_s

NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("9999999999", 86_400),
        ("9" * 400, 86_400),
        ("-5", 0),
        ("Fri, 15 Jan 2027 08:01:30 GMT", 90),
        ("Fri, 15 Jan 2027 07:00:00 GMT", 0),
        ("Fri, 15 Jan 2999 07:00:00 GMT", 86_400),
        ("Friday, 15-Jan-27 08:00:05 GMT", 5),
        ("Fri, 99 Jan 2027 07:00:00 GMT", None),
        ("soon", None),
        ("1.5e3", None),
        ("", None),
    ],
)
def test_report_25_retry_after_is_parsed_and_clamped(value: str, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


def wait(
    attempt: int = 1, asked_s: float | None = None, remaining_s: float = 60, chance: float = 0.5
) -> float | None:
    return retry_wait_s(
        attempt,
        retries=2,
        asked_s=asked_s,
        base_s=0.5,
        max_wait_s=10,
        remaining_s=remaining_s,
        chance=chance,
    )


def test_the_back_off_doubles_and_spreads() -> None:
    assert [wait(1), wait(2), wait(3)] == [0.5, 1.0, None]
    assert [wait(chance=0), wait(chance=0.999)] == [0.25, pytest.approx(0.75, abs=0.001)]


def test_the_origin_is_heard_and_never_asked_too_early() -> None:
    assert wait(asked_s=5) == 5
    assert wait(asked_s=0) == 0.5
    assert wait(asked_s=10) == 10
    assert wait(asked_s=11) is None


def test_no_retry_outlives_the_target() -> None:
    assert wait(asked_s=5, remaining_s=5) is None
    assert wait(remaining_s=0.4) is None
