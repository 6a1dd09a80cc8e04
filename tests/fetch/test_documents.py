"""Word documents and EPUB books to Markdown, and containers that are broken or too large."""

import io
import zipfile
from collections.abc import Mapping

import pytest
from gofer.fetch.container import MAX_UNPACKED_BYTES
from gofer.fetch.convert import convert_page
from gofer.fetch.docx import read_docx
from gofer.fetch.epub import read_epub
from gofer.fetch.page import Converted, Page
from gofer.fetch.refusal import Refusal
from gofer.fetch.target import Options

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def pack(members: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return out.getvalue()


def paragraph(text: str, settings: str = "") -> str:
    return f"<w:p><w:pPr>{settings}</w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>"


def docx(body: str, **members: str) -> bytes:
    document = f"<w:document {W} {R}><w:body>{body}</w:body></w:document>"
    styles = (
        f'<w:styles {W}><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>'
    )
    links = '<Relationships><Relationship Id="r1" Target="https://a.example/"/></Relationships>'
    core = "<cp xmlns:dc='d'><dc:title>The plan</dc:title><dc:creator>A. Keeper</dc:creator></cp>"
    return pack(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": document,
            "word/styles.xml": styles,
            "word/_rels/document.xml.rels": links,
            "docProps/core.xml": core,
            **members,
        }
    )


def test_a_word_document_keeps_headings_lists_tables_and_links() -> None:
    item = "<w:numPr><w:numId w:val='1'/></w:numPr>"
    row = "<w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    body = (
        paragraph("A plan", '<w:pStyle w:val="T"/>')
        + paragraph("Part one", '<w:pStyle w:val="berschrift2"/>')
        + "<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink r:id='r1'><w:r><w:t>this</w:t></w:r></w:hyperlink>"
        "<w:r><w:tab/><w:t>now</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>"
        + paragraph("first", item)
        + paragraph("second", item)
        + f"<w:tbl>{row.format(paragraph('Day'), paragraph('Price'))}"
        + f"{row.format(paragraph('Sunday'), paragraph('2'))}</w:tbl>"
    )
    read = read_docx(docx(body))
    assert read.markdown.split("\n\n") == [
        "# A plan",
        "## Part one",
        "See [this](https://a.example/) now",
        "- first\n- second",
        "| Day | Price |\n| --- | --- |\n| Sunday | 2 |",
    ]
    assert (read.title, read.author, read.language) == ("The plan", "A. Keeper", None)


def test_an_empty_or_broken_word_document_is_empty() -> None:
    assert read_docx(docx("")).markdown == ""
    assert read_docx(pack({"word/x": "<w/>"})).markdown == ""
    assert read_docx(docx("<w:p><w:r><w:t>cut")).markdown == "cut"


OPF = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The lighthouse</dc:title><dc:language>en</dc:language><dc:creator>A. Keeper</dc:creator>
<dc:date>2026-11-30T00:00:00Z</dc:date></metadata>
<manifest><item id="b" href="text/two.xhtml"/><item id="a" href="text/one%20a.xhtml"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="missing"/></spine></package>"""


def epub(**members: str) -> bytes:
    return pack(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OPS/p.opf"/></container>',
            "OPS/p.opf": OPF,
            "OPS/text/one a.xhtml": "<html><head><title>x</title></head><body><h1>One</h1><p>First.</p></body>",
            "OPS/text/two.xhtml": '<html><body><h1>Two</h1><p><a href="one a.xhtml">Second</a>.</p></body></html>',
            **members,
        }
    )


def test_a_book_is_its_chapters_in_reading_order() -> None:
    read = read_epub(epub())
    assert read.markdown == "# One\n\nFirst.\n\n# Two\n\nSecond."
    assert (read.title, read.language, read.author, read.date) == ("The lighthouse", "en", "A. Keeper", "2026-11-30")


def test_a_book_without_chapters_is_refused() -> None:
    with pytest.raises(Refusal, match="decode: the book does not list its chapters"):
        read_epub(epub(**{"OPS/p.opf": "<package/>"}))


@pytest.mark.parametrize("mode", ["clean", "digest"])
def test_documents_are_converted_by_their_content(mode: str) -> None:
    for body, word in ((epub(), "First."), (docx(paragraph("Some words of a plan")), "Some words of a plan")):
        converted = convert_page(
            Page("https://a.example/x", "application/octet-stream", body),
            Options(mode=mode),  # type: ignore[arg-type]
            max_content_bytes=1_000,
        )
        assert isinstance(converted, Converted)
        assert word in converted.content or mode == "digest"
        assert converted.title


@pytest.mark.parametrize("cut", [30, 200, 400])
def test_a_damaged_container_is_refused(cut: int) -> None:
    for read, body in ((read_docx, docx(paragraph("x" * 500))), (read_epub, epub())):
        with pytest.raises(Refusal, match="decode: the document is damaged"):
            read(body[:-cut] + bytes(cut))


def test_a_container_that_unpacks_to_too_much_is_refused() -> None:
    bomb = pack({"word/document.xml": bytes(MAX_UNPACKED_BYTES + 1)})
    assert len(bomb) < 100_000
    with pytest.raises(Refusal, match="too large: the document unpacks to more than 64 MiB"):
        read_docx(bomb)
