"""Digests written by a model: tested against a stand-in of the endpoint on loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import pytest
import trio
import trio.testing
from gofer.fetch.digest_llm import MAX_RESPONSE_BYTES, DigestSettings, ModelDigest
from gofer.fetch.inline import InlineConverter
from gofer.fetch.page import Converted, Page, Refused
from gofer.fetch.target import Options

PAGE = Page(
    "https://a.example/",
    "text/markdown",
    b"# Lighthouse\n\nThe lamp is lit at dusk by the keeper. Ships steer by it.\n\n## Cost\n\nTwo pounds a ticket.",
)
ASK = Options(mode="digest", question="Who lights the lamp?", context=False)


def completion(content: object) -> bytes:
    return msgspec.json.encode(
        {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": content}}]}
    )


def http(body: bytes, status: str = "200 OK") -> bytes:
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status.encode(), len(body), body)


class Endpoint:
    """Answers each request with `response`, and keeps what it was asked; b"" never answers."""

    def __init__(self, response: bytes) -> None:
        self.response = response
        self.heads: list[str] = []
        self.bodies: list[dict[str, object]] = []
        self.closed = trio.Event()

    async def serve(self, stream: trio.SocketStream) -> None:
        async with stream:
            raw = b""
            while b"\r\n\r\n" not in raw:
                raw += await stream.receive_some()
            head, _, body = raw.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
            while len(body) < length:
                body += await stream.receive_some()
            self.heads.append(head.decode())
            self.bodies.append(msgspec.json.decode(body))
            if self.response:
                await stream.send_all(self.response)
            else:
                await stream.receive_some()  # until the client leaves
            self.closed.set()


@asynccontextmanager
async def model(endpoint: Endpoint, **settings: object) -> AsyncIterator[ModelDigest]:
    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, endpoint.serve, 0, host="127.0.0.1"))
        port = listener.socket.getsockname()[1]
        asked = DigestSettings(base_url=f"http://127.0.0.1:{port}/v1/", model="m-1", **settings)  # type: ignore[arg-type]
        async with ModelDigest(InlineConverter(), asked, environ={"KEY": "k3y"}, max_content_bytes=200_000) as digest:
            yield digest
        nursery.cancel_scope.cancel()


async def converted(digest: ModelDigest, options: Options = ASK) -> Converted:
    answer = await digest.convert(PAGE, options)
    assert isinstance(answer, Converted), answer
    return answer


async def test_the_model_answers_from_the_passages_and_nothing_else() -> None:
    endpoint = Endpoint(http(completion(" The keeper does. ")))
    async with model(endpoint, api_key_env="KEY") as digest:
        answer = await converted(digest)
    assert (answer.content, answer.digest_by, answer.warnings) == ("The keeper does.", "m-1", ())
    assert endpoint.heads[0].startswith("POST /v1/chat/completions HTTP/1.1")
    assert "Authorization: Bearer k3y" in endpoint.heads[0]
    assert endpoint.bodies[0]["model"] == "m-1"
    prompt = str(endpoint.bodies[0]["messages"])
    assert "Question: Who lights the lamp?" in prompt
    assert "> The lamp is lit at dusk by the keeper." in prompt
    assert "a.example" not in prompt


async def test_context_adds_what_the_answer_rests_on() -> None:
    async with model(Endpoint(http(completion("The keeper.")))) as digest:
        answer = await converted(digest, msgspec.structs.replace(ASK, context=True))
    assert answer.content.startswith("The keeper.\n\n> The lamp is lit at dusk by the keeper.\n>\n> ")
    assert "## Passages" in answer.content


async def test_without_a_question_it_sums_up() -> None:
    endpoint = Endpoint(http(completion("A lighthouse.")))
    async with model(endpoint) as digest:
        assert (await converted(digest, Options(mode="digest", context=False))).content == "A lighthouse."
    assert "Sum the page up." in str(endpoint.bodies[0]["messages"])
    assert "Authorization" not in endpoint.heads[0]


@pytest.mark.parametrize(
    ("response", "fault"),
    [
        (http(b"busy", "503 Service Unavailable"), "http 503"),
        (http(b"<html>"), "its response is no chat completion"),
        (http(b"\xff"), "its response is no chat completion"),
        (http(b'{"choices": []}'), "its response is empty"),
        (http(completion(None)), "its response is empty"),
        (http(completion("  ")), "its response is empty"),
        (http(completion(7)), "its response is no chat completion"),
        (http(b" " * (MAX_RESPONSE_BYTES + 1)), "its response is too large"),
        (b"nonsense\r\n\r\n", "RemoteProtocolError"),
        (http(completion("cut"))[:-5], "RemoteProtocolError"),
    ],
)
async def test_without_an_answer_the_extractive_digest_stands_and_says_why(response: bytes, fault: str) -> None:
    extractive = await InlineConverter().convert(PAGE, ASK)
    assert isinstance(extractive, Converted)
    async with model(Endpoint(response)) as digest:
        answer = await converted(digest)
    assert answer.content == extractive.content
    assert answer.digest_by == "extractive"
    assert answer.warnings == (f"the model gave no answer ({fault}); the digest is extractive",)


async def test_an_endpoint_that_is_not_there() -> None:
    async with model(Endpoint(b"x")) as digest:
        settings = DigestSettings(base_url="http://127.0.0.1:1", model="m")
        async with ModelDigest(InlineConverter(), settings, environ={}, max_content_bytes=9) as nowhere:
            assert "ConnectError" in str((await converted(nowhere)).warnings)
        del digest


async def test_a_model_that_never_answers_is_left_at_its_deadline(autojump_clock: trio.testing.MockClock) -> None:
    endpoint = Endpoint(b"")
    async with model(endpoint, timeout_s=5) as digest:
        with trio.fail_after(6):
            answer = await converted(digest)
        assert "timeout after 5 s" in str(answer.warnings)


async def test_cancelling_closes_the_connection() -> None:
    endpoint = Endpoint(b"")
    async with model(endpoint) as digest, trio.open_nursery() as nursery:
        nursery.start_soon(digest.convert, PAGE, ASK)
        while not endpoint.bodies:
            await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    with trio.fail_after(5):
        await endpoint.closed.wait()


async def test_only_digests_with_something_to_quote_ask_the_model() -> None:
    endpoint = Endpoint(http(completion("never")))
    async with model(endpoint) as digest:
        assert (await converted(digest, Options())).digest_by is None
        empty = await digest.convert(Page("https://a.example/", "", b""), ASK)
        assert isinstance(empty, Converted)
        assert empty.content == ""
        assert isinstance(await digest.convert(Page("https://a.example/", "", b"\0\1\2"), ASK), Refused)
    assert endpoint.bodies == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (DigestSettings(base_url="ftp://x", model="m"), "must be an http or https URL"),
        (DigestSettings(base_url="http://x"), "digest.model be set"),
        (DigestSettings(base_url="http://x", model="m", api_key_env="NOPE"), "digest.api_key_env names NOPE"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_once(settings: DigestSettings, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ModelDigest(InlineConverter(), settings, environ={}, max_content_bytes=1)
