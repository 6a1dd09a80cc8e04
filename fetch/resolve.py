"""From a host name to its addresses: the `Resolver` interface, the system's resolver, and a scripted fake."""

import socket
from collections.abc import Mapping, Sequence
from typing import Protocol

import trio

from .address import Address, parse


class NotResolved(Exception):
    """A name that has no address, or no answer in time. Its text is short and fit for callers."""


class Resolver(Protocol):
    """Resolves names."""

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """The addresses of `host` (ASCII), at least one, best first, IPv4-mapped ones as IPv4.

        Bounded in time. Raises `NotResolved` when there is no answer. Cancelling it returns at once.
        """
        ...


class SystemResolver:
    """The machine's own resolver: hosts file, search domains and name servers as the system has them.

    At most `max_lookups` are waited for at a time. A thread whose look-up was given up works on until the system
    gives up too, which may take half a minute: it no longer counts among those, but among `max_threads`. So names
    whose servers are silent, given up one after the other, don't keep other names from being looked up.
    """

    def __init__(self, *, timeout_s: float = 5, max_lookups: int = 64, max_threads: int = 256) -> None:
        self._timeout_s = timeout_s
        self._lookups = trio.CapacityLimiter(max_lookups)
        self._threads = trio.CapacityLimiter(max_threads)  # not those that other parts of the process live on

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """See `Resolver.resolve`."""
        with trio.move_on_after(self._timeout_s):
            async with self._lookups:
                return await trio.to_thread.run_sync(_lookup, host, abandon_on_cancel=True, limiter=self._threads)
        raise NotResolved("no answer in time")


def _lookup(host: str) -> tuple[Address, ...]:
    try:
        # Bytes go round Python's own IDNA codec: the URL parser has encoded the name already.
        answers = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        unknown = error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
        raise NotResolved("no such name" if unknown else "the look-up failed") from error
    except (UnicodeError, OSError) as error:
        raise NotResolved("the look-up failed") from error
    found = (parse(str(sockaddr[0]).partition("%")[0]) for *_, sockaddr in answers)
    addresses = tuple(dict.fromkeys(address for address in found if address is not None))
    if not addresses:
        raise NotResolved("no address")
    return addresses


class ScriptedResolver:
    """A public fake: each look-up of a name takes its next answer, the last one for ever; `looked_up` records them.

    An answer is a list of addresses; an empty one, or a name without any, raises `NotResolved`. A name in `silent`
    never answers: a look-up of it ends only by cancelling.
    """

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]], *, silent: Sequence[str] = ()) -> None:
        self._answers = {host: list(each) for host, each in answers.items()}
        self._silent = frozenset(silent)
        self.looked_up: list[str] = []

    async def resolve(self, host: str) -> tuple[Address, ...]:
        """See `Resolver.resolve`; not bounded for a silent name."""
        self.looked_up.append(host)
        await trio.lowlevel.checkpoint()
        if host in self._silent:
            await trio.sleep_forever()
        answers = self._answers.get(host, [[]])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        addresses = tuple(address for text in answer if (address := parse(text)) is not None)
        if not addresses:
            raise NotResolved("no such name")
        return addresses
