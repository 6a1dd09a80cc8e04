"""`gofer audit` as typed: what it prints, its exit codes, what it refuses in one line, and that it is documented."""

import errno
import io
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path

import apsw
import msgspec
import pytest
from gofer.cli.audit import app
from gofer.cli.main import main
from gofer.events.job import (
    AddTargets,
    Command,
    CompleteTarget,
    FailTarget,
    Finish,
    JobSubmitted,
    Start,
    StartTarget,
    Submit,
    TargetSpec,
    Touch,
)
from gofer.events.merkle import CompactRange, leaf_hash
from gofer.store import notary, tiles
from gofer.store.archive import segment_folder
from gofer.store.batch import BatchStore
from gofer.store.faults import FaultyDisk
from gofer.store.leaves import read_leaves
from gofer.store.notary import Notary, checkpoint_files, checkpoint_folder, key_file
from gofer.store.note import SigningKey

ROOT = Path(__file__).parents[2]
COMMANDS = [name for name in app if not name.startswith("-")]
Audit = Callable[..., tuple[int, str, str]]


def submit(id: str, now: int, targets_total: int) -> Submit:
    submitted = JobSubmitted(
        at_ms=now * 1000,
        job_id=id,
        caller="alice",
        caller_class="restricted",
        idem_key="k",
        targets_total=targets_total,
        created_at=now,
        lease=now,
    )
    return Submit(submitted)


