"""Settings: one TOML file and the environment in, one checked frozen struct out. Nothing else is read here.

Each `[section]` is a struct of the floor that it sets up; each key can be given as `GOFER_<SECTION>_<KEY>` too, which
wins over the file.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec

from ..actors.settings import AuditSettings, BatchSettings
from ..fetch.digest_llm import DigestSettings
from ..fetch.settings import FetchSettings
from ..http.auth import Callers, CallerSettings
from .environment import OWN, PREFIX, refuse_unknown
from .failure import UsageFailure
from .home import data_dir
from .wording import converted, members, suggestion

HINT: Final = "docs/settings.md lists them all"

Section = TypeVar("Section", bound=msgspec.Struct)


class ServerSettings(msgspec.Struct, frozen=True):
    """Where the service listens: `host:port`, port 0 for a free one."""

    bind: str = "127.0.0.1:8380"


class StoreSettings(msgspec.Struct, frozen=True):
    """The database file."""

    path: str = "gofer.db"


class CacheSettings(msgspec.Struct, frozen=True):
    """The content cache: how many bytes of pages are kept for when they are asked for again; 0 keeps none."""

    max_bytes: Annotated[int, msgspec.Meta(ge=0)] = 67_108_864


class GuardSettings(msgspec.Struct, frozen=True):
    """What fleet callers may reach beside the public internet: host, host:port, address or network each."""

    allow: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True):
    """All there is to set."""

    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    audit: AuditSettings = AuditSettings()
    batch: BatchSettings = BatchSettings()
    fetch: FetchSettings = FetchSettings()
    cache: CacheSettings = CacheSettings()
    digest: DigestSettings = DigestSettings()
    guard: GuardSettings = GuardSettings()
    caller: tuple[CallerSettings, ...] = ()


SECTIONS: Final[Mapping[str, type[msgspec.Struct]]] = {
    field.encode_name: field.type for field in msgspec.structs.fields(Settings) if field.name != "caller"
}


def located(path: str) -> str:
    """Where a path of the settings leads: a relative one starts at the data directory."""
    return str(data_dir() / Path(path).expanduser())


def load(file: Path | None, environ: Mapping[str, str]) -> Settings:
    """The settings in `file` (None: the one that GOFER_CONFIG names, if any), with the environment's over them.

    Raises `UsageFailure`, naming the key, for one that is unknown, of the wrong type or out of range, for a variable
    that names no setting, and for a file that cannot be read or is not TOML.
    """
    if file is None and environ.get("GOFER_CONFIG"):
        file = Path(environ["GOFER_CONFIG"])
    document = {} if file is None else _read(file)
    callers = document.pop("caller", [])
    for name in document:
        if name not in SECTIONS:
            raise UsageFailure(f"{file}: unknown section [{name}]{suggestion(name, [*SECTIONS, 'caller'], HINT)}")

    def section(cls: type[Section], name: str) -> Section:
        return _section(cls, name, document.get(name, {}), str(file), environ)

    settings = Settings(
        server=section(ServerSettings, "server"),
        store=section(StoreSettings, "store"),
        audit=section(AuditSettings, "audit"),
        batch=section(BatchSettings, "batch"),
        fetch=section(FetchSettings, "fetch"),
        cache=section(CacheSettings, "cache"),
        digest=section(DigestSettings, "digest"),
        guard=section(GuardSettings, "guard"),
        caller=_callers(callers, str(file)),
    )
    variables = {
        _variable(name, key.encode_name) for name, cls in SECTIONS.items() for key in msgspec.structs.fields(cls)
    }
    refuse_unknown(environ, {*OWN, *variables, settings.digest.api_key_env})
    return settings


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text())
    except OSError as error:
        raise UsageFailure(f"cannot read the settings {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageFailure(f"{file} is not TOML: {error}") from error


def _variable(section: str, key: str) -> str:
    return f"{PREFIX}{section}_{key}".upper()


def _section(cls: type[Section], name: str, given: object, file: str, environ: Mapping[str, str]) -> Section:
    values = members(cls, given, f"{file}: [{name}]", hint=HINT)
    for field in msgspec.structs.fields(cls):
        variable = _variable(name, field.encode_name)
        if variable in environ:
            text = environ[variable]
            value = [item.strip() for item in text.split(",") if item.strip()] if field.default == () else text
            values[field.name] = converted(value, field.type, variable, strict=False)
    return cls(**values)


def _callers(given: object, file: str) -> tuple[CallerSettings, ...]:
    if not isinstance(given, list):
        raise UsageFailure(f"{file}: write each caller as a table of its own, under [[caller]]")
    callers = tuple(_caller(table, f"{file}: [[caller]] {n}") for n, table in enumerate(given, 1))
    try:
        Callers(callers)
    except ValueError as error:
        raise UsageFailure(f"{file}: {error}") from error
    return callers


def _caller(given: object, where: str) -> CallerSettings:
    values = members(CallerSettings, given, where, hint=HINT)
    for field in msgspec.structs.fields(CallerSettings):
        if field.required and field.name not in values:
            raise UsageFailure(f"{where} {field.encode_name}: is missing")
    return CallerSettings(**values)
