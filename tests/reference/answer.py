"""The answer to a call, and a reader of answers."""

import json

from . import strictjson
from .rules import MEANINGS, code_of

LARGEST_TRANSACTION_ID = 2**53 - 1


def write(operation, policy, violation=None, transaction_id=None):
    """The exact answer text."""
    code = 200 if violation is None else code_of(violation.rule, operation)
    if policy["answer_status"] == "word":
        status = "Success" if code == 200 else "Error"
    else:
        status = MEANINGS[operation][code]
        has_place = violation is not None and violation.phase == 4 and violation.pointer
        if policy["answer_status"] == "place" and has_place:
            status += f" at {violation.pointer}"
    as_numbers = policy["answer_values"] == "numbers"
    answer = {"code": code if as_numbers else str(code), "status": status}
    if transaction_id is not None:
        answer["transactionId"] = transaction_id if as_numbers else str(transaction_id)
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


class Unreadable(Exception):
    """A text that is not an answer."""


def read(text):
    try:
        answer = strictjson.loads(text.lstrip("\ufeff"))
    except ValueError:
        raise Unreadable("answer: not JSON") from None
    if not isinstance(answer, dict):
        raise Unreadable("answer: no object")
    code = digits_of(answer.get("code"))
    if code is None or len(code) != 3 or code[0] == "0":
        raise Unreadable("code: not a number of three digits")
    status = answer.get("status")
    if isinstance(status, bool | dict | list):
        raise Unreadable("status: not a text")
    if isinstance(status, int | float):
        status = json.dumps(status)
    transaction_id = answer.get("transactionId")
    if transaction_id is not None:
        digits = digits_of(transaction_id)
        if digits is None or len(digits) > 1000 or not 1 <= int(digits) <= LARGEST_TRANSACTION_ID:
            raise Unreadable("transactionId: not a number from 1 to 2^53-1")
        transaction_id = int(digits)
    return {"code": int(code), "status": status, "transaction_id": transaction_id}


def digits_of(value):
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return value
    return None
