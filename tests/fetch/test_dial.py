"""The address that was judged is the address that is dialled; TLS faults are named; HTTP/2 works on the same path."""

import datetime
import ssl
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import trio
import trustme
from gofer.fetch.dial import Dialler, tls_context
from gofer.fetch.faults import BlockedFault, ConnectFault, DnsFault, TimeoutFault
from gofer.fetch.guard import CheckedUrl, Guard, check_url, precheck
from gofer.fetch.resolve import ScriptedResolver
from gofer.fetch.target import CallerClass, Failed, Fetched
from gofer.fetch.trail import HopNotes

PUBLIC = "93.184.215.14"


def checked(url: str) -> CheckedUrl:
    parsed = check_url(url)
    assert isinstance(parsed, CheckedUrl)
    return parsed


def dialler(
    resolver: ScriptedResolver, *allow: str, caller_class: CallerClass = "fleet", timeout_s: float = 5
) -> Dialler:
    return Dialler(Guard(allow), resolver, caller_class, tls_context(), timeout_s=timeout_s)


async def test_a_name_is_resolved_once_and_the_vetted_address_dialled(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x")})
    resolver = ScriptedResolver({"site.example": [["127.0.0.1"], ["10.0.0.1"]]})
    notes = HopNotes("")
    wire, is_http2 = await dialler(resolver, "127.0.0.1").dial(checked(origin.url(host="site.example")), notes)
    await origin.until_open(1)
    assert not is_http2
    assert notes.dialled == ip_address("127.0.0.1")
    assert resolver.looked_up == ["site.example"]
    wire.close()
    await origin.until_open(0)


async def test_rebinding_between_check_and_connect_is_caught(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"secret")})
    resolver = ScriptedResolver({"evil.example": [[PUBLIC], ["127.0.0.1"]]})
    url = origin.url(host="evil.example")
    assert await precheck(Guard(), resolver, url, web.restricted) is None
    outcome = await web.fetch(url, caller=web.restricted, resolver=resolver)
    assert isinstance(outcome, Failed)
    assert outcome.error == "blocked: the host resolves to an address that is not public"
    assert origin.connections == 0
    assert (outcome.facts.hops[0].addresses, outcome.facts.hops[0].dialled) == (("127.0.0.1",), None)


@pytest.mark.parametrize("answer", [[PUBLIC, "10.0.0.1"], ["127.0.0.1", PUBLIC], ["::ffff:127.0.0.1"], ["fd00::1"]])
async def test_one_bad_address_refuses_the_answer(answer: list[str]) -> None:
    resolver = ScriptedResolver({"mixed.example": [answer]})
    with pytest.raises(BlockedFault):
        await dialler(resolver, caller_class="restricted").dial(checked("http://mixed.example/"), HopNotes(""))


async def test_an_exception_for_fleet_callers_is_none_for_restricted_ones() -> None:
    resolver = ScriptedResolver({"intranet.example": [["10.1.2.3"]]})
    restricted = dialler(resolver, "intranet.example", "10.0.0.0/8", caller_class="restricted")
    with pytest.raises(BlockedFault):
        await restricted.dial(checked("http://intranet.example/"), HopNotes(""))


