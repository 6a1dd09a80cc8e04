import io
import json
from pathlib import Path

import msgspec
import pytest
from gofer.cli.failure import UsageFailure
from gofer.cli.results import INDEX, DirectorySink, LineSink
from gofer.cli.summary import Row


def done(idx: int, **envelope: str) -> Row:
    return Row(idx, f"http://a/{idx}", "done", result=msgspec.Raw(msgspec.json.encode(envelope)))


FAILED = Row(1, "http://a/1", "failed", error="http 404", hint="look elsewhere")


def test_each_target_is_one_line_of_json() -> None:
    stream = io.BytesIO()
    sink = LineSink(stream)
    sink.take(done(0, content="one\ntwo"))
    sink.take(FAILED)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines == [
        {"idx": 0, "url": "http://a/0", "status": "done", "result": {"content": "one\ntwo"}},
        {"idx": 1, "url": "http://a/1", "status": "failed", "error": "http 404", "hint": "look elsewhere"},
    ]


@pytest.mark.parametrize(
    ("mode", "content_type", "suffix"),
    [
        ("clean", "text/html", ".md"),
        ("clean", "application/json", ".json"),
        ("raw", "text/html", ".txt"),
        ("digest", "application/json", ".md"),
    ],
)
def test_each_content_is_a_file_and_the_index_names_it(
    tmp_path: Path, mode: str, content_type: str, suffix: str
) -> None:
    out = tmp_path / "new" / "out"
    sink = DirectorySink(out)
    sink.take(done(0, mode=mode, content_type=content_type, title="Ü", content="a\r\nü"))
    sink.take(FAILED)
    assert (out / f"00{suffix}").read_bytes() == "a\r\nü".encode()
    first, second = map(json.loads, (out / INDEX).read_text().splitlines())
    assert first["result"] == {"mode": mode, "content_type": content_type, "title": "Ü", "file": f"00{suffix}"}
    assert second["error"] == "http 404"
    assert sorted(path.name for path in out.iterdir()) == [f"00{suffix}", INDEX]


def test_a_directory_that_got_nothing_can_be_used_again(tmp_path: Path) -> None:
    DirectorySink(tmp_path / "out")
    DirectorySink(tmp_path / "out").take(FAILED)
    assert (tmp_path / "out" / INDEX).is_file()


def test_a_directory_with_files_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    with pytest.raises(UsageFailure, match="is not empty"):
        DirectorySink(tmp_path)
    with pytest.raises(UsageFailure, match="cannot write"):
        DirectorySink(tmp_path / "old")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
