"""`gofer serve` as a process: how it starts, stops, and comes back after it was killed."""

import contextlib
import resource
import signal
import socket
import stat
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
import trio
from gofer.cli.client import ApiFailure, Client
from gofer.cli.failure import Failure
from gofer.cli.home import read_first_run_token, token_file
from gofer.cli.main import main
from gofer.cli.remote import follow
from gofer.cli.summary import Summary
from gofer.cli.token import caller_lines
from gofer.fetch.target import Target
from gofer.store.batch import BatchJob, BatchStore, BatchTarget
from gofer.store.database import StoreError

Serve = Callable[..., Awaitable[Any]]


def client_of(url: str, home: Path) -> Client:
    token = read_first_run_token(home)
    assert token is not None
    return Client(url, token)


async def in_thread(call: Callable[..., Any], *arguments: object) -> Any:
    with trio.fail_after(30):
        return await trio.to_thread.run_sync(call, *arguments, abandon_on_cancel=True)


def first_target_done(client: Client, job_id: str) -> Summary:
    while not (summary := client.summary(job_id)).targets[0].finished:
        pass
    return summary


async def test_it_starts_without_settings_serves_and_stops_on_a_signal(serve: Serve, home: Path, site: str) -> None:
    service = await serve()
    url = await service.started()
    assert service.lines[:2] == [f"database {home / 'gofer.db'}", f"token in {token_file(home)}"]
    assert stat.S_IMODE(token_file(home).stat().st_mode) == 0o600

    client = client_of(url, home)
    accepted = await in_thread(client.submit, [Target(f"http://{site}/lighthouse")])
    summary = await in_thread(follow, client, accepted.job_id, lambda _: None)
    assert summary.status == "done"

    service.process.send_signal(signal.SIGTERM)
    assert await service.line("gofer has stopped")
    assert await service.ended() == 0
    log = service.log.read_text()
    assert '"event":"fetch"' in log
    assert "/lighthouse" not in log


async def test_the_callers_of_the_settings_are_let_in_and_no_other(
    serve: Serve, home: Path, site: str, tmp_path: Path
) -> None:
    config = tmp_path / "gofer.toml"
    config.write_text(caller_lines("alice", "restricted", "alice-token"))
    service = await serve(GOFER_CONFIG=str(config))
    url = await service.started()
    assert not any(line.startswith("token") for line in service.lines)
    assert not token_file(home).exists()

    with pytest.raises(ApiFailure, match="not a public address"):  # what guard.allow names is for fleet callers
        await in_thread(Client(url, "alice-token").submit, [Target(f"http://{site}/lighthouse")])
    with pytest.raises(ApiFailure, match="unknown token"):
        await in_thread(Client(url, "other").summary, "any")


async def test_a_page_that_may_be_kept_is_given_again_after_a_restart(serve: Serve, home: Path, site: str) -> None:
    for from_cache in (False, True):
        service = await serve()
        client = client_of(await service.started(), home)
        submit = partial(client.submit, [Target(f"http://{site}/kept")], key=str(from_cache))  # a job each
        accepted = await in_thread(submit)
        await in_thread(follow, client, accepted.job_id, lambda _: None)
        row = await in_thread(client.target, accepted.job_id, 0)
        assert msgspec.json.decode(row.result)["from_cache"] is from_cache
        service.process.send_signal(signal.SIGTERM)
        assert await service.ended() == 0


async def test_a_signal_drains_a_running_batch_and_its_results_are_kept(serve: Serve, home: Path, site: str) -> None:
    service = await serve(GOFER_BATCH_DRAIN_TIMEOUT_S="0")
    client = client_of(await service.started(), home)
    accepted = await in_thread(client.submit, [Target(f"http://{site}/tides.json"), Target(f"http://{site}/never")])
    await in_thread(first_target_done, client, accepted.job_id)
    service.process.send_signal(signal.SIGINT)
    assert await service.ended() == 0

    client = client_of(await (await serve()).started(), home)
    summary = await in_thread(client.summary, accepted.job_id)
    assert (summary.status, summary.error) == ("failed", "interrupted: server stopped")
    assert [row.status for row in summary.targets] == ["done", "failed"]


