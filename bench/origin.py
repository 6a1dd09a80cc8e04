"""A fast origin on loopback for the benches: `/article/N` is one of a few hundred pages of about 11 kB.

    python -P bench/origin.py

It prints its `host:port` and serves until its standard input ends. It is to cost less than whoever asks it: the
responses are made beforehand, and requests are not parsed but for their number.
"""

import asyncio
import random
import sys

PAGES = 256
PAGE_BYTES = 11_000

_VOCABULARY = (
    "the of and a in to was it for on that with as by from at which this be or an are not had but they were one all "
    "water stone harbour light winter morning boat rope signal letter window garden silver market river bridge north "
    "carried opened waited counted measured painted answered remembered gathered slowly never often again together"
)
_WORDS = _VOCABULARY.split()


def article(number: int) -> bytes:
    """A page as sites make them, the same for the same number: navigation, paragraphs with links, a footer."""
    chance = random.Random(number)
    paragraphs: list[str] = []
    size = 0
    while size < PAGE_BYTES - 1_400:
        words = chance.choices(_WORDS, k=chance.randint(40, 90))
        words[chance.randrange(len(words))] = f'<a href="/article/{chance.randrange(PAGES)}">{words[0]}</a>'
        paragraphs.append(f"<p>{' '.join(words).capitalize()}.</p>")
        size += len(paragraphs[-1]) + 1
    title = " ".join(chance.choices(_WORDS, k=5)).capitalize()
    menu = "".join(f'<li><a href="/section/{name}">{name.capitalize()}</a></li>' for name in _WORDS[20:32])
    content = "\n".join(paragraphs)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><meta property="og:type" content="article"></head>
<body><nav><ul>{menu}</ul></nav><main><article><h1>{title}</h1>
{content}
</article></main><footer>Terms of use, privacy, contact. All rights reserved.</footer></body></html>
""".encode()


def response(body: bytes) -> bytes:
    """The whole answer, connection kept."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Conversation(asyncio.Protocol):
    """One connection. Requests may come in pieces, or several at once."""

    def __init__(self, responses: list[bytes]) -> None:
        self._responses = responses
        self._asked = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request that is complete."""
        *heads, self._asked = (self._asked + data).split(b"\r\n\r\n")
        for head in heads:
            number = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
            self._transport.write(self._responses[number % PAGES])


async def main() -> None:
    """Serve on a free port until standard input ends."""
    responses = [response(article(number)) for number in range(PAGES)]
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Conversation(responses), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    print(f"{host}:{port}", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
