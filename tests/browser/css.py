"""Style sheets with links, valid and not."""

from . import places

PIECES = (
    "p{color:red}", "/*x*/", "/*", "*/", "{", "}", "(", ")", "[", "]", ";", ":", "'", '"', "\n", "<!--", "-->", "\\",
    "\\\n", "@media all{", "@charset 'x';", "@layer a;", "@supports (a:b){", "@font-face{src:", "--n:",
    "@namespace url(http://www.w3.org/2000/svg);", "\0", "@import ", "url(", "p{", "!important", "@import 'x';",
    "@container (a>b){", "&:hover{", "@scope{", "%", "#", "@",
)  # fmt: skip
PROPERTIES = (
    "background", "background-image", "list-style", "content", "cursor", "border-image", "filter", "mask",
    "clip-path", "--x", "src", "fill", "shape-outside", "offset-path", "marker-start", "BACKGROUND",
)  # fmt: skip
SELECTORS = (
    "p",
    "*",
    "html",
    "body",
    "a:hover",
    "p::before",
    "@media all{p",
    "@supports (color:red){p",
    "@layer x{p",
    "p{&",
)
NAMES = ("url", "URL", "u\\72l", "\\75rl", "ur\\6c ", "url")


def text(rng):
    """A URL as CSS writes one: no white space, no quotes, with an escape now and then."""
    made = places.url(rng)
    for character in " '\"()\n\t\r\x01\x1f":
        made = made.replace(character, "")
    if "&" in made:
        made = "//H"
    if rng.random() < 0.15 and "[[" not in made:
        at = rng.randrange(len(made))
        if made[at] not in "H\\":
            made = (
                made[:at]
                + rng.choice((f"\\{ord(made[at]):x} ", f"\\{ord(made[at]):06x}", f"\\{ord(made[at]):x}\n"))
                + made[at + 1 :]
            )
    return made


def url(rng):
    kind = rng.randrange(8)
    if kind < 3:
        return f"{rng.choice(NAMES)}({rng.choice(('', ' ', chr(10)))}{text(rng)}{rng.choice(('', ' '))})"
    if kind < 6:
        quote = rng.choice("'\"")
        return f"{rng.choice(NAMES)}({quote}{text(rng)}{quote}{rng.choice((')', ')', ' )', '', ' x)'))}"
    function = rng.choice(("image-set", "-webkit-image-set", "IMAGE-SET"))
    return f"{function}({rng.choice((repr(text(rng)), f'url({text(rng)})'))} 1x)"


def declarations(rng):
    made = [f"{rng.choice(PROPERTIES)}:{url(rng)}" for _ in range(rng.randint(1, 3))]
    return rng.choice((";", "; ", "!important;", ";/*x*/")).join(made)


def rule(rng):
    if rng.random() < 0.35:
        address = rng.choice((f"'{text(rng)}'", f'"{text(rng)}"', url(rng)))
        after = rng.choice((";", "", " all;", " layer(x);", " supports(display:block) print;", "\n"))
        return rng.choice(("@import ", "@IMPORT", "@import/**/", "@im\\70ort ")) + address + after
    selector = rng.choice(SELECTORS)
    return f"{selector}{{{declarations(rng)}}}" + "}" * (selector.count("{"))


def sheet(rng):
    parts = [rule(rng) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:
        for _ in range(rng.randint(1, 3)):
            parts.insert(rng.randint(0, len(parts)), rng.choice(PIECES))
    return "".join(parts)


def document(rng):
    html = f"<style>{sheet(rng)}</style><p>x"
    if rng.random() < 0.3:
        html = rng.choice(("<!doctype html>", "<svg>", "<template>", "<select>", "<math>", "<p>", "<frameset>")) + html
    if rng.random() < 0.3:
        html += f"<p style={places.value(rng, declarations(rng))}>"
    return html
