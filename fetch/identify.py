"""What a body is, by its content first and its header second. Pure.

Headers are wrong often enough: PDF comes as text/html, HTML as text/plain, JSON as either. The signatures are those
of the WHATWG MIME sniffing standard and the formats' own; what a browser would guess from less than a signature is
not guessed here, so that text/plain which holds a `<b>` stays as it is.
"""

import re
from codecs import BOM_UTF8
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from .charset import decode, find_utf16
from .page import Page
from .refusal import Refusal

Kind = Literal["empty", "html", "feed", "pdf", "docx", "epub", "json", "json-lines", "markdown", "text"]

EPUB = "application/epub+zip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
DOCUMENTS: dict[str, Kind] = {"application/pdf": "pdf", DOCX: "docx", EPUB: "epub"}

MAX_LOST = 0.1  # the share of undecodable characters from which a text is not worth reading


class Identity(NamedTuple):
    """What a body was found to be. `text` is the decoded body, "" for a document that is no text."""

    kind: Kind
    media_type: str
    text: str


def identify(page: Page) -> Identity:
    """Find out what `page` is.

    Raises Refusal when it is nothing that can be read as text, or cannot be decoded.
    """
    declared, charset = parse_content_type(page.content_type)
    binary = _signature(page.body)
    if binary in DOCUMENTS:
        return Identity(DOCUMENTS[binary], binary, "")
    if binary is None and _is_binary(page.body, declared):
        binary = declared if declared and not _textual(declared) else "application/octet-stream"
    if binary:
        raise Refusal(
            f"unsupported: {binary} ({len(page.body):,} bytes)",
            "HTML, feeds, PDF, DOCX, EPUB, JSON and text can be read; fetch other files with another tool",
        )
    text, encoding, lost = decode(page.body, charset)
    if lost > MAX_LOST:
        raise Refusal(
            f"decode: the body is not text in {encoding} ({lost:.0%} of it cannot be decoded)",
            "the origin names a wrong character set or the file is damaged; there is nothing to read in it",
        )
    kind, media_type = _kind_of_text(text, declared, urlsplit(page.url).path.lower())
    return Identity(kind, media_type, text)


_CONTENT_TYPE = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
_CHARSET = re.compile(r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.I)


def parse_content_type(header: str) -> tuple[str, str]:
    """The media type, in lower case, and the charset parameter; "" for what the header lacks."""
    found = _CONTENT_TYPE.match(header)
    charset = _CHARSET.search(header)
    return found[1].lower() if found else "", (charset[1] or charset[2] or charset[3] or "") if charset else ""


