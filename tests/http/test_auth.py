"""Bearer tokens: who is named, who is refused, and what settings are refused."""

import pytest
from gofer.fetch.target import Caller
from gofer.http.auth import Callers, CallerSettings, token_digest
from gofer.http.problems import Problem

ALICE = CallerSettings(name="alice", caller_class="fleet", token_sha256=token_digest("alice-token"))
CAROL = CallerSettings(name="carol", caller_class="restricted", token_sha256=token_digest("carol"), enabled=False)
CALLERS = Callers([ALICE, CAROL])


@pytest.mark.parametrize("header", ["Bearer alice-token", "bearer alice-token", "BEARER   alice-token "])
def test_a_token_names_its_caller(header: str) -> None:
    assert CALLERS.identify(header) == Caller("alice", "fleet")


@pytest.mark.parametrize(
    ("header", "challenge"),
    [
        (None, 'Bearer realm="gofer"'),
        ("", 'Bearer realm="gofer"'),
        ("Basic YWxpY2U6eA==", 'Bearer realm="gofer", error="invalid_request"'),
        ("Bearer", 'Bearer realm="gofer", error="invalid_request"'),
        ("Bearer alice token", 'Bearer realm="gofer", error="invalid_request"'),
        ("Bearer älice", 'Bearer realm="gofer", error="invalid_request"'),
        ("Bearer alice-toke", 'Bearer realm="gofer", error="invalid_token"'),
        (f"Bearer {ALICE.token_sha256}", 'Bearer realm="gofer", error="invalid_token"'),
    ],
)
def test_no_or_an_unknown_token_is_401_with_a_challenge(header: str | None, challenge: str) -> None:
    with pytest.raises(Problem) as raised:
        CALLERS.identify(header)
    assert raised.value.status == 401
    assert raised.value.headers == {"WWW-Authenticate": challenge}


def test_a_disabled_caller_is_403() -> None:
    with pytest.raises(Problem) as raised:
        CALLERS.identify("Bearer carol")
    assert raised.value.status == 403


def test_a_sum_in_capitals_is_the_same_sum() -> None:
    shouting = CallerSettings(name="alice", caller_class="fleet", token_sha256=ALICE.token_sha256.upper())
    assert Callers([shouting]).identify("Bearer alice-token").name == "alice"


@pytest.mark.parametrize(
    ("name", "digest", "message"),
    [
        ("", "0" * 64, "name must not be empty"),
        ("alice", "0" * 64, "'alice': the name is given twice"),
        ("bob", "secret", "'bob': token_sha256 must be 64 hexadecimal digits"),
        ("bob", ALICE.token_sha256, "'bob': another caller has the same token"),
    ],
)
def test_contradictory_settings_are_refused_by_name(name: str, digest: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Callers([ALICE, CallerSettings(name=name, caller_class="fleet", token_sha256=digest)])
