"""Whether a `style` in soup has markup in the beginning of a URL, or in an escape. A reader of trees joins the texts before
and after the markup.

To some readers the text of an element inside `style` is a part of the sheet, to others it is not. So none of the texts of soup
has the URL of `@import 'ht<g/>tp:a.example'`.
"""

import re

from .texts import readings_of_part

NAME_START = r"A-Za-z_:\u0080-\U0010ffff"
PREFIX = r"(?:[^\s<>/\"'=:]+:)?"
STYLE = re.compile(rf"<{PREFIX}style(?=[\s/>])", re.IGNORECASE)
STYLE_END = re.compile(rf"</{PREFIX}style", re.IGNORECASE)
MARKUP = re.compile(rf"\]\]>|<(?!/style)(?=[{NAME_START}/!?])", re.IGNORECASE)
# The constructs in which an end tag of style may hide, and the end tag.
HIDING = re.compile(
    rf"<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|(?P<end></{PREFIX}style)"
    rf"|(?P<element><[{NAME_START}](?:[^>\"']|\"[^\"]*\"|'[^']*')*>?)",
    re.IGNORECASE | re.DOTALL,
)


def beginnings(word):
    """A pattern for each beginning of a word, and the word."""
    return "(?:" + "|".join(re.escape(word[:length]) for length in range(len(word), 0, -1)) + ")"


GAP = r"(?:\s|/\*.*?\*/)*"
UNFINISHED = r"\\[0-9a-f]{0,6}|&#x?[0-9a-f]*"
START = r"(?:(?:https?|ftp|wss?):[/\\]*|mailto:|[/\\]{2,}|www\.)"
PART = "(?:" + "|".join(map(beginnings, ["https:", "ftp:", "wss:", "mailto:", "www.", "data:"])) + r"|[/\\])"
DATA = r"data:(?:[^,\"'()<>]*|[^,\"'()<>]*;\s*base64\s*,[A-Za-z0-9+/=%\s]*)"
# An opening, and the marks that close it.
OPENINGS = {'"': '"', "'": "'", r"\(": ")", "%2[278]": "\"'()", rf"@import(?=\s|/\*){GAP}": ";\"'"}
IN_ELEMENT = {">": "<"}


def beginning_of_url(openings):
    """A pattern for the beginning of a URL, or of an escape, at the end of a text."""
    within = [rf"{opening}\s*(?:{DATA}|{START}[^{closing}/\\?#]*|{PART})" for opening, closing in openings.items()]
    imports = [f"@{beginnings('import')}?", rf"@import{GAP}(?:u|ur|url|url\(\s*)?[\"']?"]
    return re.compile("(?:" + "|".join([*within, *imports, UNFINISHED]) + r")\Z", re.IGNORECASE | re.DOTALL)


def texts_of_data(openings):
    """By what closes it: a pattern for the text of a `data:` URL that goes on at the end of a text."""
    return {
        closing: re.compile(rf"{opening}\s*data:[^,\"'()<>]*,[^{closing}]*\Z", re.IGNORECASE | re.DOTALL)
        for opening, closing in openings.items()
    }


UNFINISHED_PERCENT = re.compile(r"%[0-9a-f]?\Z", re.IGNORECASE)
DATA_TEXTS = texts_of_data(OPENINGS)
DATA_TEXTS_IN_ELEMENT = texts_of_data({**OPENINGS, **IN_ELEMENT})
BEGINNING = beginning_of_url(OPENINGS)
BEGINNING_IN_ELEMENT = beginning_of_url({**OPENINGS, **IN_ELEMENT})
OPENING = re.compile("(?:" + "|".join(OPENINGS) + r")\s*\Z", re.IGNORECASE | re.DOTALL)


def has_parted_url(text):
    """Whether some style of the soup has such markup."""
    last_end = max((found.start() for found in STYLE_END.finditer(text)), default=None)
    looked_at = 0
    for style in STYLE.finditer(text):
        end = end_of_style(text, style.end(), last_end)
        start = max(style.end(), looked_at)
        # A style in a style is a part of it.
        if style.end() >= looked_at:
            follows_opening, in_data = False, set()
        while found := MARKUP.search(text, start, end):
            forms = readings_of_part(text[max(looked_at, style.end()) : found.start()])
            pattern = BEGINNING_IN_ELEMENT if follows_opening else BEGINNING
            if any(pattern.search(form) for form in forms):
                return True
            data_texts = DATA_TEXTS_IN_ELEMENT if follows_opening else DATA_TEXTS
            goes_on = {form: ends_in_data(form, data_texts, in_data) for form in forms}
            if any(closings and UNFINISHED_PERCENT.search(form) for form, closings in goes_on.items()):
                return True
            # The markup that follows closes it.
            in_data = set().union(*goes_on.values()) - {"<"}
            follows_opening = follows_opening or any(OPENING.search(form) for form in forms)
            # A beginning that holds earlier markup would have been one before that.
            looked_at = found.start() + 1
            start = found.end()
        looked_at = max(looked_at, end)
    return False


def ends_in_data(form, data_texts, in_data):
    """The characters that close texts of `data:` URLs in which the form ends. `in_data`: the same for the part before it."""
    begun = {closing for closing, pattern in data_texts.items() if pattern.search(form)}
    return begun | {closing for closing in in_data if not set(closing) & set(form)}


def end_of_style(text, start, last_end):
    """The end of the style whose start tag's name ends there. `last_end`: the place of the last end tag of style."""
    has_element = False
    tag_end = text.find(">", start) + 1
    for found in HIDING.finditer(text, tag_end or len(text)):
        if found["end"]:
            return last_end if has_element else found.start()
        has_element = has_element or bool(found["element"])
    return len(text)
