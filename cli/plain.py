"""Plain text for people: what a page, a URL or a server says must not steer a terminal, and counts read well."""


def visible(text: str) -> str:
    """`text` with each control character, line ends included, replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def counted(n: int, noun: str) -> str:
    """`1 target`, `2 targets`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
