"""The last stage of converting: no more content than may be given. Pure."""


def cap(text: str, max_bytes: int) -> tuple[str, bool]:
    """Cut `text` to `max_bytes` of UTF-8 on a character boundary; whether it was cut.

    Half a surrogate pair, which JSON may hold and UTF-8 may not, becomes "?".
    """
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= max_bytes:
        return encoded.decode(), False
    return encoded[:max_bytes].decode("utf-8", "ignore"), True
