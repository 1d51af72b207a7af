"""Documents in documents: `data:` URLs, `srcdoc` and the strings of linked data, each decoded once."""

import base64 as base64_codec
import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from .markup import SPACE, read_tag, resolved
from .text import WHITE_SPACE
from .texts import TOGETHER, Form, with_marks_apart

# The place of a `data:` URL: it is loaded as a style sheet, shown as a document, or used otherwise.
SHEET, FRAME, ELSEWHERE = "sheet", "frame", "elsewhere"
FRAMES = {"iframe", "frame", "object", "embed"}
ICONS = {"icon", "shortcut", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"}
LINKED_DATA = "application/ld+json"

TOKEN = r"[!#$%&'*+.^_`|~0-9a-z-]+"
TYPE = re.compile(f"{TOKEN}/{TOKEN}")
PICTURE = re.compile("(?:image|audio|video|font)/|application/pdf$")
BASE64 = re.compile(r";[\x00-\x20]*base64[\x00-\x20]*$", re.IGNORECASE | re.ASCII)
# As the standard has it. Other readers take more than spaces for white space.
PLAIN_BASE64 = re.compile(r"; *base64 *$", re.IGNORECASE | re.ASCII)
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
# Vertical tabs and spaces beyond ASCII do not belong to HTML's white space: they would be a part of the name.
CHARSET = re.compile(
    f";[{WHITE_SPACE}]*charset[{WHITE_SPACE}]*=[{WHITE_SPACE}]*\"?[{WHITE_SPACE}]*([^;\"{WHITE_SPACE}]*)", re.IGNORECASE | re.ASCII
)
# The labels of the Encoding Standard.
UTF8 = {"utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"}
# The beginnings of the labels of UTF-16 and ISO-2022, and some whole labels. Hyphens are ignored: few readers want them.
WIDE_BEGINNINGS = ("utf16", "ucs2", "iso10646ucs2", "iso2022", "csiso2022", "hzgb2312")
WIDE = {"csunicode", "unicode", "unicodefeff", "unicodefffe"}
NAMED_CHARSET = re.compile(r"(charset|encoding)[ \t\n\r\f]*=?[ \t\n\r\f]*[\"']?[ \t\n\r\f]*([\w-]{0,32})", re.IGNORECASE | re.ASCII)
MARKS_OF_UTF16 = (b"\xff\xfe", b"\xfe\xff")

DATA = re.compile("data:", re.IGNORECASE)
CONTROL_OR_SPACE = "".join(map(chr, range(0x21)))
# Other white space does not end a value without quotes.
END_OF_WORD = re.compile(f"[>{SPACE}]")
IMPORT = re.compile(
    r"@import(?:\s|/\*.*?\*/)*(?:url\(\s*)?[\"']?\s*(?=data:)", re.IGNORECASE | re.ASCII | re.DOTALL
)
PREFIX = r"(?:[^\s<>/\"'=:]+:)?"
LOADING_TAG = re.compile(
    rf"<(?:{PREFIX}(link|iframe|frame|object|embed)(?=[\s/>])|\?(xml-stylesheet)(?=\s))", re.IGNORECASE
)
SRCDOC = re.compile(rf"srcdoc[{SPACE}]*=[{SPACE}]*(?:\"([^\"]*)|'([^']*)|([^{SPACE}>\"'][^{SPACE}>]*))", re.IGNORECASE)
SCRIPT = re.compile(r"<script(?=[\s/>])", re.IGNORECASE)
SCRIPT_END = re.compile("</script", re.IGNORECASE)
JSON_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"?', re.DOTALL)
JSON_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
JSON_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Inner(NamedTuple):
    """A document in a document."""

    text: str
    # Whether every reader reads its bytes as UTF-8.
    is_utf8: bool = True
    # Whether its charset is named or marked as one in which ASCII may be something else.
    is_wide: bool = False
    is_sheet: bool = False
    is_json: bool = False


def in_data_url(url, place, charset=""):
    """The contents that a `data:` URL has for readers. `charset`: of the element that loads it."""
    scheme, _, rest = re.sub("[\t\n\r\0]", "", url).strip(CONTROL_OR_SPACE).partition(":")
    head, comma, body = rest.partition(",")
    kind = head.partition(";")[0].strip(CONTROL_OR_SPACE).lower()
    if scheme.lower() != "data" or not comma or not is_read(kind, place):
        return []
    data = unquote_to_bytes(body.encode("utf-8", "surrogatepass"))
    contents = [forgiving_base64(data)] if BASE64.search(head) else []
    if not PLAIN_BASE64.search(head):
        contents.append(data)
    return [content_of(data, head, kind, place, charset) for data in contents]


def content_of(data, head, kind, place, charset):
    as_ascii = data.decode("latin-1").replace("\0", "")
    labels = [label.lower() for label in CHARSET.findall(head)]
    named = NAMED_CHARSET.findall(re.sub("[\t\n\r]", "", as_ascii))
    encodings = [label for word, label in named if word.lower() == "encoding" and label]
    is_wide = data.startswith(MARKS_OF_UTF16) or any(
        map(names_wide, [*labels, charset, *(label for _, label in named)])
    )
    # Few readers look at the type of a sheet, and a sheet can name its charset.
    is_xml = TYPE.fullmatch(kind) and kind.endswith("xml") and place != SHEET
    is_xml = is_xml and all(label.lower() in UTF8 for label in encodings)
    is_utf8 = all(label in UTF8 for label in labels) if labels else bool(is_xml)
    return Inner(data.decode("utf-8", "replace"), is_utf8, is_wide, place == SHEET or kind == "text/css")


def names_wide(label):
    plain = label.strip().lower().replace("-", "")
    return plain.startswith(WIDE_BEGINNINGS) or plain in WIDE


def is_read(kind, place):
    """Whether a `data:` URL of this type is read there."""
    if place == SHEET or not TYPE.fullmatch(kind):
        return True
    if place == FRAME:
        return not PICTURE.match(kind) or kind.endswith("xml")
    return kind.startswith("text/") or kind.endswith(("html", "xml"))


def forgiving_base64(data):
    """The bytes that the letters encode, as far as they are valid."""
    letters = data.translate(None, b"\t\n\f\r ")
    wrong = NOT_BASE64.search(letters)
    letters = letters[: wrong.start()] if wrong else letters
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return base64_codec.b64decode(letters + b"=" * (-len(letters) % 4))


def in_srcdoc(value):
    return Inner(value)


def in_linked_data(script):
    """The strings of JSON, each a document."""
    for found in JSON_STRING.finditer(script):
        text = JSON_ESCAPE.sub(json_character, found[1])
        yield Inner(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"), is_json=True)


def json_character(escape):
    return chr(int(escape[1], 16)) if escape[1] else JSON_CONTROLS.get(escape[2], escape[2])


def is_linked_data(types):
    return any(kind.partition(";")[0].strip(SPACE).lower() == LINKED_DATA for kind in types)


def place_of(name, rels):
    """The use that an element of that name makes of a `data:` URL."""
    if name in FRAMES:
        return FRAME
    words = {word.lower() for rel in rels for word in rel.split()}
    return SHEET if name == "link" and not (words and words <= ICONS) else ELSEWHERE


# In soup


def in_soup(written):
    """The documents in a soup."""
    seen = set()
    urls = [(url, place, "") for url, place, is_shared in data_urls(written) if not is_shared]
    for url, place, charset in [*urls, *loaded_urls(written)]:
        if (url, place, charset) not in seen:
            seen.add((url, place, charset))
            yield from in_data_url(url, place, charset)
    for found in SRCDOC.finditer(written):
        yield in_srcdoc(resolved(found[found.lastindex], in_attribute=True))
    for found in SCRIPT.finditer(written):
        tag = read_tag(written, found.start())
        if is_linked_data(resolved(value, True) for name, value in tag.attributes if name == "type"):
            end = SCRIPT_END.search(written, tag.end)
            yield from in_linked_data(written[tag.end : end.start() if end else len(written)])


def has_data_document(written, is_json):
    """Whether a document in a document holds a `data:` URL that would be read."""
    if any(True for _ in data_urls(written, only_first=is_json)):
        return True
    loaded = [] if is_json else loaded_urls(written)
    return any(in_data_url(url, place, charset) for url, place, charset in loaded)


def shares_data(written):
    """Whether a `data:` URL is a part of another one's body."""
    return any(is_shared for _, _, is_shared in data_urls(written))


def has_long_tags(written, is_inner):
    """Whether the tags that may hold documents are together much longer than the text. They can begin within one another."""
    tags = [*LOADING_TAG.finditer(written), *([] if is_inner else SCRIPT.finditer(written))]
    octets = sum(len(written[tag.start() : read_tag(written, tag.start()).end].encode()) for tag in tags)
    return octets > 2 * len(written.encode()) + 4096


def data_urls(written, only_first=False):
    """Each `data:` that is read, with each of its ends, its place, and whether it is in the body of another one.

    `only_first`: where the text begins with it.
    """
    for form in map(Form, with_marks_apart(written)):
        imports = {found.end() for found in IMPORT.finditer(form.text)}
        last = {}
        for found in DATA.finditer(form.text):
            before = form.text[: found.start()].rstrip(CONTROL_OR_SPACE)[-1:] if found.start() else ""
            if only_first and before:
                continue
            place = SHEET if found.start() in imports else ELSEWHERE
            for kind, end in ends_of_data(form, found.end(), before):
                url = form.text[found.start() : end].translate(TOGETHER)
                if not in_data_url(url, place):
                    continue
                comma = found.start() + url.index(",")
                comma_before, end_before = last.get(kind, (0, 0))
                is_within = found.end() < end_before
                # A URL that is written in the type of another one has the body of that one.
                if not is_within or comma != comma_before:
                    yield url, place, is_within
                if not is_within:
                    last[kind] = comma, end


def ends_of_data(form, start, before):
    """The places at which a `data:` URL ends after this character, each with the thing that ends it."""
    if before and before in "\"'(":
        mark = before.replace("(", ")")
        return [(mark, form.find(mark, start))]
    end = form.search(END_OF_WORD, start)
    ends = [(">", end)]
    if form.gaps:
        ends.append(("gap", min(end, form.next_gap(start))))
    if before and before in "=;":
        ends += [(mark, form.find(mark, start)) for mark in "\"'"]
    return ends


def loaded_urls(written):
    """The URLs that elements in the text load, in any place."""
    for found in LOADING_TAG.finditer(written):
        tag = read_tag(written, found.start())
        values = {}
        for name, value in tag.attributes:
            values.setdefault(name, []).append(resolved(value, in_attribute=True))
        place = place_of((found[1] or "link").lower(), values.get("rel", []) if found[1] else [])
        if place != ELSEWHERE:
            for name in values:
                for value in values[name]:
                    if DATA.match(re.sub("[\t\n\r\0]", "", value).strip(CONTROL_OR_SPACE)):
                        yield value, place, " ".join(values.get("charset", []))
