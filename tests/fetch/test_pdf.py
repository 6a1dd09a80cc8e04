"""PDF to text: page marks, selection, metadata, and the ways a PDF can be unreadable."""

import io
from collections.abc import Sequence

import msgspec
import pypdfium2
import pytest
from gofer.fetch.convert import convert_page
from gofer.fetch.page import Converted, Page, Refused
from gofer.fetch.pdf import read_pdf
from gofer.fetch.refusal import Refusal
from gofer.fetch.target import Options


def make_pdf(pages: Sequence[str], info: str = "") -> bytes:
    """A PDF with one line of text a page."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", f"<<{info}>>"]
    kids = []
    for text in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {len(objects)} 0 R>>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    out = "%PDF-1.4\n"
    offsets = []
    for number, each in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj{each}endobj\n"
    entries = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{entries}"
    return f"{out}trailer<</Size {size}/Root 1 0 R/Info 4 0 R>>\nstartxref\n{out.index('xref')}\n%%EOF".encode()


FIVE = make_pdf(
    ["Alpha lighthouse", "Beta lamp", "Gamma harbour", "Delta keeper", "Epsilon storm"],
    "/Title(Five pages)/Author(A. Keeper)/CreationDate(D:20261130120000Z)",
)


def convert(options: Options, body: bytes = FIVE, max_content_bytes: int = 200_000) -> Converted | Refused:
    return convert_page(Page("http://a.example/x", "text/html", body), options, max_content_bytes=max_content_bytes)


def test_each_page_stands_under_its_mark_and_the_metadata_is_told() -> None:
    converted = convert(Options())
    assert isinstance(converted, Converted)
    assert converted.content.startswith("## Page 1\n\nAlpha lighthouse\n\n## Page 2\n\nBeta lamp\n\n")
    assert (converted.title, converted.author, converted.date) == ("Five pages", "A. Keeper", "2026-11-30")
    assert (converted.page_count, converted.content_type) == (5, "application/pdf")
    assert not converted.truncated


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("<FEFFD8000041>", "A"),
        ("<FEFF0041DC00>", "A"),
        ("<FEFFD83DDEA2D83D>", "🚢"),
        ("<FEFF004100>", "A"),
        ("<FEFF00000041FFFF000B>", "A"),
        ("<EFBBBFEDA08041>", None),
        ("<FEFF>", None),
        ("42", None),
    ],
)
@pytest.mark.parametrize("key", ["Title", "Author", "CreationDate"])
def test_metadata_that_is_no_text_never_costs_the_text(key: str, written: str, title: str | None) -> None:
    converted = convert(Options(), make_pdf(["Alpha lighthouse"], f"/{key} {written}"))
    assert isinstance(converted, Converted)
    assert converted.content == "## Page 1\n\nAlpha lighthouse"
    msgspec.json.encode(converted)
    if key != "CreationDate" and title:
        assert (converted.title if key == "Title" else converted.author) == title


@pytest.mark.parametrize(
    ("pages", "numbers"),
    [
        ("2", [2]),
        ("1-3,5", [1, 2, 3, 5]),
        ("-2", [1, 2]),
        ("4-", [4, 5]),
        ("5,1,1-2", [1, 2, 5]),
        (" 2 , 3 ", [2, 3]),
    ],
)
def test_pages_are_selected(pages: str, numbers: list[int]) -> None:
    converted = convert(Options(pages=pages))
    assert isinstance(converted, Converted)
    marks = [line for line in converted.content.split("\n") if line.startswith("## ")]
    assert marks == [f"## Page {number}" for number in numbers]
    assert converted.page_count == 5


@pytest.mark.parametrize("pages", ["6", "4-6", "6-", "-9"])
def test_a_page_beyond_the_end_is_an_error_that_says_how_many_there_are(pages: str) -> None:
    refused = convert(Options(pages=pages))
    assert isinstance(refused, Refused)
    assert refused.error.startswith("pages: page ")
    assert refused.error.endswith("the document has 5")
    assert refused.hint == "ask for pages 1-5"


def test_pages_grep_and_digest_combine() -> None:
    converted = convert(Options(pages="2-4", grep="a", context=False))
    assert isinstance(converted, Converted)
    assert converted.content.split("\n")[:2] == ["[1] ## Page 2", "[2] Beta lamp"]
    assert converted.matches == 6
    converted = convert(Options(mode="digest", question="Where is the harbour?", context=False))
    assert isinstance(converted, Converted)
    assert converted.content.startswith("> Gamma harbour\n> — Page 3")


def test_reading_stops_when_there_is_enough_unless_something_is_selected_from_all() -> None:
    converted = convert(Options(), max_content_bytes=40)
    assert isinstance(converted, Converted)
    assert converted.truncated
    assert len(converted.content) == 40
    assert not read_pdf(FIVE, "", enough_chars=40).whole
    converted = convert(Options(grep="storm", context=False), max_content_bytes=40)
    assert isinstance(converted, Converted)
    assert converted.content == "[1] Epsilon storm"


def test_a_pdf_without_text_says_so() -> None:
    document = pypdfium2.PdfDocument.new()
    document.new_page(100, 100).close()
    buffer = io.BytesIO()
    document.save(buffer)
    document.close()
    converted = convert(Options(), buffer.getvalue())
    assert isinstance(converted, Converted)
    assert converted.content == "## Page 1"
    assert converted.warnings == ("the PDF has no text; it may be a scan",)


def test_a_damaged_pdf_is_refused() -> None:
    with pytest.raises(Refusal, match="decode: the PDF is damaged"):
        read_pdf(b"%PDF-1.4\n1 0 obj nonsense", "")


def test_a_pdf_has_no_raw_text() -> None:
    refused = convert(Options(mode="raw"))
    assert isinstance(refused, Refused)
    assert refused.error == f"unsupported: application/pdf ({len(FIVE):,} bytes) has no raw text"
    assert refused.hint == "use mode clean for the text of a document"