def fill(store: BatchStore, id: str, now: int) -> None:
    targets = (TargetSpec("http://a.example/", "{}"), TargetSpec("http://b.example/", "{}"))
    at_ms = now * 1000
    commands: list[Command] = [
        submit(id, now, 2),
        AddTargets(targets),
        Start(at_ms),
        StartTarget(at_ms, 0),
        CompleteTarget.of(at_ms, 0, "body"),
        FailTarget(at_ms, 1, "http 404", "look elsewhere"),
        Finish(at_ms),
        Touch(at_ms + 9_000),
    ]
    for command in commands:
        store.execute(id, command, {0: "body"})


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a database of three jobs, of which one is swept, with a checkpoint behind the second."""
    folder = tmp_path_factory.mktemp("original")
    path = folder / "gofer.db"
    notary = Notary.open(checkpoint_folder(path), key_file(path))
    with BatchStore.open(path) as store:
        with store.transaction():
            fill(store, "old", 1_000)
            fill(store, "new", 9_000)
            tree = store.mark_checkpoint()
        notary.sign(tree, partial(read_leaves, path, segment_folder(path)))
        with store.transaction():
            fill(store, "last", 9_500)
            store.sweep_batch(5_000, 60)
    return folder


@pytest.fixture
def db(original: Path, tmp_path: Path) -> Path:
    shutil.copytree(original, tmp_path / "log")
    return tmp_path / "log" / "gofer.db"


@pytest.fixture
def audit(db: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Audit:
    """Runs one audit command on the database; its exit code, standard output and standard error."""

    def run(*arguments: str, store: Path | None = db) -> tuple[int, str, str]:
        where = [] if store is None else ["--store", str(store)]
        code = main(["audit", *arguments, *where])
        said = capfdbinary.readouterr()
        return code, said.out.decode(), said.err.decode()

    return run


def spoil(db: Path, sql: str) -> None:
    connection = apsw.Connection(str(db))
    connection.execute(f"DROP TRIGGER IF EXISTS event_is_never_updated; {sql}")
    connection.close()


# ---------------------------------------------------------------- help and documentation


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", command, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: gofer audit {command}")
    assert f"gofer audit {command}" in text[text.index("Example") :]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_stands_in_the_documentation(command: str) -> None:
    text = (ROOT / "docs" / "cli.md").read_text()
    section = text[text.index("## gofer audit\n") :]
    assert f"`{command}" in section
    for argument in app[command].assemble_argument_collection():
        if argument.show:
            assert any(name in section for name in argument.names), f"{argument.names} is not documented"
    assert f"gofer audit {command}" in (ROOT / "docs" / "audit.md").read_text()


# ---------------------------------------------------------------- verify, key, checkpoint


def test_a_whole_log(audit: Audit) -> None:
    code, out, err = audit("verify")
    assert (code, err) == (0, "")
    assert out.startswith("whole: 25 events, 3 jobs, 1 signed checkpoint, 6 private parts, 2 results checked\nroot ")
    code, out, _ = audit("verify", "--json")
    report = json.loads(out)
    assert (code, report["whole"], report["size"], report["findings"]) == (0, True, 25, [])


@pytest.mark.parametrize("terminal", [False, True])
def test_how_far_it_is_is_shown_on_a_terminal_alone(
    audit: Audit, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    stderr = io.StringIO()
    monkeypatch.setattr(stderr, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", stderr)
    code, out, _ = audit("verify")
    assert (code, out[:5]) == (0, "whole")
    shown = stderr.getvalue()
    if terminal:
        assert re.search(r"events ━+ 25/25 ", shown), "it is drawn anew as the events go by"
        assert shown.endswith("\x1b[2K"), "and wiped away at the end"
    else:
        assert shown == ""


def test_a_broken_log(audit: Audit, db: Path) -> None:
    spoil(db, "UPDATE event SET data = replace(data, 'alice', 'carol') WHERE seq = 9")
    code, out, err = audit("verify")
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == ("event 9: its bytes are not those that were hashed when it was written [leaf]")
    assert "the file: event_is_never_updated is missing from the database [schema]" in out
    assert "BROKEN: 25 events" in out
    code, out, _ = audit("verify", "--json")
    assert (code, json.loads(out)["whole"]) == (1, False)


def test_without_a_checkpoint_that_is_said(audit: Audit, db: Path) -> None:
    shutil.rmtree(checkpoint_folder(db))
    code, out, err = audit("verify")
    assert (code, out[:5]) == (0, "whole")
    assert err == (
        "gofer: no signed checkpoint: a log that was rewritten as a whole would pass;"
        " name one with `gofer audit verify --checkpoint`\n"
    )
    assert audit("backup", str(db.with_name("copy.db"))) == (code, out, err), "as verify tells of it"


def test_a_copy_is_held_against_what_was_kept_elsewhere(audit: Audit, db: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "gofer.pub").write_text(audit("key")[1])
    note = Path(audit("checkpoint")[1].strip())
    assert note.name == "00000000000000000025.checkpoint"
    shutil.copy(note, kept / "note")
    shutil.copy(db, kept / "copy.db")
    evidence = ("--checkpoint", str(kept / "note"), "--public-key", str(kept / "gofer.pub"))
    code, out, err = audit("verify", *evidence, store=kept / "copy.db")
    assert (code, err) == (0, "")
    assert "1 signed checkpoint," in out
    assert audit("verify", store=kept / "copy.db")[0] == 0
    assert sorted(path.name for path in kept.iterdir()) == ["copy.db", "gofer.pub", "note"]
    spoil(kept / "copy.db", "DELETE FROM checkpoint; UPDATE batch_job SET lease = 0 WHERE 0")
    (kept / "note").write_text(SigningKey.parse(key_file(db).read_text()).sign(26, bytes(32)))
    code, out, _ = audit("verify", *evidence, store=kept / "copy.db")
    assert code == 1
    assert out.startswith("event 26: it and all up to 26 are missing: note has them [checkpoint]\n")


def rewrite(db: Path, sql: str) -> None:
    """Change the log and make every hash in the database true again."""
    spoil(db, f"{sql}; DELETE FROM checkpoint")
    connection = apsw.Connection(str(db))
    tree = CompactRange()
    for seq, data in list(connection.execute("SELECT seq, data FROM event")):
        assert isinstance(data, str)
        tree = tree.extended([leaf_hash(data.encode())])
        connection.execute("UPDATE event SET leaf = ? WHERE seq = ?", (leaf_hash(data.encode()), seq))
    connection.execute("UPDATE tree SET subtrees = ?", (tree.to_bytes(),))
    connection.close()


CAROL = "UPDATE event SET data = replace(data, 'alice', 'carol') WHERE seq = 9"


def test_a_checkpoint_keeps_leaf_hashes_that_tell_what_was_changed(audit: Audit, db: Path) -> None:
    note = Path(audit("checkpoint")[1].strip())
    assert (note.parent / "checkpoint").read_bytes() == note.read_bytes()
    assert len((note.parent / "tile/0/000.p/25").read_bytes()) == 25 * 32
    rewrite(db, CAROL)
    code, out, _ = audit("verify")
    assert code == 1
    assert out.startswith("event 9: it was changed since it was signed [checkpoint]\n")
    findings = json.loads(audit("verify", "--json")[1])["findings"]
    assert findings[0] == {
        "kind": "checkpoint",
        "seq": 9,
        "text": "it was changed since it was signed",
        "job_id": None,
        "upto": None,
    }
    (note.parent / "tile/0/000.p/25").unlink()
    out = audit("verify")[1]
    assert "the file: tile/0/000.p/25 is missing; restore it, or delete the folder `tile`" in out
    code, out, err = audit("checkpoint")
    assert (code, out) == (1, "")
    assert "the first 25 events are not those that were signed" in err, "no tiles are made of another log"


@pytest.mark.parametrize(
    ("copied", "told"),
    [
        (["checkpoint", "tile"], "event 9: it was changed since it was signed [checkpoint]"),
        (["00000000000000000016.checkpoint", "tile"], "event 9: it was changed since it was signed [checkpoint]"),
        (["checkpoint"], "events 1-16: the events are not those of checkpoint [checkpoint]"),
    ],
)
def test_tiles_are_looked_for_beside_the_checkpoint_that_is_named(
    audit: Audit, db: Path, tmp_path: Path, copied: list[str], told: str
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "gofer.pub").write_text(audit("key")[1])
    for name in copied:
        source = checkpoint_folder(db) / name
        shutil.copytree(source, kept / name) if source.is_dir() else shutil.copy(source, kept / name)
    rewrite(db, CAROL)
    shutil.copy(db, kept / "copy.db")
    evidence = ("--checkpoint", str(kept / copied[0]), "--public-key", str(kept / "gofer.pub"))
    code, out, _ = audit("verify", *evidence, store=kept / "copy.db")
    assert (code, out.splitlines()[0]) == (1, told)


# ---------------------------------------------------------------- what happened


def test_a_timeline(audit: Audit) -> None:
    code, out, _ = audit("timeline", "new")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "job new of alice (restricted): partial"
    assert lines[1].endswith("; 1 read, the last at 1970-01-01T02:30:09.000Z")
    assert [line.split()[0] for line in lines[3:]] == [str(seq) for seq in range(9, 17)]
    assert "http://a.example/ http://b.example/" in lines[4]
    code, out, _ = audit("timeline", "old")
    assert "removed" in out.splitlines()[0]
    assert "a.example" not in out
    assert json.loads(audit("timeline", "new", "--json")[1])["reads"] == 1


def test_an_explanation(audit: Audit) -> None:
    code, out, _ = audit("explain", "new", "1")
    assert code == 0
    assert "url      http://b.example/\n" in out
    assert "error    http 404\nhint     look elsewhere\n" in out
    assert json.loads(audit("explain", "new", "0", "--json")[1])["result"] == "kept"


def test_what_is_private_was_forgotten_with_its_job_or_its_key_is_not_there(
    audit: Audit, db: Path, tmp_path: Path
) -> None:
    (tmp_path / "log.ndjson").write_text(audit("export")[1])
    copy = tmp_path / "copy.db"
    assert audit("import", str(tmp_path / "log.ndjson"), str(copy), store=None)[0] == 0
    for store, job, why, word in (
        (copy, "old", "was forgotten with the job", "forgotten"),
        (copy, "new", "is sealed, and its key is not in this database", "sealed"),
        (db, "old", "was forgotten with the job", "forgotten"),
    ):
        code, out, _ = audit("timeline", job, store=store)
        assert (code, out.splitlines()[2]) == (0, f"what is private in it {why}")
        assert f"2 URLs, {word}" in out
        code, out, _ = audit("explain", job, "1", store=store)
        unread = why.split(maxsplit=1)[1]
        assert (code, out.splitlines()[1:3]) == (0, [f"url      {unread}", f"options  {unread}"])
        assert f"\nerror    {unread}\n" in out
        told = json.loads(audit("explain", job, "1", "--json", store=store)[1])
        assert (told["url"], told["options"], told["hidden"], told["removed"]) == ("", "", True, job == "old")


def test_the_guard_allowed_only_what_it_judged(audit: Audit, db: Path) -> None:
    hops = (
        b'[{"url":"http://nosuch.invalid/"},{"url":"http://a.example/","addresses":["192.0.2.1"]},'
        b'{"url":"http://10.0.0.1/","verdict":"private address"}]'
    )
    with BatchStore.open(db) as store, store.transaction():
        failed = FailTarget(0, 0, "dns: no answer", "", msgspec.Raw(b'{"hops":%b,"elapsed_ms":1}' % hops))
        added = AddTargets((TargetSpec("http://nosuch.invalid/", "{}"),))
        for command in (submit("one", 0, 1), added, Start(0), StartTarget(0, 0), failed, Finish(0)):
            store.execute("one", command, {})
    lines = audit("explain", "one", "0")[1].splitlines()[-4:]
    columns = [line[lines[0].index("guard") : lines[0].index("status")].strip() for line in lines[1:]]
    assert columns == ["-", "allowed", "private address"]
    assert "  1 target by alice (restricted)\n" in audit("timeline", "one")[1]


def test_a_replay(audit: Audit) -> None:
    code, out, _ = audit("replay")
    assert (code, out.splitlines()[0]) == (0, "at event 25: 2 jobs")
    assert json.loads(audit("replay", "--at", "12", "--json")[1])["at"] == 12
    code, out, _ = audit("replay", "--at", "1970-01-01T01:00:00Z", "--job", "old")
    assert out.splitlines()[0] == "at event 8: 1 job"
    assert "http 404" not in out, "what is private was forgotten with the job"
    assert audit("replay", "--at", "1970-01-01 03:00+02:00", "--json")[1] == audit("replay", "--at", "8", "--json")[1]


# ---------------------------------------------------------------- what is missing


@pytest.mark.parametrize(
    ("gone", "job", "told"),
    [
        (12, "new", "the job's event 4 is missing, before event 13 of the log"),
        (16, "new", "event 16 of the log is missing, and could be of this job"),
        (20, "new", "event 20 of the log is missing, and could be of this job"),
        (25, "last", "event 25 of the log is missing, and could be of this job"),
        (12, "last", ""),  # each event of it is there, and none that follows is missing
        (20, "old", ""),  # behind its removal it can have none
    ],
)
def test_of_a_job_that_lacks_events_what_is_left_is_shown_and_the_lack_told(
    audit: Audit, db: Path, gone: int, job: str, told: str
) -> None:
    """Event 25 removes "old": of that job its own last event is no end."""
    spoil(db, f"DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq = {gone}")
    for command in (["timeline", job], ["explain", job, "0"]):
        code, out, err = audit(*command)
        assert (code, err) == ((1, f"gofer: {told}; see `gofer audit verify`\n") if told else (0, "")), command
        assert f"job {job}" in out.splitlines()[0]
        assert json.loads(audit(*command, "--json")[1])["missing"] == told
    code, out, err = audit("export", "--job", job)
    assert (code, err, not out) == (
        (1, f"gofer: {told}; see `gofer audit verify`\n", True) if told else (0, "", False)
    )


@pytest.mark.parametrize("options", [[], ["--cloudevents"], ["--from", "12"]], ids=str)
def test_a_log_that_lacks_an_event_is_not_exported(audit: Audit, db: Path, options: list[str]) -> None:
    spoil(db, "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq IN (12, 14)")
    assert audit("export", *options) == (1, "", "gofer: event 12 is missing; see `gofer audit verify`\n")
    assert audit("export", "--from", "15")[0] == 0, "what stands before is not asked for"


@pytest.mark.parametrize("command", ["export", "replay"])
def test_a_log_that_was_cut_off_is_told(audit: Audit, db: Path, command: str) -> None:
    spoil(db, "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq > 22")
    assert audit(command) == (1, "", "gofer: event 23 is missing; see `gofer audit verify`\n")
    assert audit("replay", "--at", "21")[0] == 0


@pytest.mark.parametrize("nth", [1, 12, 24, 30])  # as its tables are made, and as events are written
def test_a_disk_without_room_is_told_as_that(audit: Audit, tmp_path: Path, nth: int) -> None:
    (tmp_path / "log.ndjson").write_text(audit("export")[1])
    disk = FaultyDisk("write", nth, apsw.FullError, for_good=True)
    with disk.mounted():
        code, out, err = audit("import", str(tmp_path / "log.ndjson"), str(tmp_path / "copy.db"), store=None)
    (line,) = err.splitlines()
    assert (code, out, "make room on " in line, disk.failed > 0) == (2, "", True, True), line
    assert not list(tmp_path.glob("copy.db*"))


def test_a_job_is_not_proven_by_a_log_that_was_changed(audit: Audit, db: Path) -> None:
    rewrite(db, CAROL)
    code, out, err = audit("prove", "new")
    assert (code, out) == (1, "")
    assert err == "gofer: the events are not those that were signed; see `gofer audit verify`\n"


@pytest.mark.parametrize(
    "command", ["timeline old", "explain old 0", "replay", "export", "export --job old", "prove new"]
)
def test_a_segment_that_is_lost_is_damage_whoever_needs_it(audit: Audit, db: Path, command: str) -> None:
    assert audit("archive", "--before", "1970-01-01T01:00:00")[0] == 0
    (segment,) = segment_folder(db).iterdir()
    segment.unlink()
    code, _, err = audit(*command.split())
    (line,) = err.splitlines()
    assert (code, "is not there: it holds events 1 to 8" in line) == (1, True)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda lines: lines[:5] + lines[6:], 1),  # a line lost
        (lambda lines: lines[:-1], 1),  # the last one
        (lambda lines: [*lines[:5], lines[5][:-9]], 1),  # cut short within one
        (lambda lines: [lines[0], lines[1].replace("alice", "carol"), *lines[2:]], 1),
        (lambda lines: lines[1:], 2),  # no export
        (lambda lines: [], 2),
    ],
)
def test_an_export_that_was_changed_is_broken_and_another_file_no_export(
    audit: Audit, tmp_path: Path, spoil: Callable[[list[str]], list[str]], code: int
) -> None:
    (tmp_path / "log.ndjson").write_text("".join(spoil(audit("export")[1].splitlines(keepends=True))))
    found, out, err = audit("import", str(tmp_path / "log.ndjson"), str(tmp_path / "copy.db"), store=None)
    assert (found, out, len(err.splitlines())) == (code, "", 1)


def test_a_job_that_is_not_there_may_be_one_that_is_missing(audit: Audit, db: Path) -> None:
    spoil(db, "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE job_id = 'new'")
    said = "gofer: no job new is left on this log, but event 9 is missing; see `gofer audit verify`\n"
    assert audit("timeline", "new") == (1, "", said)


# ---------------------------------------------------------------- tables


def test_diff_and_rebuild(audit: Audit, db: Path) -> None:
    assert audit("diff") == (0, "no drift: 2 jobs as 25 events say\n", "")
    spoil(db, "UPDATE batch_job SET status = 'done' WHERE id = 'new'")
    code, out, _ = audit("diff")
    assert code == 1
    assert out.splitlines()[1].split() == ["16", "new", "status", "done", "partial"]
    (drift,) = json.loads(audit("diff", "--json")[1])
    assert (drift["column"], drift["table"], drift["log"]) == ("status", "done", "partial")
    code, out, _ = audit("rebuild")
    assert code == 0
    assert out.endswith("rebuilt 2 jobs and 4 targets from 25 events; 1 difference mended\n")
    assert audit("diff")[0] == 0
    assert json.loads(audit("rebuild", "--json")[1])["drifts"] == []


# ---------------------------------------------------------------- going elsewhere


def test_what_is_no_text_is_told_where_it_stands_and_of_a_copy_as_of_its_source(
    audit: Audit, db: Path, tmp_path: Path
) -> None:
    with closing(apsw.Connection(str(db))) as connection:
        connection.execute("UPDATE batch_target SET url = CAST(x'61ff' AS TEXT) WHERE job_id = 'new' AND idx = 0")
    said = "event 13: target 0 of job new: url is 'a\\\\xff', the log says 'http://a.example/' [projection]"
    code, out, err = audit("verify")
    assert (code, out.splitlines()[0], err) == (1, said, "")
    code, out, err = audit("diff")
    assert (code, "a\\xff" in out, err) == (1, True, "")
    code, out, err = audit("backup", str(tmp_path / "copy.db"))
    assert (code, out.splitlines()[0]) == (1, said)
    assert err == f"gofer: {tmp_path / 'copy.db'} is a true copy: what is told of it is damage of {db}\n"


def test_export_and_import(audit: Audit, tmp_path: Path) -> None:
    code, out, _ = audit("export")
    assert code == 0
    (tmp_path / "log.ndjson").write_text(out)
    copy = tmp_path / "copy.db"
    code, said, _ = audit("import", str(tmp_path / "log.ndjson"), str(copy), store=None)
    assert (code, said) == (0, f"25 events, root {json.loads(audit('verify', '--json')[1])['root']}\n")
    assert audit("verify", "--log-alone", store=copy)[0] == 0
    assert audit("verify", store=copy)[0] == 1
    lines = audit("export", "--cloudevents", "--private", "--job", "new", "--from", "10")[1].splitlines()
    assert json.loads(lines[0])["type"] == "gofer.job.targets_added"
    assert "http://a.example/" in lines[0]


@pytest.mark.parametrize("private", [[], ["--private"]], ids=str)
def test_that_a_log_looks_imported_is_said(audit: Audit, db: Path, tmp_path: Path, private: list[str]) -> None:
    (tmp_path / "log.ndjson").write_text(audit("export", *private)[1])
    assert audit("import", str(tmp_path / "log.ndjson"), str(tmp_path / "copy.db"), store=None)[0] == 0
    said = "an imported log lacks them; if this is one, verify it with --log-alone"
    code, _, err = audit("verify", store=tmp_path / "copy.db")
    assert (code, said in err) == (1, True)
    code, _, err = audit("verify", "--log-alone", store=tmp_path / "copy.db")
    assert (code, said in err) == (0, False)
    spoil(db, "UPDATE batch_target SET result = NULL WHERE job_id = 'new'; DELETE FROM job_key WHERE job_id = 'new'")
    code, _, err = audit("verify")
    assert (code, said in err) == (1, False), "another job has both"


def test_prove_and_check(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "gofer.pub").write_text(audit("key")[1])
    code, proof, _ = audit("prove", "new")
    assert code == 0
    (tmp_path / "job.proof").write_text(proof)
    check = ("check-proof", str(tmp_path / "job.proof"), "--public-key", str(tmp_path / "gofer.pub"))
    code, out, _ = audit(*check, store=tmp_path / "nothing.db")
    assert code == 0
    assert "had 16 events, 8 of them of job new" in out
    assert "http://a.example/" in out
    assert json.loads(audit(*check, "--json", store=tmp_path / "nothing.db")[1])["opened"] is True
    (tmp_path / "job.proof").write_text(audit("prove", "new", "--sealed")[1])
    out = audit(*check, store=tmp_path / "nothing.db")[1]
    assert "what is private in it is sealed" in out
    assert "a.example" not in out
    (tmp_path / "job.proof").write_text(proof.replace("alice", "carol"))
    code, out, err = audit(*check, store=tmp_path / "nothing.db")
    assert (code, out) == (1, "")
    assert err == "gofer: the path does not lead to the root\n"


# What may be wrong with the file of a proof, the exit code, and what is said.
BAD_PROOFS: dict[str, tuple[Callable[[str], str], int, str]] = {
    "nothing": (lambda proof: "", 2, "not a proof that `gofer audit prove` wrote"),
    "some text": (lambda proof: "hello\n", 2, "not a proof that `gofer audit prove` wrote"),
    "cut off": (lambda proof: proof[:-100], 2, "not a proof that `gofer audit prove` wrote"),
    "another format": (lambda proof: proof.replace("proof 1", "proof 9"), 2, "not a proof of this kind"),
    "by another key": (lambda proof: proof.replace("gofer-", "other-"), 2, "not signed by gofer-"),
    "an event changed": (lambda proof: proof.replace("alice", "carol"), 1, "the path does not lead to the root"),
    "its checkpoint changed": (
        lambda proof: proof.replace("\\n16\\n", "\\n17\\n"),
        1,
        "its checkpoint: the signature",
    ),
    "another form": (lambda proof: proof + " ", 1, "not in the form in which `gofer audit prove` writes it"),
}


def test_of_a_proof_that_does_not_end_no_more_is_read_than_one_may_have(audit: Audit) -> None:
    code, out, err = audit("check-proof", "/dev/zero")
    assert (code, out, err) == (2, "", "gofer: /dev/zero: too long for a proof\n")


@pytest.mark.parametrize(("spoilt", "exit_code", "said"), BAD_PROOFS.values(), ids=BAD_PROOFS.keys())
@pytest.mark.parametrize("options", [[], ["--json"]], ids=str)
def test_a_proof_that_does_not_hold_and_a_file_that_is_none(
    audit: Audit, tmp_path: Path, spoilt: Callable[[str], str], exit_code: int, said: str, options: list[str]
) -> None:
    proof = audit("prove", "new")[1]
    file = tmp_path / "job.proof"
    assert spoilt(proof) != proof
    file.write_text(spoilt(proof))
    code, out, err = audit("check-proof", str(file), *options)
    assert (code, out) == (exit_code, "")
    (line,) = err.splitlines()
    assert said in line
    assert line.startswith(f"gofer: {file}: " if code == 2 else "gofer: ")


def test_archive_and_backup(audit: Audit, db: Path, tmp_path: Path) -> None:
    code, out, _ = audit("archive", "--before", "1970-01-01T01:00:00")
    assert code == 0
    assert "00000000000000000001-00000000000000000008.segment.zst: events to 8" in out
    assert audit("verify")[0] == 0
    assert audit("archive", "--before", "1970-01-02")[1].startswith("nothing to archive")
    code, out, _ = audit("backup", str(tmp_path / "backup.db"))
    assert (code, out.splitlines()[0][:15]) == (0, "whole: 25 event")
    shutil.rmtree(db.with_name("gofer.db.segments"))
    assert audit("verify")[0] == 1
    code, out, err = audit("archive", "--before", "1970-01-02")
    assert (code, out) == (1, "")
    assert err.startswith(f"gofer: nothing was archived: event 1: {db}.segments/")


def test_what_keeps_from_archiving_is_told_of_the_file_where_it_is_of_no_event(audit: Audit, db: Path) -> None:
    spoil(db, "DROP TRIGGER event_is_dense; DROP TRIGGER event_is_never_deleted")
    code, out, err = audit("archive", "--before", "1970-01-01T01:00:00")
    assert (code, out) == (1, "")
    assert err == (
        "gofer: nothing was archived: the file: event_is_dense is missing from the database;"
        " see `gofer audit verify`\n"
    )


def test_what_is_new_since_an_export(audit: Audit) -> None:
    code, out, err = audit("export", "--from", "26")
    assert (code, json.loads(out), err) == (0, {"format": "gofer export 1", "first": 26, "upto": 25}, "")
    assert audit("export", "--from", "26", "--cloudevents") == (0, "", "")


def test_a_process_that_is_killed_is_one_line_and_no_finding(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gofer.store.audit_walk.STRETCH_EVENTS", 1)  # a short log is read by this process alone
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("gofer.store.audit_walk._begin", partial(signal.raise_signal, signal.SIGKILL))
    for command in (["verify"], ["verify", "--json"], ["replay"], ["diff"]):
        code, out, err = audit(*command)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert err.endswith(" was killed, perhaps for want of memory; run the command again\n")


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["timeline", "nope"], "no job nope on this log"),
        (["explain", "new", "7"], "job new has targets 0 to 1, not 7"),
        (["explain", "nope", "0"], "no job nope"),
        (["explain", "new", "one"], "one"),
        (["replay", "--at", "26"], "the log has events 1 to 25, not 26"),
        (["replay", "--at", "noon"], "--at: 'noon' is neither a seq nor a time such as 2026"),
        (["replay", "--job", "nope"], "no job nope on this log at event 25"),
        (["export", "--job", "nope"], "no job nope"),
        (["export", "--from", "0"], "--from: events are counted from 1"),
        (["export", "--from", "27"], "the log ends at event 25: nothing can be exported from 27 on"),
        (["export", "--from", str(1 << 70)], f"nothing can be exported from {1 << 70} on"),
        (["export", "--from", "27", "--job", "new"], "the log ends at event 25: nothing can be exported from 27 on"),
        (["prove", "nope"], "no job nope"),
        (["prove", "last"], "covers 16 events and none of job last"),
        (["archive", "--before", "soon"], "--before: 'soon' is no time such as 2026"),
        (["archive", "--before", "5"], "--before: '5' is no time such as 2026"),
        (["archive"], "--before"),
        (["verify", "--checkpoint", "/nowhere/note"], "/nowhere/note: No such file"),
        (["verify", "--config", "/nowhere"], "cannot read the settings /nowhere"),
        (["check-proof", "/nowhere/proof"], "/nowhere/proof: No such file"),
        (["backup", "/nowhere/copy.db"], "/nowhere/copy.db cannot be made"),
        (["import", "/nowhere/log", "/nowhere/copy.db"], "/nowhere/log: No such file"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_code_2(
    audit: Audit, db: Path, arguments: list[str], said: str
) -> None:
    code, out, err = audit(*arguments, store=None if arguments[0] == "import" else db)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("gofer: ")
    assert said in line


FILES = {
    "missing": (lambda path: None, "is not there; name the database"),
    "no database": (lambda path: path.write_text("x" * 200), "is not an SQLite database"),
    "a folder": (lambda path: path.mkdir(), "is not a regular file"),
    "empty": (lambda path: path.touch(), "is no gofer database"),
    "of another program": (
        lambda path: spoil(path, "CREATE TABLE t (x); PRAGMA user_version = 3"),
        "is an SQLite database of another program",
    ),
}


@pytest.mark.parametrize("command", [["verify"], ["diff"], ["timeline", "new"], ["export"], ["rebuild"]], ids=str)
@pytest.mark.parametrize(("make", "said"), FILES.values(), ids=FILES.keys())
def test_a_file_that_is_no_log(
    audit: Audit, tmp_path: Path, make: Callable[[Path], object], said: str, command: list[str]
) -> None:
    path = tmp_path / "other.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    code, out, err = audit(*command, store=path)
    if (command, said) == (
        ["rebuild"],
        "is no gofer database",
    ):
        assert code == 0, "for a writer an empty file is a log without events"
        return
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_newer_schema(audit: Audit, db: Path) -> None:
    spoil(db, "PRAGMA user_version = 99")
    for command in (["verify"], ["rebuild"], ["timeline", "new"]):
        code, _, err = audit(*command)
        assert code == 2
        assert "has schema 99, this gofer knows up to" in err


@pytest.mark.parametrize("table", ["event", "segment", "tree", "job_key", "batch_target", "projection"])
def test_a_log_that_lacks_a_table(audit: Audit, db: Path, table: str) -> None:
    spoil(db, f"DROP TABLE {table}")
    for command in ("verify", "diff", "replay", "export", "rebuild", "checkpoint"):
        code, out, err = audit(command)
        assert (code, out) == (1, "")
        assert err == f"gofer: {db} has no table '{table}': it was dropped; restore the file from a copy\n"


@pytest.mark.parametrize("table", ["tree", "projection"])
@pytest.mark.parametrize("sql", ["DELETE FROM {0}", "INSERT INTO {0} SELECT * FROM {0}"])
def test_a_table_of_one_row_that_has_none_or_two(audit: Audit, db: Path, table: str, sql: str) -> None:
    spoil(db, sql.format(table))
    code, out, err = audit("verify")
    assert (code, err, f"[{table}]" in out) == (1, "", True)
    code, out, err = audit({"tree": "export", "projection": "diff"}[table])
    (line,) = err.splitlines()
    assert (code, line.startswith(f"gofer: the table {table} has ")) == (1, True)


@pytest.mark.parametrize("note", ["", "hello", "log\n1\nAAAA\n", "\n\n"])
def test_a_file_that_is_no_checkpoint(audit: Audit, tmp_path: Path, note: str) -> None:
    (tmp_path / "note").write_text(note)
    code, out, err = audit("verify", "--checkpoint", str(tmp_path / "note"))
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    code, out, err = audit("prove", "new", "--checkpoint", str(tmp_path / "note"))
    assert (code, out, len(err.splitlines())) == (2, "", 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfe", "it is not text"), (b"hello", "no signed note"), (b"log\n1\nAAAA\n\nx\n", "a signature line")],
)
@pytest.mark.parametrize("command", [["verify"], ["prove", "new"]], ids=str)
def test_a_bad_checkpoint_is_named_with_its_option(
    audit: Audit, tmp_path: Path, content: bytes, said: str, command: list[str]
) -> None:
    (tmp_path / "note").write_bytes(content)
    code, out, err = audit(*command, "--checkpoint", str(tmp_path / "note"))
    assert (code, out) == (2, "")
    assert err.startswith(f"gofer: --checkpoint {tmp_path / 'note'}: {said}")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "it is not text"),
        (b"hello", "not an Ed25519 verifier key"),
        (str(SigningKey("log", bytes(32)).public).replace("log+", "lag+").encode(), "the key's hash does not fit"),
    ],
)
def test_a_bad_public_key_is_named_with_its_option(audit: Audit, tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "pub").write_bytes(content)
    (tmp_path / "proof").touch()
    for command in (["verify"], ["prove", "new"], ["check-proof", str(tmp_path / "proof")]):
        code, out, err = audit(*command, "--public-key", str(tmp_path / "pub"))
        assert (code, out) == (2, "")
        assert err.startswith(f"gofer: --public-key {tmp_path / 'pub'}: {said}")


@pytest.mark.parametrize(("content", "said"), [(b"\xff\xfe", "it is not text"), (b"x", "not a signing key")])
def test_a_signing_key_that_is_none_is_named_with_what_to_do(
    audit: Audit, db: Path, content: bytes, said: str
) -> None:
    key_file(db).write_bytes(content)
    for command in ("key", "checkpoint", "verify"):
        assert audit(command) == (2, "", f"gofer: {key_file(db)}: {said}; restore it from a copy\n")


def test_a_damaged_checkpoint_of_the_folder_is_named(audit: Audit, db: Path) -> None:
    (note,) = checkpoint_files(checkpoint_folder(db))
    note.write_bytes(b"\xff")
    for command in (["prove", "new"], ["verify"]):
        code, out, err = audit(*command)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert f"({note.name} is no checkpoint of this log: no text)" in err


# What may lie in the folder of checkpoints and is no checkpoint, whatever its name, and what is said of it.
STRAYS: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "a pipe": (lambda path, note: os.mkfifo(path), "Not a regular file"),
    "a folder": (lambda path, note: path.mkdir(), "Is a directory"),
    "a link to nothing": (lambda path, note: path.symlink_to("nowhere"), "No such file"),
    "no text": (lambda path, note: path.write_bytes(b"\xff"), "no text"),
    "a vast file": (lambda path, note: (path.touch(), os.truncate(path, 1 << 36)), "File too large"),
    "some text": (lambda path, note: path.write_text("hello"), "no signed note"),
    "a note of another size": (lambda path, note: shutil.copy(note, path), "it is of 16 events, which is not what"),
    "by another key": (
        lambda path, note: path.write_text(SigningKey("other", bytes(32)).sign(20, bytes(32))),
        "not signed by ",
    ),
}


@pytest.mark.parametrize(
    ("what", "command"),
    [
        *product(("db.checkpoints", "00016.checkpoint"), ("verify", "prove new", "archive --before 2026-01-01")),
        ("tile/0/000.p/16", "verify"),
    ],
)
def test_evidence_that_may_not_be_read_is_not_taken_for_none(
    audit: Audit, db: Path, monkeypatch: pytest.MonkeyPatch, what: str, command: str
) -> None:
    """A rewritten log would pass."""
    rewrite(db, "UPDATE event SET data = replace(data, 'alice', 'mally')")

    def refusing(read: Callable[[Path], object], path: Path) -> object:
        if str(path).endswith(what):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path)

    for module, name in ((os, "listdir"), (notary, "read"), (tiles, "read")):
        monkeypatch.setattr(module, name, partial(refusing, getattr(module, name)))
    code, out, err = audit(*command.split())
    assert (code, out) == (2, "")
    assert err.endswith(f"{what}: Permission denied; run this as the user who runs the service\n")
    assert len(err.splitlines()) == 1


def test_a_folder_of_checkpoints_that_is_none_is_told(audit: Audit, db: Path) -> None:
    folder = checkpoint_folder(db)
    shutil.rmtree(folder)
    folder.symlink_to(folder)
    copy = db.with_name("copy.db")
    for command in (["verify"], ["backup", str(copy)]):
        assert audit(*command) == (2, "", f"gofer: {folder}: Too many levels of symbolic links\n")
    assert not copy.exists()


@pytest.mark.parametrize("name", ["00000000000000000020.checkpoint", "zzz.checkpoint"])
@pytest.mark.parametrize(("make", "said"), STRAYS.values(), ids=STRAYS.keys())
def test_what_is_no_checkpoint_is_told_and_passed_over(
    audit: Audit, db: Path, make: Callable[[Path, Path], object], said: str, name: str
) -> None:
    (note,) = checkpoint_files(checkpoint_folder(db))
    proof = audit("prove", "new")
    make(note.with_name(name), note)
    code, out, err = audit("prove", "new")
    assert (code, out) == proof[:2]
    (line,) = err.splitlines()
    assert line.startswith(f"gofer: {name} is no checkpoint of this log: ")
    assert said in line
    code, out, err = audit("verify")
    assert (code, err) == (1, "")
    assert f"the file: {line.removeprefix('gofer: ')} [checkpoint]" in out.splitlines(), "as verify tells of it"


def test_text_of_the_database_that_is_none_is_damage_of_it(audit: Audit, db: Path) -> None:
    spoil(db, "UPDATE batch_target SET result = CAST(x'ff' AS TEXT)")
    code, _, err = audit("explain", "new", "0")
    assert (code, len(err.splitlines())) == (1, 1)
    assert "see `gofer audit verify`" in err


@pytest.mark.parametrize("command", ["timeline new", "explain new 0", "replay", "replay --job new"])
def test_a_time_that_no_calendar_has_is_shown_as_the_number_that_it_is(audit: Audit, db: Path, command: str) -> None:
    far = (1 << 53) - 1
    for at_ms in (9_000_000, 9_009_000):
        spoil(db, f"UPDATE event SET data = replace(data, '\"at_ms\":{at_ms}', '\"at_ms\":{far}')")
    code, out, err = audit(*command.split())
    assert (code, err) == (0, "")
    assert f" {far // 1000 * 1000 if 'replay' in command else far} ms" in out


def test_a_time_that_no_calendar_has_is_none_of_a_cloudevent(audit: Audit, db: Path) -> None:
    spoil(db, f"UPDATE event SET data = replace(data, '\"at_ms\":9000000', '\"at_ms\":{1 << 52}')")
    code, out, _ = audit("export", "--cloudevents", "--job", "new")
    assert code == 0
    timeless = [event for event in map(json.loads, out.splitlines()) if "time" not in event]
    assert timeless
    assert all(event["data"]["at_ms"] == 1 << 52 for event in timeless)


@pytest.mark.parametrize(
    "command", ["timeline new", "explain new 0", "replay", "replay --at 2026-11-30", "prove new", "diff"]
)
def test_an_event_that_is_no_json_is_one_line(audit: Audit, db: Path, command: str) -> None:
    before = db.read_bytes()
    wrong = before.replace(b'"version":4,"event":{', b'"version":4,"event":[')
    assert wrong != before
    db.write_bytes(wrong)
    code, _, err = audit(*command.split())
    assert (code, len(err.splitlines())) == (1, 1)
    assert err.endswith("see `gofer audit verify`\n")


def test_a_copy_of_a_log_with_an_event_that_is_no_json_is_as_broken(audit: Audit, db: Path, tmp_path: Path) -> None:
    db.write_bytes(db.read_bytes().replace(b'"version":4,"event":{', b'"version":4,"event":['))
    told = audit("verify")[1]
    assert "event 4: it is no event that this gofer knows: JSON is malformed" in told
    said = f"gofer: {tmp_path / 'copy.db'} is a true copy: what is told of it is damage of {db}\n"
    assert audit("backup", str(tmp_path / "copy.db")) == (1, told, said)
    assert audit("verify", store=tmp_path / "copy.db")[0] == 1


def test_a_key_that_does_not_open_what_is_private_is_one_line(audit: Audit, db: Path) -> None:
    spoil(db, "UPDATE job_key SET key = zeroblob(32)")
    for command in (["timeline", "new"], ["explain", "new", "0"], ["diff"]):
        code, _, err = audit(*command)
        assert (code, len(err.splitlines())) == (1, 1)
        assert err.endswith("see `gofer audit verify`\n")


def test_another_logs_key(audit: Audit, db: Path, tmp_path: Path) -> None:
    (tmp_path / "other.pub").write_text(str(SigningKey("other", bytes(32)).public))
    for command in (["verify"], ["prove", "new"], ["backup", str(tmp_path / "copy.db")]):
        code, out, err = audit(*command, "--public-key", str(tmp_path / "other.pub"))
        assert (code, out) == (2, "")
        assert "signed by other" in err
    (tmp_path / "other.pub").write_text("no key")
    code, _, err = audit("verify", "--public-key", str(tmp_path / "other.pub"))
    assert (code, "not an Ed25519 verifier key" in err) == (2, True)
    key_file(db).unlink()
    for command in (["verify"], ["key"], ["checkpoint"], ["prove", "new"]):
        code, out, err = audit(*command)
        assert (code, out) == (2, "")
        assert "no signing key at" in err
    assert not key_file(db).exists(), "none is made for a log that had another"


def test_a_service_that_runs_keeps_the_file_to_itself(audit: Audit, db: Path) -> None:
    with BatchStore.open(db):
        for command in (["rebuild"], ["archive", "--before", "2000-01-01"]):
            code, out, err = audit(*command)
            assert (code, out) == (2, "")
            assert "is in use by another gofer" in err
        for command in (["verify"], ["diff"], ["replay"], ["timeline", "new"]):
            assert audit(*command)[0] == 0
