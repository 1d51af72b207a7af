"""The encoding of an HTML body: as HTML forms do, or plain."""

from .text import is_control, trim

PLAIN_MARKS = set('<>"\\^`{|} ')
HEX = set("0123456789abcdefABCDEF")
UNRESERVED = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")


def is_plain(text):
    """Whether the text, without white space at its ends, is one that no encoder writes."""
    inner = trim(text)
    if inner.lower().startswith(("http:", "https:")):
        return True
    return any(char in PLAIN_MARKS or ord(char) > 0x7F or is_control(char) for char in inner)


def decode_bytes(text):
    out = bytearray()
    at = 0
    while at < len(text):
        char = text[at]
        if char == "%" and len(text) >= at + 3 and text[at + 1] in HEX and text[at + 2] in HEX:
            out.append(int(text[at + 1 : at + 3], 16))
            at += 3
            continue
        out.extend(b" " if char == "+" else char.encode("utf-8"))
        at += 1
    return bytes(out)


def decode(text, always=False):
    """(html, encoding): html is None when the decoded bytes are not UTF-8."""
    if not always and is_plain(text):
        return text, "plain"
    try:
        return decode_bytes(trim(text)).decode("utf-8"), "form"
    except UnicodeDecodeError:
        return None, "form"


def encode(html):
    """The WHATWG application/x-www-form-urlencoded form of a text."""
    return "".join(
        "+" if byte == 0x20 else chr(byte) if byte in UNRESERVED else f"%{byte:02X}"
        for byte in html.encode("utf-8")
    )
