"""White space and control characters, as the rules define them."""

import unicodedata

# The Unicode property White_Space; Python's str.isspace() also takes U+001C..U+001F.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def trim(text):
    return text.strip(WHITE_SPACE)


def is_white(text):
    return trim(text) == ""


def is_control(char):
    return unicodedata.category(char) == "Cc" or char in "\u2028\u2029"


def has_control(text):
    return any(is_control(char) for char in text)
