"""Documents in documents, up to four deep, with random escapes in each layer. Each document hides one host that is known.

    python -m fuzz.nested [--cases N] [--seconds N] [--seed TEXT] [--first N] [LANGUAGE]

with the folder `tests` on the module path. In each document the executor of LANGUAGE (`rust` if left out) has to find the
host, or has to say that the document can hide one. The same seed gives the same documents; --first N --cases 1 gives one of
them again. Exit status 1 when a host is missed. Standard library only.
"""

import argparse
import base64
import random
import sys
import time

from .languages import Executor

CHUNK = 500  # documents that the executor answers before the next are sent
HIDDEN = "computed.invalid"
DEPTH = 4
SVG = "http://www.w3.org/2000/svg"
NAMES = {":": "&colon;", "/": "&sol;", ".": "&period;", "(": "&lpar;", "'": "&apos;", ",": "&comma;", "=": "&equals;"}
# Markup that a tree of XML leaves out of a style sheet, and beginnings of documents about which readers of trees differ.
MARKUP = ["<!-- -->", "<g/>", "<?x ?>", "<g></g>", "<_g/>", "<!--<g>-->", "<![CDATA[]]>"]
BEFORE = ["", "", "", "<p>", "<svg></svg>", "<math></math>", "<template></template>", "<select></select>", "<title>x</title>"]
USERS = ["", "", "", "u@", "u:p@", "u'p@", 'u"p@', "u(p)@", "u;p@", "u,p@", "%2f@", "u%40p@"]
SLASHES = ["//", "//", "//", "/", "", "\\\\", "///", "/\\"]


class Documents:
    def __init__(self, seed):
        self.seed = seed

    def document(self, number):
        """(the document of that number, the host that is in it); always the same."""
        host = f"h{number}.t.example"
        return Writer(random.Random(f"{self.seed}:{number}")).document(host), host


class Writer:
    """Writes one document from the inside to the outside. A layer is (kind, text): HTML, CSS or SVG."""

    def __init__(self, dice):
        self.dice = dice
        self.share = 0

    def document(self, host):
        kind = self.dice.choice(["html", "css", "svg"])
        text = self.innermost(kind, host)
        for _ in range(self.dice.randint(0, DEPTH)):
            kind, text = self.around(kind, text)
        while kind != "html":
            kind, text = self.around(kind, text)
        return self.dice.choice(BEFORE) + text

    # The link itself

    def innermost(self, kind, host):
        url = self.url(host)
        if kind == "css":
            return self.sheet(url)
        name, attribute = self.dice.choice(
            [("image", "href"), ("image", "xlink:href")]
            if kind == "svg"
            else [("img", "src"), ("img", "srcset"), ("video", "poster"), ("body", "background"), ("input type=image", "src")]
        )
        if kind == "svg":
            return self.svg(f"<{name} width='9' height='9' {attribute}={self.xml_value(url)}/>")
        return f"<{name} {attribute}={self.value(url)}>"

    def sheet(self, url):
        forms = ["@import {};", "@import{}", "@import url({});", "*{{background:url({})}}", "*{{background:image-set({} 1x)}}"]
        return self.dice.choice(forms).format(self.string(url))

    def svg(self, inside):
        return f"<svg xmlns='{SVG}' xmlns:xlink='http://www.w3.org/1999/xlink'>{inside}</svg>"

    def url(self, host):
        host = "".join(self.dice.choice([char] * 12 + [char.upper(), f"%{ord(char):02x}"]) for char in host)
        scheme, end = self.dice.choice(["http:", "https:", "HTTP:"]), self.dice.choice(["/a", "/", "?q", ""])
        return scheme + self.dice.choice(SLASHES) + self.dice.choice(USERS) + host + end

    # A layer around another

    def around(self, kind, text):
        self.share = self.dice.choice([0, 0, 0.03, 0.15, 0.5])
        return self.dice.choice({"html": HTML, "css": CSS, "svg": SVGS}[kind])(self, text)

    def srcdoc(self, html):
        return "html", f"<iframe srcdoc={self.value(html)}></iframe>"

    def frame(self, text, mime):
        name, attribute = self.dice.choice([("iframe", "src"), ("object", "data"), ("embed", "src"), ("frameset><frame", "src")])
        return "html", f"<{name} {attribute}={self.value(self.tabbed(self.data(text, mime)))}>"

    def html_frame(self, html):
        return self.frame(html, self.dice.choice(["text/html", "text/html;charset=utf-8", "TEXT/HTML;x=y", "text/html;charset=utf8"]))

    def svg_frame(self, svg):
        return self.frame(svg, self.dice.choice(["image/svg+xml", "text/xml", "image/svg+xml;charset=utf-8"]))

    def inline(self, svg):
        return "html", svg

    def style(self, css):
        return "html", f"<style>{css}</style>"

    def style_in_svg(self, css):
        return "svg", self.svg(f"<style>{self.parted(self.xml_text(css))}</style><rect width='9' height='9'/>")

    def link(self, css):
        mime = self.dice.choice(["text/css", "text/css;charset=utf-8", "", "text/plain", "image/png"])
        return "html", f"<link rel=stylesheet href={self.value(self.tabbed(self.data(css, mime)))}>"

    def imported(self, css):
        mime = self.dice.choice(["text/css", "text/css;charset=utf-8", "x/y"])
        return "css", f"@import {self.string(self.tabbed(self.data(css, mime)))};"

    # How a text is written in another

    def chance(self):
        return self.dice.random() < self.share

    def value(self, text):
        """An attribute of HTML, in quotes."""
        quote = self.dice.choice("\"'")
        return quote + "".join(
            self.reference(char) if char in "&" + quote or self.chance() else char for char in text
        ) + quote

    def reference(self, char):
        code = ord(char)
        forms = [f"&#{code};", f"&#x{code:x};", f"&#X{code:04X};", f"&#{code:07};"]
        return self.dice.choice(forms + [NAMES[char]] * 2 if char in NAMES else forms)

    def xml_value(self, text):
        return "'" + "".join(self.xml_character(char, "&<'") for char in text) + "'"

    def xml_text(self, text):
        return "".join(self.xml_character(char, "&<>") for char in text)

    def xml_character(self, char, needed):
        return self.dice.choice([f"&#{ord(char)};", f"&#x{ord(char):x};"]) if char in needed or self.chance() else char

    def parted(self, text):
        """The text with markup between any two characters, but not within a reference."""
        pieces, at = [], 0
        while at < len(text):
            end = text.index(";", at) + 1 if text[at] == "&" else at + 1
            pieces.append(text[at:end])
            at = end
        for _ in range(self.dice.choice([0, 0, 1, 1, 2, 4])):
            pieces.insert(self.dice.randint(0, len(pieces)), self.dice.choice(MARKUP))
        return "".join(pieces)

    def string(self, text):
        """A string of CSS."""
        quote = self.dice.choice("\"'")
        written = [self.escape(char) if char in "\\<\n\t" + quote or self.chance() else char for char in text]
        # White space after an escape is a part of it.
        parts = zip(written, [*written[1:], ""], strict=True)
        return quote + "".join(part + " " * (len(part) == 7 and next_one[:1] == " ") for part, next_one in parts) + quote

    def escape(self, char):
        return self.dice.choice([f"\\{ord(char):x} ", f"\\{ord(char):06X}"])

    def data(self, text, mime):
        if self.dice.random() < 0.4:
            encoded = base64.b64encode(text.encode()).decode()
            encoded = self.dice.choice([encoded, encoded.rstrip("=")])
            written = "".join(f"%{ord(char):02x}" if self.dice.random() < self.share / 2 else char for char in encoded)
            return f"data:{mime}{self.dice.choice([';base64', ';BASE64', '; base64'])},{written}"
        return f"data:{mime}," + "".join(self.percent(char) for char in text)

    def percent(self, char):
        if char in "%#\t\n\r\0" or not char.isascii() or self.chance():
            return "".join(f"%{byte:02X}" for byte in char.encode())
        return char

    def tabbed(self, url):
        """The text with tabs and line breaks, which are removed from URLs."""
        for _ in range(self.dice.choice([0, 0, 0, 1, 3])):
            at = self.dice.randint(0, len(url))
            url = url[:at] + self.dice.choice("\t\n") + url[at:]
        return url


