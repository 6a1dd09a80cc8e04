"""The whole way from HTML to an article, on pages small enough to read."""

from gofer.fetch.html import extract

URL = "https://example.com/docs/page.html"
PAGE = """<!doctype html><html lang="en"><head><title>A title</title>
<meta name="author" content="Ann Author"><meta property="article:published_time" content="2024-05-06T07:08:09Z">
</head><body><nav><a href="/">Home</a> <a href="/all">All pages</a></nav>
<main><h1>Heading</h1><p>The first paragraph has <a href="../next.html">a link</a> and enough words to be taken for
content, as a paragraph of an article does when it goes on for a while about its subject.</p>
<p>The second paragraph follows the first one, and is as long as it needs to be to look like text.</p></main>
<footer>Copyright, terms and imprint</footer></body></html>"""


def test_an_article_is_its_content_and_what_the_page_says_of_itself() -> None:
    article = extract(PAGE, URL)
    assert article.title == "A title"
    assert article.language == "en"
    assert article.author == "Ann Author"
    assert article.date == "2024-05-06"
    assert "[a link](https://example.com/next.html)" in article.markdown
    assert "The second paragraph" in article.markdown


def test_navigation_and_footers_are_left_out() -> None:
    markdown = extract(PAGE, URL).markdown
    assert "All pages" not in markdown
    assert "imprint" not in markdown
