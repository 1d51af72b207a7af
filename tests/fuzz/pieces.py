"""Pieces of which cases are made: texts, addresses, HTML, and JSON written in many ways.

Every function takes a `random.Random`, so that a seed gives the same pieces again. Characters are assigned by
Unicode 14 or older: tables of any age agree on them.
"""

import unicodedata
import urllib.parse

TEXTS = [
    "Hello",
    "",
    " ",
    "\u00a0\u3000",
    "0",
    "1",
    "true",
    "Hello {{ name }}",
    "Hello {{name",
    "50 %% off %%",
    "*|FNAME|*",
    "${a.b-c~d}",
    "{%_x%}",
    "line\nbreak",
    "tab\there",
    "nul\u0000inside",
    "\u2028",
    "\u0085",
    "\u200bzero width",
    "caf\u00e9",
    "cafe\u0301",
    "\u0130\u03a3\u00df",
    "\U0001f600 and \U0001f468\u200d\U0001f469",
    '"quoted" \\ and /',
    "<API_KEY>",
    "x" * 64,
    "x" * 300,
]
LOCALS = [
    "news",
    "a",
    "A.B",
    "known",
    "KNOWN",
    "o'hara+tag",
    "x" * 64,
    "x" * 65,
    "j\u00f6rg",
    "jo\u0308rg",
    "\u03a3\u03c3\u03c2",
    "\u0130",
    ".a",
    "a..b",
    "a b",
    '"a"',
    "",
    "\u200b",
    "\U0001f600",
]
DOMAINS = [
    "shop.example",
    "SHOP.Example",
    "customer.example",
    "sub.customer.example",
    "bad.example",
    "deep.sub.bad.example",
    "b\u00fccher.example",
    "xn--bcher-kva.example",
    "\u4f8b\u3048.test",
    "xn--r8jz45g.test",
    "localhost",
    "a.b",
    "a.1",
    "127.0.0.1",
    "[127.0.0.1]",
    "-a.example",
    "a-.example",
    "a_b.example",
    "shop.example.",
    "a..example",
    "x" * 63 + ".example",
    "x" * 64 + ".example",
    "\uff53hop.example",
    "stra\u00dfe.example",
    "",
]
GOOD_LOCALS = ["news", "a", "A.B", "known", "KNOWN", "o'hara+tag", "j\u00f6rg", "jo\u0308rg", "reader"]
GOOD_DOMAINS = ["shop.example", "SHOP.Example", "customer.example", "sub.customer.example", "bad.example"]
# The entries that a world's lists may have: lower-case ASCII.
LISTED_DOMAINS = ["shop.example", "customer.example", "bad.example", "sub.bad.example", "example", "b.example"]
URLS = [
    "https://www.shop.example/a?b=c",
    "http://bad.example",
    "//deep.bad.example/x",
    "HTTPS://BAD.EXAMPLE:8443/",
    "http:bad.example",
    "https:\\\\bad.example\\x",
    "http://user:word@bad.example/",
    "http://b%61d.example/",
    "http://b\u00fccher.example/",
    "ftp://files.example/x",
    "mailto:a@bad.example?cc=b@shop.example",
    "http://[::1]/",
    "http://0x7f.1/",
    "javascript:alert(1)",
    "data:text/html,<a href='http://bad.example'>x</a>",
    "/relative/path",
    "www.bad.example/x",
    "#here",
    "ht\ntp://bad.example/",
    " http://bad.example ",
    "http&#58;//bad.example",
    "http://",
    "http://exa mple/",
]
FRAGMENTS = [
    "<p>Hello</p>",
    "text with www.bad.example and http://shop.example.",
    '<a href="URL">x</a>',
    "<a href='URL'>x</a>",
    "<a href=URL>x</a>",
    "<img src=URL alt=''>",
    '<img srcset="URL 1x, /b 2x">',
    '<div style="background:url(URL)">x</div>',
    "<style>@import 'URL'; p{background:url( \"URL\" )}</style>",
    "<base href='URL'>",
    "<meta http-equiv=refresh content='0; url=URL'>",
    "<!--[if mso]><a href='URL'>x</a><![endif]-->",
    "<!-- URL -->",
    "<svg><a xlink:href='URL'>x</a></svg>",
    '<iframe srcdoc="&lt;a href=URL&gt;"></iframe>',
    "<script>URL</script>",
    "<title>URL</title>",
    "<form action=URL><button formaction=URL>x</button></form>",
    "<td background=URL>",
    "<a href=",
    "<table><a href=URL>",
    "100% &amp; more",
]


def pick(rng, *choices):
    """One of the functions or values; functions are called."""
    chosen = rng.choice(choices)
    return chosen(rng) if callable(chosen) else chosen


