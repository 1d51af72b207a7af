"""Transcripts: a call with its questions, answers and decision, written and replayed."""

from .machine import is_conflict
from .world import ACCOUNT, CaseError


def record(machine, host):
    """(steps, decision) of a machine that a host answers."""
    steps = []
    try:
        ask = next(machine)
        while True:
            answer = host.answer(ask)
            ((kind, _),) = ask.items()
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
        if "ask" in step and step["ask"] != ask:
            raise CaseError("a question that the call does not ask")
        answer = step["answer"]
        if ask is None or not fits(ask, answer, operation):
            results.append("misuse")
            continue
        ((kind, content),) = answer.items()
        if kind == "account" and content is not None:
            content = {**ACCOUNT, **content}
        try:
            ask = machine.send(content)
            results.append("ok")
        except StopIteration as done:
            decision, ask = done.value, None
            results.append("misuse" if decision.get("error") == "misuse" else "ok")
    return results, decision


def fits(ask, answer, operation):
    """Whether an answer is of the kind and the length of the question."""
    ((kind, question),) = ask.items()
    if list(answer) != [kind]:
        return False
    content = answer[kind]
    if kind == "facts":
        return all(len(content[column]) == len(question[column]) for column in question)
    if kind == "commit" and "conflict" in content:
        if not is_conflict(content["conflict"], operation):
            raise CaseError(f"no such conflict: {content['conflict']}")
    return True
