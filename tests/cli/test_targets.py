import io
from pathlib import Path

import pytest
from gofer.cli import targets
from gofer.cli.failure import UsageFailure
from gofer.cli.targets import MAX_BYTES, collect, parse
from gofer.fetch.target import Options, Target

RAW = Options(mode="raw")


@pytest.mark.parametrize(
    "text",
    [
        "http://a/ # why it is here\n# a comment\n\n  http://b/#part  \t# a part\n  # end\n",
        '["http://a/", "http://b/#part"]',
        '[\n{"url": "http://a/"},\n"http://b/#part"\n]\n',
        '{"url": "http://a/"}\n\n{"url": "http://b/#part"}\n',
        '"http://a/"\nhttp://b/#part',
    ],
    ids=["lines", "json list", "mixed json list", "json lines", "mixed lines"],
)
def test_each_form_of_a_list_gives_the_same_targets(text: str) -> None:
    assert parse(text, RAW, "list") == [Target("http://a/", RAW), Target("http://b/#part", RAW)]


def test_an_items_own_options_win() -> None:
    text = '{"url": "http://a/", "mode": "digest", "question": "why?"}'
    common = Options(mode="raw", grep="x")
    assert parse(text, common, "list") == [Target("http://a/", Options(mode="digest", question="why?", grep="x"))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"url": "http://a/"}, 7]', "list, item 2: expected a URL"),
        ('[{"mode": "raw"}]', "list, item 1: expected a URL"),
        ("[1, ", "list: not JSON"),
        ('http://a/\n{"url": ', "list, line 2: not JSON"),
        (
            '{"url": "http://a/", "colour": "red"}',
            "list, line 1 colour: unknown key; there are url, mode, question, pages, grep, jq, context, recover",
        ),
        ('{"url": "http://a/", "contxt": true}', "list, line 1 contxt: unknown key; did you mean context?"),
        ('{"url": "http://a/", "context": "no"}', 'list, line 1 context: must be true or false, not "no"'),
        ('{"url": "http://a/", "mode": "best"}', 'list, line 1 mode: must be one of clean, digest, raw, not "best"'),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UsageFailure) as error:
        parse(text, RAW, "list")
    assert said in str(error.value)


def test_urls_come_before_the_files(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(b"\xef\xbb\xbfhttp://b/\r\n")
    found = collect(["http://a/"], str(tmp_path / "list"), RAW)
    assert [target.url for target in found] == ["http://a/", "http://b/"]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets.sys, "stdin", io.TextIOWrapper(io.BytesIO(b"http://a/\n")))
    assert collect([], "-", RAW) == (Target("http://a/", RAW),)


def test_nothing_to_fetch_is_told(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# nothing\n")
    for file in (None, str(tmp_path / "list")):
        with pytest.raises(UsageFailure, match="nothing to fetch"):
            collect([], file, RAW)
    with pytest.raises(UsageFailure, match="a URL is empty"):
        collect([""], None, RAW)


def test_files_that_cannot_be_lists_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageFailure, match="cannot read"):
        collect([], str(tmp_path / "none"), RAW)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageFailure, match="is not UTF-8"):
        collect([], str(tmp_path / "binary"), RAW)
    (tmp_path / "large").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(UsageFailure, match="no list of targets"):
        collect([], str(tmp_path / "large"), RAW)


def test_a_question_that_no_target_is_to_answer_is_told() -> None:
    asked = Options(question="why?")
    with pytest.raises(UsageFailure, match="add --mode digest"):
        collect(["http://a/"], None, asked)
    assert collect(["http://a/"], None, Options(mode="digest", question="why?"))


def test_a_question_is_for_those_of_a_file_that_are_digests(tmp_path: Path) -> None:
    (tmp_path / "list").write_text('{"url": "http://a/", "mode": "digest"}\nhttp://b/\n')
    first, second = collect([], str(tmp_path / "list"), Options(question="why?"))
    assert (first.options.mode, first.options.question, second.options.mode) == ("digest", "why?", "")
