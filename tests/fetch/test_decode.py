"""Content codings: right on good streams however they are cut, an error on bad ones, and bounded on bombs."""

import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
from gofer.fetch.decode import PIECE_BYTES, Decoder
from gofer.fetch.faults import DecodeFault, TooLargeFault
from hypothesis import given
from hypothesis import strategies as st

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = "".join(f"line {n} of a page that is neither short nor long\n" for n in range(5000)).encode()


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "deflate, raw": raw_deflate,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstd.compress,
}
CODINGS = pytest.mark.parametrize("name", PACKERS)


def decode(content_encoding: str, data: bytes, *, cut: int = 1000, max_bytes: int = 10_000_000) -> bytes:
    decoder = Decoder(content_encoding, max_bytes)
    out = bytearray()
    for start in range(0, len(data), cut):
        for piece in decoder.feed(data[start : start + cut]):
            out += piece
    decoder.finish()
    return bytes(out)


def coding(name: str) -> str:
    return name.partition(",")[0]


@CODINGS
@pytest.mark.parametrize("cut", [1, 7, 1000, 10_000_000])
def test_a_stream_decodes_however_it_is_cut(name: str, cut: int) -> None:
    assert decode(coding(name), PACKERS[name](TEXT), cut=cut) == TEXT


@given(data=st.binary(max_size=300), cut=st.integers(1, 50), name=st.sampled_from(list(PACKERS)))
def test_any_bytes_come_back(data: bytes, cut: int, name: str) -> None:
    packed = PACKERS[name](data)
    if name == "deflate, raw" and packed[0] & 0x0F == 8 and int.from_bytes(packed[:2], "big") % 31 == 0:
        return  # reads as a zlib header; nobody can tell
    assert decode(coding(name), packed, cut=cut) == data


@pytest.mark.parametrize("value", ["", "identity", " , identity ,"])
def test_without_a_coding_the_bytes_pass(value: str) -> None:
    assert decode(value, TEXT) == TEXT


@pytest.mark.parametrize("value", ["gzip, br", "GZIP , Br", "identity, gzip, br"])
def test_two_codings_are_undone_last_one_first(value: str) -> None:
    assert decode(value, brotli.compress(gzip.compress(TEXT))) == TEXT


@pytest.mark.parametrize("cut", [1, 1000])
def test_several_gzip_members_are_one_body(cut: int) -> None:
    assert decode("gzip", gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two"), cut=cut) == b"one two"


def test_several_zstd_frames_are_one_body() -> None:
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00junk"
    assert decode("zstd", zstd.compress(b"one ") + skippable + zstd.compress(b"two")) == b"one two"


@pytest.mark.parametrize("junk", [b"\0" * 512, b"\n", b"\x1f", b"<!-- served -->"])
def test_what_follows_the_last_gzip_member_is_passed_over(junk: bytes) -> None:
    assert decode("gzip", gzip.compress(b"page") + junk, cut=1) == b"page"


@CODINGS
def test_a_truncated_stream_is_an_error(name: str) -> None:
    packed = PACKERS[name](TEXT)
    for keep in (1, len(packed) // 2, len(packed) - 1):
        with pytest.raises(DecodeFault, match="truncated"):
            decode(coding(name), packed[:keep])


def test_a_truncated_second_member_is_an_error() -> None:
    with pytest.raises(DecodeFault, match="the gzip stream is truncated"):
        decode("gzip", gzip.compress(b"one") + gzip.compress(TEXT)[:-9])


@CODINGS
def test_a_corrupt_stream_is_an_error(name: str) -> None:
    with pytest.raises(DecodeFault, match="corrupt"):
        decode(coding(name), b"\xff<html>this was never packed</html>" * 9)


def test_a_bad_checksum_is_an_error() -> None:
    packed = bytearray(gzip.compress(TEXT))
    packed[-8] ^= 1
    with pytest.raises(DecodeFault, match="the gzip stream is corrupt"):
        decode("gzip", bytes(packed))


@CODINGS
def test_an_empty_body_is_complete_whatever_its_coding(name: str) -> None:
    assert decode(coding(name), b"") == b""


@pytest.mark.parametrize(
    ("value", "error"),
    [("sdch", "decode: unknown content coding 'sdch'"), ("gzip, gzip, gzip", "decode: more than 2 content codings")],
)
def test_codings_that_are_not_known_or_too_many_are_errors(value: str, error: str) -> None:
    with pytest.raises(DecodeFault) as caught:
        Decoder(value, 100)
    assert caught.value.error == error


def test_a_zstd_window_over_the_limit_is_an_error() -> None:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 25})
    packed = packer.compress(b"x" * 2**26) + packer.flush()
    with pytest.raises(DecodeFault, match="window"):
        decode("zstd", packed, max_bytes=2**30)


def bomb(packed_by: Callable[[bytes], bytes], times: int = 1) -> bytes:
    data = bytes(2**26)
    for _ in range(times):
        data = packed_by(data)
    return data


@pytest.mark.parametrize(
    ("value", "packed"),
    [
        ("gzip", bomb(gzip.compress)),
        ("deflate", bomb(zlib.compress)),
        ("br", bomb(lambda data: brotli.compress(data, quality=5))),
        ("zstd", bomb(zstd.compress)),
        ("gzip, gzip", bomb(gzip.compress, times=2)),
        ("br, zstd", zstd.compress(bomb(lambda data: brotli.compress(data, quality=5)))),
    ],
    ids=lambda value: value if isinstance(value, str) else "bomb",
)
def test_report_24_a_bomb_stops_at_the_cap_with_flat_memory(value: str, packed: bytes) -> None:
    decoder = Decoder(value, 2**24)
    largest = given_bytes = 0

    def unpack() -> None:
        nonlocal largest, given_bytes
        for piece in decoder.feed(packed):
            largest = max(largest, len(piece))
            given_bytes += len(piece)

    tracemalloc.start()
    try:
        with pytest.raises(TooLargeFault):
            unpack()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert largest <= 4 * PIECE_BYTES
    assert given_bytes <= 2**24
    assert peak < 2**22
