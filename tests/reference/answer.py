"""The answer to a call, and a reader of answers."""

import json

from .rules import MEANINGS, code_of


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
    """A text that is no answer."""


def read(text):
    try:
        answer = json.loads(text)
    except ValueError:
        raise Unreadable("answer: not JSON") from None
    if not isinstance(answer, dict):
        raise Unreadable("answer: no object")
    code = number_of(answer.get("code"))
    if code is None or not 100 <= code <= 999:
        raise Unreadable("code: not a number of three digits")
    status = answer.get("status")
    transaction_id = answer.get("transactionId")
    if transaction_id is not None:
        transaction_id = number_of(transaction_id)
        if transaction_id is None:
            raise Unreadable("transactionId: not a number")
    return {"code": code, "status": status, "transaction_id": transaction_id}


def number_of(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    return None
