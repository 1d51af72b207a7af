"""The tokens of an HTML document as the WHATWG tokenizer alone tells them, without a tree."""

import re
from typing import NamedTuple

from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes

# The state of the tokenizer behind a start tag of this name; scripting is off, so noscript is content.
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
ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class Tag(NamedTuple):
    """A start tag; of two attributes of one name the first counts."""

    name: str
    attributes: dict
    end: int


class EndTag(NamedTuple):
    name: str
    start: int


class Comment(NamedTuple):
    data: str


class Text(NamedTuple):
    """A run of text, and the start tag in whose raw text it stands, or None."""

    data: str
    tag: Tag | None


class Document:
    """The tokens of a document. In text and CSS a NUL is `nul`, a character that the document does not have."""

    def __init__(self, html):
        self.html = re.sub("\r\n?", "\n", html)
        self.nul = next(char for char in map(chr, range(0xFDD0, 0x110000)) if char not in html)
        self.tokens = list(self.read(self.html.replace("\0", self.nul)))

    def read(self, html):
        """Reads what stands before a comment that nothing ends, so that comments in each other take no square of time."""
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
        tokenizer = HTMLTokenizer(html)
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
                    tag = self.tag(token, tokenizer.stream.chunkOffset)
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
            yield self.tag(last, len(html))

    def tag(self, token, end):
        attributes = {}
        given = token["data"]
        for name, value in given.items() if isinstance(given, dict) else given:
            name = name.translate(ASCII_LOWER).replace(self.nul, "\ufffd")
            attributes.setdefault(name, value)
        return Tag(token["name"].translate(ASCII_LOWER), attributes, end)
