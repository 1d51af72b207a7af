"""HTML documents made from a seed, as written by people who hide links from readers of HTML.

A document is a sequence of pieces: elements of HTML, SVG and MathML, raw text, templates, selects, framesets, CDATA,
comments, formatting elements, NULs, half tags; between them links in every place and in many spellings.
"""

import base64
import random
import urllib.parse

BLOCKS = [
    "div",
    "p",
    "span",
    "table",
    "tr",
    "td",
    "thead",
    "tfoot",
    "li",
    "h1",
    "form",
    "fieldset",
    "button",
    "object",
]
FORMATTING = ["b", "i", "font", "a", "nobr", "code"]
FOREIGN = [
    "svg", "math", "foreignObject", "desc", "mi", "mtext", "annotation-xml", "annotation-xml encoding=text/html", "g",
    "rect", "font color", "animate attributeName=href",
]  # fmt: skip
RAW = [
    "style",
    "title",
    "textarea",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "script",
    "noscript",
    "plaintext",
]
TREES = [
    "template",
    "template shadowrootmode=open",
    "select",
    "option",
    "frameset",
    "frame",
    "head",
    "body",
    "html",
]
VOID = ["br", "hr", "img", "input", "input type=hidden", "meta", "link", "base", "embed", "col"]
URL_ATTRIBUTES = [
    "href", "src", "xlink:href", "o:href", "background", "action", "formaction", "poster", "data", "classid", "codebase",
    "archive", "code", "cite", "longdesc", "profile", "usemap", "ping", "lowsrc", "dynsrc", "data-saferedirecturl",
]  # fmt: skip
OTHER_ATTRIBUTES = [
    "alt",
    "title",
    "id",
    "name",
    "fill",
    "mask",
    "to",
    "values",
    "xmlns",
    "content",
    "type",
    "itemprop",
]
TYPES = [
    "text/html", "text/html;charset=utf-16le", "text/html;charset=iso-2022-jp", "text/css", "text/plain", "", "*/*", "x/y",
    "image/svg+xml", "image/png", "image/gif", "text/xml", "application/xhtml+xml", "font/woff", "application/x-font-ttf",
    "audio/ogg", "video/mp4", "multipart/x-mixed-replace",
]  # fmt: skip
TEXTS = [
    "x",
    " ",
    "\n",
    "1 < 2",
    "{{name}}",
    "&amp;",
    "&nbsp;",
    "a@b.example",
    "image-set",
    "<",
    "<!",
    "</",
    "<?x ?>",
    "]]>",
]
CHARACTERS = "ab /\\<>\"'=:;.,@&#%?![]()-\0\t\n\x0b\x1bHé。ß"
REFERENCES = {
    ":": ["&colon;", "&#58;", "&#x3a;", "&#58"],
    "/": ["&sol;", "&#47;", "&#x2F;"],
    ".": ["&period;", "&#46;"],
}


class Documents:
    def __init__(self, seed):
        self.seed = seed

    def document(self, number):
        """The document of that number, always the same."""
        return Writer(random.Random(f"{self.seed}:{number}")).document()


