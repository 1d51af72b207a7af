"""Documents whose tags depend on their structure: elements that open, close and hide what comes after them."""

import re

from . import places

HTML = (
    "div p b a i font nobr table tr td th tbody thead tfoot caption colgroup col select option optgroup button form "
    "fieldset h1 h2 li dd dt ul span body html head template frameset frame noscript ruby rt rb object applet marquee "
    "input hr br address main details summary dialog image keygen selectedcontent label pre listing center"
).split()
RAW = "style script title textarea xmp iframe noembed noframes plaintext noscript".split()
FOREIGN = (
    "svg math svg math svg math foreignObject desc title mi mo mn ms mtext annotation-xml g a image style script font "
    "foreignobject semantics mglyph malignmark set use switch"
).split()
ATTRIBUTES = (
    "encoding=text/html", "encoding='APPLICATION/xhtml+xml'", "encoding=x", "color", "face=x", "size=1", "\0color",
    "\0encoding=text/html", "type=hidden", "\0type=hidden", "shadowrootmode=open", "shadowrootmode=closed", "x",
    "x=a", "x=&#97;", "x='a\r\nb'", 'x="a\nb"', "x='>'", "x=\"<a href=//H>\"", "id=q", "encoding=TEXT/HTML",
    "definitionurl=x", "xmlns=http://www.w3.org/2000/svg", "shadowrootmode=open shadowrootclonable",
)  # fmt: skip
COMMENTS = (
    "<!-->", "<!--->", "<!--x-->", "<!--x--!>", "<!--", "-->", "<!-- --", "<!x>", "<?x>", "<?", "<!>", "</>", "</ >",
    "</1>", "<!doctype html>", "<!DOCTYPE x>", "<![CDATA[", "<![CDATA[x]]>", "<![CDATA[>", "]]>", "<!--[if mso]>",
    "<![endif]-->", "<![if !mso]>", "<![endif]>", "<!--[if !mso]><!-->", "<!--<![endif]-->", "<!--<script>",
    "<!--<!--", "<!---!>", "<!--x--!x-->", "<!--[if mso]>",
)  # fmt: skip
HALF = (
    "<", "</", "<a", "<a ", "<a href", '<a href="', "<a x='", "<1>", "< a>", "<a\0b>", "<\0a>", "</a x=", "<svg/",
    "<b/=", "&", "&#", "&lt;a href=//q&gt;", "\0", "\r", "\f",
)  # fmt: skip
# Constructs that hide a link in HTML and show it in SVG and MathML, or the reverse.
TRAPS = (
    "<style><{}", "<xmp><{}", "<script><{}", "<title><{}", "<textarea><{}", "<iframe><{}", "<noembed><{}",
    "<noframes><{}", "<plaintext><{}", "<![CDATA[><{}", "<![CDATA[<g><{}", "<![CDATA[><{}]]>",
    "<![CDATA[<style>]]><{}", "<style><!--</style><{}-->", "<noscript><!--</noscript><{}-->", "<select><{}", "<{}",
    "<{}", "<svg></p><style><{}", "<math></p><xmp><{}", "<!--[if mso]><{}<![endif]-->", "<style></p><{}",
    "<xmp><!--</xmp><{}-->", "<title><{}</title><{}",
)  # fmt: skip
LINKS = (
    "a href=//H>",
    "img src=//H>",
    "g href=//H />",
    "p style='background:url(//H)'>",
    "video poster=//H>",
    "style>@import '//H'</style>",
)
TOKENS = re.compile(r"<[^<>]*>?|[^<]+")


def element(rng):
    return rng.choice(rng.choice((HTML, HTML, HTML, FOREIGN, FOREIGN, RAW)))


def token(rng, opened):
    """One piece of a document; what it opens is noted, so that end tags find something to close."""
    kind = rng.random()
    if kind < 0.5:
        name = element(rng)
        opened.append(name)
        attributes = f" {rng.choice(ATTRIBUTES)}" if rng.random() < 0.2 else ""
        return f"<{name}{attributes}{'/' if rng.random() < 0.08 else ''}>"
    if kind < 0.75:
        return f"</{rng.choice(opened) if opened and rng.random() < 0.8 else element(rng)}>"
    if kind < 0.83:
        return rng.choice(COMMENTS)
    if kind < 0.86:
        return rng.choice(HALF)
    if kind < 0.9:
        return rng.choice(("x", " ", "\n", "\0", "&amp;"))
    return places.tag(rng) if kind < 0.93 else trap(rng)


def trap(rng):
    return rng.choice(TRAPS).replace("{}", rng.choice(LINKS))


def document(rng):
    opened = []
    made = [token(rng, opened) for _ in range(rng.randint(2, 14))]
    return "".join(made) + trap(rng)


def varied(rng, template):
    """A document with one or more of its tags left out, doubled, changed, or others put between."""
    if "[[" in template:
        # Encoded parts stay whole.
        return around(rng, template)
    tokens = TOKENS.findall(template)
    opened = [name for name in re.findall(r"<([a-zA-Z]+)", template)]
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(tokens)) if tokens else 0
        kind = rng.randrange(6)
        if kind == 0 and len(tokens) > 1:
            del tokens[at]
        elif kind == 1 and tokens:
            tokens.insert(at, tokens[at])
        elif kind == 2 and tokens:
            tokens[at] = re.sub(r"^(</?)[a-zA-Z-]+", lambda match: match[1] + element(rng), tokens[at])
        elif kind == 3 and tokens:
            tokens[at] = rng.choice(
                (tokens[at].upper().replace("//h", "//H"), tokens[at].replace(" ", "\n"), tokens[at].replace(">", "/>"))
            )
        else:
            tokens.insert(at, token(rng, opened))
    return around(rng, "".join(tokens))


def around(rng, text):
    """The document, or another that has it inside."""
    kind = rng.randrange(10)
    if kind == 0:
        name = element(rng)
        return f"<{name}>{text}</{name}>"
    if kind == 1:
        return "<!doctype html>" + text
    if kind == 2:
        return text + trap(rng)
    if kind == 3 and "[[" not in text:
        return '<iframe srcdoc="{}">'.format(text.replace("&", "&amp;").replace('"', "&quot;"))
    if kind == 4 and "[[" not in text and "]]" not in text:
        how = rng.choice((",[[percent {}]]", ";base64,[[base64 {}]]", ";charset=utf-16;base64,[[utf16bom {}]]"))
        # A document in a `data:` URL has no base.
        return '<iframe src="data:text/html{}">'.format(how.format(re.sub(r"(?<!:)//H", "https://H", text)))
    return text
