"""Who a request comes from: bearer tokens (RFC 6750) against the SHA-256 sums that the settings hold."""

import re
from collections.abc import Iterable
from hashlib import sha256

import msgspec

from ..fetch.target import Caller, CallerClass
from .problems import Problem

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE)
_SHA256 = re.compile(r"[0-9a-f]{64}")


class CallerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[caller]]` of the settings. Of its token only the SHA-256 is kept, in hex."""

    name: str
    caller_class: CallerClass = msgspec.field(name="class")
    token_sha256: str
    enabled: bool = True


def token_digest(token: str) -> str:
    """What `token_sha256` says of `token`."""
    return sha256(token.encode()).hexdigest()


class Callers:
    """The callers of this service, by token.

    Raises `ValueError`, naming the caller, for an empty or repeated name, a sum that is not 64 hexadecimal digits,
    and a token that two callers share.
    """

    def __init__(self, settings: Iterable[CallerSettings]) -> None:
        self._by_digest: dict[str, tuple[Caller, bool]] = {}
        names: set[str] = set()
        for each in settings:
            digest = each.token_sha256.lower()
            if not each.name:
                raise ValueError("caller: name must not be empty")
            if each.name in names:
                raise ValueError(f"caller {each.name!r}: the name is given twice")
            if not _SHA256.fullmatch(digest):
                raise ValueError(f"caller {each.name!r}: token_sha256 must be 64 hexadecimal digits")
            if digest in self._by_digest:
                raise ValueError(f"caller {each.name!r}: another caller has the same token")
            names.add(each.name)
            self._by_digest[digest] = (Caller(each.name, each.caller_class), each.enabled)

    def identify(self, authorization: str | None) -> Caller:
        """The caller that an Authorization header names.

        Raises the 401 without a header, for one that is not a bearer token and for an unknown token, and the 403
        for a disabled caller. A look-up by digest tells an attacker's clock nothing about the token.
        """
        if not authorization:
            raise Problem(401, "no token", "send Authorization: Bearer <token>", WWW_Authenticate=_challenge())
        match = _BEARER.fullmatch(authorization.strip())
        if match is None:
            raise Problem(
                401,
                "no bearer token",
                "send Authorization: Bearer <token>",
                WWW_Authenticate=_challenge("invalid_request"),
            )
        found = self._by_digest.get(token_digest(match[1]))
        if found is None:
            hint = "ask the operator of this service for a token"
            raise Problem(401, "unknown token", hint, WWW_Authenticate=_challenge("invalid_token"))
        caller, enabled = found
        if not enabled:
            raise Problem(403, "caller disabled", "ask the operator of this service")
        return caller


def _challenge(error: str | None = None) -> str:
    return 'Bearer realm="gofer"' + (f', error="{error}"' if error else "")
