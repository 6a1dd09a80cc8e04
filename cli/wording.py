"""Values from outside held against what they must be, and what is wrong with them told in a user's words."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

from .failure import UsageFailure

SHOWN_CHARS: Final = 80
PATTERNS: Final[Mapping[str, str]] = {  # of the settings, in words
    r"^[\x20-\x7e]+$": "text of printable ASCII characters, at least one",
    r"^(https?://[^\s/?#@\\]+/\S*)?$": "an http or https URL with a path, or empty",
}


def members(cls: type[msgspec.Struct], given: object, where: str, *, hint: str) -> dict[str, Any]:
    """The members of the table `given` by the field names of `cls`, each of its field's type.

    Raises `UsageFailure`, saying where, for what is no table, for a key that `cls` lacks (`hint` says where all
    stand, if none is close) and for a value of another type or out of range.
    """
    if not isinstance(given, dict):
        raise UsageFailure(f"{where}: must be a table of keys and values, not {shown(given)}")
    fields = {field.encode_name: field for field in msgspec.structs.fields(cls)}
    for key in given:
        if key not in fields:
            raise UsageFailure(f"{where} {key}: unknown key{suggestion(key, fields, hint)}")
    return {
        fields[key].name: converted(item, fields[key].type, f"{where} {key}", strict=True)
        for key, item in given.items()
    }


def converted(given: object, wanted: Any, where: str, *, strict: bool) -> Any:
    """`given` as a `wanted`, from text too if not `strict`. Raises `UsageFailure` if it is none."""
    try:
        return msgspec.convert(given, wanted, strict=strict)
    except msgspec.ValidationError:
        raise UsageFailure(f"{where}: must be {described(wanted)}, not {shown(given)}") from None


def described(wanted: Any) -> str:
    """What a value of the type `wanted` is."""
    match inspect.type_info(wanted):
        case inspect.LiteralType(values):
            return "one of " + ", ".join(str(value) for value in values if value != "")
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() as number:
            return f"a whole number{_range(number)}"
        case inspect.FloatType() as number:
            return f"a number{_range(number)}"
        case inspect.StrType(pattern=pattern):
            return PATTERNS.get(pattern, f"text that matches {pattern}") if pattern else "text"
        case inspect.VarTupleType():
            return "a list of texts"
    raise AssertionError(f"nothing that users write is {wanted!r}")


def shown(given: object) -> str:
    """A value as one would write it, cut if it is long."""
    text = msgspec.json.encode(given).decode()
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


def suggestion(given: str, known: Iterable[str], hint: str, *, prefix: str = "") -> str:
    """The known name that is close to `given`, or `hint`. That both begin with `prefix` makes them no closer."""
    close = difflib.get_close_matches(given.removeprefix(prefix), [name.removeprefix(prefix) for name in known], n=1)
    return f"; did you mean {prefix}{close[0]}?" if close else f"; {hint}"


def _range(number: inspect.IntType | inspect.FloatType) -> str:
    bounds = {"at least": number.ge, "over": number.gt, "at most": number.le, "under": number.lt}
    return "".join(f", {word} {bound:g}" for word, bound in bounds.items() if bound is not None)
