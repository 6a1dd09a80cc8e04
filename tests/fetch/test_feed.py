"""Feeds as lists: RSS 2.0, RSS 1.0 and Atom, broken and hostile ones."""

from gofer.fetch.feed import MAX_ENTRIES, MAX_SUMMARY_CHARS, read_feed

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Harbour News</title><link>https://h.example/</link><description>All that floats</description>
<language>en-GB</language><lastBuildDate>Mon, 30 Nov 2026 10:00:00 GMT</lastBuildDate>
<item><title>A [new] pier &amp; more</title><link>/pier (1)</link><pubDate>Sun, 29 Nov 2026</pubDate>
<description><![CDATA[<p>It is <b>long</b>.</p>]]></description></item>
<item><title>No link</title></item>
<item><title>Bad link</title><link>javascript:alert(1)</link></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de">
<title>Leuchtturm</title><subtitle>Licht</subtitle><updated>2026-11-30T10:00:00Z</updated>
<author><name>A. Wärter</name></author>
<entry><title type="html">&lt;i&gt;Neu&lt;/i&gt;</title><link rel="self" href="/self"/><link href="/neu"/>
<published>2026-11-29</published><summary>Kurz.</summary></entry></feed>"""

RSS_1 = """<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel><title>Old</title></channel>
<item><title>One</title><link>http://o.example/1</link></item></rdf:RDF>"""


def test_rss_becomes_a_list_with_links_dates_and_summaries() -> None:
    feed = read_feed(RSS, "https://h.example/feed.xml")
    assert feed.markdown == (
        "# Harbour News\n\n"
        "All that floats\n\n"
        "- [A \\[new\\] pier & more](https://h.example/pier%20(1%29) — Sun, 29 Nov 2026\n"
        "  It is long .\n\n"
        "- No link\n\n"
        "- Bad link"
    )
    assert (feed.title, feed.language, feed.date) == ("Harbour News", "en-GB", "Mon, 30 Nov 2026 10:00:00 GMT")


def test_atom_is_read_with_its_author_and_alternate_links() -> None:
    feed = read_feed(ATOM, "https://l.example/feed")
    assert feed.markdown == "# Leuchtturm\n\nLicht\n\n- [Neu](https://l.example/neu) — 2026-11-29\n  Kurz."
    assert (feed.title, feed.language, feed.author) == ("Leuchtturm", "de", "A. Wärter")
    assert feed.date == "2026-11-30T10:00:00Z"


def test_rss_1_keeps_its_items_beside_the_channel() -> None:
    assert read_feed(RSS_1, "http://o.example/").markdown == "# Old\n\n- [One](http://o.example/1)"


def test_a_broken_feed_gives_what_can_be_read_of_it() -> None:
    assert "- [One](http://o.example/1)" in read_feed(RSS_1.replace("</item>", "& <b>"), "http://o.example/").markdown


def test_what_is_no_xml_gives_nothing() -> None:
    assert read_feed("<?xml version='1.0'?>", "http://o.example/").markdown == ""


def test_entities_are_neither_expanded_nor_fetched() -> None:
    lol = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
    text = f"""<!DOCTYPE rss [<!ENTITY l0 "lol">{lol}<!ENTITY f SYSTEM "file:///etc/passwd">]>
    <rss><channel><title>x&l9;&f;y</title></channel></rss>"""
    feed = read_feed(text, "http://o.example/")
    assert "lol" not in feed.markdown
    assert "root:" not in feed.markdown


def test_a_long_summary_is_shortened_at_a_word() -> None:
    feed = read_feed(RSS.replace("All that floats", "word " * 1_000), "https://h.example/")
    summary = feed.markdown.split("\n\n")[1]
    assert summary.endswith("word …")
    assert len(summary) <= MAX_SUMMARY_CHARS + 2


def test_a_feed_without_an_end_is_cut() -> None:
    feed = read_feed("<rss><channel>" + "<item><title>x</title></item>" * (MAX_ENTRIES + 1), "https://h.example/")
    assert feed.markdown.count("- x") == MAX_ENTRIES
    assert not feed.whole
    assert read_feed(RSS, "https://h.example/").whole


def test_characters_that_xml_forbids_are_left_out() -> None:
    text = "<rss><channel><title>a\x01b&#xD800;c&#xd&#0;800;d&#65;&#x110000;\ud800e</title></channel></rss>"
    assert read_feed(text, "https://h.example/").title == "ab\ufffdc\ufffd800;dA\ufffde"
