"""Reads one conformance case a line from standard input and writes one answer a line to standard output.

    python tests/executors/json/executor.py LIBRARY [text]

It uses nothing but the functions of include/franking_json.h in the shared library, as docs/binding.md shows, and knows no
rules. With `text`, questions, plans and answers have ids as texts. It needs cffi.
"""

import base64
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from library import Library, LibraryError
from reference import strictjson
from world import CaseError, World, number_of

# Of the members that the library writes, those that a conformance answer has.
VIOLATION = ("rule", "code", "pointer", "span")
DECISION = (
    "code",
    "rule",
    "pointer",
    "span",
    "request",
    "response",
    "plan",
    "refused",
    "deprecation",
    "error",
)
KINDS = {
    "address": ("valid", "key", "domain"),
    "addresses": ("entries",),
    "answer": ("code", "status", "transaction_id"),
    "blacklisted": ("blacklisted",),
    "compose": ("calls",),
    "date": ("valid",),
    "decode": ("html", "encoding"),
    "hosts": ("hosts",),
    "outcome": ("summary",),
    "preflight": ("violations", "more", "warnings"),
    "replay": ("steps", "decision"),
    "rules": ("rules",),
}


def need(condition, what):
    if not condition:
        raise CaseError(what)


def members(form, names):
    return {name: form[name] for name in names if name in form}


def decision_of(form, are_ids_texts):
    """The decision as a conformance answer has it."""
    answer = members(form, DECISION)
    if answer["refused"] is not None:
        answer["refused"] = [members(row, (*VIOLATION, "request")) for row in answer["refused"]]
    if answer["plan"] is not None:
        messages = answer["plan"]["messages"]
        rows = [(row, "id") for row in answer["plan"]["update"] + answer["plan"]["enlist"]]
        rows += [(message, "mailer") for message in messages]
        rows += [(recipient, "subscriber") for message in messages for recipient in message["recipients"]]
        for row, name in rows:
            if row[name] is not None:
                row[name] = number_of(row[name], are_ids_texts)
    return answer


def body_of(case):
    need(("body" in case) != ("body_base64" in case), "a call has one of body and body_base64")
    text = case.get("body", case.get("body_base64"))
    need(isinstance(text, str), "the body is not a text")
    if "body" in case:
        return text.encode()
    body = base64.b64decode(text, validate=True)
    # The decoder ignores the bits that the last character leaves over.
    need(base64.b64encode(body).decode() == text, "body_base64 is not Base64")
    return body


# docs/binding.md shows this function.
def decide(library, options, body, answer):
    """Decides a call: what was decided, and what to answer over HTTP."""
    call = library.call_new_json(options, body)
    try:
        form, status = library.call_step_json(call), 0
        while status == 0 and "ask" in form:
            if "commit" in form["ask"]:
                status = library.call_answer_json(call, {"begin": True})
            if status == 0:
                status = library.call_answer_json(call, answer(form["ask"]))
            if status == 0:
                form = library.call_step_json(call)
        return form, library.call_http_json(call, status)
    finally:
        library.call_free(call)


def decided(library, case, are_ids_texts):
    """The answer to a case of the kind decide or http."""
    options = members(case, ("operation", "method", "policy"))
    if are_ids_texts:
        options["ids"] = "text"
    host = World(library, case.get("operation"), case.get("world"), are_ids_texts)
    form, http = decide(library, options, body_of(case), host.answer_to)
    if case["do"] == "http":
        return http
    need("decision" in form, "the library has refused an answer of the host")
    return {**decision_of(form["decision"], are_ids_texts), "asked": host.asked}


def answer_of(library, case, line, are_ids_texts):
    kind = case.get("do")
    if kind in ("decide", "http"):
        return decided(library, case, are_ids_texts)
    need(isinstance(kind, str) and kind in KINDS, "there is no such case")
    answer = members(library.json(line), KINDS[kind])
    if kind == "preflight":
        answer["violations"] = [members(row, VIOLATION) for row in answer["violations"]]
        answer["warnings"] = [members(row, ("warning", "pointer")) for row in answer["warnings"]]
    elif kind == "replay" and answer["decision"] is not None:
        answer["decision"] = decision_of(answer["decision"], False)
    return answer


def answered(library, line, are_ids_texts):
    try:
        case = strictjson.loads(line.decode())
    except ValueError:
        return {"id": None, "error": "the line is not the JSON of a case"}
    if not isinstance(case, dict):
        return {"id": None, "error": "the case is not an object"}
    try:
        return {"id": case.get("id"), **answer_of(library, case, line, are_ids_texts)}
    except (CaseError, LibraryError, ValueError) as error:
        return {"id": case.get("id"), "error": str(error)}


def main():
    library, are_ids_texts = Library(sys.argv[1]), sys.argv[2:] == ["text"]
    for line in sys.stdin.buffer:
        text = json.dumps(answered(library, line, are_ids_texts), ensure_ascii=False)
        # The program that drives the executor may wait for each answer.
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
