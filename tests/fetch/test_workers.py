"""Converting in processes: hostile pages cost their own worker and nothing else, and none is left at the end."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import pytest
import trio
import trio.testing
from gofer.fetch import worker
from gofer.fetch.inline import InlineConverter
from gofer.fetch.page import Converted, Converter, Page, Refused
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Options
from gofer.fetch.workers import CannotConvert, WorkerConverter, WorkerLimits

HELLO = Page("https://a.example/", "text/plain", b"hello")
ONE = Page("https://a.example/", "application/json", b"1")
MIB = 1 << 20


def converter(**limits: float) -> WorkerConverter:
    return WorkerConverter(FetchSettings(), WorkerLimits(**{"processes": 2, **limits}))  # type: ignore[arg-type]


async def content(converter: Converter, page: Page = HELLO, options: Options | None = None) -> str:
    answer = await converter.convert(page, options or Options())
    assert isinstance(answer, Converted), answer
    return answer.content


async def error(converter: WorkerConverter, page: Page, options: Options | None = None) -> str:
    answer = await converter.convert(page, options or Options())
    assert isinstance(answer, Refused), answer
    assert answer.hint
    return answer.error


def pdf_bomb() -> bytes:
    """A page whose content unpacks to 2 GiB: one deflate block of zeros that stands alone, many times over."""
    packer = zlib.compressobj(9)
    head = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    stream = head + block * 2047 + packer.flush()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(stream), stream),
    ]
    body = b"%PDF-1.4\n"
    table = b"0000000000 65535 f \n"
    for number, each in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj%sendobj\n" % (number, each)
    return body + b"xref\n0 5\n%strailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (table, len(body))


async def test_pages_are_converted_and_no_process_is_left() -> None:
    async with converter() as workers:
        assert await content(workers) == "hello"
        assert await content(workers, ONE, Options(jq=". + 1")) == "2"
        assert multiprocessing.active_children()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("images", "shown"), [(True, "![a lamp](https://a.example/lamp.png)"), (False, "")])
async def test_images_are_links_or_left_out_as_the_settings_say(images: bool, shown: str) -> None:
    body = b"<html><p>before</p><p><img src=lamp.png alt='a lamp'></p><p>after</p>"
    page = Page("https://a.example/", "text/html", body)
    settings = FetchSettings(images=images)
    async with WorkerConverter(settings, WorkerLimits(processes=1)) as workers:
        told = await content(workers, page)
    assert told.split() == ["before", *shown.split(), "after"]
    assert await content(InlineConverter(images=images), page) == told


@pytest.mark.parametrize(
    ("parser", "reason"),
    [
        ("raise ImportError('no libjq')", "does not start: ImportError: no libjq; install gofer anew"),
        ("import nowhere", "does not start: ModuleNotFoundError: No module named 'nowhere'; install gofer anew"),
        ("import os; os._exit(3)", "does not start: it ends with exit code 3; install gofer anew"),
        ("while True: pass", "did not start within 1 s"),
    ],
)
async def test_workers_that_cannot_start_are_told_at_once_and_in_words(
    parser: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "jq.py").write_text(parser)  # where only processes that are yet to start find it
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(CannotConvert) as raised:
        async with converter(start_s=1 if parser.startswith("while") else 60):
            raise AssertionError("it was entered")
    assert str(raised.value) == f"the process that converts pages {reason}"
    assert not multiprocessing.active_children()
    assert capfd.readouterr().err == ""


def test_an_interrupt_of_the_process_group_is_the_parent_s_alone_from_a_worker_s_first_instruction() -> None:
    program = """
import signal, trio
from gofer.fetch.page import Page
from gofer.fetch.settings import FetchSettings
from gofer.fetch.target import Options
from gofer.fetch.workers import WorkerConverter, WorkerLimits

async def main():
    async with WorkerConverter(FetchSettings(), WorkerLimits(processes=2)) as workers:
        print((await workers.convert(Page("https://a.example/", "", b"hello"), Options())).content, flush=True)

signal.signal(signal.SIGINT, lambda *_: None)
print("starting", flush=True)
trio.run(main)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        assert parent.stdout.readline() == b"starting\n"
        told: list[bytes] = []
        reader = threading.Thread(target=lambda: told.append(parent.stdout.readline()))  # type: ignore[union-attr]
        reader.start()
        while reader.is_alive():
            os.killpg(parent.pid, signal.SIGINT)
            reader.join(0.001)
        assert told == [b"hello\n"]
        assert parent.stderr.read() == b""
    assert parent.returncode == 0