_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (0, b"\0\0\1\0", "image/x-icon"),
    (0, b"BM", "image/bmp"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/avi"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"OggS\0", "application/ogg"),
    (0, b"fLaC", "audio/flac"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"\0\1\0\0", "font/ttf"),
    (0, b"OTTO", "font/otf"),
    (0, b"PK\3\4", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\7", "application/vnd.rar"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\0", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (257, b"ustar", "application/x-tar"),
    (0, b"\x7fELF", "application/x-executable"),
    (0, b"MZ", "application/vnd.microsoft.portable-executable"),
    (0, b"\0asm", "application/wasm"),
    (0, b"SQLite format 3\0", "application/vnd.sqlite3"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (0, b"{\\rtf", "application/rtf"),
)
_PDF = re.compile(rb"%PDF-\d\.\d")  # looked for in the first 1,024 bytes, as other readers do

# Printable letters begin many a text: these signatures count only when the rest is binary too.
_LETTERS = frozenset([b"BM", b"MZ", b"ID3", b"BZh", b"OTTO", b"wOFF", b"wOF2", b"WEBP", b"WAVE", b"AVI ", b"ftyp"])

# What a ZIP container holds, by a member that its format puts first or early.
_ZIP_MEMBERS = (
    (b"mimetypeapplication/epub+zip", EPUB),
    (b"word/", DOCX),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
)


def _signature(body: bytes) -> str | None:
    if _PDF.search(body, 0, 1024) and b" obj" in body and not body.lstrip()[:1].startswith((b"<", b"{", b"[")):
        return "application/pdf"
    for offset, magic, media_type in _SIGNATURES:
        if body.startswith(magic, offset) and (magic not in _LETTERS or _control_bytes(body)):
            if media_type == "application/zip":
                return next((inner for member, inner in _ZIP_MEMBERS if member in body[:4096]), media_type)
            return media_type
    return None


_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\f\r\x1b"))  # "binary data bytes" of MIME sniffing, and \v
_FEW_CONTROLS = 3
_KEPT = bytes(set(range(0x100)) - set(_CONTROLS))


def _control_bytes(body: bytes) -> int:
    return len(body[:4096].translate(None, _KEPT))


def _is_binary(body: bytes, declared: str) -> bool:
    """Bytes that no text has; a few strays are forgiven to what is declared as text, or begins as HTML does."""
    controls = _control_bytes(body)
    if not controls or body.startswith((b"\xff\xfe", b"\xfe\xff")) or find_utf16(body):
        return False
    if controls > max(_FEW_CONTROLS, len(body[:4096]) // 100):
        return True
    return not (_textual(declared) or _begins_as_html(body[:4096].removeprefix(BOM_UTF8).decode("latin-1")))


def _textual(declared: str) -> bool:
    return declared.startswith("text/") or declared.endswith(("xml", "json", "javascript", "ndjson", "jsonl"))


_BEFORE_ROOT = re.compile(
    r"\s++|<\?[^>]*+>|<!--.*?-->|<!doctype\b(?!\s*+html)[^>\[]*+(?:\[[^\]]*+\])?[^>]*+>", re.I | re.S
)
_HTML_ROOT = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.I)
_FEED_ROOT = re.compile(r"<(?:\w+:)?(?:rss|feed|RDF)\b")
_ANY_TAG = re.compile(r"<[a-z!/][^<]*>", re.I)
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_MARKDOWN_TYPES = ("text/markdown", "text/x-markdown")
_UNTOLD_TYPES = ("", "application/octet-stream", "text/plain", "binary/octet-stream", "unknown/unknown")


def _root_at(head: str) -> int:
    """Where the root element begins, behind what may stand before it."""
    at = 0
    while before := _BEFORE_ROOT.match(head, at):
        at = before.end()
    return at


def _begins_as_html(head: str) -> bool:
    return _HTML_ROOT.match(head, _root_at(head)) is not None


def _kind_of_text(text: str, declared: str, path: str) -> tuple[Kind, str]:
    if not text.strip():
        return "empty", declared
    head = text[: 64 << 10]
    if _begins_as_html(head):
        return "html", declared if declared in _HTML_TYPES else "text/html"
    feed = _FEED_ROOT.match(head, _root_at(head))
    if feed:
        atom = feed[0].endswith("feed")
        return "feed", "application/atom+xml" if atom else "application/rss+xml"
    if head.lstrip()[:1] in ("{", "[") or "json" in declared:
        kind = _kind_of_json(text)
        if kind == "json":
            return kind, declared if "json" in declared else "application/json"
        if kind:
            return kind, declared if "json" in declared else "application/x-ndjson"
    if declared in _HTML_TYPES:
        return ("html", declared) if _ANY_TAG.search(text) else ("text", "text/plain")
    if declared in _MARKDOWN_TYPES or (declared in _UNTOLD_TYPES and path.endswith((".md", ".markdown"))):
        return "markdown", "text/markdown"
    if declared in _UNTOLD_TYPES:
        if head.startswith("<?xml"):
            return "text", "text/xml"
        return "text", "text/plain"
    return "text", declared


_JSON = msgspec.json.Decoder(type=msgspec.Raw)  # checks all of it and builds nothing


def _kind_of_json(text: str) -> Literal["json", "json-lines"] | None:
    try:
        _JSON.decode(text)
        return "json"
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        lines = _JSON.decode_lines(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return "json-lines" if len(lines) > 1 and text.lstrip()[:1] in ("{", "[") else None
