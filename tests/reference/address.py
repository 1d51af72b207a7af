"""Email addresses: which are valid, and the key by which two addresses are the same."""

import unicodedata

from .domain import mail_domain
from .text import WHITE_SPACE

ATEXT = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~")
REFUSED_CATEGORIES = {"Cc", "Cf", "Co", "Cn", "Cs"}


class Address:
    """A valid address: the text as sent (trimmed), its match key and its domain in ASCII form."""

    def __init__(self, text, key, domain):
        self.text = text
        self.key = key
        self.domain = domain


def is_local_char(char):
    if ord(char) < 0x80:
        return char in ATEXT
    return char not in WHITE_SPACE and unicodedata.category(char) not in REFUSED_CATEGORIES


def is_local_part(local):
    atoms = local.split(".")
    if any(atom == "" for atom in atoms):
        return False
    if not all(is_local_char(char) for atom in atoms for char in atom):
        return False
    return len(local.encode("utf-8")) <= 64


def parse(text):
    """The address that the text is, exactly, or None."""
    local, at, domain_text = text.rpartition("@")
    if not at:
        return None
    domain = mail_domain(domain_text)
    if domain is None:
        return None
    nfc = unicodedata.normalize("NFC", local)
    for form in (local, nfc):
        if not is_local_part(form):
            return None
        if len(form.encode("utf-8")) + 1 + len(domain) > 254:
            return None
    lowered = unicodedata.normalize("NFC", nfc.lower())
    return Address(text, f"{lowered}@{domain}", domain)


def split_list(text):
    """The entries of a comma-separated list as (start, end), trimmed, without the empty ones."""
    entries = []
    start = 0
    for end in [i for i, char in enumerate(text) if char == ","] + [len(text)]:
        first, last = start, end
        while first < last and text[first] in WHITE_SPACE:
            first += 1
        while last > first and text[last - 1] in WHITE_SPACE:
            last -= 1
        if first < last:
            entries.append((first, last))
        start = end + 1
    return entries