async def test_a_second_signal_ends_it_at_once(serve: Serve, home: Path, site: str) -> None:
    service = await serve(GOFER_BATCH_DRAIN_TIMEOUT_S="1000")
    client = client_of(await service.started(), home)
    await in_thread(client.submit, [Target(f"http://{site}/never")])
    service.process.send_signal(signal.SIGTERM)
    await service.line("stopping")  # it drains now, and would for long
    service.process.send_signal(signal.SIGTERM)
    assert await service.ended() == -signal.SIGTERM


async def test_report_15_a_killed_service_keeps_what_was_done_and_says_what_was_not(
    serve: Serve, home: Path, site: str
) -> None:
    service = await serve()
    client = client_of(await service.started(), home)
    accepted = await in_thread(client.submit, [Target(f"http://{site}/lighthouse"), Target(f"http://{site}/never")])
    before = await in_thread(first_target_done, client, accepted.job_id)
    assert before.status == "running"
    service.process.send_signal(signal.SIGKILL)
    assert await service.ended() == -signal.SIGKILL

    client = client_of(await (await serve()).started(), home)
    after = await in_thread(lambda: client.summary(accepted.job_id, results=True))
    assert (after.status, after.error) == ("failed", "interrupted: server restarted")
    assert (after.targets_done, after.targets_total) == (2, 2)
    done, failed = after.targets
    assert (done.status, failed.status, failed.error) == ("done", "failed", "interrupted: server restarted")
    assert b"The lighthouse stands on the western rock" in bytes(done.result)

    again = await in_thread(client.submit, [Target(f"http://{site}/lighthouse")])
    assert (await in_thread(follow, client, again.job_id, lambda _: None)).status == "done"


async def test_a_second_process_on_the_same_file_is_refused_and_harms_nothing(
    serve: Serve, home: Path, site: str
) -> None:
    first = await serve()
    client = client_of(await first.started(), home)
    second = await serve()
    assert await second.ended() == 1
    assert second.log.read_text() == (
        f"gofer: {home / 'gofer.db'} is in use by another gofer; stop it or name another file\n"
    )
    accepted = await in_thread(client.submit, [Target(f"http://{site}/tides.json")])
    assert (await in_thread(follow, client, accepted.job_id, lambda _: None)).status == "done"


# The starts below must fail. Their address is taken, so that one that does not would end all the same.


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        bind = f"127.0.0.1:{listener.getsockname()[1]}"
        monkeypatch.setenv("GOFER_SERVER_BIND", bind)
        yield bind


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a failed start leaves."""
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert captured.out == ""
    assert line.startswith("gofer: ")
    return line


def test_a_port_in_use_is_told(taken: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve"]) == 1
    assert f"cannot listen on {taken}: something listens there" in told(capsys)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_text("not a database " * 100), "is not an SQLite database"),
        (lambda path: foreign(path), "of another program"),
        (lambda path: later(path), "this gofer knows up to"),
        (lambda path: path.mkdir(), "is not a regular file"),
    ],
)
def test_a_file_that_is_no_store_of_ours_is_told_and_left_alone(
    tmp_path: Path,
    taken: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[Path], object],
    said: str,
) -> None:
    path = tmp_path / "folder" / "other.db"
    path.parent.mkdir()
    make(path)
    before = path.read_bytes() if path.is_file() else None
    monkeypatch.setenv("GOFER_STORE_PATH", str(path))
    assert main(["serve"]) == 1
    assert said in told(capsys)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert {each.name for each in path.parent.iterdir()} <= {"other.db", "other.db.lock"}


def foreign(path: Path) -> None:
    with contextlib.closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE other (x)")


def later(path: Path) -> None:
    BatchStore.open(path).close()
    with contextlib.closing(apsw.Connection(str(path))) as db:
        db.pragma("journal_mode", "delete")
        db.pragma("user_version", 999)


def test_a_damaged_page_is_told_wherever_it_is(
    tmp_path: Path, taken: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each page of a database in turn: the store opens or says what is wrong; so does the service."""
    path = tmp_path / "gofer.db"
    with BatchStore.open(path) as store:
        for n in range(4):
            store.create_batch_job(BatchJob(f"j{n}", "a", "fleet", f"k{n}", targets_total=1, created_at=1, lease=1))
            store.put_batch_targets(f"j{n}", [BatchTarget(f"j{n}", 0, f"http://a/{n}", "{}")])
            store.set_batch_job_status(f"j{n}", "running", "", 1)
            store.update_batch_target(f"j{n}", 0, 1, "done", result="x" * 5000)
    monkeypatch.setenv("GOFER_STORE_PATH", str(path))
    whole, refused = path.read_bytes(), []
    for at in range(0, len(whole), 4096):
        for damage in (bytes(4096), b"\xff" * 4096, whole[at : at + 2048] + b"\x80" * 2048):
            path.write_bytes(whole[:at] + damage + whole[at + 4096 :])
            try:
                BatchStore.open(path).close()
            except StoreError as error:
                refused.append((path.read_bytes(), str(error)))
            for beside in tmp_path.glob("gofer.db-*"):
                beside.unlink()
    assert len(refused) > 10
    for damaged, said in refused[::8]:
        path.write_bytes(damaged)
        assert main(["serve"]) == 1
        assert told(capsys) == f"gofer: {said}"
        assert str(path) in said or "gofer audit verify" in said


