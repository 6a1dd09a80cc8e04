"""The rules that make a choice of blocks whole, each on a page that shows it alone."""

from collections.abc import Callable

import pytest
from gofer.fetch.html_blocks import Page
from gofer.fetch.html_structure import landmarks, whole
from gofer.fetch.html_tree import parse

TEXT = "<p>" + "running text of a page that is not small, " * 40 + "</p>"


def page_of(html: str) -> Page:
    document = parse(html)
    assert document is not None
    return Page(document.find("body"))


def kept(html: str, *chosen: str) -> list[str]:
    """What is kept of `html` when the blocks with a text in `chosen`, and the running text, are chosen."""
    page = page_of(html)
    keep = whole(page, [block.text in chosen or block.words > 100 for block in page.blocks])
    return [block.text for block, stays in zip(page.blocks, keep, strict=True) if stays and block.words <= 100]


def test_a_table_with_a_kept_cell_keeps_all_its_cells() -> None:
    table = "<table><tr><th>Weight<td>2 kg<tr><th>Size<td>5</table>"
    assert kept(f"<div>{TEXT}</div><div>other<div>{table}</div></div>", "2 kg") == ["Weight", "2 kg", "Size", "5"]


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td>a<td>b<tr><td><table><tr><td><h2>c</h2></table></table>",
        "<table><tr><td><p>a<p>b<p>c<td>d<p>e</table>",
        "<table><tr><td><h2>a</h2><td>b</table>",
        f"<table><tr><td>a<td>{TEXT}</table>",
        "<table><tr><td>a<td><form>b</form></table>",
    ],
)
def test_a_table_that_is_layout_is_left_to_the_choice(table: str) -> None:
    assert kept(f"<div>{TEXT}</div><div>other<div>{table}</div></div>", "a") == ["a"]


def test_a_list_with_a_kept_item_keeps_all_its_items() -> None:
    nested = "<ul><li>one<ul><li>two</ul><li>three</ul>"
    assert kept(f"<div>{TEXT}</div><div>other<div>{nested}</div></div>", "two") == ["one", "two", "three"]


def test_definitions_keep_their_terms() -> None:
    assert kept(f"<div>{TEXT}</div><div>other<dl><dt>a<dd>b<dt>c<dd>d</dl></div>", "b") == ["a", "b", "c", "d"]


def test_code_stays_in_the_text_around_it() -> None:
    code = "<div><div>name.py</div><pre>{}</pre></div>"
    html = f"<div>{TEXT}{code.format('x = 1')}</div><div>other<div>{code.format('y')}text</div></div>"
    assert kept(html) == ["x = 1"]


@pytest.mark.parametrize(
    ("structure", "texts"),
    [
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<div><table><tr><td>a<td>b</table></div>", ["a", "b"]),
        ("<blockquote><p>a</p></blockquote>", ["a"]),
        ("<figure><img src=x><figcaption>a</figcaption></figure>", ["a"]),
        ("<dl><dt>a<dd>b</dl>", ["a", "b"]),
    ],
)
@pytest.mark.parametrize("place", ["{0}{1}", "{1}{0}", "{1}{0}{1}", "{1}<h2>c</h2>{0}"])
def test_a_structure_beside_kept_text_stays(structure: str, texts: list[str], place: str) -> None:
    found = kept(f"<main>{place.format(structure, TEXT)}</main><div>d</div>")
    assert [text for text in found if text != "c"] == texts


def test_a_structure_beside_nothing_kept_does_not_stay() -> None:
    assert kept(f"<div>{TEXT}<div>name <ul><li>joined<li>posts</ul></div></div>") == []


def test_a_structure_in_a_box_of_which_little_is_kept_does_not_stay() -> None:
    assert kept(f"<div>a<ul><li>b</ul>{'<p>c d e</p>' * 100}</div>", "a") == ["a"]


@pytest.mark.parametrize(
    "menu",
    [
        "<ul><li><a href=x>a</a><li><a href=y>b</a></ul>",
        "<nav><ul><li>a</ul></nav>",
        "<aside><ul><li>a</ul></aside>",
        "<div role=navigation><pre>a</pre></div>",
        "<div hidden><pre>a</pre></div>",
        "<div aria-hidden=true><table><tr><td>a</table></div>",
        "<nav><h2>a</h2><p>chosen</p></nav>",
    ],
)
def test_nothing_is_added_out_of_menus_and_landmarks(menu: str) -> None:
    assert kept(f"<div>{TEXT}{menu}{TEXT}</div>", "chosen") in ([], ["chosen"])


