"""Reads emails by Python's own parser: each line of the input names a file, and each line of the output has its contents."""

import email
import email.policy
import json
import pathlib
import sys
from email.header import decode_header, make_header
from email.utils import parseaddr


def shown(text):
    """A text of a header. What is not ASCII in it is UTF-8 (RFC 6532)."""
    return str(text).encode("utf-8", "surrogateescape").decode("utf-8")


def names(content, name):
    """The names next to the addresses, as the older of Python's parsers reads them: the newer one keeps the space between
    two encoded words, which does not belong to the name."""
    head = content.split(b"\r\n\r\n")[0].replace(b"\r\n ", b" ").decode("utf-8")
    fields = [line.partition(": ")[2] for line in head.split("\r\n") if line.startswith(f"{name}: ")]
    return [str(make_header(decode_header(parseaddr(field)[0]))) for field in fields]


def addresses(message, content, name):
    specs = [shown(one.addr_spec) for header in message.get_all(name, []) for one in header.addresses]
    return list(zip(names(content, name), specs, strict=True))


def read(content):
    message = email.message_from_bytes(content, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    return {
        "names": list(message.keys()),
        "from": addresses(message, content, "From"),
        "reply_to": addresses(message, content, "Reply-To"),
        "to": addresses(message, content, "To"),
        "subject": shown(message["Subject"]),
        "date": int(message["Date"].datetime.timestamp()),
        "message_id": shown(message["Message-ID"]),
        "list_unsubscribe": "".join(shown(message.get("List-Unsubscribe", "")).split()),
        "type": message.get_content_type(),
        "parts": [
            [part.get_content_type(), part.get_content_charset(), part.get_payload(decode=True).decode("utf-8")]
            for part in parts
        ],
        "defects": [repr(defect) for part in message.walk() for defect in part.defects],
    }


for line in sys.stdin:
    print(json.dumps(read(pathlib.Path(line.rstrip("\n")).read_bytes())))
