"""From bytes to text: which character encoding a body is in. Pure.

The order is that of the WHATWG encoding standard and of HTML's "determining the character encoding": byte order mark,
HTTP header, the document's own declaration; then what the bytes themselves tell. One thing differs: a declaration
that the bytes contradict is not believed, for the reader wants the text, not the rule.
"""

import codecs
import re
import unicodedata
from typing import NamedTuple

import charset_normalizer
import webencodings

PRESCAN_BYTES = 4_096  # HTML asks for 1,024 at least; declarations further down are common
SAMPLE_BYTES = 64 << 10  # what is looked at to guess or to doubt an encoding

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))

# Python's codecs for what browsers mean by these labels; webencodings names the others rightly.
_CODECS = {"gbk": "gb18030", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}

# What is guessed among when nothing is declared: what the web still serves, by the names of charset-normalizer.
_GUESSES = {
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "cp1253": "windows-1253",
    "cp1254": "windows-1254",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1257": "windows-1257",
    "cp1258": "windows-1258",
    "iso8859_2": "iso-8859-2",
    "iso8859_5": "iso-8859-5",
    "iso8859_6": "iso-8859-6",
    "koi8_r": "koi8-r",
    "koi8_u": "koi8-u",
    "cp866": "ibm866",
    "tis_620": "windows-874",
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "gb18030": "gb18030",
    "big5hkscs": "big5",
    "cp949": "euc-kr",
}


class Decoded(NamedTuple):
    """Text without its byte order mark, the WHATWG name of its encoding, and the share of characters lost."""

    text: str
    encoding: str
    lost: float


def decode(body: bytes, http_charset: str = "") -> Decoded:
    """Decode `body`; `http_charset` is the header's charset parameter. Undecodable bytes become U+FFFD."""
    encoding = find_encoding(body, http_charset)
    text = body.decode(_codec(encoding), "replace").removeprefix("\ufeff")
    return Decoded(text, encoding, text.count("\ufffd") / len(text) if text else 0.0)


