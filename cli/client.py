"""The HTTP client of the commands: one short request at a time, errors as the one line that a user reads.

Standard library only, so that a command starts at once.
"""

import http.client
import ipaddress
import ssl
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from ..fetch.target import Target
from .failure import Failure, UsageFailure
from .home import data_dir, read_first_run_token
from .summary import Row, Summary

DEFAULT_URL: Final = "http://127.0.0.1:8380"
TIMEOUT_S: Final = 30.0  # each wait on the server, not the whole answer
MAX_ANSWER_BYTES: Final = 128 * 1024 * 1024  # 32 results at their cap, escaped, are below it


class ApiFailure(Failure):
    """The service refused a request; `status` is HTTP's."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Accepted(msgspec.Struct, frozen=True):
    """The service took a batch; `reused`: it had taken the same before, and this is that job."""

    job_id: str
    status: str
    targets: int
    reused: bool


class _Problem(msgspec.Struct, frozen=True):
    """The members of an RFC 9457 problem that a user reads."""

    error: str = ""
    title: str = ""
    hint: str = ""


T = TypeVar("T")


class Client:
    """A caller's view of one service.

    Each method raises `ApiFailure` for an answer that is an error and `Failure` if there is no answer.
    """

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageFailure(f"the service's address must look like {DEFAULT_URL}, not {url!r} (GOFER_URL)")
        self.url = url.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host, self._port, self._prefix = parts.hostname, parts.port, parts.path.rstrip("/")
        self._authorization = f"Bearer {token}"

    def submit(self, targets: Sequence[Target], *, key: str | None = None) -> Accepted:
        """Submit one batch; `key` is its Idempotency-Key, None to go by its content."""
        body = {"targets": [{"url": t.url, **msgspec.to_builtins(t.options)} for t in targets]}
        headers = {"Content-Type": "application/json"} | ({} if key is None else {"Idempotency-Key": key})
        return _decoded(self._call("POST", "/v1/batch", body=msgspec.json.encode(body), headers=headers), Accepted)

    def summary(self, job_id: str, *, results: bool = False) -> Summary:
        """A job with its targets' statuses, and with the results of those that are done if asked for."""
        query = "?results=1" if results else ""
        return _decoded(self._call("GET", f"/v1/batch/{_segment(job_id)}{query}"), Summary)

    def target(self, job_id: str, idx: int) -> Row:
        """One target with its result."""
        return _decoded(self._call("GET", f"/v1/batch/{_segment(job_id)}/{idx}"), Row)

    def cancel(self, job_id: str) -> None:
        """End a job that is still running."""
        self._call("DELETE", f"/v1/batch/{_segment(job_id)}")

    def _call(self, method: str, path: str, *, body: bytes | None = None, headers: Mapping[str, str] = {}) -> bytes:
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
            answer = response.read(MAX_ANSWER_BYTES)
        except ConnectionRefusedError as error:
            raise Failure(
                f"nothing answers at {self.url}: is the server running? Start it with `gofer serve`, or set GOFER_URL"
            ) from error
        except TimeoutError as error:
            raise Failure(f"{self.url} did not answer within {TIMEOUT_S:.0f} s") from error
        except OSError as error:
            raise Failure(f"cannot talk to {self.url}: {error.strerror or error}") from error
        except http.client.HTTPException as error:
            raise Failure(f"cannot talk to {self.url}: what answers there does not speak HTTP") from error
        finally:
            connection.close()
        if response.status >= 400:
            raise ApiFailure(response.status, _problem_line(response.status, answer))
        return answer


def from_environment(environ: Mapping[str, str]) -> Client:
    """The client that GOFER_URL and GOFER_TOKEN name.

    Without GOFER_TOKEN it is the first-run token of this machine's user, which is sent to this machine alone.
    """
    url = environ.get("GOFER_URL") or DEFAULT_URL
    token = environ.get("GOFER_TOKEN")
    if not token and _is_loopback(urlsplit(url).hostname or ""):
        token = read_first_run_token(data_dir())
    if not token:
        raise Failure("no token: set GOFER_TOKEN, or start `gofer serve` here once, which keeps one for you")
    return Client(url, token)


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


def _decoded(answer: bytes, wanted: type[T]) -> T:
    try:
        return msgspec.json.decode(answer, type=wanted)
    except msgspec.DecodeError as error:
        raise Failure(
            f"the service's answer is not one this client knows ({error}); do their versions match?"
        ) from error


def _problem_line(status: int, answer: bytes) -> str:
    try:
        problem = msgspec.json.decode(answer, type=_Problem)
    except msgspec.DecodeError:
        problem = _Problem()
    text = problem.error or problem.title or f"the service answered HTTP {status}"
    return f"{text} ({problem.hint})" if problem.hint else text
