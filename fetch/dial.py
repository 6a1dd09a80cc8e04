"""From a checked URL to an open connection: look-up, verdict on the answer, TCP to a vetted address, TLS.

The address that was judged is the address that is dialled: no name is handed to anything that could resolve it again,
no proxy of the environment is used. Host header, SNI and certificate check keep the URL's name.
"""

import errno
import ssl
from collections.abc import Sequence

import certifi
import trio

from .address import Address
from .faults import (
    BlockedFault,
    BrokenFault,
    ConnectFault,
    DnsFault,
    HandshakeFault,
    NoTlsFault,
    Part,
    TimeoutFault,
    TlsFault,
    TooLargeFault,
)
from .guard import CheckedUrl, Guard
from .resolve import NotResolved, Resolver
from .target import CallerClass
from .trail import HopNotes

_READ_BYTES = 65_536
_MAX_ADDRESSES = 8  # tried of one answer
_HEAD_START_S = 0.25  # of one address before the next is tried beside it (RFC 8305 section 5)

_CERTIFICATE_FAULTS = {  # by the verify codes of OpenSSL
    9: "the certificate is not valid yet",
    10: "the certificate has expired",
    18: "the certificate is self-signed",
    19: "the certificate is signed by an unknown authority",
    20: "the certificate is signed by an unknown authority",
    21: "the certificate is signed by an unknown authority",
    23: "the certificate is revoked",
    62: "the certificate is for another host",
    64: "the certificate is for another host",
}
_CONNECT_FAULTS = {
    errno.ECONNREFUSED: "refused",
    errno.EHOSTUNREACH: "host unreachable",
    errno.ENETUNREACH: "network unreachable",
    errno.ETIMEDOUT: "no answer",
    errno.ECONNRESET: "reset",
}


def tls_context() -> ssl.SSLContext:
    """A client's TLS context on the system's trust store, or on certifi's where the system has none at hand."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        context.load_verify_locations(certifi.where())
    return context


class Wire:
    """An open connection, and a limit on what may still be read from it. Its time is its users' to bound."""

    def __init__(
        self, transport: trio.SocketStream, stream: trio.abc.Stream, addresses: Sequence[Address], dialled: Address
    ) -> None:
        self._transport = transport
        self._stream = stream
        self.addresses = addresses
        self.dialled = dialled
        self.ended = False  # whether the peer has ended its side
        self._allowance_bytes = self._max_bytes = 0
        self._part: Part = "what comes before the body"

    def allow(self, max_bytes: int, part: Part) -> None:
        """From now on at most `max_bytes` are read; `part` names them in the fault beyond."""
        self._allowance_bytes = self._max_bytes = max_bytes
        self._part = part

    def allow_more(self, count: int) -> None:
        """Add `count` bytes to what may still be read."""
        self._allowance_bytes += count

    async def read(self, max_bytes: int = _READ_BYTES) -> bytes:
        """The next bytes, `b""` at the end. Raises `TooLargeFault` beyond the allowance, `BrokenFault` on a reset."""
        if self._allowance_bytes <= 0:
            raise TooLargeFault(self._part, self._max_bytes)
        try:
            data = bytes(await self._stream.receive_some(min(max_bytes, self._allowance_bytes)))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise BrokenFault("the connection was reset") from error
        self._allowance_bytes -= len(data)
        self.ended = not data
        return data

    async def send(self, data: bytes) -> None:
        """Send all of `data`. Raises `BrokenFault` on a reset."""
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise BrokenFault("the connection was reset") from error

    def close(self) -> None:
        """Close the socket, at once and without a TLS farewell, which HTTP does not need."""
        self._transport.socket.close()

    def is_readable(self) -> bool:
        """Whether something is there to be read, if only the end."""
        return self._transport.socket.is_readable()


