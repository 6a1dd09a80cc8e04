"""What a body is taken for, whatever its header says, and what is refused."""

import pytest
from gofer.fetch.identify import DOCX, EPUB, identify, parse_content_type
from gofer.fetch.page import Page
from gofer.fetch.refusal import Refusal

PDF = b"%PDF-1.7\n1 0 obj<<>>endobj\n"
HTML = b"<!DOCTYPE html><title>x</title><p>hello"
RSS = b'<?xml version="1.0"?>\n<!-- made by hand -->\n<rss version="2.0"><channel/></rss>'
ATOM = b'<feed xmlns="http://www.w3.org/2005/Atom"/>'
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def page(content_type: str, body: bytes, url: str = "http://a.example/") -> Page:
    return Page(url, content_type, body)


@pytest.mark.parametrize(
    ("content_type", "body", "kind", "media_type"),
    [
        ("text/html", PDF, "pdf", "application/pdf"),  # report 23
        ("application/octet-stream", b"\n\n" + PDF, "pdf", "application/pdf"),
        ("application/zip", b"PK\3\4\0\0mimetypeapplication/epub+zip", "epub", EPUB),
        ("", b"PK\3\4\0\0[Content_Types].xml word/document.xml", "docx", DOCX),
        ("text/plain", HTML, "html", "text/html"),
        ("", HTML, "html", "text/html"),
        ("application/xhtml+xml", b'<?xml version="1.0"?><html xmlns="x"/>', "html", "application/xhtml+xml"),
        ("text/html; charset=utf-8", b"<p>no root", "html", "text/html"),
        ("text/html", b"no tag at all, 1 < 2", "text", "text/plain"),
        ("text/html", b'{"a": 1}', "json", "application/json"),
        ("text/plain", b"\xef\xbb\xbf [1, 2]", "json", "application/json"),
        ("application/ld+json", b'{"a": 1}', "json", "application/ld+json"),
        ("application/json", b'"a string"', "json", "application/json"),
        ("application/json", b"{broken", "text", "application/json"),
        ("text/plain", b"[not json]", "text", "text/plain"),
        ("text/plain", b'{"a": 1}\n{"a": 2}\n', "json-lines", "application/x-ndjson"),
        ("application/x-ndjson", b'{"a": 1}\n\n[2]', "json-lines", "application/x-ndjson"),
        ("text/html", RSS, "feed", "application/rss+xml"),
        ("application/xml", b"\n" + ATOM, "feed", "application/atom+xml"),
        ("text/xml", b'<rdf:RDF xmlns:rdf="r"/>', "feed", "application/rss+xml"),
        ("application/xml", b"<?xml version='1.0'?><sitemap/>", "text", "application/xml"),
        ("image/svg+xml", b"<svg/>", "text", "image/svg+xml"),
        ("text/markdown", b"# A", "markdown", "text/markdown"),
        ("text/csv", b"a,b\n1,2", "text", "text/csv"),
        ("text/plain", b"BMW and MZ built motorcycles", "text", "text/plain"),
        ("text/plain", b"%PDF-1.7 is how every PDF begins", "text", "text/plain"),
        ("text/plain", b"a\x00 stray zero in a long enough text" + b"." * 100, "text", "text/plain"),
        ("text/html", b"<p>ding\x07", "html", "text/html"),
        ("text/html", b"\x00<p>\x01three strays\x7f\x1f", "html", "text/html"),
        ("text/plain", b"ding\x07", "text", "text/plain"),
        ("application/json", b'{"a": 1}\x07', "text", "application/json"),
        ("", b"\xef\xbb\xbf\n<!doctype html>ding\x07", "html", "text/html"),
        ("application/octet-stream", b"<html>ding\x07", "html", "text/html"),
        ("image/png", b"plain words", "text", "image/png"),
        ("text/html", b"", "empty", "text/html"),
        ("", b" \n", "empty", ""),
    ],
)
def test_the_content_outweighs_the_header(content_type: str, body: bytes, kind: str, media_type: str) -> None:
    found = identify(page(content_type, body))
    assert (found.kind, found.media_type) == (kind, media_type)


def test_markdown_is_told_by_its_name_when_the_header_does_not_tell() -> None:
    assert identify(page("text/plain", b"# A", "https://a.example/README.md?x=1")).kind == "markdown"
    assert identify(page("text/html", b"<p># A", "https://a.example/README.md")).kind == "html"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_text_with_and_without_a_mark(codec: str) -> None:
    found = identify(page("text/html", "<!doctype html><p>grüße".encode(codec)))
    assert (found.kind, found.text) == ("html", "<!doctype html><p>grüße")


@pytest.mark.parametrize(
    ("content_type", "body", "error"),
    [
        ("text/html", PNG + b"\0" * 12_000, "unsupported: image/png (12,016 bytes)"),
        ("image/jpeg", b"\xff\xd8\xff\xe0\0", "unsupported: image/jpeg (5 bytes)"),
        ("application/pdf", b"\0\1\2\3", "unsupported: application/pdf (4 bytes)"),
        ("", b"\0\1\2\3\xfe", "unsupported: application/octet-stream (5 bytes)"),
        ("", b"ding\x07", "unsupported: application/octet-stream (5 bytes)"),
        ("text/html", b"\0\1\2\3", "unsupported: application/octet-stream (4 bytes)"),
        ("text/html", b"<p>\0\1\2\3 many strays", "unsupported: application/octet-stream (19 bytes)"),
        ("text/plain", bytes(range(256)), "unsupported: application/octet-stream (256 bytes)"),
        ("video/mp4", b"\0\0\0\x18ftypmp42\0", "unsupported: video/mp4 (13 bytes)"),
        ("", b"PK\3\4\0\0[Content_Types].xml xl/workbook.xml", "spreadsheetml.sheet (41 bytes)"),
        ("", b"PK\3\4\0\0other", "unsupported: application/zip (11 bytes)"),
    ],
)
def test_binary_is_refused_with_its_type_and_size(content_type: str, body: bytes, error: str) -> None:
    with pytest.raises(Refusal) as caught:
        identify(page(content_type, body))
    assert caught.value.error.endswith(error)
    assert caught.value.error.startswith("unsupported: ")
    assert caught.value.hint


def test_what_cannot_be_decoded_is_refused() -> None:
    with pytest.raises(Refusal, match=r"decode: the body is not text in utf-16le"):
        identify(page("text/plain", b"\xff\xfe" + b"\x00\xdc" * 50))


@pytest.mark.parametrize(
    ("header", "parsed"),
    [
        ("", ("", "")),
        ("text/html", ("text/html", "")),
        ("Text/HTML;Charset=GBK", ("text/html", "GBK")),
        ('text/html; x=y; charset="utf-8"', ("text/html", "utf-8")),
        ("text/html; charset='koi8-r'", ("text/html", "koi8-r")),
        ("nonsense; charset=gbk", ("", "gbk")),
    ],
)
def test_content_type_headers(header: str, parsed: tuple[str, str]) -> None:
    assert parse_content_type(header) == parsed


@pytest.mark.parametrize(
    "unit", [b"<!", b"<!doctype x ", b"<!doctype x [", b"<!--", b"<?", b"\n", b"<", b"<a", b"{", b"["]
)
def test_looking_for_the_root_is_linear(unit: bytes) -> None:
    assert identify(page("text/html", unit * 100_000)).kind in ("html", "text", "empty")