def find_encoding(body: bytes, http_charset: str = "") -> str:
    """The WHATWG name of the encoding that `body` is in; "windows-1252", as in browsers, when nothing tells."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return encoding
    wide = find_utf16(body)
    if wide:
        return wide
    sample = _whole_characters(body[:SAMPLE_BYTES])
    for label in (http_charset, declared_encoding(body[:PRESCAN_BYTES])):
        found = webencodings.lookup(label) if label else None
        if found and _believable(found.name, sample):
            return str(found.name)
    if b"\x1b$B" in sample or b"\x1b$@" in sample:
        return "iso-2022-jp"
    if _faults("utf-8", sample) == 0:
        return "utf-8"
    return _guess(sample)


def find_utf16(body: bytes) -> str | None:
    """The byte order of UTF-16 without a mark, by where the zero bytes of its ASCII characters fall; else None.

    Text in any script has such characters: spaces, line ends, markup. No other encoding of text has zero bytes.
    """
    sample = body[: SAMPLE_BYTES & ~1]
    if b"\0" not in sample:
        return None  # found out at once, and true of nearly all
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    zeros = even + odd
    if len(body) % 2 or min(even, odd) * 2 > max(even, odd):
        return None
    if sample.isascii() and zeros * 4 < len(sample) and zeros * 32 < len(sample) + 64:
        return None  # ASCII with stray zeros
    encoding = "utf-16le" if odd > even else "utf-16be"
    text = sample.decode(_codec(encoding), "replace")
    strange = sum(unicodedata.category(ch) in _STRANGE and ch not in "\t\n\r\f" for ch in text)
    return encoding if strange * 50 <= len(text) - 1 else None


_STRANGE = ("Cc", "Cn", "Co", "Cs")  # control, unassigned, private, surrogate: a third of all pairs of random bytes

_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)"""
    rb"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?"""
)
_TAG = re.compile(rb"<(!--|/?[A-Za-z][^\t\n\f\r />]*|[!/?])")
_CONTENT = re.compile(rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))""", re.I)
_XML_DECLARATION = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def declared_encoding(head: bytes) -> str | None:
    """The label that a document declares for itself: `<?xml encoding>`, or HTML's prescan for `<meta>`.

    Follows "prescan a byte stream to determine its encoding" of the HTML standard.
    """
    xml = _XML_DECLARATION.match(head)
    if xml:
        return _label(xml[1] or xml[2])
    at = 0
    while tag := _TAG.search(head, at):
        name = tag[1].lower()
        at = tag.end()
        if name == b"!--":
            at = head.find(b"-->", tag.end() - 2) + 3
            if at < 3:
                return None
        elif not name[-1:].isalnum():
            at = head.find(b">", at) + 1 or len(head)
        else:
            attributes: dict[bytes, bytes] = {}
            while found := _ATTRIBUTE.match(head, at):
                at = found.end()
                attributes.setdefault(found[1].lower(), found[2] or found[3] or found[4] or b"")
            label = _meta_label(attributes) if name == b"meta" else None
            if label and webencodings.lookup(label):
                return label
    return None


def _meta_label(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _label(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CONTENT.search(attributes.get(b"content", b""))
        return _label(found[1] or found[2] or found[3]) if found else None
    return None


def _label(raw: bytes | None) -> str | None:
    """As the standard has it: what can be read as ASCII is not in UTF-16, whatever it says."""
    label = (raw or b"").decode("ascii", "replace").strip()
    found = webencodings.lookup(label)
    if found and found.name.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if found and found.name == "x-user-defined" else label


def _believable(encoding: str, sample: bytes) -> bool:
    """Whether the bytes can be what is said of them."""
    if encoding in ("replacement", "x-user-defined"):
        return False
    unusual = len(sample.translate(None, bytes(range(0x80))))
    if encoding.startswith("utf-16"):
        return _faults(encoding, sample) == 0 and _faults("utf-8", sample) > 0
    if encoding != "utf-8" and unusual >= 12 and _faults("utf-8", sample) == 0:
        return False  # a dozen bytes don't fall into UTF-8's pattern by chance
    return _faults(encoding, sample) * 50 <= unusual + 50  # a broken character or two is no proof


def _faults(encoding: str, sample: bytes) -> int:
    lost = sample.decode(_codec(encoding), "replace").count("\ufffd")
    return lost - sample.count(b"\xef\xbf\xbd") if lost and encoding == "utf-8" else lost


def _guess(sample: bytes) -> str:
    """Guess by the languages that the bytes may be; among the encodings of Latin letters by their alphabets."""
    text = _MARKUP.sub(b" ", sample)
    found = charset_normalizer.from_bytes(text, cp_isolation=list(_GUESSES)).best()
    guess = _GUESSES[found.encoding] if found else "windows-1252"
    if guess not in _LATIN:
        return guess
    return max(("windows-1252", guess, *_LATIN), key=lambda encoding: _latin_fit(text, encoding))  # first of equals


def _latin_fit(text: bytes, encoding: str) -> float:
    """The share of the characters beyond ASCII that one language of `encoding` can account for."""
    decoded = text.decode(_codec(encoding), "replace").lower()
    letters = [ch for ch in decoded if ch > "\x7f" and ch not in _PUNCTUATION]
    best = max(sum(ch in alphabet for ch in letters) for alphabet in _LATIN[encoding])
    return best / len(letters) if letters else 0.0


_PUNCTUATION = "\xa0«»‹›“”„‘’‚–—…·•°§€£©®™¿¡´"
_WESTERN = ("äöüß", "àâæçéèêëîïôùûüÿœ", "áéíñóúü", "àáâãçéêíóôõú", "àèéìòù", "åäæöøé", "áðéíóúýþæö")
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž", "äöüß")
_LATIN = {
    "windows-1252": _WESTERN,
    "windows-1250": _CENTRAL,
    "iso-8859-2": _CENTRAL,
    "windows-1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
    "windows-1254": ("çğıöşüâîû",),
    "windows-1258": ("ăâđêôơưàáèéíóùú\u0300\u0301\u0303\u0309\u0323",),
    "macintosh": _WESTERN,
}

_MARKUP = re.compile(rb"<[^<>]*>")  # it tells nothing of a language


def _whole_characters(sample: bytes) -> bytes:
    """Cut after the last ASCII byte if the sample was cut at all, so that no character is halved."""
    if len(sample) < SAMPLE_BYTES:
        return sample
    return sample[: max(sample.rfind(b"\n"), sample.rfind(b" "), sample.rfind(b">"), len(sample) - 200) + 1]


def _codec(encoding: str) -> str:
    found = webencodings.lookup(encoding)
    return _CODECS.get(encoding) or (found.codec_info.name if found else encoding)
