"""Links, wherever a document can have one: hosts, URLs, attributes and tags."""

from . import css

HOSTS = (
    "www.H", "H.", "H:80", "user@H", "a:b@H", "a%40b@H", "b\u00fccher.H", "B\u00dcCHER.H", "fa\u00df.H", "\u1e9e.H",
    "\u03c2.H", "%61.H", "%C3%A9.H", "x&#46;H", "*.H", "a_b.H", "-a.H", "{{name}}.H", "a&Tab;b.H", "x\u00adx.H",
    "\ufb01.H", "1.H", "a\u200db.H", "xn--a.H", "xn--.H", "xn--a-ecp.ru.H", "a b.H", "%20.H", "a\u3000b.H", "a..H",
    "\uff41\u3002H", "H\\@q.test", "[::ffff:192.0.2.1]", "0300.0.0x2.2", "3221225985", "[[times:70 a]].H", "%2e%2E.H",
    "x&shy;y.H", "a&#0;b.H", "a&lt;b.H", "a%00b.H", "a|b.H", "a^b.H", "[a.H", "a%zz.H", "xn--fa-hia.H", "x\u2024H",
    "\u212aelvin.H", "a'b.H", "a!$&amp;(),;=b.H", "a`b.H", "a~b.H",
)  # fmt: skip
BEFORE = (
    "HTTP://", "https:/", "https:", "http:\\\\", "/\\", "\\\\", "ht\ntp://", " \x01//", "///", "////", "ws://",
    "wss:", "ftp://", "&#47;/", "&sol;&sol;", "/&Tab;/", "http&colon;//", "foo://", "file://", "/\n/", "\t//",
    "&#x2f&#x2F", "https:&bsol;/", "view-source:http://", "/./", "x:", "javascript:", "blob:https://", "&NewLine;//",
    "\x1f//", "https:////", "https:\\",
)  # fmt: skip
AFTER = (
    "/x", "?q", "#f", "/a b", "/%22", "\\x", "/&amp;y", ":", ":0", ":99999/", "/{{x}}", "&num;", "&quest;",
)  # fmt: skip
ATTRIBUTES = (
    "href", "src", "background", "action", "formaction", "poster", "codebase", "cite", "longdesc", "lowsrc",
    "xlink:href", "ping",
)  # fmt: skip
ELEMENTS = (
    "a", "img", "td", "div", "p", "b", "form", "button", "input type=image", "video", "audio", "source", "track",
    "embed", "iframe", "frame", "object", "link rel=stylesheet", "link rel=icon", "link rel=preload as=image",
    "script", "area", "blockquote", "base", "body", "table", "image", "svg", "math", "template", "select", "option",
    "frameset", "noscript", "v:fill", "use", "feimage", "mi", "title", "textarea", "style", "xmp", "noembed",
    "noframes", "plaintext", "head", "html", "nextid", "isindex", "keygen", "bgsound", "marquee", "meta", "portal",
    "fencedframe",
)  # fmt: skip
FRAMES = ("iframe src", "frame src", "object data", "embed src", "iframe sandbox src")
PRESENTATION = ("fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "cursor")


def host(rng):
    return "H" if rng.random() < 0.6 else rng.choice(HOSTS)


def url(rng):
    before = (
        "//"
        if rng.random() < 0.4
        else rng.choice(("http://", "https://"))
        if rng.random() < 0.4
        else rng.choice(BEFORE)
    )
    after = "" if rng.random() < 0.6 else rng.choice(AFTER)
    return before + host(rng) + after


def value(rng, text):
    """The value of an attribute, as documents write one."""
    if rng.random() < 0.15:
        at = rng.randrange(len(text))
        # A letter H stays what it is: it may be the host.
        if text[at] not in "H&;#" and "&" not in text[max(0, at - 8) : at] and "[[" not in text:
            form = rng.choice(("&#{};", "&#{}", "&#x{:x};", "&#X{:X};", "&#00{};"))
            text = text[:at] + form.format(ord(text[at])) + text[at + 1 :]
    quote = rng.choice('"""\'\' ')
    if quote == " " and not set(" \t\n\r\f>\"'`=<") & set(text):
        return text + (" " if text.endswith("/") else "")
    quote = '"' if quote == " " else quote
    return quote + text.replace(quote, "&quot;" if quote == '"' else "&#39;") + (quote if rng.random() < 0.99 else "")


def attribute(rng, name, text):
    if rng.random() < 0.1:
        name = name.upper()
    parted = rng.choice(("=",) * 8 + (" = ", "=\n"))
    return name + parted + value(rng, text)


def srcset(rng):
    parts = [
        url(rng).replace(" ", "") + rng.choice((" 1x", " 40w", "", " 1x (,)", " )")) for _ in range(rng.randint(1, 3))
    ]
    return rng.choice((",", ", ", " , ", ",,")).join(parts)


def refresh(rng):
    quote = rng.choice(("", "'", '"'))
    before = rng.choice(
        ("0;url=", "0; URL = ", "0,", "0 url=", "0;", "0.5;url=", ";url=", "\t0;url=", "0\x0b;url=", "0;url", ".0;url=")
    )
    return before + quote + url(rng) + rng.choice((quote, "", quote + "x"))


def inner(rng):
    """A document in a document: with https in its URLs, as it may have no base."""
    link = rng.choice(
        (
            "<a href=https://H>",
            "<img src=https://H>",
            "<style>@import 'https://H'</style>",
            "<svg><image href='https://H'/></svg>",
        )
    )
    return (
        rng.choice(("", "", "<svg>", "<select>", "<!--x-->", "<p>", "<template>", "<title>x</title>", "<!--[if mso]>"))
        + link
    )


def data(rng):
    kind = rng.choice(
        ("text/html", "text/html;charset=utf-8", "TEXT/HTML", "image/svg+xml", "application/xhtml+xml", "text/xml")
    )
    html = inner(rng)
    if "html" not in kind.lower() or "xhtml" in kind:
        html = "<svg xmlns='http://www.w3.org/2000/svg'><image href='https://H'/></svg>"
    return rng.choice(
        (f"data:{kind},[[percent {html}]]", f"data:{kind};base64,[[base64 {html}]]", f"data:{kind},{html}")
    )


def tag(rng):
    """A start tag with a link, perhaps with what belongs to it."""
    kind = rng.randrange(20)
    close = rng.choice((">",) * 9 + ("/>", " >", "x>", ""))
    if kind < 9:
        element = rng.choice(("a", "img")) if rng.random() < 0.5 else rng.choice(ELEMENTS)
        attributes = [
            attribute(rng, rng.choice(ATTRIBUTES[:2]) if rng.random() < 0.6 else rng.choice(ATTRIBUTES), url(rng))
        ]
        if rng.random() < 0.3:
            attributes.insert(
                0,
                rng.choice(("x", "id=q", "class='a b'", "\0x=y", "=", "'", '"', "x='>'", 'x="<"', "/", "href", "src=")),
            )
        return f"<{element} {rng.choice((' ', '/', chr(10))).join(attributes)}{close}"
    if kind == 9:
        return f"<{rng.choice(('img', 'source', 'p'))} {attribute(rng, 'srcset', srcset(rng))}{close}"
    if kind == 10:
        return f"<link rel=preload as=image {attribute(rng, 'imagesrcset', srcset(rng))}{close}"
    if kind == 11:
        return f"<meta {attribute(rng, 'http-equiv', 'refresh')} {attribute(rng, 'content', refresh(rng))}{close}"
    if kind == 12:
        return f"<{rng.choice(ELEMENTS)} {attribute(rng, 'style', css.declarations(rng))}{close}"
    if kind == 13:
        return f"<style{close}{css.sheet(rng)}{rng.choice(('</style>',) * 8 + ('</style', '</STYLE >', ''))}"
    if kind == 14:
        return f"<iframe {attribute(rng, 'srcdoc', inner(rng))}{close}"
    if kind == 15:
        return f"<{rng.choice(FRAMES)}={value(rng, data(rng))}{close}"
    if kind == 16:
        return f"<svg><rect width=9 height=9 {attribute(rng, rng.choice(PRESENTATION), css.url(rng))}/>"
    if kind == 17:
        name = rng.choice(("to", "from", "by"))
        return f"<svg><image width=9 height=9><set attributeName=href {attribute(rng, name, url(rng))} />"
    if kind == 18:
        return f"<object {attribute(rng, 'data', url(rng))}{close}"
    return f"<base {attribute(rng, 'href', url(rng))}{close}"


def document(rng):
    return "".join(
        tag(rng) + rng.choice(("", "", "x", "\n", "</a>", "</p>", "</svg>")) for _ in range(rng.randint(1, 5))
    )
