"""`gofer run` and the demo as processes, end to end over a site on loopback."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import trio

GOFER = str(Path(sys.executable).with_name("gofer"))


class Ran:
    """What a finished command left."""

    def __init__(self, process: "subprocess.CompletedProcess[bytes]") -> None:
        self.code = process.returncode
        self.out = process.stdout.decode()
        self.err = process.stderr.decode()
        self.rows = [json.loads(line) for line in self.out.splitlines()] if self.out.startswith("{") else []


async def gofer(*arguments: str, stdin: bytes = b"", environ: Mapping[str, str] = {}) -> Ran:
    with trio.fail_after(60):
        return Ran(
            await trio.run_process(
                [GOFER, *arguments],
                stdin=stdin,
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                env=os.environ | environ,
            )
        )


async def test_a_batch_is_fetched_and_its_results_come_in_order(site: str) -> None:
    urls = [f"http://{site}{path}" for path in ("/weather", "/lighthouse", "/harbour", "/tides.json", "/ferry.pdf")]
    ran = await gofer("run", *urls, "--allow", site)
    assert ran.code == 0, ran.err
    assert [(row["idx"], row["url"], row["status"]) for row in ran.rows] == [
        (idx, url, "done") for idx, url in enumerate(urls)
    ]
    weather, lighthouse, harbour, tides, ferry = (row["result"] for row in ran.rows)
    assert "The glass is falling" in weather["content"]
    assert lighthouse["title"] == "The lighthouse of Little Skerry"
    assert "Зимой гавань почти пуста" in harbour["content"]
    assert json.loads(tides["content"])["station"] == "Little Skerry"
    assert ferry["page_count"] == 2
    *lines, last = ran.err.splitlines()
    assert sorted(lines) == [f"  {idx}  done    {url}" for idx, url in enumerate(urls)]
    assert last.endswith(" done: 5 done, 0 failed of 5")


async def test_one_bad_target_harms_no_other_and_the_exit_code_says_partial(site: str) -> None:
    ran = await gofer(
        "run", f"http://{site}/bus", f"http://{site}/old-lighthouse", "http://10.0.0.1/", "--allow", site
    )
    assert ran.code == 3
    missing, moved, private = ran.rows
    assert missing["error"] == "http 404"
    assert missing["hint"]
    assert moved["result"]["final_url"] == f"http://{site}/lighthouse"
    assert private["error"].startswith("blocked: ")


async def test_a_parser_that_is_missing_is_told_once_for_all_targets(site: str, tmp_path: Path) -> None:
    (tmp_path / "pypdfium2.py").write_text("raise ImportError('no libpdfium')")  # which only workers import
    urls = [f"http://{site}/weather", f"http://{site}/lighthouse"]
    ran = await gofer("run", *urls, "--allow", site, environ={"PYTHONPATH": str(tmp_path)})
    assert (ran.code, ran.out) == (1, "")
    [line] = ran.err.splitlines()
    assert line.startswith("gofer: the process that converts pages does not start: ImportError: no libpdfium")


async def test_the_guard_holds_without_allow(site: str) -> None:
    ran = await gofer("run", f"http://{site}/lighthouse")
    assert ran.code == 4
    assert ran.rows[0]["error"].startswith("blocked: ")
    assert "--allow" in ran.rows[0]["hint"]  # here nobody else is the operator
    assert "operator" not in ran.rows[0]["hint"]


async def test_targets_from_standard_input_go_to_files(site: str, tmp_path: Path) -> None:
    text = f'{{"url": "http://{site}/tides.json", "jq": ".station"}}\nhttp://{site}/lighthouse\n'
    # The budgets are a service's: they remove nothing that a run has yet to show.
    environ = {"GOFER_GUARD_ALLOW": site, "GOFER_BATCH_MAX_BYTES": "1", "GOFER_BATCH_TTL_S": "1"}
    ran = await gofer("run", "--targets", "-", "--out", str(tmp_path / "out"), stdin=text.encode(), environ=environ)
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert (tmp_path / "out" / "00.json").read_text().strip() == '"Little Skerry"'
    assert "two white flashes" in (tmp_path / "out" / "01.md").read_text()
    assert len((tmp_path / "out" / "index.ndjson").read_text().splitlines()) == 2


async def test_an_interrupt_ends_it_with_what_it_has(site: str) -> None:
    process = await trio.lowlevel.open_process(
        [GOFER, "run", f"http://{site}/tides.json", f"http://{site}/never", "--allow", site],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    async with process.stdout:
        with trio.fail_after(60):
            first = await process.stdout.receive_some()
            process.send_signal(signal.SIGINT)
            rest = [chunk async for chunk in process.stdout]
            assert await process.wait() == 130
    assert json.loads(first)["status"] == "done"
    assert rest == []


@pytest.mark.parametrize("out", [False, True])
async def test_an_interrupt_hands_on_what_is_behind_one_that_did_not_end(
    site: str, tmp_path: Path, out: bool
) -> None:
    """The progress lines tell when they are finished; their results wait for the first target's."""
    paths = ("/never", "/tides.json", "/never", "/bus")
    where = ["--out", str(tmp_path / "out")] if out else []
    process = await trio.lowlevel.open_process(
        [GOFER, "run", *(f"http://{site}{path}" for path in paths), "--allow", site, *where],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    async with process.stdout, process.stderr:
        with trio.fail_after(60):
            said = b""
            while said.count(b"\n") < 2:
                said += await process.stderr.receive_some()
            process.send_signal(signal.SIGINT)
            text = b"".join([chunk async for chunk in process.stdout])
            said += b"".join([chunk async for chunk in process.stderr])
            assert await process.wait() == 130
    if out:
        assert text == b""
        text = (tmp_path / "out" / "index.ndjson").read_bytes()
    assert [(row["idx"], row["status"]) for row in map(json.loads, text.splitlines())] == [(1, "done"), (3, "failed")]
    assert said.splitlines()[-1] == b"interrupted: 2 of 4 targets had ended, and are written"


async def test_a_reader_that_has_enough_ends_it_quietly(site: str) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        process = await trio.run_process(
            [GOFER, "run", f"http://{site}/tides.json", "--allow", site],
            stdout=write,
            capture_stderr=True,
            check=False,
        )
    finally:
        os.close(write)
    assert process.returncode == 1
    assert b"Traceback" not in process.stderr


async def test_results_that_cannot_be_written_are_told(site: str) -> None:
    with open("/dev/full", "wb") as full:  # noqa: ASYNC230 - a device
        process = await trio.run_process(
            [GOFER, "run", f"http://{site}/tides.json", "--allow", site],
            stdout=full,
            capture_stderr=True,
            check=False,
        )
    assert process.returncode == 1
    last = process.stderr.decode().splitlines()[-1]
    assert last == "gofer: cannot write to standard output: No space left on device"
    assert b"Traceback" not in process.stderr


async def test_the_demo_shows_each_kind_of_page_and_stops() -> None:
    with trio.fail_after(60):
        process = await trio.run_process(
            [sys.executable, "-m", "gofer.cli.demo"], capture_stdout=True, capture_stderr=True
        )
    text = process.stdout.decode()
    assert process.stderr == b""
    assert "gofer is ready on http://127.0.0.1:" in text
    assert "partial: 6 done, 1 failed of 7" in text
    for shown in (
        "lighthouse stands on the western",
        "Гавань зимой",
        '"03:12" "15:40"',
        "Bicycles travel",
        "http 404",
    ):
        assert shown in text
