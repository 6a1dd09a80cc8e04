"""What a fetch is asked and what it answers: structs and the `Fetcher` interface only, no behaviour.

The fakes of this interface live beside it in `fetch/scripted.py`.
"""

from typing import Literal, Protocol

import msgspec

Mode = Literal["", "clean", "raw", "digest"]
CallerClass = Literal["fleet", "restricted"]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one target is to be fetched and shown; each field as a caller sends it.

    `mode` "" means `clean`. `pages`, `grep` and `jq` are unset when empty. Whether they can be parsed is
    `fetch.options.check`'s question, not this struct's.
    """

    mode: Mode = ""
    question: str = ""
    pages: str = ""
    grep: str = ""
    jq: str = ""
    context: bool = True
    recover: bool = False


class Target(msgspec.Struct, frozen=True):
    """One URL, as sent, with its options."""

    url: str
    options: Options = Options()


class Caller(msgspec.Struct, frozen=True):
    """On whose behalf a fetch is made. A restricted caller reaches the public internet only."""

    name: str
    caller_class: CallerClass


class Hop(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request that was made, or refused, on the way to a result: what an audit needs to explain it."""

    url: str
    status: int | None = None
    addresses: tuple[str, ...] = ()  # what the name resolved to, in the order of the answer
    dialled: str | None = None  # the vetted address that the connection went to
    verdict: str = ""  # why the guard refused, "" when it did not
    nbytes: int = 0  # body bytes received, still encoded
    elapsed_ms: int = 0
    attempt: int = 1  # 2 and 3 are retries of the same URL


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was done for one target, whatever came of it."""

    hops: tuple[Hop, ...] = ()
    elapsed_ms: int = 0


class Envelope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a done target: the metadata, and `content` last.

    Sizes are bytes. `nbytes` counts the decoded body, before selection and cap. `fetched_at` is RFC 3339 in UTC.
    """

    url: str
    final_url: str
    http_status: int
    content_type: str
    title: str | None
    language: str | None
    author: str | None = None
    date: str | None = None
    mode: Literal["clean", "raw", "digest"]
    fetched_at: str
    elapsed_ms: int
    nbytes: int
    truncated: bool
    from_cache: bool
    recovered: bool
    memento_url: str | None = None
    memento_date: str | None = None
    page_count: int | None = None
    matches: int | None = None
    digest_by: str | None = None
    warnings: tuple[str, ...] = ()
    content: str


class Fetched(msgspec.Struct, frozen=True):
    """A target that is done."""

    envelope: Envelope
    facts: Facts = Facts()


class Failed(msgspec.Struct, frozen=True):
    """A target that failed, in the caller's words: what went wrong, and what the caller can do about it."""

    error: str
    hint: str
    facts: Facts = Facts()


Outcome = Fetched | Failed


class Fetcher(Protocol):
    """Fetches one target."""

    async def fetch(self, target: Target, caller: Caller) -> Outcome:
        """Fetch `target` on behalf of `caller`.

        Every expected fault (DNS, refusal, status, time-out, size, decoding, options) is a `Failed`, never an
        exception: what is raised is a bug. Bounded by the fetch time-out. Cancelling it closes its sockets and
        ends its workers before it returns.
        """
        ...
