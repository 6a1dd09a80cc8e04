"""Which blocks are kept: the decision on its own, and the blocks it is made on."""

from itertools import product

import pytest
from gofer.fetch.html_blocks import Page, count_words, prune
from gofer.fetch.html_content import most_likely, settled
from gofer.fetch.html_learned import LEXICON
from gofer.fetch.html_signals import SIGNALS, class_words, signals
from gofer.fetch.html_tree import Element, parse, text_of
from hypothesis import given
from hypothesis import strategies as st


def body_of(html: str) -> Element:
    document = parse(html)
    assert document is not None
    return document.find("body")


def texts(html: str) -> list[str]:
    return [block.text for block in Page(body_of(html)).blocks]


def expected_f1(kept: tuple[bool, ...], chances: list[float], words: list[int]) -> float:
    found = sum(c * w for c, w, keep in zip(chances, words, kept, strict=True) if keep)
    size = sum(w for w, keep in zip(words, kept, strict=True) if keep)
    total = size + sum(c * w for c, w in zip(chances, words, strict=True))
    return 2 * found / total if total else 0.0


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 50)), max_size=8))
def test_no_set_of_blocks_has_a_better_expected_f1(blocks: list[tuple[float, int]]) -> None:
    chances, words = [chance for chance, _ in blocks], [number for _, number in blocks]
    kept = tuple(most_likely(chances, words))
    best = max(expected_f1(each, chances, words) for each in product((False, True), repeat=len(blocks)))
    assert expected_f1(kept, chances, words) == pytest.approx(best)


def test_a_sure_block_is_kept_and_a_sure_non_block_is_not() -> None:
    assert most_likely([0.99, 0.01, 0.9], [50, 50, 50]) == [True, False, True]


def test_blocks_end_where_boxes_do_and_not_at_inline_elements() -> None:
    assert texts("<div>one <b>two</b><p>three<br>four</p>five <i>six</i></div>") == [
        "one two",
        "three four",
        "five six",
    ]


def test_what_is_not_seen_is_no_block_and_what_shows_without_scripts_is() -> None:
    html = "<body><script>a</script><style>b</style><template>c</template><svg>d</svg><noscript>e</noscript><p>f</p>"
    assert texts(html) == ["e", "f"]


def test_boxes_count_what_is_in_them() -> None:
    page = Page(body_of("<div><p>one two <a href=x>three</a></p><p>four</p></div>"))
    outer = page.boxes[1]
    assert (outer.tag, outer.words, outer.links, outer.blocks) == ("div", 4, 1, 2)


def test_words_are_counted_in_chinese_and_japanese_too() -> None:
    assert count_words("one two-three 4") == 4
    assert count_words("机器学习") == 2
    assert count_words("これはpenです。") == 4


def test_pruning_keeps_the_structure_around_what_is_kept() -> None:
    body = body_of("<div>a<ul><li>b</li><li>c <b>d</b></li></ul>e</div><p>f</p>")
    page = Page(body)
    prune(body, page.blocks, [block.text in ("c d", "e") for block in page.blocks])
    assert text_of(body) == "c de"
    assert [element.tag for element in body.iter()] == ["body", "div", "ul", "li", "b"]


def test_pruning_keeps_the_columns_of_a_table_with_empty_cells() -> None:
    body = body_of("<table><tr><td>a<td><td>b<tr><td>c<td>d<td><b></b></table>")
    page = Page(body)
    prune(body, page.blocks, [True, True, True, False])
    rows = [[text_of(cell) for cell in row.iter("td")] for row in body.iter("tr")]
    assert rows == [["a", "", "b"], ["c", "", ""]]


def test_pruning_keeps_images_beside_what_is_kept() -> None:
    body = body_of('<p>a</p><figure><img src="1"></figure><p>b</p><div><p>c</p><figure><img src="2"></figure></div>')
    page = Page(body)
    prune(body, page.blocks, [True, True, False])
    assert [image.get("src") for image in body.iter("img")] == ["1"]


def test_pruning_drops_galleries() -> None:
    body = body_of('<p>a</p><div><img src="1"><img src="2"></div><p>b</p>')
    page = Page(body)
    prune(body, page.blocks, [True, True])
    assert [image.get("src") for image in body.iter("img")] == []


def test_what_is_said_twice_is_kept_once() -> None:
    line = "<p class={}>The same words for small screens and for large ones.</p>"
    blocks = Page(body_of(line.format("a") + line.format("b"))).blocks
    first, second = settled(blocks, [3.0, 3.0])
    assert first > 0.9
    assert second == 0.0


def test_a_row_of_a_table_is_of_one_mind() -> None:
    blocks = Page(
        body_of("<table><tr><th class=a>Weight<td class=b>2 kg<tr><th class=a>Size<td class=b>5</table>")
    ).blocks
    chances = settled(blocks, [2.0, -1.0, 2.0, -1.0])
    assert chances[0] == chances[1]
    assert chances[2] == chances[3]


def test_every_signal_is_measured_of_every_block() -> None:
    page = Page(body_of("<h1>Title</h1><p>Some text.</p><ul><li>an item</ul><p>!</p>"))
    rows = signals(page, LEXICON, "Title", frozenset(), "https://example.com/forum/1")
    assert len(rows) == 4
    assert {len(row) for row in rows} == {len(SIGNALS)}
    assert rows[0][SIGNALS.index("title_share")] == 1
    assert rows[1][SIGNALS.index("after_h1")] == 1
    assert rows[2][SIGNALS.index("path_forum")] == 1


def test_class_names_are_read_as_words() -> None:
    assert class_words("postBody post-body_x1 HTMLBox ab") == {"post", "body", "html", "box"}
