"""The client commands against a real service on loopback."""

import json
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
import trio
from gofer.cli.client import Client, from_environment
from gofer.cli.failure import Failure, UsageFailure
from gofer.cli.home import (
    checked_token,
    data_dir,
    keep_first_run_token,
    make_data_dir,
    read_first_run_token,
    token_file,
)
from gofer.cli.remote import POLL_FIRST_S, POLL_LAST_S, follow
from gofer.cli.summary import Summary
from gofer.fetch.scripted import ScriptedFetcher
from gofer.fetch.target import Options
from gofer.http.auth import Callers
from gofer.http.problems import Problem
from hypothesis import given
from hypothesis import strategies as st

Gofer = Callable[..., Awaitable[int]]
Captured = pytest.CaptureFixture[str]


async def submitted(gofer: Gofer, capsys: Captured, *arguments: str) -> str:
    assert await gofer("submit", *arguments) == 0
    return capsys.readouterr().out.strip()


async def test_submit_prints_the_jobs_id_alone_and_how_to_go_on(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured
) -> None:
    selected = ("--mode", "raw", "--no-context", "--recover", "--pages", "-2", "--grep", "-5 degrees")
    assert await gofer("submit", "http://a/", "http://b/", *selected) == 0
    shown = capsys.readouterr()
    job_id = shown.out.removesuffix("\n")
    assert shown.err == f"2 targets, queued; follow it with: gofer watch {job_id}\n"
    assert await gofer("watch", job_id) == 0
    options = Options(mode="raw", context=False, recover=True, pages="-2", grep="-5 degrees")
    assert {(t.url, t.options) for t, _ in service.calls} == {("http://a/", options), ("http://b/", options)}


async def test_a_job_is_watched_and_its_results_collected(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured, tmp_path: Path
) -> None:
    job_id = await submitted(gofer, capsys, "http://a/", "http://bad/")

    assert await gofer("watch", job_id) == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    *targets, last = shown.err.splitlines()
    assert sorted(targets) == [
        "  0  done    http://a/",
        "  1  failed  http://bad/  http 404  (look elsewhere)",
    ]
    assert last == f"job {job_id} partial: 1 done, 1 failed of 2"

    assert await gofer("status", job_id) == 0
    table = capsys.readouterr().out
    assert last in table
    assert "http://bad/" in table
    assert "look elsewhere" in table

    assert await gofer("result", job_id) == 3
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["idx"], first["status"], first["result"]["content"]) == (0, "done", "http://a/")
    assert second == {
        "idx": 1,
        "url": "http://bad/",
        "status": "failed",
        "error": "http 404",
        "hint": "look elsewhere",
    }

    assert await gofer("result", job_id, "0") == 0
    assert capsys.readouterr().out == "http://a/\n"
    assert await gofer("result", job_id, "1") == 4
    assert capsys.readouterr().err == "target 1: http 404 (look elsewhere)\n"

    assert await gofer("result", job_id, "--out", str(tmp_path / "out")) == 3
    assert (tmp_path / "out" / "00.md").read_text() == "http://a/"


async def test_one_result_is_kept_as_a_file_if_asked_for(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured, tmp_path: Path
) -> None:
    job_id = await submitted(gofer, capsys, "http://a/", "http://b/", "http://bad/")
    assert await gofer("watch", job_id) == 3
    assert await gofer("result", job_id, "1", "--out", str(tmp_path / "one")) == 0
    assert (tmp_path / "one" / "01.md").read_text() == "http://b/"
    assert await gofer("result", job_id, "2", "--out", str(tmp_path / "two")) == 4
    (row,) = (tmp_path / "two" / "index.ndjson").read_text().splitlines()
    assert json.loads(row)["error"] == "http 404"
    assert capsys.readouterr().out == ""


async def test_json_is_the_services_answer_byte_for_byte(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured
) -> None:
    def get(path: str) -> str:
        token = {"Authorization": f"Bearer {read_first_run_token(data_dir())}"}
        return httpx.get(f"{os.environ['GOFER_URL']}/v1/batch/{path}", headers=token).text + "\n"

    assert await gofer("submit", "http://bad/", "--json") == 0
    accepted = json.loads(capsys.readouterr().out)
    assert list(accepted) == ["success", "job_id", "status", "targets", "reused"]
    job_id = accepted["job_id"]
    assert await gofer("watch", job_id, "--json") == 4
    watched = capsys.readouterr().out
    assert await gofer("status", job_id, "--json") == 0
    assert capsys.readouterr().out == watched == await trio.to_thread.run_sync(get, job_id)
    assert await gofer("result", job_id, "0", "--json") == 4
    assert capsys.readouterr().out == await trio.to_thread.run_sync(get, f"{job_id}/0")


