"""PDF to text, page by page. Runs in a worker: a hostile PDF can abort the process that reads it."""

import ctypes
import re
from contextlib import closing
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw

from .pages import parse_pages, pick_pages
from .refusal import Refusal


class PdfText(NamedTuple):
    """The text of the pages that were asked for, each under its mark `## Page n`; `whole` unless it was cut short."""

    text: str
    title: str | None
    author: str | None
    date: str | None
    page_count: int
    empty: bool
    whole: bool


def read_pdf(body: bytes, pages: str, *, enough_chars: int | None = None) -> PdfText:
    """Read the `pages` of a PDF ("" for all), no more of them than make `enough_chars` characters.

    Raises Refusal when it cannot be read, needs a password, or lacks a page that was asked for.
    """
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Refusal(
                "unsupported: the PDF is locked by a password", "only the unlocked document can be read"
            ) from None
        raise Refusal(
            "decode: the PDF is damaged and cannot be opened", "there may be an undamaged copy elsewhere"
        ) from None
    with document:
        count = len(document)
        try:
            wanted = pick_pages(parse_pages(pages), count) if pages else range(1, count + 1)
        except ValueError as error:
            raise Refusal(f"pages: {error}", f"ask for pages 1-{count}") from None
        marked: list[str] = []
        nchars = 0
        empty = True
        for number in wanted:
            text = _page_text(document, number - 1)
            empty = empty and not text
            marked.append(f"## Page {number}\n\n{text}".rstrip())
            nchars += len(marked[-1])
            if enough_chars is not None and nchars > enough_chars:
                break
        return PdfText(
            "\n\n".join(marked),
            _about(document, "Title") or None,
            _about(document, "Author") or None,
            _date(_about(document, "CreationDate")),
            count,
            empty,
            len(marked) == len(wanted),
        )


def _about(document: pypdfium2.PdfDocument, key: str) -> str:
    """What the document says of itself, less what is no text. The library's own reading fails on half a character."""
    name = key.encode() + b"\0"
    nbytes = pypdfium2.raw.FPDF_GetMetaText(document, name, None, 0)
    buffer = ctypes.create_string_buffer(nbytes)
    pypdfium2.raw.FPDF_GetMetaText(document, name, buffer, nbytes)
    return _CONTROLS.sub("", buffer.raw.decode("utf-16-le", "ignore")).strip()


def _page_text(document: pypdfium2.PdfDocument, index: int) -> str:
    try:
        page = document.get_page(index)
    except pypdfium2.PdfiumError:
        return "(this page is damaged)"
    with closing(page), closing(page.get_textpage()) as text_page:
        text = text_page.get_text_bounded()
    text = _HYPHENATED.sub("", text.replace("\r\n", "\n"))
    return _CONTROLS.sub("", _TRAILING.sub("", text)).strip()


_HYPHENATED = re.compile("[\ufffe\x02]\n?")  # how PDFium gives a word divided at a line's end
_TRAILING = re.compile(r"[ \t]+$", re.M)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")


def _date(raw: str) -> str | None:
    """ISO 32000's `D:YYYYMMDD…` as far as it goes."""
    found = _DATE.match(raw)
    return "-".join(part for part in found.groups() if part) if found else None
