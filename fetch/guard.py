"""Where a fetch may go: URLs checked by the WHATWG parser, hosts and addresses judged for a caller's class.

Pure but for `precheck`, which asks a resolver. The addresses that a fetch really dials are judged again, by
`Guard.judge_answer`, at the moment of dialling: what a name pointed to a moment ago proves nothing.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal

import ada_url
import msgspec
import trio

from .address import Address, not_public, parse
from .resolve import NotResolved, Resolver
from .target import Caller, CallerClass

MAX_URL_CHARS = 8192
_REMEMBERED = 1024  # URLs: each is looked at several times on its way

_AUTHORITY = re.compile(r"\s*[a-z][a-z0-9+.-]*:/*([^/?#]*)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PORTS = {"http:": 80, "https:": 443}
_LOCAL_NAMES = ("localhost", "localhost.localdomain", "localhost6", "ip6-localhost", "ip6-loopback")
_METADATA_NAMES = (
    "metadata",
    "metadata.goog",
    "metadata.google.internal",
    "metadata.azure.internal",
    "instance-data",
    "instance-data.ec2.internal",
)


class CheckedUrl(msgspec.Struct, frozen=True):
    """An http or https URL that was parsed once; only `href` and these parts of it may be used from here on.

    `host` is lower-case ASCII without brackets or a trailing dot, `address` is set when it is an address, and
    `authority` is what the Host header says.
    """

    href: str
    scheme: Literal["http", "https"]
    host: str
    port: int
    authority: str
    path: str  # with the query
    address: Address | None


class Blocked(msgspec.Struct, frozen=True):
    """A refusal. `reason` is short and for the caller; it never tells what a name resolved to."""

    reason: str


class Malformed(Blocked, frozen=True):
    """A refusal of what is no web address, wherever it may lead."""


def check_url(url: str) -> CheckedUrl | Malformed:
    """Parse `url` by the WHATWG URL standard and refuse what parsers disagree about, or what is not a web address.

    It judges syntax only: whether the host may be reached is `Guard.check`'s question.
    """
    if len(url) > MAX_URL_CHARS:
        return Malformed(f"URL longer than {MAX_URL_CHARS} characters")
    return _parse(url)


@lru_cache(_REMEMBERED)
def _parse(url: str) -> CheckedUrl | Malformed:
    if _CONTROL.search(url):
        return Malformed("control character in URL")
    scheme = url.lstrip(" ").partition(":")[0].lower()
    if scheme not in ("http", "https"):
        return Malformed("scheme must be http or https")
    if "\\" in re.split(r"[?#]", url, maxsplit=1)[0]:
        return Malformed("backslash in URL")
    match = _AUTHORITY.match(url)
    authority = match[1] if match else ""
    if "@" in authority:
        return Malformed("user name or password in URL")
    if "%" in authority:
        return Malformed("percent sign in host")
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return Malformed("not a valid URL")
    host = parsed.hostname.removeprefix("[").removesuffix("]").removesuffix(".")
    if not host or any(not label or len(label) > 63 for label in host.split(".")) or len(host) > 253:
        return Malformed("not a valid host name")
    port = int(parsed.port) if parsed.port else _PORTS[parsed.protocol]
    if port == 0:
        return Malformed("not a valid port")
    parsed.hash = ""
    return CheckedUrl(
        href=parsed.href,
        scheme="https" if parsed.protocol == "https:" else "http",
        host=host,
        port=port,
        authority=parsed.host,
        path=parsed.pathname + parsed.search,
        address=parse(host),
    )


class _Exception(msgspec.Struct, frozen=True):
    """One entry of `guard.allow`: a host name or a network, at one port or (None) at any."""

    where: str | IPv4Network | IPv6Network
    port: int | None

    def covers_host(self, host: str, port: int) -> bool:
        return self.where == host and self.port in (None, port)

    def covers_address(self, address: Address, port: int) -> bool:
        return not isinstance(self.where, str) and address in self.where and self.port in (None, port)


def _parse_exception(entry: str) -> _Exception:
    wrong = f"guard.allow: {entry!r} is not a host, host:port, address or network"
    host, port_text = entry, ""
    if entry.count(":") == 1 or "]:" in entry:  # more colons without brackets are a bare IPv6 address
        host, _, port_text = entry.rpartition(":")
    port = int(port_text) if re.fullmatch(r"[0-9]{1,5}", port_text) else None
    if (port_text == "") != (host == entry) or (port_text and (port is None or not 0 < port < 65536)):
        raise ValueError(wrong)
    address = parse(host)
    if address is not None:
        return _Exception(ip_network(address), port)
    if "/" in host:
        try:
            return _Exception(ip_network(host), port)
        except ValueError as error:
            raise ValueError(f"{wrong}: {error}") from error
    checked = check_url(f"http://{host}/")
    if isinstance(checked, Blocked) or checked.address is not None or "*" in host:
        raise ValueError(wrong)
    return _Exception(checked.host, port)


class Guard:
    """The rule of where each class of caller may go. It holds no state but its table of exceptions.

    `allow` are exceptions for fleet callers: `"intranet.example"`, `"127.0.0.1:9000"`, `"[fd00::1]:80"`,
    `"10.1.0.0/16"`. Raises `ValueError` naming an entry that is none of these.
    """

    def __init__(self, allow: Iterable[str] = ()) -> None:
        self._exceptions = tuple(_parse_exception(entry) for entry in allow)

    def check(self, url: str, caller_class: CallerClass) -> CheckedUrl | Blocked:
        """`url` parsed, unless its syntax, its name or the address it names refuses it. No look-up is made."""
        checked = check_url(url)
        if isinstance(checked, Blocked):
            return checked
        if checked.address is not None:
            kind = self._refusal(checked.address, checked.host, checked.port, caller_class)
            return checked if kind is None else Blocked(f"not a public address ({kind})")
        if self._allows_host(checked.host, checked.port, caller_class):
            return checked
        if checked.host in _LOCAL_NAMES or checked.host.endswith(".localhost"):
            return Blocked("a name of the local machine")
        if checked.host in _METADATA_NAMES:
            return Blocked("a name of a cloud metadata service")
        return checked

    def judge_answer(self, host: str, port: int, answer: Sequence[Address], caller_class: CallerClass) -> str | None:
        """Why none of the addresses that `host` resolved to may be dialled; None when all of them may.

        One refused address refuses the whole answer: which one is dialled must not depend on chance.
        """
        if any(self._refusal(address, host, port, caller_class) for address in answer):
            return "the host resolves to an address that is not public"
        return None

    def _refusal(self, address: Address, host: str, port: int, caller_class: CallerClass) -> str | None:
        kind = not_public(address)
        if kind is None or self._allows_host(host, port, caller_class):
            return None
        if caller_class == "fleet" and any(each.covers_address(address, port) for each in self._exceptions):
            return None
        return kind

    def _allows_host(self, host: str, port: int, caller_class: CallerClass) -> bool:
        return caller_class == "fleet" and any(each.covers_host(host, port) for each in self._exceptions)


async def precheck(guard: Guard, resolver: Resolver, url: str, caller: Caller, *, timeout_s: float = 2) -> str | None:
    """Why a submission of `url` is to be refused, else None. It takes at most `timeout_s`.

    A name that does not resolve, or not in time, passes: its target will fail later, with its reason.
    """
    refusal = await precheck_all(guard, resolver, [url], caller, timeout_s=timeout_s)
    return None if refusal is None else refusal[1]


async def precheck_all(
    guard: Guard,
    resolver: Resolver,
    urls: Sequence[str],
    caller: Caller,
    *,
    timeout_s: float = 2,
    max_lookups: int = 16,
) -> tuple[int, str] | None:
    """The lowest index in `urls` to be refused, with the reason; None when all pass.

    It takes at most `timeout_s` in all, with `max_lookups` look-ups at a time; names without an answer by then pass.
    """
    by_place: dict[tuple[str, int], int] = {}
    refusal: tuple[int, str] | None = None
    for idx, url in enumerate(urls):
        checked = guard.check(url, caller.caller_class)
        if isinstance(checked, Blocked):
            refusal = (idx, checked.reason)
            break  # look-ups can only find a lower index
        if checked.address is None:
            by_place.setdefault((checked.host, checked.port), idx)
        await trio.lowlevel.checkpoint()  # a submission may hold thousands

    hosts = iter(dict.fromkeys(host for host, _ in by_place))
    answers: dict[str, tuple[Address, ...]] = {}

    async def look_up() -> None:
        for host in hosts:
            with suppress(NotResolved):
                answers[host] = await resolver.resolve(host)

    with trio.move_on_after(timeout_s):
        async with trio.open_nursery() as nursery:
            for _ in range(max_lookups):
                nursery.start_soon(look_up)

    for (host, port), idx in by_place.items():  # in order of idx
        if host in answers:
            reason = guard.judge_answer(host, port, answers[host], caller.caller_class)
            if reason is not None:
                return idx, reason
    return refusal