async def test_entering_and_leaving_at_once_leaves_nothing() -> None:
    async with converter():
        pass
    assert not multiprocessing.active_children()


async def test_descriptors_are_given_back() -> None:
    async with converter():  # the first use starts Python's resource tracker, which stays
        pass
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    async with converter() as workers:
        assert await content(workers) == "hello"
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


async def test_an_error_in_the_block_passes_as_it_is() -> None:
    with pytest.raises(KeyError, match="mine"):
        async with converter():
            raise KeyError("mine")
    assert not multiprocessing.active_children()


async def test_a_loop_is_killed_at_its_deadline_and_its_neighbours_are_not_held_up() -> None:
    async with converter(timeout_s=1) as workers:
        async with trio.open_nursery() as nursery:

            async def loop() -> None:
                assert await error(workers, ONE, Options(jq="def f: f; f")) == "jq: the program ran longer than 1 s"
                looped.set()

            looped = trio.Event()
            nursery.start_soon(loop)
            for _ in range(20):
                assert await content(workers) == "hello"
            assert not looped.is_set()
        assert await content(workers) == "hello"


async def test_quick_pages_do_not_wait_for_slow_ones() -> None:
    async with converter(processes=1, patience_s=0.1) as workers, trio.open_nursery() as nursery:
        ended = []

        async def loop() -> None:
            ended.append(await workers.convert(ONE, Options(jq="def f: f; f")))

        for _ in range(3):
            nursery.start_soon(loop)
        await trio.testing.wait_all_tasks_blocked()
        assert await content(workers) == "hello"
        assert not ended
        nursery.cancel_scope.cancel()


async def test_a_lost_worker_is_replaced_before_it_is_needed() -> None:
    async with converter(patience_s=60) as workers:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(workers.convert, ONE, Options(jq="def f: f; f"))
            await trio.testing.wait_all_tasks_blocked()
            assert await content(workers) == "hello"  # by the other one
            nursery.cancel_scope.cancel()
        with trio.fail_after(5):
            while len(multiprocessing.active_children()) < 2:
                await trio.lowlevel.checkpoint()


async def test_cancelling_kills_the_worker_that_holds_the_page() -> None:
    async with converter(processes=1) as workers:
        assert await content(workers) == "hello"
        (before,) = multiprocessing.active_children()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(workers.convert, ONE, Options(jq="def f: f; f"))
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert not before.is_alive()
        assert await content(workers) == "hello"


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
async def test_a_page_whose_worker_is_killed_from_outside_is_converted_once_more(ending: signal.Signals) -> None:
    async with converter(processes=1) as workers:
        assert await content(workers) == "hello"
        (idle,) = multiprocessing.active_children()
        assert idle.pid is not None
        os.kill(idle.pid, signal.SIGSTOP)  # so that it takes the page and has not read it
        async with trio.open_nursery() as nursery:

            async def convert() -> None:
                assert await content(workers, ONE, Options(jq=". + 1")) == "2"

            nursery.start_soon(convert)
            await trio.testing.wait_all_tasks_blocked()
            os.kill(idle.pid, ending)
            os.kill(idle.pid, signal.SIGCONT)


async def test_a_page_whose_worker_is_killed_twice_is_told() -> None:
    async with converter(processes=1) as workers:
        assert await content(workers) == "hello"
        killed = set()
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:

                async def convert() -> None:
                    told = await error(workers, ONE, Options(jq="def f: f; f"))
                    assert told.startswith("jq: the program crashed or needed more than")
                    nursery.cancel_scope.cancel()

                nursery.start_soon(convert)
                await trio.testing.wait_all_tasks_blocked()
                while True:
                    for each in multiprocessing.active_children():
                        assert each.pid is not None
                        killed.add(each.pid)
                        each.kill()
                    await trio.lowlevel.checkpoint()
        assert len(killed) >= 2
        assert await content(workers) == "hello"