def text(rng):
    return rng.choice(TEXTS) if rng.random() < 0.8 else rng.choice(TEXTS) + rng.choice(TEXTS)


def good_address(rng):
    return f"{rng.choice(GOOD_LOCALS)}@{rng.choice(GOOD_DOMAINS)}"


def address(rng):
    if rng.random() < 0.75:
        return good_address(rng)
    joint = rng.choice(["@", "@", "@", "@", "", "@@", " @ "])
    return rng.choice(LOCALS) + joint + rng.choice(DOMAINS)


def address_list(rng):
    entries = [pick(rng, address, good_address, good_address, "", " ") for _ in range(rng.choice([1, 1, 2, 3, 6]))]
    return rng.choice([",", ", ", " ,"]).join(entries)


def html(rng):
    fragments = (rng.choice(FRAGMENTS) for _ in range(rng.choice([1, 1, 2, 4])))
    return "".join(fragment.replace("URL", rng.choice(URLS)) for fragment in fragments)


def body_field(rng):
    """A value that a client puts into `body`: HTML as a form encodes it, plain HTML, or neither."""
    document = html(rng)
    way = rng.random()
    if way < 0.6:
        return urllib.parse.quote_plus(document)
    if way < 0.7:
        return urllib.parse.quote(document, safe="/:")
    if way < 0.9:
        return document
    return rng.choice(["caf%E9", "%", "%zz", "+", " %20 ", "%00", "%EF%BB%BF", "Hello", "http://bad.example"]) + (
        urllib.parse.quote_plus(document) if rng.random() < 0.5 else ""
    )


class Raw(str):
    """A piece of JSON written as it is."""


NUMBERS = ["0", "1", "7", "42", "-1", "1.5", "1e2", "1.0", "-0", "9223372036854775807", "9223372036854775808", "1" * 40]


def odd(rng):
    """A value of a type that is rarely right."""
    return rng.choice(
        [None, True, False, "", " ", [], {}, ["a"], {"a": 1}, "\u0663", "+1", "007", "1.0", "00", " 1"]
        + [Raw(number) for number in NUMBERS]
    )


def write_json(rng, value, plain=False):
    """The JSON text of a value; an object may be given as a tuple of pairs, so that names may repeat."""
    if isinstance(value, Raw):
        return str(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return write_string(rng, value, plain)
    space = "" if plain or rng.random() < 0.8 else rng.choice([" ", "\n", "\t ", "\r\n"])
    if isinstance(value, list):
        return "[" + space + ("," + space).join(write_json(rng, item, plain) for item in value) + "]"
    pairs = value.items() if isinstance(value, dict) else value
    members = (
        write_string(rng, name, plain) + ":" + space + write_json(rng, item, plain) for name, item in pairs
    )
    return "{" + space + ("," + space).join(members) + space + "}"


SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def write_string(rng, value, plain):
    escaping = 0.0 if plain or rng.random() < 0.85 else rng.choice([0.1, 1.0])
    written = []
    for character in value:
        if character == "/" and escaping and rng.random() < 0.5:
            written.append("\\/")
        elif ord(character) < 32 or (escaping and rng.random() < escaping):
            units = character.encode("utf-16-be").hex()
            if character in SHORT and rng.random() < 0.5:
                written.append(SHORT[character])
            else:
                written.extend(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
        else:
            written.append(SHORT.get(character, character))
    return '"' + "".join(written) + '"'


def mutate(rng, data):
    """Bytes changed in a few places."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 1, 2, 4, 16, 64]))
        way = rng.randrange(6)
        if way == 0:
            del data[at:end]
        elif way == 1:
            data[at:at] = data[at:end]
        elif way == 2:
            data[at:end] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 2, 3])))
        elif way == 3 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif way == 4:
            token = rng.choice(TOKENS)
            data[at:at] = token.encode("utf-8") if isinstance(token, str) else token
        elif data:
            other = rng.randrange(len(data))
            data[at:at] = data[other : other + rng.choice([1, 8, 40])]
    return without_new_characters(bytes(data))


def without_new_characters(data):
    """The bytes, with a question mark in place of each character that Python's tables do not know.

    Newer versions of Unicode have assigned some of them, and the libraries that are compared have tables of several versions.
    """
    text = data.decode("utf-8", "surrogateescape")
    known = ("?" if unicodedata.category(character) == "Cn" else character for character in text)
    return "".join(known).encode("utf-8", "surrogateescape")


TOKENS = [
    "\ufeff", "{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "\\ud800", "\\udc00\\ud800", "null", "true", "0", "-",
    "1e9", "\n", "\u00a0", "\u2028", "%", "%41", "+", "@", ".", "<", ">", "&#", "&amp;", "www.", "http://bad.example",
    b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", '"to":"a@b.example",', '"subID":7,', '"apiKey":"key-1",', "[" * 130,
]  # fmt: skip
