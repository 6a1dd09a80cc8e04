"""Where a response redirects to: a pure decision. Whether the place may be reached is the guard's."""

import ada_url

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def redirect_url(status: int, location: str, base: str) -> str | None:
    """The absolute URL, without fragment, that a response at `base` redirects to (RFC 9110 section 10.2.2), or None.

    `location` is the header's value, "" when there is none. One that no parser takes is given as it is: the guard
    refuses it by name.
    """
    if status not in _REDIRECTS or not location:
        return None
    try:
        url = ada_url.URL(location, base=base)
    except ValueError:
        return location
    url.hash = ""
    return url.href
