"""The URLs that a style sheet or a style attribute names."""

import re
from typing import NamedTuple

import tinycss2

URL_FUNCTIONS = {"url", "src"}
IMAGE_SETS = {"image-set", "-webkit-image-set"}
BLOCKS = {"{} block", "[] block", "() block"}
ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|[ \t\n\r\f])?|\r\n|[\n\r\f]|(.)|$)", re.DOTALL)
# The characters that a reader may take for the end of a URL or string that the standard calls bad.
BAD_ENDS = [re.compile(end) for end in ["[ \t\n]", '"', "'", r"\(", r"\)", ";"]]
# The same where escapes have no part in it.
FIRST_BAD_END = re.compile(r"""(?:\\[0-9A-Fa-f]{1,6}[ \t\n]?|\\.|[^\x01-\x20"'(\\\x7f])*""", re.DOTALL)
# The last place at which it ends: a URL at its bracket, a string at its line.
BAD_URL = re.compile(r"(?:[^)\\]|\\.)*", re.DOTALL)
BAD_STRING = re.compile(r"(?:[^\n\\]|\\.)*", re.DOTALL)
# Text in quotes or brackets, which the sheet may not close.
CLOSING = {
    start: re.compile(rf"(?:[^{end}\\]|\\.|\\$)*", re.DOTALL) for start, end in zip("('\"", ")'\"", strict=True)
}
# @import without quotes: up to `;`, a quote or white space.
UNQUOTED = re.compile(r"""(?:\\[0-9A-Fa-f]{1,6}[ \t\n]?|\\.|[^;"' \t\n\\])*""", re.DOTALL)
# src= of AlphaImageLoader without quotes.
UNQUOTED_ARGUMENT = re.compile(r"""(?:\\[0-9A-Fa-f]{1,6}[ \t\n]?|\\.|[^,);"' \t\n\\])*""", re.DOTALL)


class Url(NamedTuple):
    """One URL, as it may be read in one or more ways."""

    readings: list
    in_import: bool


def unescaped(text, marks=None):
    """The text with its CSS escapes resolved. `marks`: what is put for some of the characters."""
    return ESCAPE.sub(lambda escape: escaped_character(escape).translate(marks or {}), text) if "\\" in text else text


def escaped_character(escape):
    if escape[1]:
        code = int(escape[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return escape[2] or ""


def calls_image_set(css):
    """Whether `image-set()` is called anywhere, strings and comments apart."""
    tokens = tinycss2.parse_component_value_list(css)
    while tokens:
        token = tokens.pop()
        if token.type == "function" and token.lower_name in IMAGE_SETS:
            return True
        tokens.extend(getattr(token, "arguments", None) or getattr(token, "content", None) or [])
    return False


def urls(css, every_string=False):
    """Every URL in order. `every_string`: whether each string counts as one, as in image-set()."""
    return Sheet(css).urls(every_string)


class Sheet:
    def __init__(self, css):
        # The text that tinycss2 makes of its input, so that its places are those of this text.
        self.text = re.sub("\r\n?|\f", "\n", css.replace("\0", "\ufffd"))
        self.lines = [0] + [line.end() for line in re.finditer("\n", self.text)]
        self.found = []
        # There was an AlphaImageLoader(, after which `src=` has a URL.
        self.has_loader = False

    def urls(self, every_string):
        self.walk(tinycss2.parse_component_value_list(self.text), every_string, every_string)
        return self.found

    def place(self, token):
        return self.lines[token.source_line - 1] + token.source_column - 1

    def as_written(self, token, is_import):
        """Some readers take the escapes of a URL without quotes as they are written, and all those of an import."""
        if not is_import and token.type != "url":
            return []
        start = self.place(token)
        if token.type == "url":
            start = self.text.index("(", start)
        end = CLOSING[self.text[start]]
        written = end.match(self.text, start + 1).group()
        if token.type == "url":
            written = written.strip(" \t\n")
        return [written] if "\\" in written else []

    def add(self, readings, in_import):
        self.found.append(Url(list(dict.fromkeys(readings)), in_import))

    def walk(self, tokens, strings_count, every_string):
        """`strings_count`: whether a string directly at this level is a URL."""
        after_import = False
        # The URL of a namespace is a name: nobody loads it.
        in_namespace = False
        # How much of `src=` was just read: nothing, the word, or all.
        read = 0
        for token in tokens:
            kind = token.type
            if kind in ("whitespace", "comment"):
                continue
            if read == 2:
                self.image_loader(token)
            is_word = kind == "ident" and token.lower_value == "src"
            read = 1 if is_word and self.has_loader else 2 if read == 1 and token == "=" else 0
            if in_namespace:
                in_namespace = kind not in ("{} block", "at-keyword") and token != ";"
                if in_namespace or token == ";":
                    continue
            is_import = kind == "at-keyword" and token.lower_value == "import"
            if kind == "at-keyword" and token.lower_value == "namespace":
                in_namespace = True
            elif kind == "url" or (kind == "string" and (strings_count or after_import)):
                self.add([token.value, *self.as_written(token, after_import)], after_import)
            elif kind == "error" and token.kind == "bad-url":
                start = self.text.index("(", self.place(token)) + 1
                self.add(self.bad_readings(BAD_URL, start, True), after_import)
            elif kind == "error" and token.kind == "bad-string" and (strings_count or after_import):
                self.add(self.bad_readings(BAD_STRING, self.place(token) + 1, after_import), after_import)
            elif kind == "function":
                self.function(token, every_string, after_import)
            elif kind in BLOCKS:
                self.walk(token.content, every_string, every_string)
            elif after_import and not is_import:
                written = UNQUOTED.match(self.text, self.place(token)).group()
                self.add([unescaped(written), written], True)
            after_import = is_import

    def function(self, token, every_string, after_import):
        name = token.lower_name
        if name in URL_FUNCTIONS:
            for argument in token.arguments:
                if argument.type in BLOCKS or argument.type in ("function", "url", "at-keyword"):
                    break
                if argument.type == "string":
                    self.add([argument.value, *self.as_written(argument, after_import)], after_import)
                elif argument.type == "error" and argument.kind == "bad-string":
                    self.add(
                        self.bad_readings(BAD_STRING, self.place(argument) + 1, after_import), after_import
                    )
            self.walk(token.arguments, False, every_string)
            return
        self.has_loader = self.has_loader or name == "alphaimageloader"
        self.walk(token.arguments, every_string or name in IMAGE_SETS, every_string)

    def image_loader(self, value):
        """The value of `src=` after AlphaImageLoader(, a filter of old browsers; the URL is in quotes or not."""
        if value.type == "string":
            self.add([value.value], False)
        elif value.type == "error" and value.kind == "bad-string":
            self.add(self.bad_readings(BAD_STRING, self.place(value) + 1, False), False)
        else:
            self.add([unescaped(UNQUOTED_ARGUMENT.match(self.text, self.place(value)).group())], False)

    def bad_readings(self, extent, start, as_written):
        """The text from there to each thing that may end it. `as_written`: also with its escapes as written."""
        whole = extent.match(self.text, start).group().lstrip(" \t\n")
        ends = [found.start() for end in BAD_ENDS if (found := end.search(whole))]
        if extent is BAD_URL:
            ends.append(FIRST_BAD_END.match(whole).end())
        written = [whole[:end] for end in [*ends, len(whole)]]
        return [unescaped(text) for text in written] + (written if as_written else [])
