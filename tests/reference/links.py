"""The hosts that an HTML body names: section 6, read with html5lib."""

import re
import unicodedata

import html5lib
from html5lib.constants import tokenTypes

from . import css
from .text import WHITE_SPACE
from .urls import Base, host_of_absolute, hosts_of

URL_ATTRIBUTES = {
    "href",
    "xlink:href",
    "src",
    "background",
    "action",
    "formaction",
    "poster",
    "codebase",
    "cite",
    "longdesc",
    "lowsrc",
    "dynsrc",
    "data-saferedirecturl",
}
SOURCE_SETS = {"srcset", "imagesrcset"}
NO_TEXT = {"style", "script", "title", "textarea"}
ASCII_SPACE = "\t\n\f\r "
LINK_START = re.compile(r"https?://|www\.", re.IGNORECASE | re.ASCII)
LINK_STOP = re.compile(f"[<>\"'{WHITE_SPACE}]")
ENDS_IN_IPV6_HOST = re.compile(r"https?://[/\\]*(?:[^/?#\\]*@)?\[[^\[\]/]*\]", re.IGNORECASE | re.ASCII)
CONDITIONAL = re.compile(r"\[if.*?\]>(.*)<!\[endif\]", re.DOTALL)


class Recorder(html5lib.HTMLParser):
    """A parser that keeps what it was given: start tags, comments and runs of text, in order."""

    def __init__(self):
        super().__init__()
        self.items = []

    def mainLoop(self):
        self.tokenizer = Tap(self.tokenizer, self)
        super().mainLoop()

    def element(self):
        return self.tree.openElements[-1].name if self.tree.openElements else None


class Tap:
    """A tokenizer whose tokens are recorded on their way to the tree."""

    def __init__(self, tokenizer, parser):
        self.__dict__.update(tokenizer=tokenizer, parser=parser)

    def __getattr__(self, name):
        return getattr(self.tokenizer, name)

    def __setattr__(self, name, value):
        setattr(self.tokenizer, name, value)

    def __iter__(self):
        items = self.parser.items
        run = None  # (element, pieces)
        for token in self.tokenizer:
            kind = token["type"]
            if kind in (tokenTypes["Characters"], tokenTypes["SpaceCharacters"]):
                run = run or (self.parser.element(), [])
                run[1].append(token["data"])
            elif kind != tokenTypes["ParseError"]:
                if run:
                    items.append(("text", run[0], "".join(run[1])))
                run = None
                if kind == tokenTypes["StartTag"]:
                    items.append(("tag", token["name"], dict(token["data"])))
                elif kind == tokenTypes["Comment"]:
                    items.append(("comment", None, token["data"]))
            yield token
        if run:
            items.append(("text", run[0], "".join(run[1])))


def items_of(html):
    parser = Recorder()
    parser.parse(html, scripting=False)
    return parser.items


def with_whole_styles(items):
    """The items; a style sheet of SVG that comments interrupt is one text."""
    whole = []
    sheet = None
    for item in items:
        kind, name, content = item
        if kind == "text" and name == "style" and sheet is not None:
            whole[sheet] = (kind, name, whole[sheet][2] + content)
            continue
        if kind == "text" and name == "style":
            sheet = len(whole)
        elif kind != "comment":
            sheet = None
        whole.append(item)
    return whole


def read(html, base=None, once=True):
    """(hosts in order, URLs that no browser can read). `once`: whether documents inside are read."""
    items = items_of(html)
    base = base or Base()
    for kind, name, attributes in items:
        if kind == "tag" and name == "base" and "href" in attributes:
            base = base.with_href(attributes["href"])
            break
    found, unreadable = [], []

    def judge(url):
        hosts, documents, readable = hosts_of(url, base)
        found.extend(hosts)
        if not readable:
            unreadable.append(url)
        for document in documents:
            inner(document, Base())

    def inner(document, its_base):
        if once:
            hosts, bad = read(document, its_base, once=False)
            found.extend(hosts)
            unreadable.extend(bad)

    for kind, name, content in with_whole_styles(items):
        if kind == "tag":
            for url in urls_of_tag(name, content):
                judge(url)
            if "srcdoc" in content:
                inner(content["srcdoc"], base)
        elif kind == "comment":
            conditional = CONDITIONAL.match(content)
            if conditional:
                inner(conditional.group(1), base)
        elif name == "style":
            for url in css.urls(content):
                judge(url)
        elif name not in NO_TEXT:
            found.extend(hosts_of_text(content))
    return found, unreadable


def urls_of_tag(name, attributes):
    urls = []
    for attribute, value in attributes.items():
        if attribute in URL_ATTRIBUTES or (attribute == "data" and name == "object"):
            urls.append(value)
        elif attribute in SOURCE_SETS:
            urls.extend(urls_of_source_set(value))
        elif attribute == "ping":
            urls.extend(url for url in re.split(f"[{ASCII_SPACE}]+", value) if url)
        elif attribute == "style":
            urls.extend(css.urls(value))
    if name == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
        urls.extend(url_of_refresh(attributes.get("content", "")))
    return urls


def urls_of_source_set(text):
    """The URLs of the image candidate strings."""
    urls = []
    at = 0
    while True:
        while at < len(text) and text[at] in ASCII_SPACE + ",":
            at += 1
        if at >= len(text):
            return urls
        start = at
        while at < len(text) and text[at] not in ASCII_SPACE:
            at += 1
        url = text[start:at]
        urls.append(url.rstrip(","))
        if url.endswith(","):
            continue
        depth = 0
        while at < len(text) and not (text[at] == "," and depth == 0):
            depth += {"(": 1, ")": -1}.get(text[at], 0) if depth or text[at] == "(" else 0
            at += 1


def url_of_refresh(content):
    """The URL of a meta refresh, in a list: the shared declarative refresh steps."""
    text = content.lstrip(ASCII_SPACE)
    digits = re.match(r"[0-9]*", text).group()
    if digits == "" and not text.startswith("."):
        return []
    text = text[len(digits) :].lstrip("0123456789.")
    if text == "" or text[0] not in ";," + ASCII_SPACE:
        return []
    text = text.lstrip(ASCII_SPACE)
    if text[:1] in (";", ","):
        text = text[1:]
    text = text.lstrip(ASCII_SPACE)
    if text == "":
        return []
    named = re.match(f"url[{ASCII_SPACE}]*=[{ASCII_SPACE}]*", text, re.IGNORECASE | re.ASCII)
    if named:
        text = text[named.end() :]
    if text[:1] in ("'", '"'):
        text = text[1:].partition(text[0])[0]
    return [text]


def hosts_of_text(run):
    hosts = []
    for start in LINK_START.finditer(run):
        if start.start() > 0 and joins(run[start.start() - 1]):
            continue
        stop = LINK_STOP.search(run, start.end())
        link = run[start.start() : stop.start() if stop else len(run)]
        while unicodedata.category(link[-1]).startswith("P") and not ENDS_IN_IPV6_HOST.fullmatch(link):
            link = link[:-1]
        if len(link) <= len(start.group()):
            continue
        host = host_of_absolute(link if ":" in start.group() else f"http://{link}")
        if host:
            hosts.append(host)
    return hosts


def joins(char):
    """Whether a link cannot begin after this character."""
    category = unicodedata.category(char)
    return category.startswith("L") or category == "Nd" or char in "_-./@"


def hosts_in_order(html):
    return read(html)[0]


def unreadable(html):
    return read(html)[1]