async def test_json_is_what_the_service_says(service: ScriptedFetcher, gofer: Gofer, capsys: Captured) -> None:
    assert await gofer("submit", "http://bad/", "--json") == 0
    accepted = json.loads(capsys.readouterr().out)
    assert (accepted["status"], accepted["targets"], accepted["reused"]) == ("queued", 1, False)

    assert await gofer("watch", accepted["job_id"], "--json") == 4
    assert json.loads(capsys.readouterr().out)["status"] == "failed"

    assert await gofer("status", accepted["job_id"], "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["targets_total"], summary["targets_done"]) == (1, 1)
    assert summary["created_at"].endswith("Z")

    assert await gofer("result", accepted["job_id"], "0", "--json") == 4
    assert json.loads(capsys.readouterr().out)["error"] == "http 404"


async def test_a_running_job_is_told_as_such_and_can_be_cancelled_once(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured
) -> None:
    job_id = await submitted(gofer, capsys, "http://never/")
    assert await gofer("result", job_id, "0") == 5
    assert "it has no result yet" in capsys.readouterr().err
    assert await gofer("result", job_id, "0", "--json") == 5
    assert json.loads(capsys.readouterr().out)["status"] == "running"
    assert await gofer("result", job_id) == 5
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "only finished targets are here" in shown.err

    assert await gofer("submit", "http://other/") == 1
    assert "a batch of yours is still running" in capsys.readouterr().err
    assert await gofer("submit", "http://never/") == 0
    shown = capsys.readouterr()
    assert shown.out == f"{job_id}\n"
    assert "the job of an earlier submission" in shown.err

    assert await gofer("cancel", job_id) == 0
    assert capsys.readouterr().out == f"job {job_id} cancelled\n"
    assert await gofer("cancel", job_id) == 1
    assert capsys.readouterr().err == "gofer: job already finished\n"
    assert await gofer("watch", job_id) == 4
    assert service.cancelled == 1


async def test_a_key_is_one_job(service: ScriptedFetcher, gofer: Gofer, capsys: Captured) -> None:
    job_id = await submitted(gofer, capsys, "http://bad/", "--key", "k1")
    assert await gofer("watch", job_id) == 4
    assert await submitted(gofer, capsys, "http://bad/", "--key", "k1") == job_id
    assert await gofer("submit", "http://a/", "--key", "k1") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["status", "nosuchjob"], "gofer: not found", 1),
        (["status", "../../metrics"], "gofer: not found: '../../metrics' is not a job id", 1),
        (["submit", "http://127.0.0.1/"], "gofer: blocked: target 0: not a public address", 2),
        (["submit", "http://a/", "--grep", "("], "gofer: invalid batch: target 0: grep: ", 2),
        (["submit", "http://a/" + "a" * 300_000], "gofer: body too large", 2),
        (["submit", *["http://a/"] * 33], "gofer: too many targets (max 32)", 2),
        (["submit", "http://a/", "--key", "a\nb"], "gofer: --key must be printable ASCII", 2),
        (["submit", "http://a/", "--key", "ü"], "gofer: --key must be printable ASCII", 2),
    ],
)
async def test_what_the_service_refuses_is_one_line_in_its_words(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured, arguments: list[str], said: str, code: int
) -> None:
    assert await gofer(*arguments) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)


