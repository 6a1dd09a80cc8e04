"""The client commands against a real service on loopback."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
from gofer.cli.client import Client, from_environment
from gofer.cli.failure import Failure, UsageFailure
from gofer.cli.home import keep_first_run_token, make_data_dir
from gofer.cli.remote import POLL_FIRST_S, POLL_LAST_S, follow
from gofer.cli.summary import Summary
from gofer.fetch.scripted import ScriptedFetcher
from gofer.fetch.target import Options

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
    assert await gofer("result", job_id, "0") == 1
    assert "it has no result yet" in capsys.readouterr().err
    assert await gofer("result", job_id) == 0
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
    assert await gofer("submit", "http://a/", "--key", "k1") == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["status", "nosuchjob"], "gofer: not found"),
        (["status", "../../metrics"], "gofer: not found: '../../metrics' is not a job id"),
        (["submit", "http://127.0.0.1/"], "gofer: blocked: target 0: not a public address"),
        (["submit", "http://a/", "--grep", "("], "gofer: invalid batch: target 0: grep: "),
        (["submit", *["http://a/"] * 33], "gofer: too many targets (max 32)"),
    ],
)
async def test_what_the_service_refuses_is_one_line_in_its_words(
    service: ScriptedFetcher, gofer: Gofer, capsys: Captured, arguments: list[str], said: str
) -> None:
    assert await gofer(*arguments) == 1
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


async def test_something_else_that_answers_is_told(
    nursery: trio.Nursery, gofer: Gofer, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"SSH-2.0-x\r\n", b""])

    async def other(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some()
            await stream.send_all(next(answers))

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    nursery.start_soon(trio.serve_listeners, other, [listener])
    monkeypatch.setenv("GOFER_URL", f"http://127.0.0.1:{listener.socket.getsockname()[1]}")
    monkeypatch.setenv("GOFER_TOKEN", "t")
    for said in ("is not one this client knows", "does not speak HTTP", "cannot talk to"):
        assert await gofer("status", "abc") == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line


def test_the_first_run_token_is_sent_to_this_machine_alone(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    with pytest.raises(Failure, match="no token: set GOFER_TOKEN"):
        from_environment({})
    keep_first_run_token(make_data_dir())
    for url in ("http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", ""):
        assert isinstance(from_environment({"GOFER_URL": url}), Client)
    with pytest.raises(Failure, match="no token"):
        from_environment({"GOFER_URL": "http://gofer.example"})


@pytest.mark.parametrize("url", ["gofer.example", "ftp://gofer.example", "http://"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(UsageFailure, match="GOFER_URL"):
        Client(url, "t")


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
