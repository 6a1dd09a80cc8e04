"""The table of addresses, at its edges."""

from ipaddress import ip_address

import pytest
from gofer.fetch.address import not_public, parse


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("9.255.255.255", None),
        ("10.0.0.0", "private"),
        ("10.255.255.255", "private"),
        ("11.0.0.0", None),
        ("172.15.255.255", None),
        ("172.16.0.0", "private"),
        ("172.32.0.0", None),
        ("192.0.1.0", None),
        ("223.255.255.255", None),
        ("224.0.0.0", "multicast"),
        ("255.255.255.255", "reserved"),
        ("168.63.129.15", None),
        ("168.63.129.16", "cloud platform"),
        ("100.100.100.200", "carrier-internal"),
        ("::", "unspecified"),
        ("::ffff:10.0.0.1", "private"),
        ("::ffff:1.1.1.1", None),
        ("64:ff9b::101:101", "reserved"),
        ("fd00:ec2::254", "private"),
        ("fe80::1", "link-local"),
        ("1fff:ffff::", "reserved"),
        ("2001:200::", None),
        ("2001:1ff::", "reserved"),
        ("2001:db8::1", "documentation"),
        ("2002:808:808::1", "tunnel"),
        ("2a00:1450:4001::200e", None),
        ("3fff:fff::", "documentation"),
        ("3fff:1000::", None),
        ("4000::", "reserved"),
        ("2606:4700::5efe:7f00:1", "loopback"),
        ("2606:4700::200:5efe:a00:1", "private"),
        ("2606:4700::5efe:101:101", None),
    ],
)
def test_each_range_at_its_edges(text: str, kind: str | None) -> None:
    assert not_public(ip_address(text)) == kind


def test_parse_takes_addresses_only_and_unmaps() -> None:
    assert parse("[::ffff:8.8.8.8]") == ip_address("8.8.8.8")
    assert parse("2606:4700::1") == ip_address("2606:4700::1")
    assert parse("fe80::1%eth0") is None
    assert parse("example.com") is None
