"""Raw text had without a worker: only where it is cheap, and the same as a worker would give."""

import pytest
import trio
from gofer.fetch.convert import convert_page
from gofer.fetch.page import Converted, Page, Refused
from gofer.fetch.raw import convert_quick, is_quick
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Options
from gofer.fetch.workers import WorkerConverter, WorkerLimits
from trio.testing import wait_all_tasks_blocked

RAW = Options(mode="raw")
HTML = "<!doctype html><title>Tea &amp; more</title><p>Grüße".encode()


def page(body: bytes, content_type: str = "text/html") -> Page:
    return Page("https://a.example/", content_type, body)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (HTML, "text/html"),
        (b"\xef\xbb\xbf" + HTML, "text/html; charset=latin1"),
        (b"a,b\r\n1,2\r\n", "text/csv"),
        (b'{"a": 1}', "text/html"),
        (b"caf\xc3\xa9", "text/plain; charset=windows-1252"),
        (b"\x1b$B%F%9%H\x1b(B", "text/plain"),
        ("wide".encode("utf-16le"), "text/plain"),
        (b" \n", ""),
        (b"GIF87a", "text/html"),
        (b"%PDF-1.4\n1 0 obj", "text/html"),
    ],
)
@pytest.mark.parametrize("max_content_bytes", [3, 1000])
def test_it_is_what_a_worker_gives(body: bytes, content_type: str, max_content_bytes: int) -> None:
    given = page(body, content_type)
    assert is_quick(given, RAW)
    quick = convert_quick(given, max_content_bytes=max_content_bytes)
    assert quick == convert_page(given, RAW, max_content_bytes=max_content_bytes)


def test_what_it_gives() -> None:
    quick = convert_quick(page(HTML), max_content_bytes=1000)
    assert quick == Converted(content=HTML.decode(), content_type="text/html", title="Tea & more")
    assert isinstance(convert_quick(page(b"\x89PNG\r\n\x1a\n"), max_content_bytes=1000), Refused)


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(mode="digest"),
        Options(mode="raw", grep="a"),
        Options(mode="raw", jq="."),
        Options(mode="raw", pages="1"),
        Options(mode="raw", question="Why?"),  # which is warned of
    ],
)
def test_whatever_has_more_to_do_is_not_quick(options: Options) -> None:
    assert not is_quick(page(HTML), options)


@pytest.mark.parametrize("body", ["Grüße".encode("latin-1"), b"a" * 65536], ids=["another encoding", "large"])
def test_what_needs_guessing_or_time_is_not_quick(body: bytes) -> None:
    assert not is_quick(page(body), RAW)


async def test_it_waits_for_no_worker() -> None:
    async with WorkerConverter(FetchSettings(), WorkerLimits(processes=1)) as workers, trio.open_nursery() as nursery:
        nursery.start_soon(workers.convert, page(b"1", "application/json"), Options(jq="def f: f; f"))
        await wait_all_tasks_blocked()
        converted = await workers.convert(page(HTML), RAW)
        assert isinstance(converted, Converted)
        nursery.cancel_scope.cancel()


async def test_a_bug_in_it_fails_its_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **named: object) -> Converted:
        raise KeyError

    monkeypatch.setattr("gofer.fetch.workers.convert_quick", broken)
    async with WorkerConverter(FetchSettings(), WorkerLimits(processes=1)) as workers:
        answer = await workers.convert(page(HTML), RAW)
    assert isinstance(answer, Refused)
    assert answer.error == "unsupported: the page broke its reader"
