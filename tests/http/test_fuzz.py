"""Bodies, paths and headers that nobody should send: each is refused in words, and none is a fault of ours."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import msgspec
import trio
from gofer.http.problems import Problem
from gofer.http.schema import read_batch, read_target
from hypothesis import given
from hypothesis import strategies as st

from .conftest import BATCH, Serving

FIELDS = ["url", "mode", "question", "pages", "grep", "jq", "context", "recover", "header", "targets", ""]
STRINGS = ["https://a.example/", "clean", "digest", "(", "1-3", "9-1", ".x", ".[", "\x00", "\ud800", "x" * 5_000]

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from(STRINGS)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=8,
)
targets = st.dictionaries(st.sampled_from(FIELDS), values, max_size=5) | values
bodies = (
    st.binary(max_size=60)
    | values.map(lambda value: json.dumps(value).encode())
    | st.lists(targets, max_size=4).map(lambda each: json.dumps({"targets": each}).encode())
)


@given(bodies)
def test_a_body_is_read_or_refused_in_words(body: bytes) -> None:
    """Whatever it is, it gives targets or the 400; nothing else is raised."""

    for problem in (refusal_of(partial(trio.run, read_batch), body), refusal_of(read_target, body)):
        if problem is not None:
            assert problem.status == 400
            assert problem.error.startswith(("invalid batch: ", "invalid target: "))
            assert len(problem.error) < 1_000


def refusal_of(read: Callable[[bytes], object], body: bytes) -> Problem | None:
    try:
        read(body)
    except Problem as problem:
        return problem
    return None


CONTENTS: list[bytes] = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"null",
    b"[" * 100_000,
    b'{"targets":' + b"[" * 100_000,
    b'{"targets":[' * 10_000,
    b'{"a":' * 20_000,
    b'{"targets":[{"url":"\xed\xa0\x80"}]}',
    b'{"targets":[{"url":"\\ud800"}]}',
    b'{"targets":[{"url":1e999}]}',
    b'{"targets":[{"url":' + b"9" * 60_000 + b"}]}",
    b'{"targets":[' + b"{}," * 60_000 + b"{}]}",
    b'{"targets":[{"url":"http://a.example/\\u0000"}]}',
    b'{"targets":[{"url":"' + b"x" * 60_000 + b'"}]}',
    b"url=https%3A%2F%2Fa.example",
    b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n",
]
PATHS = ["/%00", "/v1/batch/%00", "/v1/batch/%FF", "/v1/batch/a%2F..%2Fb", "/v1/batch/" + "x" * 8_000, "/v1/%2e%2e/x"]
TYPES = [
    "",
    "application/json",
    "text/xml; charset=utf-7",
    "multipart/form-data; boundary=x",
    "\xff/\xff",
    "a/b; charset",
]


async def test_nothing_sent_over_a_socket_is_a_fault_of_ours(serving: Serving) -> None:
    many = msgspec.structs.replace(BATCH, max_live_per_caller=1_000, max_live=1_000)
    async with serving(batch=many) as service:

        async def send(method: str, path: str, content: bytes = b"", **headers: Any) -> None:
            encoded = [(name.encode(), value.encode("latin1")) for name, value in headers.items()]
            response = await service.alice.request(
                method, httpx.URL(service.url + path), content=content, headers=encoded
            )
            assert 400 <= response.status_code < 500, (method, path, content[:80], response.text)
            assert response.json()["success"] is False
            assert response.json()["error"]

        for content in CONTENTS:
            await send("POST", "/v1/batch", content)
            await send("POST", "/v1/fetch", content)
        for kind in TYPES:
            await send("POST", "/v1/batch", b"{}", **{"Content-Type": kind})
        for path in PATHS:
            for method in ("GET", "POST", "DELETE", "BREW"):
                await send(method, path)
        for key in ("results", "results[]", "%00", "&&&==="):
            await send("GET", f"/v1/batch/x?{key}=%FF")
        assert service.lines("crash") == []


async def test_a_query_is_read_leniently(serving: Serving) -> None:
    async with serving() as service:
        accepted = await service.alice.post("/v1/batch", json={"targets": [{"url": "https://a.example/"}]})
        job_id = accepted.json()["job_id"]
        await service.ended(service.alice, job_id)
        for query in ("", "?results", "?results=yes", "?results=%FF", "?other=1", "?results=0&results=1"):
            summary = (await service.alice.get(f"/v1/batch/{job_id}{query}")).json()
            assert "result" not in summary["targets"][0]
        assert "result" in (await service.alice.get(f"/v1/batch/{job_id}?a=b&results=1")).json()["targets"][0]
