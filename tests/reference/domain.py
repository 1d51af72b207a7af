"""Domain names: UTS 46, and the walk up a domain that a blacklist answers."""

import ipaddress
import unicodedata

import idna.core
from idna import IDNAError, uts46_remap

HOST_CHARACTERS = set("abcdefghijklmnopqrstuvwxyz0123456789-_.")


def to_ascii(text):
    """The lower-case ASCII form of a domain as section 7 wants it, or None."""
    try:
        mapped = uts46_remap(text, std3_rules=True)
        if any(char.isascii() and char not in HOST_CHARACTERS for char in mapped):
            return None
        labels = [check_label(label) for label in mapped.split(".")]
        check_directions(labels)
    except (IDNAError, ValueError):
        return None
    encoded = [encode_label(label) for label in labels]
    if any(not 1 <= len(label) <= 63 for label in encoded):
        return None
    if len(".".join(encoded)) > 253:
        return None
    return ".".join(encoded)


def check_label(label, std3_rules=True):
    """The Unicode form of a mapped label. Raises IDNAError when the label is not valid."""
    if label == "":
        raise IDNAError("an empty label")
    if label.startswith("xn--"):
        label = decode_label(label, std3_rules)
    if unicodedata.normalize("NFC", label) != label:
        raise IDNAError("not NFC")
    if std3_rules and (label.startswith("-") or label.endswith("-")):
        raise IDNAError("a hyphen first or last")
    if unicodedata.category(label[0]).startswith("M"):
        raise IDNAError("a mark first")
    for position, char in enumerate(label):
        if char in "\u200c\u200d" and not idna.core.valid_contextj(label, position):
            raise IDNAError("a joiner out of place")
    return label


def decode_label(label, std3_rules):
    """The label that an xn-- label encodes. Raises IDNAError or UnicodeError."""
    decoded = label[4:].encode("ascii").decode("punycode")
    if decoded == "" or decoded.isascii():
        raise IDNAError("Punycode of plain ASCII")
    # Python's decoder takes what the encoder would not write.
    if encode_label(decoded) != label:
        raise IDNAError("not the Punycode of this label")
    if uts46_remap(decoded, std3_rules=std3_rules) != decoded or "." in decoded:
        raise IDNAError("a label that mapping would change")
    return decoded


def is_host(ascii_form):
    """Whether UTS 46 allows the decoded Punycode of a host."""
    labels = [label for label in ascii_form.split(".") if label]
    try:
        decoded = [check_label(label, std3_rules=False) if label.startswith("xn--") else label for label in labels]
        check_directions(decoded)
    except (IDNAError, ValueError):
        return False
    return True


def check_directions(labels):
    """Raises IDNAError when a name with a label from right to left has one that does not keep the rule for these."""
    if any(is_right_to_left(label) for label in labels):
        for label in labels:
            idna.core.check_bidi(label, check_ltr=True)


def is_right_to_left(label):
    return any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in label)


def encode_label(label):
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def mail_domain(text):
    """The ASCII form of a domain that mail can go to, or None."""
    ascii_form = to_ascii(text)
    if ascii_form is None:
        return None
    labels = ascii_form.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return None
    return ascii_form


def is_numeric(host):
    """An IPv6 host in brackets, or an IPv4 one."""
    return host.startswith("[") or host.rsplit(".", 1)[-1].isdigit()


def mapped_ipv4(host):
    """The IPv4 address inside an IPv4-mapped IPv6 host, or None."""
    if not host.startswith("["):
        return None
    mapped = ipaddress.IPv6Address(host[1:-1]).ipv4_mapped
    return None if mapped is None else str(mapped)


def with_parents(host):
    """The names that are asked about for a host: itself, then its parents down to two labels."""
    host = host.rstrip(".")
    if host == "":
        return []
    if is_numeric(host):
        mapped = mapped_ipv4(host)
        return [host] if mapped is None else [host, mapped]
    labels = host.split(".")
    if len(labels) <= 2:
        return [host]
    return [".".join(labels[i:]) for i in range(len(labels) - 1)]


def is_blacklisted(host, entries):
    return any(name in entries for name in with_parents(host))
