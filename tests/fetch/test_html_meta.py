"""What a page says of itself, in each of the ways that pages say it."""

import pytest
from gofer.fetch.html_meta import Metadata, metadata
from gofer.fetch.html_tree import parse


def about(html: str) -> Metadata:
    document = parse(html)
    assert document is not None
    return metadata(document)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A \n title </title><h1>Head</h1>", "A title"),
        ('<meta property="og:title" content="Shared"><title>Own | Site</title>', "Shared"),
        ("<h1></h1><h1>Head <b>line</b></h1>", "Head line"),
        ("<p>none", None),
    ],
)
def test_title(html: str, title: str | None) -> None:
    assert about(html).title == title


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<html lang="de-AT"><p>x', "de-AT"),
        ('<html xml:lang="fr"><p>x', "fr"),
        ('<meta http-equiv="Content-Language" content="ja"><p>x', "ja"),
        ('<meta property="og:locale" content="pt_BR"><p>x', "pt-BR"),
        ('<html lang="{{ lang }}"><p>x', None),
        ("<p>x", None),
    ],
)
def test_language(html: str, language: str | None) -> None:
    assert about(html).language == language


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ('<script type="application/ld+json">{"@type": "Article", "author": {"name": "Ann"}}</script><p>x', "Ann"),
        (
            '<script type="application/ld+json">{"author": [{"name": "Ann"}, "Bo", {"name": "Ann"}]}</script><p>x',
            "Ann, Bo",
        ),
        ('<script type="application/ld+json">{"@graph": [{}, {"author": {"name": "Cy"}}]}</script><p>x', "Cy"),
        ('<script type="application/ld+json">{"review": {"@type": "Review", "author": "Cy"}}</script><p>x', None),
        ('<script type="application/ld+json">{not json}</script><meta name="author" content="Di"><p>x', "Di"),
        ('<meta property="article:author" content="https://example.com/ann"><p>x', None),
        ('<p>By <a rel="author" href="/eve">Eve E.</a></p>', "Eve E."),
        ("<p>x", None),
    ],
)
def test_author(html: str, author: str | None) -> None:
    assert about(html).author == author


@pytest.mark.parametrize(
    ("html", "date"),
    [
        (
            '<script type="application/ld+json">{"datePublished": "2024-02-29T23:59:00+09:00"}</script><p>x',
            "2024-02-29",
        ),
        ('<meta property="article:published_time" content="2023-01-02"><p>x', "2023-01-02"),
        ('<meta name="date" content="Tue, 03 Jan 2023 10:00:00 GMT"><p>x', "2023-01-03"),
        ('<p itemprop="datePublished" content="2022-05-06">May</p>', "2022-05-06"),
        ('<article><time datetime="2021-07-08T00:00Z">July</time></article>', "2021-07-08"),
        ('<footer><time datetime="2021-07-08">July</time></footer>', None),
        ('<meta name="date" content="2023-02-30"><p>x', None),
        ('<meta name="date" content="recently"><p>x', None),
        ("<p>x", None),
    ],
)
def test_date(html: str, date: str | None) -> None:
    assert about(html).date == date


def test_kinds_come_from_json_ld_and_open_graph() -> None:
    page = about(
        '<meta property="og:type" content="product"><script type="application/ld+json">'
        '{"@type": ["Product", "Thing"], "offers": {"@type": "Offer"}}</script><p>x'
    )
    assert page.kinds == {"product", "thing", "offer", "og:product"}


def test_json_ld_nested_without_end_is_passed_over() -> None:
    assert about(f'<title>t</title><script type="application/ld+json">{"[" * 100_000}</script><p>x').title == "t"


def test_a_field_is_no_longer_than_a_field() -> None:
    assert len(about(f"<title>{'x' * 100_000}</title><p>x").title or "") == 500