class Writer:
    def __init__(self, dice):
        self.dice = dice
        self.hosts = 0
        self.open = []

    def chance(self, of_a_hundred):
        return self.dice.random() * 100 < of_a_hundred

    def one_of(self, *ways):
        return self.dice.choice(ways)()

    def document(self):
        text = "".join(self.piece() for _ in range(self.dice.randint(1, 12)))
        for _ in range(self.dice.randint(0, 2) if self.chance(25) else 0):
            text = self.broken(text)
        return text

    def broken(self, text):
        """The document with a character changed, removed or added, or with a part repeated."""
        at = self.dice.randint(0, len(text))
        till = at + self.dice.randint(0, 4)
        middle = self.dice.choice(
            ["", self.dice.choice(CHARACTERS), text[at : at + self.dice.randint(0, 40)] * 2]
        )
        return text[:at] + middle + text[till:]

    def piece(self, depth=0):
        kinds = [
            (24, self.start_tag), (12, self.end_tag), (14, self.raw_element), (10, self.link_tag), (8, self.text),
            (6, self.comment), (6, self.conditional), (4, self.cdata), (4, self.style_element), (3, self.refresh),
            (2, self.base), (2, self.linked_data), (2, self.deep), (3, self.half_tag),
        ]  # fmt: skip
        return self.dice.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    # Tags

    def start_tag(self):
        family = self.dice.choices([BLOCKS, FORMATTING, FOREIGN, RAW, TREES, VOID], [5, 3, 5, 2, 4, 2])[0]
        name, _, attributes = self.dice.choice(family).partition(" ")
        self.open.append(name)
        parts = [self.case(name), attributes] + [
            self.attribute() for _ in range(self.dice.choice([0, 0, 0, 1, 1, 2]))
        ]
        slash = "/" if self.chance(8) else ""
        return "<" + self.dice.choice([" ", " ", " ", "\n", "/"]).join(filter(None, parts)) + slash + ">"

    def end_tag(self):
        name = (
            self.dice.choice(self.open)
            if self.open and self.chance(75)
            else self.dice.choice(BLOCKS + RAW + TREES[:5]).split()[0]
        )
        return f"</{self.case(name)}>"

    def case(self, name):
        return name.upper() if self.chance(5) else name

    def half_tag(self):
        return self.dice.choice(
            ["<a ", "<svg ", "<", "</", "<!--", "<!-->", "<![CDATA[", "--!>", '<a title="', "<a href='"]
        )

    def raw_element(self):
        name = self.dice.choice(RAW)
        inside = "".join(
            self.dice.choice([self.link_tag, self.text, self.comment, self.end_tag, self.start_tag])()
            for _ in range(self.dice.randint(0, 3))
        )
        attribute = " " + self.attribute() if self.chance(20) else ""
        return f"<{name}{attribute}>{inside}" + (f"</{self.case(name)}>" if self.chance(80) else "")

    def deep(self):
        return f"<{self.dice.choice(['div', 'font', 'b', 'g'])}>" * self.dice.choice([3, 20, 600])

    def base(self):
        href = self.dice.choice(["mailto:x", "foo:x", "file:///", "foo://[", self.url()])
        return f"<base href={self.quoted(href)}>"

    # Attributes

    def link_tag(self):
        name = self.dice.choice(
            [
                "a",
                "img",
                "link rel=stylesheet",
                "iframe",
                "frame",
                "object",
                "embed",
                "v:fill",
                "image",
                "video",
            ]
        )
        return f"<{name} {self.url_attribute()}>"

    def attribute(self):
        return self.one_of(
            self.url_attribute,
            self.url_attribute,
            self.other_attribute,
            self.style_attribute,
            self.srcset,
            self.srcdoc,
        )

    def url_attribute(self):
        nul = "\0" if self.chance(2) else ""
        return f"{nul}{self.case(self.dice.choice(URL_ATTRIBUTES))}={self.quoted(self.url())}"

    def other_attribute(self):
        name = self.dice.choice(OTHER_ATTRIBUTES)
        return (
            f"{name}={self.quoted(self.one_of(self.url, self.word, lambda: f'url({self.url()})', self.url))}"
        )

    def style_attribute(self):
        return f"style={self.quoted(self.css())}"

    def srcset(self):
        urls = [
            self.url() + self.dice.choice(["", " 1x", " 100w", " (a,b) 2x"])
            for _ in range(self.dice.randint(1, 3))
        ]
        return f"{self.dice.choice(['srcset', 'imagesrcset'])}={self.quoted(self.dice.choice([', ', ',', ' , ']).join(urls))}"

    def srcdoc(self):
        inside = "".join(self.piece() for _ in range(self.dice.randint(0, 2)))
        return f"srcdoc={self.quoted(inside if self.chance(50) else escaped(inside))}"

    def quoted(self, value):
        quote = self.dice.choice(['"', "'", '"', ""])
        if quote == "":
            value = "".join(char for char in value if char not in " \t\n\f>") or "x"
        elif self.chance(90):
            value = value.replace(quote, "&quot;" if quote == '"' else "&#39;")
        return f"{quote}{value}{quote}"

    def word(self):
        return "".join(self.dice.choice(CHARACTERS) for _ in range(self.dice.randint(0, 6)))

    # Texts

    def text(self):
        if self.chance(50):
            return self.dice.choice(TEXTS)
        before = self.dice.choice(["", " ", "(", "x", "_", "\0", "é"])
        return (
            before
            + self.dice.choice(["http://", "https://", "HTTP://", "www."])
            + self.host()
            + self.dice.choice(["", ".", "/", " x", "!)", '"', "\u00a0"])
        )

    def comment(self):
        inside = self.dice.choice(["", "x", self.link_tag(), self.end_tag(), "--", "<!-- "])
        return (
            self.dice.choice(["<!--", "<!--", "<!", "<?"])
            + inside
            + self.dice.choice(["-->", "-->", "-->", "--!>", ">"])
        )

    def conditional(self):
        inside = "".join(self.piece() for _ in range(self.dice.randint(0, 3)))
        opening = self.dice.choice(
            ["[if mso]>", "[if gte mso 9]>", "[if !mso]><!-->", "[if mso]", " [if mso]>", "[if a]>]>"]
        )
        return f"<!--{opening}{inside}{self.dice.choice(['<![endif]', '<![endif]', '', '<![endif]<![endif]'])}-->"

    def cdata(self):
        return (
            "<![CDATA["
            + self.dice.choice([">", "", "x"])
            + self.one_of(self.link_tag, self.text, self.style_element)
            + "]]>"
        )

    def refresh(self):
        quote = self.dice.choice(["'", "", '"'])
        space = self.dice.choice(["", " ", "\x0b"])
        content = f"{space}0{self.dice.choice([';', ',', ' ', '; '])}{space}{self.dice.choice(['url=', 'URL =', ''])}{quote}{self.url()}{quote}"
        http_equiv = self.dice.choice(["http-equiv=refresh", "http-equiv=Refresh", "itemprop=url", "name=x"])
        return f"<meta {http_equiv} content={self.quoted(content)}>"

    def linked_data(self):
        kind = self.dice.choice(
            ["application/ld+json", "application/LD+json; x=y", "application/json", "text/javascript"]
        )
        return f'<script type="{kind}">{{"url":"{self.url()}"}}</script>'

    # CSS

    def style_element(self):
        return f"<style>{self.css()}" + ("</style>" if self.chance(85) else "")

    def css(self):
        return "".join(self.rule() for _ in range(self.dice.randint(1, 3)))

    def rule(self):
        url, quote = self.url(), self.dice.choice(["'", '"'])
        name = self.dice.choice(
            ["url", "src", "URL", "u\\72l", "image-set", "-webkit-image-set", "im\\61ge-set", "x"]
        )
        return self.dice.choice([
            f"a{{b:url({url})}}", f"a{{b:{name}({quote}{url}{quote})}}", f"a{{b:url({url} x)}}", f"@import {quote}{url}{quote};",
            f"@import {url};", f"@import url({url});", f"@im\\70ort {quote}{url}{quote}", f"--n:{quote}{url}{quote};",
            f"a{{b:image-set(var(--n,{quote}{url}{quote}) 1x)}}", f"filter:AlphaImageLoader(src={quote}{url}{quote})", f"/* url({url}) */",
            f"a{{content:{quote}{url}{quote}}}", f"@im<!-- -->port {quote}{url}{quote};", f"@im\0port {quote}{url}{quote};",
            f"a{{b:url({quote}{url}\n)}}", "}", "@media x{", f"@namespace {quote}{url}{quote};",
        ])  # fmt: skip

    # URLs

    def host(self):
        self.hosts += 1
        plain = f"h{self.hosts}.t.example"
        return self.dice.choice([plain] * 6 + [
            f"x y.{plain}", f"xn--a.{plain}", f"a^.{plain}", f"{{{{n}}}}.{plain}", plain.upper(), plain + ".", "%68" + plain[1:],
            f"ß.{plain}", f"ẞ{plain}", f"ü.{plain}", "a" * 64 + "." + plain, f"u:p@{plain}", f"u'q@{plain}", plain + ":80", plain + ":x",
            plain.replace(".", "。"), plain.replace(".", "%2e"), plain.replace("t", "\t"), plain.replace("t", "\x1b(Bt"),
            plain.replace("t", "<b>t"), plain.replace("t", "\0t"), f"{self.hosts}.0.2.1", "[::1]", plain + "\u200d",
        ])  # fmt: skip

    def url(self):
        url = (
            self.dice.choice(
                [
                    "//",
                    "//",
                    "http://",
                    "https:",
                    "https:/",
                    "\\\\",
                    "/\\",
                    "HTTP:\\\\",
                    "ftp:",
                    "wss://",
                    "x-app://",
                    "www.",
                    "mailto:x@",
                    "",
                    "file://",
                ]
            )
            + self.host()
        )
        url += self.dice.choice(["", "", "/", "/x", "?y", "#z", "\\", "?cc=b@c.example"])
        while self.chance(14):
            url = self.one_of(
                lambda u=url: self.data(u), lambda u=url: self.data(u), lambda u=url: self.respelled(u)
            )
        return self.respelled(url) if self.chance(20) else url

    def data(self, url):
        """A `data:` URL with the URL in it."""
        inside = self.dice.choice([
            f"<img src={url}>", f"@import'{url}'", url, f"<iframe srcdoc='<img src={url}>'>", f"<style>@import'{url}'</style>",
            f"<!DOCTYPE x[<!ENTITY e 'x'>]><img src='{url}'/>", f"<?xml-stylesheet href='{url}'?><x/>", f"<svg><style>@import'{url}'",
        ])  # fmt: skip
        kind = self.dice.choice(TYPES)
        if self.chance(35):
            encoding = self.dice.choice(["utf-8", "utf-8", "utf-8", "utf-16-le", "utf-16-be"])
            return f"data:{kind};base64," + base64.b64encode(inside.encode(encoding)).decode()
        return f"data:{kind}," + (urllib.parse.quote(inside) if self.chance(50) else inside)

    def respelled(self, url):
        way = self.dice.randrange(7)
        at = self.dice.randint(0, len(url))
        if way == 0:
            return "".join(self.dice.choice(REFERENCES.get(char, [char])) for char in url)
        if way == 1:
            return "".join(
                f"%{ord(char):02x}" if ord(char) < 128 and self.chance(20) else char for char in url
            )
        if way == 2:
            return "".join(f"&#{ord(char)};" if self.chance(15) else char for char in url)
        if way == 3:
            return "".join(f"\\{ord(char):x} " if self.chance(15) else char for char in url)
        if way == 4:
            return url[:at] + self.dice.choice(["\t", "\n", "\0", "\x1b(B", "\x0b", "\r\n"]) + url[at:]
        if way == 5:
            return (
                url[:at]
                + self.dice.choice(["<b>", "<!-- -->", "<?x >?>", "<![CDATA[", "]]>", '<b x=">">', "</b>"])
                + url[at:]
            )
        return self.dice.choice([" ", "\x01", "\n"]) + url


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
