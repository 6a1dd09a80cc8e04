"""The HTTP client of the commands: one short request at a time, errors as the one line that a user reads.

Standard library only, so that a command starts at once.
"""

import http.client
import ipaddress
import ssl
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeVar
from urllib.parse import SplitResult, urlsplit

import msgspec

from ..fetch.target import Target
from .environment import OWN, PREFIX, refuse_unknown
from .failure import FAILED, USAGE, Failure, UsageFailure
from .home import checked_token, data_dir, read_first_run_token
from .summary import Row, Summary

DEFAULT_URL: Final = "http://127.0.0.1:8380"
TIMEOUT_S: Final = 30.0  # each wait on the server, not the whole answer
MAX_ANSWER_BYTES: Final = 128 * 1024 * 1024  # 32 results at their cap, escaped, are below it


class ApiFailure(Failure):
    """The service refused a request; `status` is HTTP's. That the request cannot be is a usage error here too."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.exit_code = USAGE if status in (400, 413, 422) else FAILED


class Accepted(msgspec.Struct, frozen=True):
    """The service took a batch; `reused`: it had taken the same before, and this is that job."""

    success: Literal[True]
    job_id: str
    status: str
    targets: int
    reused: bool


class _Cancelled(msgspec.Struct, frozen=True):
    """The service ended a job."""

    success: Literal[True]
    status: Literal["cancelled"]


class _Problem(msgspec.Struct, frozen=True):
    """The members of an RFC 9457 problem that a user reads."""

    error: str = ""
    title: str = ""
    hint: str = ""


T = TypeVar("T")


class Client:
    """A caller's view of one service.

    Each method raises `ApiFailure` for an answer that is an error and `Failure` if there is none that it knows. Those
    that end in `_json` give the service's answer as it came, for `decoded`.
    """

    def __init__(self, url: str, token: str) -> None:
        parts = _parsed(url)
        self.url = url.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host, self._port, self._prefix = parts.hostname or "", parts.port, parts.path.rstrip("/")
        self._authorization = f"Bearer {token}"

    def submit(self, targets: Sequence[Target], *, key: str | None = None) -> Accepted:
        """Submit one batch; `key` is its Idempotency-Key, None to go by its content."""
        return decoded(self.submit_json(targets, key=key), Accepted)

    def submit_json(self, targets: Sequence[Target], *, key: str | None = None) -> bytes:
        """`submit`. Raises `UsageFailure` for a key that cannot be sent."""
        if key is not None and not (key.isascii() and key.isprintable()):
            raise UsageFailure("--key must be printable ASCII characters")
        body = {"targets": [{"url": t.url, **msgspec.to_builtins(t.options)} for t in targets]}
        headers = {"Content-Type": "application/json"} | ({} if key is None else {"Idempotency-Key": key})
        return self._call("POST", "/v1/batch", 202, body=msgspec.json.encode(body), headers=headers)

    def summary(self, job_id: str, *, results: bool = False) -> Summary:
        """A job with its targets' statuses, and with the results of those that are done if asked for."""
        return decoded(self.summary_json(job_id, results=results), Summary)

    def summary_json(self, job_id: str, *, results: bool = False) -> bytes:
        """`summary`."""
        query = "?results=1" if results else ""
        return self._call("GET", f"/v1/batch/{_segment(job_id)}{query}", 200)

    def target(self, job_id: str, idx: int) -> Row:
        """One target with its result."""
        return decoded(self.target_json(job_id, idx), Row)

    def target_json(self, job_id: str, idx: int) -> bytes:
        """`target`."""
        return self._call("GET", f"/v1/batch/{_segment(job_id)}/{idx}", 200)

    def cancel(self, job_id: str) -> None:
        """End a job that is still running."""
        decoded(self._call("DELETE", f"/v1/batch/{_segment(job_id)}", 200), _Cancelled)

    def _call(
        self, method: str, path: str, expected: int, *, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> bytes:
        """The body of an answer of the `expected` status."""
        connection: http.client.HTTPConnection
        if self._secure:
            connection = http.client.HTTPSConnection(
                self._host, self._port, timeout=TIMEOUT_S, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_S)
        try:
            connection.request(
                method, self._prefix + path, body, {"Authorization": self._authorization, "Accept": "*/*", **headers}
            )
            response = connection.getresponse()
            answer = response.read(MAX_ANSWER_BYTES + 1)
        except ConnectionRefusedError as error:
            raise Failure(
                f"nothing answers at {self.url}: is the server running? Start it with `gofer serve`, or set GOFER_URL"
            ) from error
        except TimeoutError as error:
            raise Failure(f"{self.url} did not answer within {TIMEOUT_S:.0f} s") from error
        except OSError as error:
            raise Failure(f"cannot talk to {self.url}: {error.strerror or error}") from error
        except http.client.IncompleteRead as error:
            raise Failure(self._cut_short()) from error
        except http.client.HTTPException as error:
            raise Failure(f"cannot talk to {self.url}: what answers there does not speak HTTP") from error
        finally:
            connection.close()
        if len(answer) > MAX_ANSWER_BYTES:
            raise Failure(f"the answer of {self.url} is over {MAX_ANSWER_BYTES} bytes: ask for one target at a time")
        if response.length:  # a read with a limit does not complain of what is missing
            raise Failure(self._cut_short())
        if response.status >= 400:
            raise ApiFailure(response.status, _problem_line(response.status, answer))
        if response.status != expected:
            raise Failure(f"{self.url} answers HTTP {response.status}, which gofer never does here: check GOFER_URL")
        return answer

    def _cut_short(self) -> str:
        return f"the answer of {self.url} was cut short: ask again"


def from_environment(environ: Mapping[str, str]) -> Client:
    """The client that GOFER_URL and GOFER_TOKEN name.

    Without GOFER_TOKEN it is the first-run token of this machine's user, which is sent to this machine alone. Raises
    `UsageFailure` for a variable that is wrong or misspelt, and `Failure` if there is no token.
    """
    # The settings' variables are not the client's, and to know them it would have to load the service.
    refuse_unknown({name: "" for name in environ if "_" not in name.removeprefix(PREFIX)}, OWN)
    url = environ.get("GOFER_URL") or DEFAULT_URL
    token = environ.get("GOFER_TOKEN")
    if token:
        token = checked_token(token, "GOFER_TOKEN holds")
    elif _is_loopback(_parsed(url).hostname or ""):
        token = read_first_run_token(data_dir())
    if not token:
        raise Failure("no token: set GOFER_TOKEN, or start `gofer serve` here once, which keeps one for you")
    return Client(url, token)


def decoded(answer: bytes, wanted: type[T]) -> T:
    """What the service answered. Raises `Failure` if it is no `wanted`."""
    try:
        return msgspec.json.decode(answer, type=wanted)
    except msgspec.DecodeError as error:
        raise Failure(
            "the service's answer is not one this client knows: is GOFER_URL a gofer's, and of this version?"
        ) from error


def _parsed(url: str) -> SplitResult:
    """The parts of a service's address. Raises `UsageFailure` if it is none."""
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")  # as the look-up will
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        plain = url.isascii() and url.isprintable() and not set(url) & set(" ?#@\\")
    except ValueError:  # a port or a bracket that is none, a label that is empty or too long
        whole = plain = False
    if not (whole and plain):
        raise UsageFailure(f"GOFER_URL must be a service's address, such as {DEFAULT_URL}, not {url!r}")
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _segment(job_id: str) -> str:
    """A job id as a path segment; what cannot be one is not found, without asking."""
    if not job_id or not all(c.isascii() and (c.isalnum() or c in "-_") for c in job_id):
        raise ApiFailure(404, f"not found: {job_id!r} is not a job id")
    return job_id


def _problem_line(status: int, answer: bytes) -> str:
    try:
        problem = msgspec.json.decode(answer, type=_Problem)
    except msgspec.DecodeError:
        problem = _Problem()
    text = problem.error or problem.title or f"the service answered HTTP {status}"
    return f"{text} ({problem.hint})" if problem.hint else text
