"""The documents that are tried: the known ones, then generated ones; a seed and a number give the same again."""

import base64
import dataclasses
import random
import re

from fuzz.nested import Writer

from . import css, grammar, places
from .known import KNOWN

PLACEHOLDER = re.compile(r"(?<![A-Za-z0-9_])H(?![A-Za-z0-9_])")
ENCODED = re.compile(r"\[\[([a-z0-9]+)(?::([0-9]+))? ((?:(?!\[\[|\]\]).)*)\]\]", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Document:
    number: int
    kind: str
    html: str


def known():
    return [(kind, template) for kind, templates in KNOWN.items() for template in templates]


def document(seed, number):
    templates = known()
    if number < len(templates):
        return Document(number, *made(number, *templates[number]))
    rng = random.Random(f"{seed}/{number}")
    kind = rng.choice(tuple(KINDS))
    return Document(number, *made(number, kind, KINDS[kind](rng)))


def nested(seed, number):
    """Documents in documents."""
    html = Writer(random.Random(f"{seed}/{number}")).document(f"h{number}-1.example")
    return Document(number, "documents in documents", html)


def variation(rng):
    return grammar.varied(rng, rng.choice(known())[1])


KINDS = {
    "structure": grammar.document,
    "variation of a known document": variation,
    "places and URLs": places.document,
    "CSS": css.document,
}


def made(number, kind, template):
    count = iter(range(1, 1 << 30))
    html = PLACEHOLDER.sub(lambda _: f"h{number}-{next(count)}.example", template)
    # From the inside out.
    while (inner := ENCODED.sub(lambda match: encoded(*match.groups()), html)) != html:
        html = inner
    return kind, html


def encoded(how, times, text):
    if how == "times":
        return text * int(times)
    if how == "percent":
        return "".join(f"%{byte:02X}" for byte in text.encode())
    charset = {"base64": "utf-8", "utf16le": "utf-16-le", "utf16be": "utf-16-be", "utf16bom": "utf-16"}[how]
    return base64.b64encode(text.encode(charset)).decode()
