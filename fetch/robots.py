"""robots.txt by RFC 9309: its rules parsed and matched by pure functions, and the answers of sites kept for a day.

Own code, because matchers at hand turn rules into backtracking regular expressions, which a hostile site can choose.
"""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from urllib.parse import quote

import msgspec
import trio

from .faults import Fault, RobotsFault, StatusFault
from .guard import CheckedUrl

MAX_ROBOTS_BYTES = 512_000  # the least that a crawler has to read, section 2.5
MAX_ROBOTS_REDIRECTS = 5
_KEEP_S = 86_400.0  # section 2.4
_KEEP_UNREACHABLE_S = 60.0
_MAX_SITES = 256
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TOKEN = re.compile(r"[A-Za-z_-]*")


class Rules(msgspec.Struct, frozen=True):
    """The rules that hold for us at one site: pairs of a path pattern and whether it allows. No rule allows all."""

    rules: tuple[tuple[str, bool], ...] = ()

    def allow(self, path: str) -> bool:
        """Whether `path`, with its query, may be fetched: the longest matching rule decides, of two the allowing."""
        path = _normal(path)
        if path == "/robots.txt":
            return True
        matching = ((len(pattern), allows) for pattern, allows in self.rules if _matches(pattern, path))
        return max(matching, default=(0, True))[1]


ALLOW_ALL = Rules()
FORBID_ALL = Rules((("/", False),))


def parse_robots(text: str, user_agent: str) -> Rules:
    """The rules of a robots.txt for the product that `user_agent` begins with, or those for `*` (section 2.2)."""
    product = _product(user_agent)
    ours: list[tuple[str, bool]] = []
    everyones: list[tuple[str, bool]] = []
    is_named = False
    group: list[list[tuple[str, bool]]] = []  # the lists that the current group's rules belong in
    in_rules = True
    for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")):
        key, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        match key.lower():
            case "user-agent":
                if in_rules:
                    group, in_rules = [], False
                if value == "*":
                    group.append(everyones)
                elif _product(value) == product:
                    group.append(ours)
                    is_named = True
            case "allow" | "disallow" as verb:
                in_rules = True
                if value:
                    for rules in group:
                        rules.append((_normal(value), verb == "allow"))
    return Rules(tuple(ours if is_named else everyones))


class Robots:
    """What sites allow. So many are remembered, each for a day, one that could not be asked for a minute."""

    def __init__(self, user_agent: str) -> None:
        self._user_agent = user_agent
        self._sites: OrderedDict[tuple[str, ...], _Site] = OrderedDict()

    async def check(self, url: CheckedUrl, whose: str, load: Callable[[str], Awaitable[bytes]]) -> None:
        """Raise `RobotsFault` if the site of `url` forbids it. `whose` parts those who may reach different sites.

        `load` gets a robots.txt by its URL, or raises a `Fault`: a status of 4xx allows all, any other fault forbids
        all (section 2.3.1). Targets of one site that come together wait for one look. Cancelling lets another look.
        """
        key = (whose, url.scheme, url.authority)
        site = self._sites.setdefault(key, _Site())
        self._sites.move_to_end(key)
        while len(self._sites) > _MAX_SITES:
            self._sites.popitem(last=False)
        async with site.lock:
            if site.expires_at <= trio.current_time():
                await self._look(site, f"{url.scheme}://{url.authority}/robots.txt", load)
        if not site.rules.allow(url.path):
            raise RobotsFault(site.reason)

    async def _look(self, site: "_Site", url: str, load: Callable[[str], Awaitable[bytes]]) -> None:
        keep_s = _KEEP_S
        try:
            text = (await load(url)).decode(errors="replace")
        except Fault as fault:
            if isinstance(fault, StatusFault) and 400 <= fault.status < 500:
                site.rules = ALLOW_ALL
            else:
                site.rules, keep_s = FORBID_ALL, _KEEP_UNREACHABLE_S
                site.reason = f"robots.txt cannot be read ({fault.error})"
        else:
            site.rules = parse_robots(text, self._user_agent)
            site.reason = "disallowed by robots.txt"
        site.expires_at = trio.current_time() + keep_s


class _Site:
    def __init__(self) -> None:
        self.lock = trio.Lock()
        self.rules = ALLOW_ALL
        self.reason = ""
        self.expires_at = float("-inf")


def _product(user_agent: str) -> str:
    match = _TOKEN.match(user_agent)
    return match[0].lower() if match else ""


def _normal(path: str) -> str:
    """`path` with what needs no escape unescaped and all else escaped in one way (section 2.2.2)."""
    ascii_path = quote(path, safe="".join(map(chr, range(0x21, 0x7F))))

    def again(escape: re.Match[str]) -> str:
        character = chr(int(escape[1], 16))
        return character if character in _UNRESERVED else escape[0].upper()

    return _ESCAPE.sub(again, ascii_path)


def _matches(pattern: str, path: str) -> bool:
    """Whether `pattern`, where `*` is any text and a final `$` the end, fits the start of `path`; in linear steps."""
    anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not rest:
        return not anchored or at == len(path)
    *middle, last = rest
    for part in middle:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if anchored:
        return path.endswith(last) and len(path) - len(last) >= at
    return path.find(last, at) >= 0
