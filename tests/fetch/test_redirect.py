"""Where a response redirects to."""

import pytest
from gofer.fetch.redirect import redirect_url

BASE = "https://a.example/dir/page?q=1"


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/other", "https://a.example/other"),
        ("other", "https://a.example/dir/other"),
        ("?q=2", "https://a.example/dir/page?q=2"),
        ("//b.example", "https://b.example/"),
        ("http://b.example/x#part", "http://b.example/x"),
        ("http://b.example/ä ö", "http://b.example/%C3%A4%20%C3%B6"),
        ("http://[bad", "http://[bad"),
        ("file:///etc/passwd", "file:///etc/passwd"),
    ],
)
def test_a_location_is_resolved_against_its_page(location: str, url: str) -> None:
    assert redirect_url(302, location, BASE) == url


@pytest.mark.parametrize(("status", "location"), [(200, "/x"), (300, "/x"), (304, "/x"), (404, "/x"), (302, "")])
def test_what_is_no_redirect(status: int, location: str) -> None:
    assert redirect_url(status, location, BASE) is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_each_status_that_redirects(status: int) -> None:
    assert redirect_url(status, "/x", BASE) == "https://a.example/x"