@pytest.mark.parametrize("program", ['"a" * 1000000000 | length', 'reduce range(40) as $_ ("ab"; . + .) | length'])
async def test_a_jq_memory_bomb_dies_alone(program: str) -> None:
    async with converter(max_memory_bytes=256 * MIB) as workers:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(content, workers)
            told = await error(workers, ONE, Options(jq=program))
        assert told == "jq: the program crashed or needed more than 256 MiB of memory"
        assert await content(workers) == "hello"


async def test_a_pdf_bomb_dies_alone() -> None:
    async with converter(max_memory_bytes=512 * MIB) as workers:
        bomb = Page("https://a.example/", "application/pdf", pdf_bomb())
        assert len(bomb.body) < 4 * MIB
        told = await error(workers, bomb)
        assert told == "unsupported: the page broke its reader or needs more than 512 MiB of memory"
        assert await content(workers) == "hello"


@pytest.mark.parametrize(
    "html",
    [
        "<p " + " ".join(f"a{n}=x" for n in range(100_000)) + ">text</p>",
        "<div>" * 100_000 + "text",
        "<i>" * 400_000,
        "<b></b>" * 200_000 + "text",
        "<table><tr><td>" * 30_000 + "text",
    ],
    ids=["100k attributes", "100k nested", "400k tags", "200k empty elements", "30k nested tables"],
)
async def test_a_page_made_to_be_slow_is_answered_within_a_workers_limits(html: str) -> None:
    page = Page("https://a.example/", "text/html", f"<!doctype html><title>x</title>{html}".encode())
    async with converter() as workers, trio.open_nursery() as nursery:
        nursery.start_soon(content, workers)
        assert isinstance(await workers.convert(page, Options()), Converted)


async def test_report_26_a_pattern_that_backtracks_elsewhere_is_linear() -> None:
    page = Page("https://a.example/", "text/plain", b"a" * 1_000_000 + b"b")
    async with converter(processes=1, timeout_s=5) as workers:
        assert await content(workers, page, Options(grep="(a+)+$")) == ""
        assert await content(workers, page, Options(grep="(a|aa)+c|(.*)*x", context=False)) == ""


async def test_a_bug_in_a_reader_fails_its_page_and_keeps_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    async with converter(processes=1) as workers:
        assert await content(workers) == "hello"
        (before,) = multiprocessing.active_children()
        broken = Page("https://a.example/", "text/plain", "not bytes")  # type: ignore[arg-type]
        assert await error(workers, broken) == "unsupported: the page broke its reader"
        assert before.is_alive()


def test_a_worker_has_an_empty_environment_and_lowered_limits() -> None:
    program = """
import os, resource, subprocess, sys
from gofer.fetch import worker
worker.start(1 << 30)
ok = (
    not os.environ
    and resource.getrlimit(resource.RLIMIT_AS) == (1 << 30, 1 << 30)
    and resource.getrlimit(resource.RLIMIT_FSIZE) == (0, 0)
    and os.fstat(0).st_rdev == os.fstat(1).st_rdev == os.fstat(2).st_rdev == os.stat(os.devnull).st_rdev
    and "trio" not in sys.modules
    and os.nice(0) == worker.NICENESS
)
sys.exit(42 if ok else 1)
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "SECRET": "x"}, check=False)
    assert done.returncode == 42


def test_the_parsers_stay_out_of_the_parent() -> None:
    program = "import gofer.fetch.workers, sys; sys.exit(42 if not {'lxml', 'pypdfium2'} & set(sys.modules) else 1)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 42


def test_processor_time_is_limited_job_by_job_even_without_a_parent() -> None:
    program = """
from gofer.fetch import worker
from gofer.fetch.page import Page
from gofer.fetch.target import Options
worker.work(Page("https://a.example/", "application/json", b"1"), Options(jq="def f: f; f"), 100, True, 0)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -24  # SIGXCPU


def test_a_worker_that_has_grown_is_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not worker.has_grown()
    monkeypatch.setattr(worker, "RETIRE_RESIDENT_BYTES", 1)
    assert worker.has_grown() is Path("/proc/self/statm").exists()


async def test_the_inline_converter_answers_the_same(autojump_clock: trio.testing.MockClock) -> None:
    answer = await InlineConverter(max_content_bytes=3).convert(HELLO, Options())
    assert answer == Converted(content="hel", content_type="text/plain", truncated=True)
