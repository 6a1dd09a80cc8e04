"""The small site that the demo fetches: its pages, and a server for them on loopback. Made in code, no files.

It has one of each kind that a fetch meets: HTML in two encodings, JSON, a PDF, a redirect, a slow page, a 404.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec
import trio

MAX_HEAD_BYTES: Final = 16 * 1024
HEAD_TIMEOUT_S: Final = 10
SLOW_S: Final = 1.5


class Answer(msgspec.Struct, frozen=True):
    """What the site says to one path. `delay_s` passes before its first byte."""

    status: str
    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0


def html(title: str, paragraphs: Sequence[str], *, language: str, encoding: str) -> bytes:
    """A page as sites make them: navigation, an article, a footer."""
    article = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"""<!doctype html>
<html lang="{language}"><head><meta charset="{encoding}"><title>{title}</title></head><body>
<nav><a href="/">Home</a> <a href="/lighthouse">Lighthouse</a> <a href="/ferry.pdf">Timetable</a></nav>
<main><article><h1>{title}</h1>
{article}
</article></main>
<footer>Port of Little Skerry. All times are local.</footer>
</body></html>""".encode(encoding)


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF 1.4 file with one page per list of (ASCII) lines, in the Helvetica that every reader has."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, lines in enumerate(pages):
        escaped = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in lines]
        shown = "BT /F1 14 Tf 20 TL 60 760 Td " + " ".join(f"({line}) Tj T*" for line in escaped) + " ET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * n} 0 R >>",
            f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream",
        ]
    file, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(file))
        file += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{file}{end}startxref\n{len(file)}\n%%EOF\n".encode("ascii")


LIGHTHOUSE: Final = html(
    "The lighthouse of Little Skerry",
    [
        "The lighthouse stands on the western rock of Little Skerry, where two currents meet and the water is never "
        "quite still. It was built in four summers by masons who rowed out every morning with their stone.",
        "Its light is 41 metres above the sea at high tide and shows two white flashes every twelve seconds. On a "
        "clear night fishermen see it from twenty nautical miles away.",
        "The last keeper left in the year the cable came. Since then the lamp is switched by a sensor, and once a "
        "month a boat brings somebody to clean the glass and to feed the keeper's bees, which stayed.",
    ],
    language="en",
    encoding="utf-8",
)
HARBOUR: Final = html(
    "Гавань зимой",
    [
        "Зимой гавань почти пуста. Рыбаки вытаскивают лодки на берег, чинят сети и ждут, когда южный ветер разгонит "
        "лёд у причала. По вечерам в окнах конторы горит одна лампа.",
        "Паром ходит дважды в неделю, если позволяет погода. Расписание висит на двери склада, и рядом с ним кто-то "
        "каждый год рисует мелом, до какой доски поднялась вода.",
        "Весной первыми возвращаются чайки, за ними почта, а последними приезжают художники со своими зонтами.",
    ],
    language="ru",
    encoding="windows-1251",
)
TIDES: Final = msgspec.json.encode(
    {
        "station": "Little Skerry",
        "unit": "m",
        "tides": [
            {"at": "03:12", "kind": "high", "height": 3.4},
            {"at": "09:25", "kind": "low", "height": 0.7},
            {"at": "15:40", "kind": "high", "height": 3.6},
            {"at": "21:48", "kind": "low", "height": 0.6},
        ],
    }
)
FERRY: Final = pdf(
    [
        [
            "Ferry timetable, summer",
            "Mainland to Little Skerry: 08:15, 12:30, 17:45",
            "The crossing takes 35 minutes.",
        ],
        ["Ferry timetable, winter", "Tuesdays and Fridays, 10:00, weather permitting.", "Bicycles travel free."],
    ]
)
WEATHER: Final = html(
    "Weather at the station",
    [
        "The instrument answers slowly, because it averages the wind over ten minutes before it says anything.",
        "South-westerly wind, five to six, with showers; visibility good outside of them. The glass is falling.",
    ],
    language="en",
    encoding="utf-8",
)

SITE: Final[Mapping[str, Answer]] = {
    "/lighthouse": Answer("200 OK", "text/html; charset=utf-8", LIGHTHOUSE),
    "/harbour": Answer("200 OK", "text/html", HARBOUR),  # its encoding stands in the page alone
    "/tides.json": Answer("200 OK", "application/json", TIDES),
    "/ferry.pdf": Answer("200 OK", "application/pdf", FERRY),
    "/old-lighthouse": Answer("301 Moved Permanently", "text/plain", b"", (("Location", "/lighthouse"),)),
    "/weather": Answer("200 OK", "text/html; charset=utf-8", WEATHER, delay_s=SLOW_S),
}
NOT_FOUND: Final = Answer("404 Not Found", "text/plain", b"No such page on the island.\n")


async def serve_site(
    site: Mapping[str, Answer] = SITE, *, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED
) -> None:
    """Serve `site` on a free loopback port until cancelled; the started value is its `host:port`."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    host, port = listeners[0].socket.getsockname()[:2]

    async def answer(stream: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError), trio.move_on_after(HEAD_TIMEOUT_S):
            path = await _request_path(stream)
            if path is not None:
                found = site.get(path, NOT_FOUND)
                await trio.sleep(found.delay_s)
                await stream.send_all(_response(found))

    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, answer, listeners)
        task_status.started(f"{host}:{port}")


async def _request_path(stream: trio.SocketStream) -> str | None:
    """The path that a client asks for; None if it goes away or says too much."""
    head = bytearray()
    while b"\r\n\r\n" not in head:
        data = await stream.receive_some()
        head += data
        if not data or len(head) > MAX_HEAD_BYTES:
            return None
    words = bytes(head).split(b"\r\n", 1)[0].split(b" ")
    return words[1].decode("latin-1").partition("?")[0] if len(words) == 3 else None


def _response(answer: Answer) -> bytes:
    headers = [
        ("Content-Type", answer.content_type),
        ("Content-Length", str(len(answer.body))),
        ("Connection", "close"),
        *answer.headers,
    ]
    lines = [f"HTTP/1.1 {answer.status}", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1") + answer.body
