"""Transcripts: a call with its questions, answers and decision, written and replayed."""

from .machine import conflict_of
from .rules import SEND_MAILER
from .world import ACCOUNT, ROLES, CaseError, is_text, is_whole

MAILER = {"from", "from_name", "blacklisted"}
SUBSCRIBER = {"id", "email", "inactive", "blacklisted"}


def record(machine, host):
    """(steps, decision) of a machine that a host answers."""
    steps = []
    try:
        ask = next(machine)
        while True:
            answer = host.answer(ask)
            ((kind, _),) = ask.items()
            if not fits(ask, kind, answer, host.operation):
                raise CaseError("a world in which a stored address that the call uses is empty")
            steps.append({"ask": ask, "answer": {kind: answer}})
            ask = machine.send(answer)
    except StopIteration as done:
        return steps, done.value


def replay(machine, steps, operation):
    """(["ok" or "misuse", ...], decision or None)."""
    results = []
    decision, ask = None, None
    try:
        ask = next(machine)
    except StopIteration as done:
        decision = done.value
    for step in steps:
        form(isinstance(step, dict) and isinstance(step.get("answer"), dict), "a step without an answer")
        if "ask" in step and step["ask"] != ask:
            raise CaseError("a question that the call does not ask")
        kind, content = read_answer(step["answer"], operation)
        if ask is None or not fits(ask, kind, content, operation):
            results.append("misuse")
            continue
        try:
            ask = machine.send(content)
            results.append("ok")
        except StopIteration as done:
            decision, ask = done.value, None
            results.append("misuse" if decision.get("error") == "misuse" else "ok")
    return results, decision


def form(condition, what):
    if not condition:
        raise CaseError(f"transcript: {what}")


def read_answer(answer, operation):
    """(kind, content) of an answer, with the members that may be left out. Raises if it is not an answer to anything."""
    form(len(answer) == 1, "an answer of several kinds, or of none")
    ((kind, content),) = answer.items()
    if kind == "account" and content is None:
        return kind, None
    form(isinstance(content, dict), "an answer that is not an object")
    if kind == "account":
        form(set(content) <= set(ACCOUNT), "an unknown member of an account")
        for name, value in content.items():
            if name.endswith("credit"):
                form(value is None or is_whole(value) and -(2**63) <= value < 2**63, "a credit")
            else:
                form(isinstance(value, bool), "a flag")
        return kind, {**ACCOUNT, **content}
    if kind == "facts":
        return kind, read_facts(content)
    form(kind == "commit" and len(content) == 1, "an unknown answer")
    if "transaction_id" in content:
        number = content["transaction_id"]
        form(isinstance(number, int | float) and not isinstance(number, bool), "transaction_id")
        return kind, {"transaction_id": number if is_whole(number) else 0}
    if "unknown" in content:
        form(content["unknown"] is True, "unknown")
        return kind, content
    conflict = conflict_of(content.get("conflict"), operation)
    form(conflict, "no such conflict")
    return kind, {**content, "conflict": conflict}


def read_facts(content):
    columns = {name: content.get(name, []) for name in COLUMNS}
    form(set(content) <= set(columns), "an unknown column")
    form(all(isinstance(column, list) for column in columns.values()), "a column that is not an array")
    for name in ("senders", "lists"):
        form(all(isinstance(value, bool) for value in columns[name]), name)
    for roles in columns["domains"]:
        form(isinstance(roles, list) and all(is_text(role) and role in ROLES for role in roles), "roles")
    columns["mailers"] = [read_row(row, MAILER, ["from"]) for row in columns["mailers"]]
    for name in ("subscriber_ids", "subscribers"):
        columns[name] = [read_row(row, SUBSCRIBER, ["id", "email"]) for row in columns[name]]
    return columns


COLUMNS = ["mailers", "senders", "subscriber_ids", "subscribers", "lists", "domains"]


def read_row(row, members, needed):
    if row is None:
        return None
    form(isinstance(row, dict) and set(row) <= members and set(needed) <= set(row), "a row of a column")
    row = {"from_name": None, "inactive": False, "blacklisted": None, **row}
    form(is_text(row.get("from", "")) and is_text(row.get("email", "")), "an address")
    form(row["from_name"] is None or is_text(row["from_name"]), "a name")
    form(isinstance(row["inactive"], bool), "a flag")
    form(row["blacklisted"] is None or isinstance(row["blacklisted"], bool), "a flag that may be left out")
    form(is_whole(row.get("id", 0)) and 0 <= row.get("id", 0) < 2**64, "an id")
    return row


def fits(ask, kind, content, operation):
    """Whether an answer is of the kind and the length of the question, and has the members without a default."""
    if list(ask) != [kind]:
        return False
    if kind != "facts":
        return True
    ids = [row["id"] for name in ("subscriber_ids", "subscribers") for row in content[name] if row is not None]
    return (
        all(1 <= number < 2**63 for number in ids)
        and all(len(content[column]) == len(asked) for column, asked in ask[kind].items())
        and (operation != SEND_MAILER or says_what_is_listed(ask[kind], content))
    )


def says_what_is_listed(ask, content):
    """Whether each stored address that a sendMailer call uses is there, and is said to be in a listed domain or not."""
    names = ["subscriber_ids", "subscribers", *([] if ask["senders"] else ["mailers"])]
    rows = [row for name in names for row in content[name] if row is not None]
    return all(row["blacklisted"] is not None and row["from" if "from" in row else "email"] != "" for row in rows)
