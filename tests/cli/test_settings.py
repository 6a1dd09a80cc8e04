import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from gofer.cli.environment import OWN
from gofer.cli.failure import UsageFailure
from gofer.cli.settings import SECTIONS, Settings, load, located
from gofer.cli.token import caller_lines
from gofer.cli.wording import described

CONTRACT = {
    "server": {"bind": "127.0.0.1:8380"},
    "store": {"path": "gofer.db"},
    "batch": {
        "enabled": True,
        "max_targets": 32,
        "max_live_per_caller": 1,
        "max_live": 64,
        "ttl_s": 3600,
        "max_bytes": 268435456,
        "sweep_every_s": 60,
        "job_timeout_s": 900,
    },
    "fetch": {
        "concurrency": 64,
        "per_job": 8,
        "per_host": 4,
        "timeout_s": 60,
        "max_body_bytes": 33554432,
        "max_content_bytes": 200000,
    },
    "guard": {"allow": ()},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "gofer.toml"


def test_every_default_is_the_contracts() -> None:
    built = msgspec.to_builtins(load(None, {}))
    for section, keys in CONTRACT.items():
        assert {key: built[section][key] for key in keys} == keys
    assert built["fetch"]["user_agent"].startswith("gofer/")
    assert built["caller"] == ()


def test_the_database_is_in_the_users_data_directory(home: Path) -> None:
    assert located(load(None, {}).store.path) == str(home / "gofer.db")
    assert located("/srv/gofer.db") == "/srv/gofer.db"
    assert located("~/gofer.db") == str(Path.home() / "gofer.db")


def test_a_file_sets_what_it_names_and_the_environment_wins(file: Path) -> None:
    file.write_text(
        '[batch]\nmax_targets = 5\nttl_s = 60\n[guard]\nallow = ["10.1.0.0/16"]\n[fetch]\ntimeout_s = 2.5\n'
    )
    settings = load(
        file, {"GOFER_BATCH_MAX_TARGETS": "7", "GOFER_BATCH_ENABLED": "false", "GOFER_FETCH_ROBOTS": "obey"}
    )
    assert (settings.batch.max_targets, settings.batch.ttl_s, settings.batch.enabled) == (7, 60, False)
    assert (settings.fetch.timeout_s, settings.fetch.robots) == (2.5, "obey")
    assert settings.guard.allow == ("10.1.0.0/16",)


def test_a_list_in_the_environment_is_separated_by_commas() -> None:
    settings = load(None, {"GOFER_GUARD_ALLOW": "127.0.0.1:9000, intranet.example"})
    assert settings.guard.allow == ("127.0.0.1:9000", "intranet.example")


KEYS = [(name, key.encode_name) for name, cls in SECTIONS.items() for key in msgspec.structs.fields(cls)]


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_every_key_can_be_given_in_the_environment(section: str, key: str) -> None:
    """Its own default, said as a string, must come back as the default."""
    default = getattr(getattr(Settings(), section), key)
    text = "" if default == () else str(default)
    assert load(None, {f"GOFER_{section}_{key}".upper(): text}) == Settings()


def test_gofer_config_names_the_file(file: Path) -> None:
    file.write_text("[batch]\nmax_live = 3\n")
    assert load(None, {"GOFER_CONFIG": str(file)}).batch.max_live == 3
    assert load(None, {"GOFER_CONFIG": ""}) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[batch]\nmax_target = 5\n", "[batch] max_target: unknown key; did you mean max_targets?"),
        ("[batch]\nzzz = 5\n", "[batch] zzz: unknown key; docs/settings.md"),
        ("[bath]\nttl_s = 5\n", "unknown section [bath]; did you mean batch?"),
        ('[batch]\nmax_targets = "many"\n', '[batch] max_targets: must be a whole number, at least 1, not "many"'),
        ("[batch]\nenabled = 1\n", "[batch] enabled: must be true or false, not 1"),
        ("[fetch]\nconcurrency = 0\n", "[fetch] concurrency: must be a whole number, at least 1, not 0"),
        ('[fetch]\nrobots = "perhaps"\n', '[fetch] robots: must be one of ignore, obey, not "perhaps"'),
        ('[guard]\nallow = "10.0.0.0/8"\n', '[guard] allow: must be a list of texts, not "10.0.0.0/8"'),
        ("batch = 3\n", "[batch]: must be a table of keys and values, not 3"),
        ('caller = "alice"\n', "under [[caller]]"),
        ("[[caller]]\nname = 'a'\nclass = 'fleet'\n", "[[caller]] 1 token_sha256: is missing"),
        (
            "[[caller]]\nname = 'a'\nclass = 'king'\n",
            '[[caller]] 1 class: must be one of fleet, restricted, not "king"',
        ),
        ("[[caller]]\nname = 'a'\nclass = 'fleet'\ntoken = 'x'\n", "[[caller]] 1 token: unknown key"),
        (
            "[[caller]]\nname = 'a'\nclass = 'fleet'\ntoken_sha256 = 'x'\n",
            "token_sha256 must be 64 hexadecimal digits",
        ),
        ("[batch\n", "is not TOML"),
    ],
)
def test_a_wrong_file_is_told_with_its_name_and_key(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(UsageFailure) as error:
        load(file, {})
    assert str(file) in str(error.value)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        (
            {"GOFER_BATCH_MAX_TARGETS": "many"},
            'GOFER_BATCH_MAX_TARGETS: must be a whole number, at least 1, not "many"',
        ),
        ({"GOFER_BATCH_ENABLED": "perhaps"}, 'GOFER_BATCH_ENABLED: must be true or false, not "perhaps"'),
        ({"GOFER_FETCH_PER_HOST": "0"}, 'GOFER_FETCH_PER_HOST: must be a whole number, at least 1, not "0"'),
        (
            {"GOFER_BATCH_MAX_TARGET": "5"},
            "unknown variable GOFER_BATCH_MAX_TARGET in the environment; did you mean GOFER_BATCH_MAX_TARGETS?",
        ),
        (
            {"GOFER_BATH_MAX_TARGETS": "5"},
            "GOFER_BATH_MAX_TARGETS in the environment; did you mean GOFER_BATCH_MAX_T",
        ),
        ({"GOFER_TOKN": "5"}, "unknown variable GOFER_TOKN in the environment; did you mean GOFER_TOKEN?"),
        (
            {"GOFER_FOO": "5"},
            "GOFER_FOO in the environment; those of gofer are GOFER_CONFIG, GOFER_URL, GOFER_TOKEN and ",
        ),
        ({"GOFER_FETCH_USER_AGENT": "ü"}, "GOFER_FETCH_USER_AGENT: must be text of printable ASCII characters"),
    ],
)
def test_a_wrong_variable_is_told_by_its_name(environ: Mapping[str, str], said: str) -> None:
    with pytest.raises(UsageFailure) as error:
        load(None, environ)
    assert said in str(error.value)


