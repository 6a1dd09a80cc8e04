"""One page to the content its caller asked for: the stages of converting, in order. Pure and synchronous.

    identify -> pages -> convert -> jq, grep -> digest -> cap

A hostile page or program can make any of it slow, large or fatal: in the service it runs in a worker (`workers.py`).
"""

from typing import Literal, assert_never

import msgspec

from .cap import cap
from .digest import digest
from .docx import read_docx
from .epub import read_epub
from .feed import read_feed
from .grep import grep
from .html import Article, extract
from .html_prescan import MAX_CHARS
from .identify import Identity, identify
from .page import Converted, Page, Refused
from .pdf import read_pdf
from .query import run_query
from .raw import read_raw
from .refusal import Refusal
from .target import Options
from .walls import warnings_of
from .xmltree import legible

MAX_SELECTED = 20  # jq may put out this many times the content that is given, if grep or digest selects from it


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A page as text, before anything is selected from it."""

    text: str
    title: str | None = None
    language: str | None = None
    author: str | None = None
    date: str | None = None
    page_count: int | None = None
    matches: int | None = None
    digest_by: Literal["extractive"] | None = None
    truncated: bool = False
    warnings: tuple[str, ...] = ()


def convert_page(page: Page, options: Options, *, max_content_bytes: int, images: bool = True) -> Converted | Refused:
    """Convert `page` as `options` ask, in time and memory that a worker must bound.

    At most `max_content_bytes` of content, as UTF-8, are given. The images of a web page are links in its Markdown,
    or without `images` left out.
    """
    try:
        return _convert(page, options, max_content_bytes, images)
    except Refusal as refusal:
        return Refused(refusal.error, refusal.hint)


def _convert(page: Page, options: Options, max_content_bytes: int, images: bool) -> Converted:
    found = identify(page)
    if options.pages and found.kind != "pdf":
        raise Refusal(
            f"pages: {found.media_type or 'an empty body'} has no pages", "leave `pages` out for anything but a PDF"
        )
    if options.jq:
        document = _query(found, options, max_content_bytes)
    elif options.mode == "raw":
        document = _raw(page, found)
    else:
        document = _read(page, found, options, max_content_bytes, images)
    if options.grep:
        document = _grep(document, options)
    if options.mode == "digest":
        document = _digest(document, options)
    elif options.question:
        document = _warn(document, "question is answered only in mode digest")
    content, cut = cap(document.text, max_content_bytes)
    return Converted(
        content=content,
        content_type=found.media_type,
        truncated=document.truncated or cut,
        title=document.title,
        language=document.language,
        author=document.author,
        date=document.date,
        page_count=document.page_count,
        matches=document.matches,
        digest_by=document.digest_by,
        warnings=document.warnings,
    )


def _selects(options: Options) -> bool:
    """Whether a later stage selects from a text: else no more of it is made than can be given."""
    return bool(options.grep) or options.mode == "digest"


def _read(page: Page, found: Identity, options: Options, max_content_bytes: int, images: bool) -> Document:
    match found.kind:
        case "empty":
            return Document(text="")
        case "html":
            return _html(page, found.text, images)
        case "feed":
            return _feed(page, found)
        case "pdf":
            return _pdf(page, options.pages, None if _selects(options) else max_content_bytes)
        case "docx":
            return _article(read_docx(page.body))
        case "epub":
            return _article(read_epub(page.body))
        case "json":
            return Document(text=msgspec.json.format(found.text, indent=2))
        case "markdown":
            return Document(text=found.text, title=_markdown_title(found.text))
        case "text" if "json" in found.media_type:
            return Document(text=found.text, warnings=(f"the body is not valid {found.media_type}",))
        case "json-lines" | "text":
            return Document(text=found.text)
        case _:
            assert_never(found.kind)


def _raw(page: Page, found: Identity) -> Document:
    raw = read_raw(page, found)
    return Document(text=raw.text, title=raw.title)


def _html(page: Page, source: str, images: bool) -> Document:
    html = legible(source[:MAX_CHARS])
    article = extract(html, page.url, images=images)
    warnings = warnings_of(html, article.title, article.markdown)
    if len(source) > MAX_CHARS:
        warnings += (f"only the first {MAX_CHARS:,} characters of the page were read",)
    return _article(article, warnings)


def _article(article: Article, warnings: tuple[str, ...] = ()) -> Document:
    return Document(
        text=article.markdown,
        title=article.title,
        language=article.language,
        author=article.author,
        date=article.date,
        warnings=warnings,
    )


def _feed(page: Page, found: Identity) -> Document:
    feed = read_feed(found.text, page.url)
    if not feed.markdown:
        return Document(text=found.text, warnings=("the feed cannot be read; this is its source",))
    return Document(
        text=feed.markdown,
        title=feed.title,
        language=feed.language,
        author=feed.author,
        date=feed.date,
        truncated=not feed.whole,
    )


def _pdf(page: Page, pages: str, enough_chars: int | None) -> Document:
    pdf = read_pdf(page.body, pages, enough_chars=enough_chars)
    return Document(
        text=pdf.text,
        title=pdf.title,
        author=pdf.author,
        date=pdf.date,
        page_count=pdf.page_count,
        truncated=not pdf.whole,
        warnings=("the PDF has no text; it may be a scan",) if pdf.empty else (),
    )


def _markdown_title(text: str) -> str | None:
    first = next((line for line in text.split("\n") if line.strip()), "")
    return first[2:].strip() or None if first.startswith("# ") else None


def _query(found: Identity, options: Options, max_content_bytes: int) -> Document:
    if "json" not in found.kind and "json" not in found.media_type:
        raise Refusal(
            f"jq: the page is {found.media_type or 'empty'}, not JSON",
            "leave `jq` out, or ask for a URL that gives JSON",
        )
    try:
        max_bytes = max_content_bytes * (MAX_SELECTED if _selects(options) else 1)
        queried = run_query(options.jq, found.text, max_bytes=max_bytes)
    except ValueError as error:
        raise Refusal(f"jq: {error}", "fetch the URL without `jq` to see what the program is given") from None
    return Document(text=queried.text, truncated=queried.truncated)


def _grep(document: Document, options: Options) -> Document:
    try:
        kept = grep(document.text, options.grep, context=options.context)
    except ValueError as error:
        raise Refusal(f"grep: {error}", "gofer takes RE2 patterns: no look-around, no back-references") from None
    truncated = document.truncated or not kept.whole
    grepped = msgspec.structs.replace(document, text=kept.text, matches=kept.matches, truncated=truncated)
    return grepped if kept.matches else _warn(grepped, "grep matched no line")


def _digest(document: Document, options: Options) -> Document:
    digested = digest(
        document.text,
        question=options.question,
        title=document.title or "",
        language=document.language or "",
        context=options.context,
    )
    document = msgspec.structs.replace(document, text=digested.text, digest_by="extractive")
    if options.question and not digested.answered:
        return _warn(document, "no sentence of the page shares words with the question; this is a summary")
    return document


def _warn(document: Document, warning: str) -> Document:
    return msgspec.structs.replace(document, warnings=(*document.warnings, warning))