async def test_the_next_address_is_tried_when_one_refuses(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x")})
    resolver = ScriptedResolver({"site.example": [["::1", "127.0.0.1"]]})
    notes = HopNotes("")
    url = checked(origin.url(host="site.example"))
    wire, _ = await dialler(resolver, "site.example").dial(url, notes)
    wire.close()
    assert notes.addresses == (ip_address("::1"), ip_address("127.0.0.1"))
    assert notes.dialled == ip_address("127.0.0.1")


async def test_no_more_than_eight_addresses_are_tried(web: Any) -> None:
    origin = await web.origin({"/": web.reply(b"x")})
    resolver = ScriptedResolver(
        {"many.example": [["::1"] * 8 + ["127.0.0.1"]], "fewer.example": [["::1"] * 7 + ["127.0.0.1"]]}
    )
    either = dialler(resolver, "::1", "127.0.0.1")
    with pytest.raises(ConnectFault):
        await either.dial(checked(origin.url(host="many.example")), HopNotes(""))
    wire, _ = await either.dial(checked(origin.url(host="fewer.example")), HopNotes(""))
    wire.close()


async def test_faults_of_dialling(unused_port: int) -> None:
    with pytest.raises(DnsFault, match="dns: no such name"):
        await dialler(ScriptedResolver({})).dial(checked("http://nowhere.example/"), HopNotes(""))
    slow = dialler(ScriptedResolver({}, silent=["silent.example"]), timeout_s=0.01)
    with pytest.raises(TimeoutFault, match="timeout: connect"):
        await slow.dial(checked("http://silent.example/"), HopNotes(""))
    local = dialler(ScriptedResolver({}), "127.0.0.1")
    with pytest.raises(ConnectFault, match="connect: refused"):
        await local.dial(checked(f"http://127.0.0.1:{unused_port}/"), HopNotes(""))


async def test_host_sni_and_certificate_keep_the_name(web: Any) -> None:
    tls = web.server_tls("site.example")
    names: list[str | None] = []
    tls.sni_callback = lambda _socket, name, _context: names.append(name)
    origin = await web.origin({"/": web.reply(b"x")}, tls=tls)
    resolver = ScriptedResolver({"site.example": [["127.0.0.1"]]})
    outcome = await web.fetch(origin.url(host="Site.Example."), resolver=resolver)
    assert isinstance(outcome, Fetched)
    assert names == ["site.example"]
    assert origin.asked[0].headers["host"] == f"site.example.:{origin.port}"


async def failure(web: Any, tls: ssl.SSLContext) -> str:
    origin = await web.origin({"/": web.reply(b"x")}, tls=tls)
    outcome = await web.fetch(origin.url())
    assert isinstance(outcome, Failed)
    assert "prove who it is" in outcome.hint
    assert len(outcome.facts.hops) == 1
    return outcome.error


async def test_each_fault_of_a_certificate_is_named(web: Any) -> None:
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    expired = web.server_tls("127.0.0.1", not_before=long_ago, not_after=long_ago + datetime.timedelta(days=1))
    assert await failure(web, expired) == "tls: the certificate has expired"
    assert await failure(web, web.server_tls("other.example")) == "tls: the certificate is for another host"
    foreign = web.server_tls("127.0.0.1", ca=trustme.CA())
    assert await failure(web, foreign) == "tls: the certificate is signed by an unknown authority"


async def test_a_self_signed_certificate_is_named(web: Any) -> None:
    alone = trustme.CA()  # its own certificate, served as if it were a site's
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    with alone.cert_pem.tempfile() as cert, alone.private_key_pem.tempfile() as key:
        context.load_cert_chain(cert, key)
    assert await failure(web, context) == "tls: the certificate is self-signed"


async def test_an_origin_without_tls_is_named(web: Any) -> None:
    async def converse(stream: trio.abc.Stream) -> None:
        await stream.receive_some()
        await stream.send_all(web.reply(status="400 Bad Request"))

    origin = await web.origin({})
    origin._converse = converse
    outcome = await web.fetch(origin.url().replace("http:", "https:"))
    assert isinstance(outcome, Failed)
    assert outcome.error == "tls: the origin does not speak TLS on this port"
    assert outcome.hint.startswith("use http:// if that is meant")


@pytest.mark.parametrize("alert", [40, 70], ids=["handshake_failure", "protocol_version"])
async def test_an_origin_that_finds_no_version_or_cipher_is_named(web: Any, alert: int) -> None:
    async def converse(stream: trio.abc.Stream) -> None:
        await stream.receive_some()
        await stream.send_all(bytes([0x15, 3, 3, 0, 2, 2, alert]))

    origin = await web.origin({})
    origin._converse = converse
    outcome = await web.fetch(origin.url().replace("http:", "https:"))
    assert isinstance(outcome, Failed)
    assert outcome.error == "tls: the handshake failed: no protocol version or cipher in common"
    assert outcome.hint.startswith("the origin may be too old")


async def test_the_trust_store_is_never_empty_and_verifies() -> None:
    context = tls_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.cert_store_stats()["x509_ca"] > 0


async def test_without_a_system_trust_store_there_is_certifi_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert ssl.create_default_context().cert_store_stats()["x509_ca"] == 0
    assert tls_context().cert_store_stats()["x509_ca"] > 50
