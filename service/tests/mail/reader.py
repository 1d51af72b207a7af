"""Reads emails by Python's own parser: each line of the input names a file, and each line of the output is what stands in it."""

import email
import email.policy
import json
import pathlib
import sys


def shown(text):
    """A text of a header; what is no ASCII there is UTF-8 (RFC 6532)."""
    return str(text).encode("utf-8", "surrogateescape").decode("utf-8")


def addresses(message, name):
    return [
        [shown(one.display_name), shown(one.addr_spec)]
        for header in message.get_all(name, [])
        for one in header.addresses
    ]


def read(content):
    message = email.message_from_bytes(content, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    return {
        "names": list(message.keys()),
        "from": addresses(message, "From"),
        "reply_to": addresses(message, "Reply-To"),
        "to": addresses(message, "To"),
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
