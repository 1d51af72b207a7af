"""JSON by RFC 8259, for cases and for answers: Python's reader takes more."""

import json
import math

DEEPEST = 127  # arrays and objects open at once


def loads(text):
    """The value of a text. Raises ValueError."""
    try:
        value = json.loads(text, parse_int=integer, parse_float=real, parse_constant=refuse)
        # Halves of surrogate pairs cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("nests too deep") from None
    if depth(value) > DEEPEST:
        raise ValueError("nests too deep")
    return value


def integer(token):
    """Whole numbers beyond 64 bits are reals."""
    if len(token) <= 20 and -(2**63) <= int(token) < 2**64:
        return int(token)
    return real(token)


def real(token):
    number = float(token)
    if math.isinf(number):
        raise ValueError("number too large")
    return number


def refuse(token):
    raise ValueError(f"no JSON: {token}")


def depth(value):
    levels, row = 0, [value]
    while True:
        row = [one for one in row if isinstance(one, dict | list)]
        if not row:
            return levels
        levels += 1
        row = [inner for one in row for inner in (one.values() if isinstance(one, dict) else one)]
