"""From bytes to text, whoever tells the encoding, and when nobody tells or somebody lies."""

import pytest
from gofer.fetch.charset import PRESCAN_BYTES, SAMPLE_BYTES, declared_encoding, decode, find_utf16

CHINESE = "山脚下有一座古老的书院，门前的石阶已经被雨水磨得发亮。每年春天，附近的学生都会来这里听老先生讲历史。"
JAPANESE = "港の近くに小さな時計屋がありました。店主は毎朝シャッターを開けると、まず古い柱時計のねじを巻きます。"
RUSSIAN = "Старый маяк стоял на краю посёлка, и каждый вечер смотритель поднимался по лестнице, чтобы зажечь лампу."


@pytest.mark.parametrize("told_by", ["header", "meta", "bom", "none"])
@pytest.mark.parametrize(("encoding", "text"), [("gbk", CHINESE), ("shift_jis", JAPANESE), ("windows-1251", RUSSIAN)])
def test_report_21_the_text_comes_out_right_however_its_encoding_is_told(
    encoding: str, text: str, told_by: str
) -> None:
    if told_by == "bom":  # only Unicode has a mark; it outweighs a header that names the old encoding
        assert decode(b"\xef\xbb\xbf" + text.encode(), encoding).text == text
        return
    meta = f"<meta charset={encoding}>" if told_by == "meta" else ""
    page = f"<html><head>{meta}</head><body>{text}</body></html>"
    assert decode(page.encode(encoding), encoding if told_by == "header" else "").text == page


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["<p>plain</p>", f"<p>{RUSSIAN}</p>", f"<p>{CHINESE}</p>\n"])
def test_utf_16_is_read_with_and_without_a_mark(codec: str, text: str) -> None:
    body = text.encode(codec)
    assert decode(body).text == text
    assert decode("\ufeff".encode(codec) + body, "utf-8").text == text
    assert decode(body).encoding == codec.replace("-le", "le").replace("-be", "be")


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0"


@pytest.mark.parametrize("body", [b"", b"\0", b"text", b"text with one\0stray zero ", PNG, bytes(range(256))])
def test_what_is_not_utf_16_is_not_taken_for_it(body: bytes) -> None:
    assert find_utf16(body) is None


def test_empty_and_ascii_bodies() -> None:
    assert decode(b"") == ("", "utf-8", 0.0)
    assert decode(b"plain") == ("plain", "utf-8", 0.0)


def test_labels_mean_what_browsers_take_them_for() -> None:
    assert decode(b"\x93caf\xe9\x94", "ISO-8859-1") == ("“café”", "windows-1252", 0.0)
    assert decode("镕".encode("gb18030") + b"\x81\x30\x81\x30", "gb2312").text == "镕\x80"
    assert decode("①".encode("cp932"), "shift_jis").text == "①"


def test_a_declaration_that_the_bytes_contradict_is_not_believed() -> None:
    assert decode(RUSSIAN.encode(), "iso-8859-1").text == RUSSIAN
    assert decode(RUSSIAN.encode("windows-1251"), "utf-8").text == RUSSIAN
    assert decode(RUSSIAN.encode(), "utf-16").text == RUSSIAN
    assert decode(RUSSIAN.encode(), "no-such-charset").text == RUSSIAN
    assert decode(CHINESE.encode("gbk"), "iso-2022-kr").text == CHINESE


def test_a_broken_character_does_not_change_the_encoding_and_is_told() -> None:
    decoded = decode(RUSSIAN.encode() + b"\xff" + RUSSIAN.encode(), "utf-8")
    assert decoded.text == RUSSIAN + "\ufffd" + RUSSIAN
    assert 0 < decoded.lost < 0.01


def test_a_long_body_is_judged_by_its_sample_without_halving_a_character() -> None:
    text = "é" * SAMPLE_BYTES
    assert decode(b"x" + text.encode(), "utf-8").text == "x" + text
    assert decode(b"x" + text.encode()).text == "x" + text


@pytest.mark.parametrize(
    ("head", "label"),
    [
        (b'<meta charset="gbk">', "gbk"),
        (b"<META CHARSET=gbk/>", None),  # an unquoted value runs up to the bracket
        (b"<meta/charset = 'gbk'>", "gbk"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=big5">', "big5"),
        (b"<meta content='text/html;charset=\"big5\"' http-equiv=content-type>", "big5"),
        (b'<meta content="text/html; charset=big5">', None),
        (b'<meta name="charset" content="gbk">', None),
        (b'<!-- <meta charset="gbk"> --><meta charset="big5">', "big5"),
        (b'<!--><meta charset="gbk">', "gbk"),
        (b'<!-- <meta charset="gbk">', None),
        (b'<a title="<meta charset=gbk>"><meta charset="big5">', "big5"),
        (b'<?php x ?><!doctype html></p x="y"><meta charset="gbk">', "gbk"),
        (b'<meta charset="utf-16"><p>', "utf-8"),
        (b'<meta charset="x-user-defined">', "windows-1252"),
        (b'<meta charset="nonsense"><meta charset="gbk">', "gbk"),
        (b'<?xml version="1.0" encoding="windows-1251"?><rss>', "windows-1251"),
        (b"<?xml version='1.0'?><rss>", None),
        (b"<metadata charset=gbk>", None),
        (b"<meta", None),
        (b"<meta charset", None),
        (b'<meta charset="gbk', None),
        (b"< meta charset=gbk>", None),
    ],
)
def test_the_prescan_follows_the_html_standard(head: bytes, label: str | None) -> None:
    assert declared_encoding(head) == label


@pytest.mark.parametrize("unit", [b"<", b"<!--", b"<a ", b"<a b=", b"<a =", b"<meta a='", b"<!", b"</", b"<a/"])
def test_the_prescan_ends_on_every_kind_of_rubbish(unit: bytes) -> None:
    assert declared_encoding((unit * PRESCAN_BYTES)[:PRESCAN_BYTES]) is None
