"""The tokens of an HTML document by the WHATWG tokenizer alone, without a tree."""

import re
from typing import NamedTuple

from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes

from .markup import ASCII_LOWER, SPACE, read_tag, resolved

# The state of the tokenizer after a start tag of this name; scripting is off, so noscript is content.
STATE_BEHIND = {
    "title": "rcdataState",
    "textarea": "rcdataState",
    "style": "rawtextState",
    "xmp": "rawtextState",
    "iframe": "rawtextState",
    "noembed": "rawtextState",
    "noframes": "rawtextState",
    "script": "scriptDataState",
    "plaintext": "plaintextState",
}
COMMENT_END = re.compile("--!?>")
CHARACTERS = {tokenTypes["Characters"], tokenTypes["SpaceCharacters"]}
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Tag(NamedTuple):
    """A start tag with all its attributes, also those of one name; where it begins and ends."""

    name: str
    attributes: list
    start: int
    end: int

    def values(self, name):
        return [value for known, value in self.attributes if known == name]


class OneByOne(HTMLTokenizer):
    """A tokenizer that leaves the attributes of one name in a start tag."""

    def emitCurrentToken(self):
        token = self.currentToken
        if token["type"] != tokenTypes["StartTag"]:
            super().emitCurrentToken()
            return
        token["name"] = token["name"].translate(ASCII_LOWER)
        self.tokenQueue.append(token)
        self.state = self.dataState


class EndTag(NamedTuple):
    name: str
    start: int


class Comment(NamedTuple):
    data: str


class Text(NamedTuple):
    """A run of text, and the start tag in whose raw text it is, or None."""

    data: str
    tag: Tag | None


class Document:
    """The tokens of a document. In text and CSS a NUL is `nul`, a character that the document does not have."""

    def __init__(self, html):
        self.html = re.sub("\r\n?", "\n", html)
        self.nul = next(char for char in map(chr, range(0xFDD0, 0x110000)) if char not in html)
        self.tokens = list(self.read(self.html.replace("\0", self.nul)))

    def read(self, html):
        """Reads the text before a comment that nothing ends, so that the time of nested comments is not quadratic."""
        ends = [found.start() for found in COMMENT_END.finditer(html)]
        opened = html.find("<!--", ends[-1] if ends else 0)
        if opened >= 0:
            tokens = list(self.tokenize(html[: opened + 4]))
            if tokens[-1:] == [Comment("")] and not html.startswith(("<!-->", "<!--->"), opened):
                # At the end of a document dashes are the beginning of a mark.
                inside = re.sub("-(?:-!?)?$", "", html[opened + 4 :])
                return [*tokens[:-1], Comment(inside.replace(self.nul, "\0"))]
        return self.tokenize(html)

    def tokenize(self, html):
        tokenizer = OneByOne(html)
        # One chunk, so that its offset is the place in the document.
        tokenizer.stream._defaultChunkSize = len(html) + 1
        run, raw, place, given = [], None, 0, None
        for token in tokenizer:
            kind = token["type"]
            if kind == tokenTypes["ParseError"]:
                continue
            if kind in CHARACTERS:
                run.append(token["data"])
            else:
                if run:
                    yield Text("".join(run), raw)
                run, raw = [], None
                if kind == tokenTypes["StartTag"]:
                    given = token
                    tag = self.tag(token, place, tokenizer.stream.chunkOffset)
                    yield tag
                    if tag.name in STATE_BEHIND:
                        raw = tag
                        tokenizer.state = getattr(tokenizer, STATE_BEHIND[tag.name])
                elif kind == tokenTypes["EndTag"]:
                    yield EndTag(token["name"], place)
                elif kind == tokenTypes["Comment"]:
                    yield Comment(token["data"].replace(self.nul, "\0"))
            place = tokenizer.stream.chunkOffset
        if run:
            yield Text("".join(run), raw)
        # A start tag that the document does not finish.
        last = tokenizer.currentToken
        if last is not None and last["type"] == tokenTypes["StartTag"] and last is not given:
            yield self.tag(last, place, len(html))

    def tag(self, token, start, end):
        attributes = [(name.translate(ASCII_LOWER), value) for name, value in token["data"]]
        return Tag(token["name"].translate(ASCII_LOWER), attributes, start, end)

    def other_readings(self, tag):
        """The attributes that less strict readers see in a tag, each as a tag of its own."""
        names = {name: CONTROLS.sub("", name.replace(self.nul, "")) for name, _ in tag.attributes}
        if any(name != other for name, other in names.items()):
            attributes = [(names[name], value) for name, value in tag.attributes]
            yield tag._replace(attributes=attributes)
        if "\v" in self.html[tag.start : tag.end]:
            html = self.html.replace("\0", self.nul)
            read = read_tag(html, tag.start, SPACE + "\v")
            attributes = [
                (CONTROLS.sub("", name.replace(self.nul, "")), resolved(value, in_attribute=True))
                for name, value in read.attributes
            ]
            yield Tag(read.name, attributes, tag.start, read.end)