def test_links_of_the_navigation_go_and_its_text_is_left_to_the_choice() -> None:
    html = f"<nav><a href=x>Home</a><p>Some words</p></nav>{TEXT}"
    assert kept(html, "Home", "Some words") == ["Some words"]


def test_a_heading_stays_above_what_is_kept_up_to_the_next_one_of_its_rank() -> None:
    html = f"<main><h1>a</h1><h2>b</h2><p>c</p><h3>d</h3>{TEXT}<h2>e</h2><p>f</p></main><h2>g</h2>"
    assert kept(html) == ["a", "b", "d"]


def test_a_heading_stays_for_what_is_in_its_own_box_only() -> None:
    assert kept(f"<div><h2>a</h2><p>b</p></div><div>{TEXT}</div>") == []


def test_a_heading_in_a_wrapper_stays() -> None:
    assert kept(f"<main><div><h2><div>a</div></h2></div>{TEXT}</main>") == ["a"]


def test_a_small_page_keeps_all_but_landmarks_and_menus() -> None:
    html = (
        "<header><a href=/>Home</a><p>slogan</p></header><ul><li><a href=x>more</a></ul><h1>a</h1><p>b</p>"
        "<table><tr><td>c<td>d</table><h2>related</h2><ul><li><a href=y>e</a></ul><footer>imprint</footer>"
    )
    assert kept(html, "b") == ["a", "b", "c", "d"]


def test_a_small_page_that_is_an_index_keeps_its_links_as_chosen() -> None:
    html = "<nav><a href=x>Home</a></nav><h1>a</h1><ul><li><a href=y>one two</a><li><a href=z>three four</a></ul>"
    assert kept(html, "one two", "three four") == ["a", "one two", "three four"]


def test_a_small_page_with_controls_is_left_to_the_choice() -> None:
    assert kept("<p>a</p><p>b</p><button>Buy</button>", "a") == ["a"]


def test_a_page_whose_landmarks_hold_its_content_is_left_to_the_choice() -> None:
    html = "<p>Turn on scripts.</p><div hidden><h1>a</h1><p>b</p><p>c d e f</p></div>"
    assert kept(html, "b", "c d e f") == ["b", "c d e f"]


def test_where_only_navigation_was_chosen_it_stays() -> None:
    assert kept("<nav><a href=x>Home</a></nav>", "Home") == ["Home"]


def test_an_empty_page_has_nothing_to_keep() -> None:
    assert whole(page_of("<body></body>"), []) == []


@pytest.mark.parametrize(
    ("html", "aside"),
    [
        ("<header>a</header>", True),
        ("<footer>a</footer>", True),
        ("<div role=contentinfo>a</div>", True),
        ("<article><header>a</header></article>", False),
        ("<main><footer>a</footer></main>", False),
        ("<section><header>a</header></section>", False),
        ("<div role=main><header>a</header></div>", False),
        ("<article><nav>a</nav></article>", True),
        ("<main><aside><p>a</p></aside></main>", True),
        ('<p style="display: none">a</p>', True),
    ],
)
def test_landmarks_are_of_the_page(html: str, aside: bool) -> None:
    page = page_of(html)
    assert (page.blocks[0].box in landmarks(page.boxes)[0]) is aside


LARGE: dict[str, Callable[[int], str]] = {
    "lists in lists": lambda n: ("<ul><li>a" * 100 + "</ul>" * 100) * (n // 100),
    "code without text": lambda n: "<div>" + "<pre>a</pre>" * n + "</div>",
    "headings without text": lambda n: "".join(f"<h{1 + i % 6}>a</h{1 + i % 6}><p>b</p>" for i in range(n)),
    "a heading of many blocks": lambda n: "<h1>" + "a<p>b</p>" * n + "</h1>" + "<p>c</p>" * n,
    "tables in tables": lambda n: ("<table><tr><td>a" * 60 + "</table>" * 60) * (n // 60),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_pages_take_time_in_proportion(name: str) -> None:
    """No time is asserted: rules that were not linear would keep this running for minutes."""
    page = page_of(LARGE[name](10_000) + TEXT)
    assert len(whole(page, [block.words > 100 for block in page.blocks])) == len(page.blocks)
