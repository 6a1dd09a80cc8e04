"""Text from outside, made safe to show: what a page, a URL or a server says must not steer a terminal."""


def visible(text: str) -> str:
    """`text` with each control character, line ends included, replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