async def test_an_unknown_token_is_told(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOFER_TOKEN", "wrong")
    assert await gofer("status", "abc") == 1
    assert capsys.readouterr().err.startswith("gofer: unknown token")


async def test_no_server_is_told(gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    monkeypatch.setenv("GOFER_URL", f"http://127.0.0.1:{port}/")
    monkeypatch.setenv("GOFER_TOKEN", "t")
    assert await gofer("status", "abc") == 1
    expected = f"gofer: nothing answers at http://127.0.0.1:{port}: is the server running? "
    assert capsys.readouterr().err.startswith(expected)


async def read_request(stream: trio.SocketStream) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        data += await stream.receive_some()
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    while length and len(body) < int(length[1]):
        body += await stream.receive_some()


async def test_something_else_that_answers_is_told(
    nursery: trio.Nursery, gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = b'{"job_id":"abc","status":"odd","targets_total":0,"targets_done":0,"created_at":"","targets":[]}'
    cases = {
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello": "is not one this client knows",
        b"HTTP/1.1 200 OK\r\n\r\n" + summary: "is not one this client knows",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell": "was cut short",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n": "was cut short",
        b"HTTP/1.1 204 No Content\r\n\r\n": "answers HTTP 204, which gofer never does here",
        b"HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n": "answers HTTP 301",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nhuh?": "the service answered HTTP 404",
        b"SSH-2.0-x\r\n": "does not speak HTTP",
        b"": "cannot talk to",
    }
    commands = (["status", "abc"], ["result", "abc"], ["result", "abc", "0"], ["watch", "abc"], ["cancel", "abc"])
    asked = [(command, answer) for answer in cases for command in (*commands, ["submit", "http://a/"])]
    answers = iter(answer for _, answer in asked)

    async def other(stream: trio.SocketStream) -> None:
        async with stream:
            await read_request(stream)  # all of it: closing on what is unread resets the connection
            await stream.send_all(next(answers))

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    nursery.start_soon(trio.serve_listeners, other, [listener])
    monkeypatch.setenv("GOFER_URL", f"http://127.0.0.1:{listener.socket.getsockname()[1]}")
    monkeypatch.setenv("GOFER_TOKEN", "t")
    for command, answer in asked:
        assert await gofer(*command) == 1
        shown = capsys.readouterr()
        assert shown.out == ""
        (line,) = shown.err.splitlines()
        said = cases[answer]
        if command[0] == "submit" and said.startswith("is not one"):
            said = "answers HTTP 200, which gofer never does here"  # but 202
        assert said in line


def test_the_first_run_token_is_sent_to_this_machine_alone(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    with pytest.raises(Failure, match="no token: set GOFER_TOKEN"):
        from_environment({})
    keep_first_run_token(make_data_dir())
    for url in ("http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", ""):
        assert isinstance(from_environment({"GOFER_URL": url}), Client)
    with pytest.raises(Failure, match="no token"):
        from_environment({"GOFER_URL": "http://gofer.example"})


@pytest.mark.parametrize(
    "url",
    [
        *(
            "gofer.example",
            "ftp://gofer.example",
            "http://",
            "http:///v1",
            "http://:80",
            "http://[::1",
            "http://a]b/",
        ),
        *(
            "http://127.0.0.1:99999",
            "http://127.0.0.1:abc",
            "http://127.0.0.1:-1",
            "http://127.0.0.1:0",
            "http://a..b/",
        ),
        *(
            "http://a b/",
            "http://a/ b",
            "http://a\nb/",
            "http://\x00/",
            "http://user:pw@a/",
            "http://a/?x",
            "http://a/#x",
        ),
        *("http://a\\b", "http://" + "a" * 64, "http://ü/", "http://a/ü"),
    ],
)
@pytest.mark.parametrize("token", ["t", ""])
async def test_an_address_that_is_none_is_told(
    gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch, url: str, token: str
) -> None:
    if "\0" in url:  # no environment can hold it
        with pytest.raises(UsageFailure, match="GOFER_URL"):
            Client(url, "t")
        return
    monkeypatch.setenv("GOFER_URL", url)
    monkeypatch.setenv("GOFER_TOKEN", token)
    assert await gofer("status", "abc") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gofer: GOFER_URL must be a service's address, such as http://127.0.0.1:8380, not ")


@pytest.mark.parametrize("token", ["a\nb", "a b", "a\tb", "ü", "a,b", "=", '"a"', "Bearer a"])
async def test_a_token_that_is_none_is_told_wherever_it_stands(
    gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("GOFER_TOKEN", token)
    assert await gofer("status", "abc") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gofer: GOFER_TOKEN holds no token: ")
    assert token not in line

    monkeypatch.delenv("GOFER_TOKEN")
    file = token_file(make_data_dir())
    file.write_bytes(token.encode("latin-1") + b"\n")
    for command in (["status", "abc"], ["serve"]):
        assert await gofer(*command) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"gofer: {file} holds no token: ")


@given(st.text(alphabet="Aaz09._~+/-= \n,é", max_size=12))
def test_what_the_client_sends_as_a_token_the_service_takes_for_one(text: str) -> None:
    try:
        token = checked_token(text, "it holds")
    except UsageFailure:
        return
    with pytest.raises(Problem, match="unknown token"):
        Callers([]).identify(f"Bearer {token}")


async def test_a_misspelt_variable_of_the_client_is_told(
    gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOFER_TOKN", "t")
    assert await gofer("status", "abc") == 2
    assert capsys.readouterr().err == (
        "gofer: unknown variable GOFER_TOKN in the environment; did you mean GOFER_TOKEN?\n"
    )


def test_polling_backs_off_while_nothing_happens() -> None:
    """Ten polls without news, then one finished target, then the end."""
    told = [0] * 11 + [1, 1, 2]

    class Service:
        def summary(self, job_id: str) -> Summary:
            done = told.pop(0)
            return Summary(job_id, "running" if told else "done", 2, done, ())

    seen: list[Summary] = []
    pauses: list[float] = []
    assert follow(Service(), "j", seen.append, sleep=pauses.append).status == "done"
    assert len(seen) == 14
    assert pauses[0] == POLL_FIRST_S
    assert pauses[:11] == sorted(pauses[:11])
    assert pauses[10] == POLL_LAST_S
    assert pauses[11] == POLL_FIRST_S
