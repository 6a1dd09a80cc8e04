"""Reading request bodies: what is accepted, and that each refusal names idx and field."""

import json
from typing import Any

import msgspec
import pytest
from gofer.fetch.target import Options, Target
from gofer.http.problems import Problem
from gofer.http.schema import One, Summary, read_batch, read_target
from gofer.store.rows import BatchJob, BatchTarget

OK = {"url": "https://a.example/"}


async def test_targets_are_read_in_order_with_their_options() -> None:
    body = {
        "targets": [
            OK,
            {"url": "https://b.example/", "mode": "digest", "question": "who?", "context": False},
            {"url": "https://c.example/", "mode": "", "pages": "1-3,7", "grep": "a+", "jq": ".x", "recover": True},
        ]
    }
    assert await read_batch(json.dumps(body).encode()) == (
        Target("https://a.example/"),
        Target("https://b.example/", Options(mode="digest", question="who?", context=False)),
        Target("https://c.example/", Options(pages="1-3,7", grep="a+", jq=".x", recover=True)),
    )


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("", "the body is empty"),
        (" \n", "the body is empty"),
        ("{", "the JSON ends too early"),
        ('{"targets": [{"url": "http', "the JSON ends too early"),
        ('{"targets": [{"url": "x"},]}', "JSON is malformed: trailing comma in array (byte 26)"),
        ("[]", "Expected object, got array"),
        ("null", "Expected object, got null"),
        ({}, "targets: is missing"),
        ({"targets": []}, "targets: must not be empty"),
        ({"targets": {}}, "targets: Expected array, got object"),
        ({"targets": [OK], "extra": 1}, "extra: unknown field"),
        ({"targets": [OK, "https://b.example/"]}, "target 1: Expected object, got str"),
        ({"targets": [OK, {}]}, "target 1: url: is missing"),
        ({"targets": [OK, {"url": ""}]}, "target 1: url: must not be empty"),
        ({"targets": [{"url": 7}]}, "target 0: url: Expected str, got int"),
        ({"targets": [OK, {**OK, "header": "x"}]}, "target 1: header: unknown field"),
        (
            {"targets": [OK, OK, {**OK, "mode": "fast"}]},
            "target 2: mode: must be one of clean, raw, digest, not 'fast'",
        ),
        ({"targets": [{**OK, "mode": None}]}, "target 0: mode: Expected str, got null"),
        ({"targets": [{**OK, "context": "yes"}]}, "target 0: context: Expected bool, got str"),
        ({"targets": [{**OK, "recover": 1}]}, "target 0: recover: Expected bool, got int"),
        ({"targets": [{**OK, "question": []}]}, "target 0: question: Expected str, got array"),
    ],
)
async def test_a_bad_body_is_400_and_named(body: object, fault: str) -> None:
    raw = body if isinstance(body, str) else json.dumps(body)
    with pytest.raises(Problem) as raised:
        await read_batch(raw.encode())
    assert (raised.value.status, raised.value.error) == (400, f"invalid batch: {fault}")


@pytest.mark.parametrize(
    ("option", "place"),
    [
        ({"grep": "(a"}, "target 1: grep: "),
        ({"jq": ".["}, "target 1: jq: "),
        ({"pages": "3-1"}, "target 1: pages: "),
        ({"question": "x" * 3_000}, "target 1: question: "),
    ],
)
async def test_an_option_that_cannot_be_parsed_is_400_and_named(option: dict[str, Any], place: str) -> None:
    with pytest.raises(Problem) as raised:
        await read_batch(json.dumps({"targets": [OK, {**OK, **option}]}).encode())
    assert raised.value.status == 400
    assert raised.value.error.startswith(f"invalid batch: {place}")
    assert len(raised.value.error) > len(f"invalid batch: {place}")


async def test_a_refusal_quotes_little_of_what_was_sent() -> None:
    for body in ({"x" * 100_000: 1}, {"targets": [{"url": "x", "mode": "y" * 100_000}]}):
        with pytest.raises(Problem) as raised:
            await read_batch(json.dumps(body).encode())
        assert len(raised.value.error) < 300


def test_a_single_target_is_read_alike() -> None:
    assert read_target(b'{"url": "u", "mode": "raw"}') == Target("u", Options(mode="raw"))
    for body, fault in [
        (b"", "the body is empty"),
        (b"{", "the JSON ends too early"),
        (b'{"url": "u", "mode": "x"}', "mode: must be one of clean, raw, digest, not 'x'"),
        (b'{"url": 1}', "url: Expected str, got int"),
        (b"{}", "url: is missing"),
        (b'{"url": ""}', "url: must not be empty"),
        (b'{"url": "u", "targets": []}', "targets: unknown field"),
    ]:
        with pytest.raises(Problem) as raised:
            read_target(body)
        assert (raised.value.status, raised.value.error) == (400, f"invalid target: {fault}")
    with pytest.raises(Problem, match="invalid target: grep: "):
        read_target(b'{"url": "u", "grep": "("}')


async def test_a_summary_leaves_out_what_is_not_set_and_passes_results_on_as_they_are() -> None:
    job = BatchJob("j", "alice", "fleet", "k", status="partial", targets_total=2, targets_done=2, created_at=1_000)
    done = BatchTarget("j", 0, "u", "{}", "done", '{"n": 1.50}')
    failed = BatchTarget("j", 1, "v", "{}", "failed", None, "http 404", "look elsewhere")
    assert msgspec.json.encode(await Summary.of(job, (done, failed))) == (
        b'{"job_id":"j","status":"partial","targets_total":2,"targets_done":2,"created_at":"1970-01-01T00:16:40Z",'
        b'"targets":[{"idx":0,"url":"u","status":"done","result":{"n": 1.50}},'
        b'{"idx":1,"url":"v","status":"failed","error":"http 404","hint":"look elsewhere"}]}'
    )
    assert msgspec.json.encode(One.of(failed)) == (
        b'{"job_id":"j","idx":1,"url":"v","status":"failed","error":"http 404","hint":"look elsewhere"}'
    )