@pytest.mark.parametrize(
    ("bind", "code", "said"),
    [
        ("nonsense", 2, "it must be host:port"),
        ("127.0.0.1:99999", 2, "it must be host:port"),
        ("host.invalid:8380", 2, "the name 'host.invalid' does not resolve"),
        ("192.0.2.1:8380", 2, "192.0.2.1 is no address of this machine"),
    ],
)
def test_an_address_that_is_none_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bind: str, code: int, said: str
) -> None:
    monkeypatch.setenv("GOFER_SERVER_BIND", bind)
    assert main(["serve"]) == code
    line = told(capsys)
    assert line.startswith("gofer: server.bind: ")
    assert said in line
    assert "stop what listens" not in line


def modes(directory: Path) -> dict[str, int]:
    """The mode of each file and folder below `directory`, by name."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.rglob("*")}


@pytest.fixture
def open_home(home: Path) -> Path:
    """A data directory that others may look into."""
    home.mkdir(parents=True)
    home.chmod(0o755)
    return home


async def test_what_it_keeps_is_its_owners_alone(serve: Serve, open_home: Path, site: str) -> None:
    service = await serve()
    client = client_of(await service.started(), open_home)
    accepted = await in_thread(client.submit, [Target(f"http://{site}/kept")])
    await in_thread(follow, client, accepted.job_id, lambda _: None)
    kept = modes(open_home)
    assert kept.keys() >= {"gofer.db", "gofer.db-wal", "gofer.db.cache", "gofer.db.checkpoints", "gofer.db.key"}
    assert {name for name, mode in kept.items() if mode & 0o077} == set()


def test_a_database_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    with BatchStore.open(tmp_path / "x.db"):
        made = modes(tmp_path)
    assert {made[name] for name in ("x.db", "x.db-wal", "x.db-shm")} == {0o600}


async def test_a_disk_that_fails_ends_it_with_one_line(serve: Serve, home: Path, site: str) -> None:
    service = await serve(GOFER_CACHE_MAX_BYTES="0")
    client = client_of(await service.started(), home)
    size = (home / "gofer.db-wal").stat().st_size
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size, size))
    with pytest.raises(Failure):
        await in_thread(client.submit, [Target(f"http://{site}/kept")])
    assert await service.ended() == 1
    *log, last = service.log.read_text().splitlines()
    assert last.startswith(f"gofer: {home / 'gofer.db'} failed (")
    assert [line for line in log if not line.startswith("{")] == []


async def test_it_serves_on_when_nobody_reads_what_it_prints(serve: Serve, home: Path, site: str) -> None:
    service = await serve()
    client = client_of(await service.started(), home)
    await service.process.stdout.aclose()
    service.process.send_signal(signal.SIGTERM)
    assert await service.ended() == 0
    assert "Traceback" not in service.log.read_text()
    assert client.url


def test_a_folder_that_is_not_there_is_told(
    tmp_path: Path, taken: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOFER_STORE_PATH", str(tmp_path / "missing" / "gofer.db"))
    assert main(["serve"]) == 1
    assert "cannot be opened" in told(capsys)
    assert not (tmp_path / "missing").exists()


def test_the_token_survives_a_failed_start(taken: str, home: Path) -> None:
    assert main(["serve"]) == 1
    token = read_first_run_token(home)
    assert token
    assert main(["serve"]) == 1
    assert read_first_run_token(home) == token