HTML = [Writer.srcdoc, Writer.html_frame]
CSS = [Writer.style, Writer.style_in_svg, Writer.link, Writer.imported]
SVGS = [Writer.inline, Writer.svg_frame]


def is_found(host, hosts):
    return HIDDEN in hosts or any(found.rstrip(".").endswith(host) for found in hosts)


def run(answers, documents, numbers, seconds, shown=5):
    """(documents tried, those whose host is missed). `answers`: gives an answer for each case."""
    tried, missed = 0, 0
    # clock: says how many are tried, not how they come out
    end = time.monotonic() + seconds
    for start in range(0, len(numbers), CHUNK):
        # clock: as above
        if time.monotonic() > end:
            break
        made = [documents.document(number) for number in numbers[start : start + CHUNK]]
        cases = [{"id": 1, "do": "hosts", "html": html} for html, _ in made]
        for number, (html, host), answer in zip(numbers[start:], made, answers(cases)):
            tried += 1
            if "hosts" not in answer or not is_found(host, answer["hosts"]):
                missed += 1
                if missed <= shown:
                    print(f"missed, document {number}: {host}\n  {html!r}\n  {answer.get('hosts', answer)}", flush=True)
    return tried, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", nargs="?", default="rust")
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no new documents after that time")
    parser.add_argument("--seed", default=None, help="a text; another one every time if left out")
    parser.add_argument("--first", type=int, default=0, help="the number of the first document")
    given = parser.parse_args()
    # clock: a seed, which is printed
    seed = given.seed or f"{time.time_ns():x}"
    executor = Executor(given.language)
    try:
        numbers = range(given.first, given.first + given.cases)
        tried, missed = run(executor.answers, Documents(seed), numbers, given.seconds)
    finally:
        executor.stop()
    print(f"seed {seed}")
    print(f"{tried - missed} passed, {missed} failed")
    sys.exit(1 if tried == 0 or missed else 0)


if __name__ == "__main__":
    main()