class Dialler:
    """Opens connections for one class of callers."""

    def __init__(
        self, guard: Guard, resolver: Resolver, caller_class: CallerClass, tls: ssl.SSLContext, *, timeout_s: float
    ) -> None:
        self._guard = guard
        self._resolver = resolver
        self._caller_class = caller_class
        self._tls = tls
        self._timeout_s = timeout_s

    async def dial(self, url: CheckedUrl, notes: HopNotes) -> tuple[Wire, bool]:
        """An open connection to the host of `url`, and whether it speaks HTTP/2. `notes` learn the addresses.

        Raises `DnsFault`, `BlockedFault`, `ConnectFault`, `TlsFault`, or `TimeoutFault` when all of it takes more
        than the time-out. Cancelling it closes what it has opened.
        """
        with trio.move_on_after(self._timeout_s):
            addresses = await self._vetted(url, notes)
            transport, notes.dialled = await _connect(addresses, url.port)
            try:
                stream, is_http2 = await self._secured(transport, url)
            except BaseException:
                transport.socket.close()
                raise
            return Wire(transport, stream, addresses, notes.dialled), is_http2
        raise TimeoutFault("connect", self._timeout_s)

    async def _vetted(self, url: CheckedUrl, notes: HopNotes) -> Sequence[Address]:
        if url.address is not None:
            notes.addresses = (url.address,)  # `Guard.check` has judged it
            return notes.addresses
        try:
            notes.addresses = await self._resolver.resolve(url.host)
        except NotResolved as error:
            raise DnsFault(str(error)) from error
        refusal = self._guard.judge_answer(url.host, url.port, notes.addresses, self._caller_class)
        if refusal is not None:
            raise BlockedFault(refusal)
        return notes.addresses

    async def _secured(self, transport: trio.SocketStream, url: CheckedUrl) -> tuple[trio.abc.Stream, bool]:
        if url.scheme == "http":
            return transport, False
        stream = trio.SSLStream(transport, self._tls, server_hostname=url.host, https_compatible=True)
        try:
            await stream.do_handshake()
        except trio.BrokenResourceError as error:
            raise _tls_fault(error.__cause__) from error
        return stream, stream.selected_alpn_protocol() == "h2"


def _tls_fault(cause: BaseException | None) -> TlsFault | BrokenFault:
    match cause:
        case ssl.SSLCertVerificationError():
            return TlsFault(_CERTIFICATE_FAULTS.get(cause.verify_code, "the certificate is not valid"))
        case ssl.SSLEOFError() | None:
            return BrokenFault("the connection was closed during the TLS handshake")
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER" | "HTTP_REQUEST" | "PACKET_LENGTH_TOO_LONG"):
            return NoTlsFault()
        case ssl.SSLError():
            return HandshakeFault()
        case _:
            return BrokenFault("the connection was reset during the TLS handshake")


async def _connect(addresses: Sequence[Address], port: int) -> tuple[trio.SocketStream, Address]:
    """A connection to the first of `addresses` that accepts one, each next one tried a little later beside it."""
    winner: tuple[trio.socket.SocketType, Address] | None = None
    refusals: list[OSError] = []

    async def attempt(address: Address, refused: trio.Event) -> None:
        nonlocal winner
        family = trio.socket.AF_INET if address.version == 4 else trio.socket.AF_INET6
        try:
            socket = trio.socket.socket(family, trio.socket.SOCK_STREAM)
        except OSError as error:
            refusals.append(error)
            refused.set()
            return
        try:
            await socket.connect((str(address), port))
        except OSError as error:
            refusals.append(error)
            refused.set()
        else:
            if winner is None:
                winner = socket, address
                nursery.cancel_scope.cancel()
        finally:
            if winner is None or winner[0] is not socket:
                socket.close()

    try:
        async with trio.open_nursery() as nursery:
            for address in addresses[:_MAX_ADDRESSES]:
                refused = trio.Event()
                nursery.start_soon(attempt, address, refused)
                with trio.move_on_after(_HEAD_START_S):
                    await refused.wait()
        if winner is None:
            raise ConnectFault(_CONNECT_FAULTS.get(refusals[0].errno or 0, "failed")) from refusals[0]
        return trio.SocketStream(winner[0]), winner[1]
    except BaseException:
        if winner is not None:
            winner[0].close()
        raise