def test_variables_of_other_tools_are_left_alone() -> None:
    """Container platforms put such names into every process beside a service called gofer."""
    platforms = ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_80_TCP", "PORT_80_TCP_ADDR")
    others = ["HOME", "NOT_GOFER_X", *(f"GOFER_{name}" for name in platforms)]
    assert load(None, dict.fromkeys(others, "x") | dict.fromkeys(OWN, "")) == Settings()


def test_a_key_of_ones_own_may_be_called_like_ours() -> None:
    key = {"GOFER_DIGEST_API_KEY_ENV": "GOFER_MODEL_KEY", "GOFER_MODEL_KEY": "secret"}
    assert load(None, key).digest.api_key_env == "GOFER_MODEL_KEY"


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_what_a_key_must_be_is_said_in_plain_words(section: str, key: str) -> None:
    field = next(each for each in msgspec.structs.fields(SECTIONS[section]) if each.encode_name == key)
    assert re.fullmatch("[A-Za-z0-9 ,]+", described(field.type))


def test_a_missing_file_is_told(file: Path) -> None:
    with pytest.raises(UsageFailure, match="No such file"):
        load(file, {})


def test_the_lines_of_a_token_are_settings(file: Path) -> None:
    file.write_text(caller_lines('al "ice"', "restricted", "secret") + caller_lines("bob", "fleet", "other"))
    alice, bob = load(file, {}).caller
    assert (alice.name, alice.caller_class, alice.enabled) == ('al "ice"', "restricted", True)
    assert alice.token_sha256 == hashlib.sha256(b"secret").hexdigest()
    assert bob.caller_class == "fleet"


def test_two_callers_with_one_token_are_refused(file: Path) -> None:
    file.write_text(caller_lines("alice", "fleet", "secret") + caller_lines("bob", "fleet", "secret"))
    with pytest.raises(UsageFailure, match="the same token"):
        load(file, {})


def test_every_key_stands_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text()
    for section, key in KEYS:
        assert f"`[{section}]`" in text
        assert f"`{key}`" in text, f"{section}.{key} is not documented"
