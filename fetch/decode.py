"""Content codings undone piece by piece, bounded: no input makes it hold or give more than it was told.

Codings by RFC 9110 section 8.4.1: gzip (RFC 1952, several members), deflate (RFC 1950, and the raw RFC 1951 that some
origins send), br (RFC 7932) and zstd (RFC 8878, with the window limit of RFC 9659). No I/O.
"""

import sys
import zlib
from collections.abc import Iterator
from typing import Protocol

import brotli

from .faults import DecodeFault, TooLargeFault

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
PIECE_BYTES = 65536  # the size asked of each decoder at a time; brotli may give up to about three times as much
MAX_CODINGS = 2
_ZSTD_WINDOW_LOG_MAX = 23


class _Coding(Protocol):
    """One content coding being undone."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded pieces that `data` yields. All of them are to be drawn before the next call."""
        ...

    def finish(self) -> None:
        """Say that there is no more data. Raises `DecodeFault` when the stream is not at its end."""
        ...


class _Gzip:
    def __init__(self) -> None:
        self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._between = b""  # what follows a finished member, until it is known to start another
        self._trailing = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._trailing:
            if self._member.eof:
                data = self._between + data
                if len(data) < 2:
                    self._between = data
                    return
                self._between = b""
                if data[:2] != b"\x1f\x8b":
                    self._trailing = True  # padding or junk after the last member, which every client passes over
                    return
                self._member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            yield from _inflate(self._member, data, "gzip")
            data = self._member.unused_data

    def finish(self) -> None:
        if not self._member.eof:
            raise DecodeFault("the gzip stream is truncated")


class _Deflate:
    def __init__(self) -> None:
        self._start = b""
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            data = self._start + data
            if len(data) < 2:
                self._start = data
                return
            has_header = data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)
        if not self._stream.eof:
            yield from _inflate(self._stream, data, "deflate")

    def finish(self) -> None:
        if self._stream is None or not self._stream.eof:
            raise DecodeFault("the deflate stream is truncated")


def _inflate(stream: "zlib._Decompress", data: bytes, name: str) -> Iterator[bytes]:
    while True:
        try:
            piece = stream.decompress(data, PIECE_BYTES)
        except zlib.error as error:
            raise DecodeFault(f"the {name} stream is corrupt") from error
        if piece:
            yield piece
        data = stream.unconsumed_tail
        if stream.eof or (not data and len(piece) < PIECE_BYTES):
            return


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream.is_finished():
            return
        while True:
            try:
                piece = self._stream.process(data, output_buffer_limit=PIECE_BYTES)
            except brotli.error as error:
                raise DecodeFault("the br stream is corrupt") from error
            if piece:
                yield piece
            if self._stream.is_finished() or (not piece and self._stream.can_accept_more_data()):
                return
            data = b""  # it holds on to what it has not used; and ready to take more, it may still have more to give

    def finish(self) -> None:
        if not self._stream.is_finished():
            raise DecodeFault("the br stream is truncated")


class _Zstd:
    def __init__(self) -> None:
        self._frame = self._new_frame()
        self._frame_begun = False
        self._any_frame = False

    @staticmethod
    def _new_frame() -> "zstd.ZstdDecompressor":
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG_MAX})

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            self._frame_begun = self._any_frame = True
            while True:
                try:
                    piece = self._frame.decompress(data, PIECE_BYTES)
                except zstd.ZstdError as error:
                    raise DecodeFault("the zstd stream is corrupt, or needs a window over 8 MiB") from error
                if piece:
                    yield piece
                data = b""
                if self._frame.eof or self._frame.needs_input:
                    break
            if self._frame.eof:
                data = self._frame.unused_data
                self._frame = self._new_frame()
                self._frame_begun = False

    def finish(self) -> None:
        if self._frame_begun or not self._any_frame:
            raise DecodeFault("the zstd stream is truncated")


_CODINGS: dict[str, type[_Gzip | _Deflate | _Brotli | _Zstd]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}


class Decoder:
    """Undoes the codings of one body, given the value of its Content-Encoding ("" when there is none).

    At most `max_bytes` leave it, or pass between its two codings. Raises `DecodeFault` for an unknown coding or too
    many of them.
    """

    def __init__(self, content_encoding: str, max_bytes: int) -> None:
        names = [
            name for each in content_encoding.split(",") if (name := each.strip().lower()) not in ("", "identity")
        ]
        if len(names) > MAX_CODINGS:
            raise DecodeFault(f"more than {MAX_CODINGS} content codings")
        unknown = next((name for name in names if name not in _CODINGS), None)
        if unknown is not None:
            raise DecodeFault(f"unknown content coding {unknown[:40]!r}")
        self._codings: list[_Coding] = [_CODINGS[name]() for name in reversed(names)]
        self._max_bytes = max_bytes
        self._given = [0] * len(self._codings)
        self._fed = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded pieces of the next `data`, of about `PIECE_BYTES` each; draw all before the next call.

        Raises `DecodeFault` when the stream is corrupt and `TooLargeFault` when it unpacks to more than `max_bytes`.
        """
        self._fed = self._fed or bool(data)
        return self._through(0, data)

    def _through(self, stage: int, data: bytes) -> Iterator[bytes]:
        if stage == len(self._codings):
            yield data
            return
        for piece in self._codings[stage].feed(data):
            self._given[stage] += len(piece)
            if self._given[stage] > self._max_bytes:
                raise TooLargeFault("the unpacked body", self._max_bytes)
            yield from self._through(stage + 1, piece)

    def finish(self) -> None:
        """Say that the body is complete, as an empty one always is. Raises `DecodeFault` when a stream is cut."""
        if self._fed:
            for coding in self._codings:
                coding.finish()
