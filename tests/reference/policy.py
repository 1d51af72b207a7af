"""The policy of a host. Null is the default; an invalid value is refused when the policy is built."""

from .dates import is_day
from .placeholder import DEFAULT_MARKS
from .text import is_white


class InvalidPolicy(Exception):
    """The message names the key."""


def count(largest):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= largest


def is_marks(value):
    return isinstance(value, list) and all(
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(mark, str) and not is_white(mark) for mark in pair)
        for pair in value
    )


def one_of(*words):
    return lambda value: value in words and isinstance(value, str)


KEYS = {
    "max_requests": (1000, count(2**31 - 1)),
    "max_bytes": (33554432, count(2**31 - 1)),
    "max_attempts": (3, count(2**31 - 1)),
    "today": (None, lambda value: isinstance(value, str) and is_day(value)),
    "batch": ("whole", one_of("whole", "partial")),
    "empty_clears": (False, lambda value: isinstance(value, bool)),
    "html_encoding": ("detect", one_of("detect", "always")),
    "hidden_hosts": ("refuse", one_of("refuse", "ask")),
    "bare_domains": (False, lambda value: isinstance(value, bool)),
    "placeholders": (DEFAULT_MARKS, is_marks),
    "answer_values": ("strings", one_of("strings", "numbers")),
    "answer_status": ("word", one_of("word", "meaning", "place")),
}


def build(given):
    if not isinstance(given, dict):
        raise InvalidPolicy("policy: not an object")
    for key in given:
        if key not in KEYS:
            raise InvalidPolicy(f"policy: no such key: {key}")
    policy = {}
    for key, (default, is_valid) in KEYS.items():
        value = given.get(key)
        if value is None:
            value = default
        elif not is_valid(value):
            raise InvalidPolicy(f"policy: {key} cannot be {value!r}")
        policy[key] = value
    return policy
