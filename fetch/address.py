"""Which IP addresses are the public internet: a pure verdict from an explicit table.

The table is our own because `ipaddress.is_global` calls several unreachable, translated and cloud-internal ranges
global, and differs by Python build. Sources: the IANA special-purpose address registries (RFC 6890), RFC 6666,
RFC 8215 and, for 168.63.129.16, the platform address of one large cloud.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

_NOT_PUBLIC_V4 = {
    IPv4Network(network): kind
    for network, kind in {
        "0.0.0.0/8": "unspecified",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "carrier-internal",
        "127.0.0.0/8": "loopback",
        "168.63.129.16/32": "cloud platform",
        "169.254.0.0/16": "link-local",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "reserved",
        "192.0.2.0/24": "documentation",
        "192.88.99.0/24": "reserved",
        "192.168.0.0/16": "private",
        "198.18.0.0/15": "benchmarking",
        "198.51.100.0/24": "documentation",
        "203.0.113.0/24": "documentation",
        "224.0.0.0/4": "multicast",
        "240.0.0.0/4": "reserved",
    }.items()
}
_NAMED_V6 = {
    IPv6Network(network): kind
    for network, kind in {
        "::/128": "unspecified",
        "::1/128": "loopback",
        "fc00::/7": "private",
        "fe80::/10": "link-local",
        "ff00::/8": "multicast",
    }.items()
}
_PUBLIC_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_IN_V6 = {
    IPv6Network(network): kind
    for network, kind in {
        "2001::/23": "reserved",  # Teredo among others: a tunnel to an address of the sender's choosing
        "2001:db8::/32": "documentation",
        "2002::/16": "tunnel",  # 6to4, likewise
        "3fff::/20": "documentation",
    }.items()
}


def parse(text: str) -> Address | None:
    """The address that `text` is in canonical notation (brackets allowed), an IPv4-mapped one as its IPv4 address.

    None when it is not an address. A zone id is not accepted: it names an interface of this machine.
    """
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        return None
    return unmapped(address)


def unmapped(address: Address) -> Address:
    """`address`, or the IPv4 address it maps: that is where a connection would go (RFC 4291 section 2.5.5.2)."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def not_public(address: Address) -> str | None:
    """Why `address` is no public internet address, as one short word or two; None when it is one."""
    address = unmapped(address)
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _NOT_PUBLIC_V4.items() if address in network), None)
    if address not in _PUBLIC_V6:
        return next((kind for network, kind in _NAMED_V6.items() if address in network), "reserved")
    for network, kind in _NOT_PUBLIC_IN_V6.items():
        if address in network:
            return kind
    embedded = _isatap(address)
    return None if embedded is None else not_public(embedded)


def _isatap(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address inside an ISATAP interface identifier (RFC 5214 section 6.1)."""
    identifier = int(address) & 0xFFFF_FFFF_FFFF_FFFF
    if (identifier >> 32) & 0xFCFF_FFFF != 0x0000_5EFE:
        return None
    return IPv4Address(identifier & 0xFFFF_FFFF)
