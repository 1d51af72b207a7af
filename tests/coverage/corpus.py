"""Fails unless the vectors cover every rule, pair of rules, code, policy setting, boundary, conflict, warning and kind.

    python tests/coverage/corpus.py [--missing]

The library says what there is to cover: the rules by the executor's `rules` case, the rest by `franking-fuzz names`; the
kinds of cases are those that the Rust executor tells apart. Only the pairs of rules that no call can break, the values of
settings, and the boundaries are named here. `--missing` shows all that is not covered, not only the first few. Standard library only.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from conformance import expand  # noqa: E402

OPERATIONS = ["sendMailer", "httpSendMail"]
# What a preflight judges: phases 1 and 4 and the empty key, but not the method.
PREFLIGHT_PHASES = {1, 4}
NOT_IN_PREFLIGHT = {"method-not-post"}
ALSO_IN_PREFLIGHT = {"key-missing"}
SHOWN = 10

# Rules of which a call breaks at most one, with the reason: (operation, rules, the other rules; the same ones if none).
APART = [
    # An account that was not found has no state.
    (None, ["key-missing", "key-unknown"], ["account-blocked", "account-expired", "account-deactivated"]),
    (None, ["key-missing", "key-unknown"], []),
    # `from` is there, valid or not. An invalid one is not asked about.
    ("sendMailer", ["sender-missing"], ["sender-malformed", "sender-unknown"]),
    ("sendMailer", ["sender-malformed"], ["sender-domain-blacklisted", "sender-unknown"]),
    # One call has one recipient: absent, malformed, unknown, or a subscriber, or one that is to be created.
    (
        "sendMailer",
        ["recipient-missing", "recipient-malformed", "subscriber-id-malformed", "subscriber-unknown"],
        ["recipient-domain-blacklisted", "subscriber-inactive"],
    ),
    (
        "sendMailer",
        [
            "recipient-missing",
            "recipient-malformed",
            "subscriber-id-malformed",
            "subscriber-unknown",
            "subscriber-inactive",
        ],
        ["list-unknown", "subscriber-credit-low", "subscriber-exists"],
    ),
    (
        "sendMailer",
        ["recipient-missing", "recipient-malformed", "subscriber-id-malformed", "subscriber-unknown"],
        [],
    ),
    ("sendMailer", ["mailer-missing"], ["mailer-unknown"]),
]
# A call without requests breaks no rule of a request or of credits.
ABOVE_REQUESTS = {
    "method-not-post", "operation-retired", "body-too-large", "body-not-json", "field-repeated", "key-missing",
    "key-unknown", "account-blocked", "account-expired", "account-deactivated",
}  # fmt: skip
PAIR = re.compile(r"\S+ wins of (\S+)(?: in request \d)? and (\S+?)(?: in request \d)?(?: \(\d+\))?")

SETTINGS = {
    "max_requests": ["1", "other"],
    "max_bytes": ["1", "other"],
    "max_attempts": ["1", "other"],
    "today": ["2024-04-30", "2024-05-01", "null", "other"],
    "batch": ["whole", "partial"],
    "empty_clears": ["true", "false"],
    "html_encoding": ["detect", "always"],
    "hidden_hosts": ["refuse", "ask"],
    "bare_domains": ["true", "false"],
    "placeholders": ["[]", "other"],
    "answer_values": ["strings", "numbers"],
    "answer_status": ["word", "meaning", "place"],
}
CONFLICTS_WITH_CHANGE = [
    "accounts", "mailers", "senders", "subscribers", "lists", "blacklists", "transaction_id", "commits",
]  # fmt: skip
# Blocks that are new as a whole in Unicode 14.
UNICODE_14 = [
    (0x0870, 0x088E), (0x10570, 0x105BC), (0x10780, 0x107BA), (0x12F90, 0x12FF0), (0x16A70, 0x16AC9),
    (0x1DF00, 0x1DF1E), (0x1E290, 0x1E2AE), (0x1E7E0, 0x1E7FE),
]  # fmt: skip


def rules():
    """The rule table, from the executor."""
    run = subprocess.run(
        [ROOT / "tests/executors/run", "rust"],
        input=b'{"id": 1, "do": "rules"}\n',
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(run.stdout)["rules"]


def names():
    """Policy keys, conflicts and warnings, from the library."""
    command = 'source tests/built.sh && built_with franking-fuzz && "$built/franking-fuzz" names'
    run = subprocess.run(["bash", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def kinds():
    """The kinds of cases, from the match of the Rust executor."""
    source = (ROOT / "tests/executors/rust/src/cases.rs").read_text(encoding="utf-8")
    match = source[source.index('match text(case, "do")?') :]
    return re.findall(r'^ {8}"([a-z]+)" =>', match[: match.index("unknown =>")], re.MULTILINE)


def vectors(folder):
    for path in sorted(folder.glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            if "$line" not in vector["case"]:
                yield vector["name"], vector["case"], expand(vector["expect"])


def impossible(pair, operation):
    """Whether no call of the operation breaks both rules."""
    for of, rules, others in APART:
        if of in (None, operation):
            if not others and pair <= set(rules):
                return True
            if others and pair & set(rules) and pair & set(others):
                return True
    return (
        operation == "httpSendMail"
        and "requests-missing" in pair
        and not pair & ABOVE_REQUESTS
        and len(pair) == 2
    )


def pairs(applies):
    """The pairs of rules that one call can break, as (rule, rule, operation)."""
    for operation in OPERATIONS:
        own = sorted(row["rule"] for row, of in applies if of == operation)
        for first, second in itertools.combinations(own, 2):
            if not impossible({first, second}, operation):
                yield first, second, operation


BOUNDARIES = {
    *(f"{count} requests" for count in (999, 1000, 1001)),
    *(f"{size} bytes" for size in (33554432, 33554433)),
    *(f"local part of {count} octets" for count in (64, 65)),
    *(f"address of {count} octets" for count in (253, 254, 255)),
    *(f"mailerID {number}" for number in (1, 0, 2**63 - 1, 2**63)),
    *(f"subID {number}" for number in (1, 0, 2**63 - 1, 2**63)),
    *(f"transaction id {number}" for number in (1, 0, 2**53 - 1, 2**53)),
    *(f"{count} levels" for count in (127, 128, 129)),
    "Unicode 14 only, in an address",
}


def boundaries(case, expect):
    """The boundaries that a case has."""
    del expect
    if case["do"] == "address":
        yield from address_boundaries(case["text"])
    for world in [case.get("world") or {}, *(step.get("answer", {}).get("commit", {}) for step in steps_of(case))]:
        if isinstance(world, dict) and "transaction_id" in world:
            yield f"transaction id {world['transaction_id']}"
    if case["do"] not in ("decide", "preflight") or not isinstance(case.get("body"), str):
        return
    body = case["body"]
    size = len(body.encode("utf-8"))
    yield f"{size} bytes"
    if body.count("{") + body.count("[") >= 127:
        yield f"{depth(body)} levels"
    if "mailerID" not in body and "requests" not in body and "subID" not in body or size > 2**24:
        return
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return
    if not isinstance(fields, dict):
        return
    for name in ("mailerID", "subID"):
        yield f"{name} {fields.get(name)}"
    if isinstance(fields.get("requests"), list):
        yield f"{len(fields['requests'])} requests"
        fields = next((one for one in fields["requests"] if isinstance(one, dict)), {})
    for name in ("email", "to"):
        if isinstance(fields.get(name), str):
            yield from address_boundaries(fields[name])


def steps_of(case):
    transcript = case.get("transcript")
    steps = transcript.get("steps") if isinstance(transcript, dict) else None
    steps = [step for step in steps or [] if isinstance(step, dict)] if isinstance(steps, list) else []
    return [
        step
        for step in steps
        if isinstance(step.get("answer"), dict) and isinstance(step["answer"].get("commit", {}), dict)
    ]


def address_boundaries(text):
    local_part, at, _ = text.rpartition("@")
    if at and "," not in text:
        yield f"local part of {len(local_part.encode('utf-8', 'replace'))} octets"
        yield f"address of {len(text.encode('utf-8', 'replace'))} octets"
        if any(first <= ord(char) <= last for char in text for first, last in UNICODE_14):
            yield "Unicode 14 only, in an address"


def depth(body):
    """The most arrays and objects that are open at once, outside of strings."""
    deepest = level = 0
    for char in re.sub(r'"(?:[^"\\]|\\.)*"', "", body):
        if char in "{[":
            level += 1
            deepest = max(deepest, level)
        elif char in "}]":
            level -= 1
    return deepest


def setting(key, value):
    """The name under which a value of a policy counts."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if text in SETTINGS.get(key, []) else "other"


def wanted():
    """{subject: all its members}."""
    table, library = rules(), names()
    applies = [(row, operation) for row in table for operation in OPERATIONS if row[operation] is not None]
    return {
        "rule that decides, by operation": {(row["rule"], operation) for row, operation in applies},
        "rule in a preflight, by operation": {
            (row["rule"], operation)
            for row, operation in applies
            if (row["phase"] in PREFLIGHT_PHASES or row["rule"] in ALSO_IN_PREFLIGHT)
            and row["rule"] not in NOT_IN_PREFLIGHT
        },
        "code that answers, by operation": {(row[operation], operation) for row, operation in applies}
        | {(200, operation) for operation in OPERATIONS},
        "pair of rules that one call can break": set(pairs(applies)),
        "policy key": set(library["policy"]),
        "policy setting": {(key, value) for key in library["policy"] for value in SETTINGS.get(key, ["?"])},
        "boundary": BOUNDARIES,
        "what a conflict changes": set(CONFLICTS_WITH_CHANGE),
        "partial batch": {"a request", "an address", "both", "all", "refused after all"},
        "transcript": {"all taken", "misuse", "without end", "of each operation", "with questions"},
        "conflict at commit, by operation": {
            (entry["conflict"], operation) for entry in library["conflicts"] for operation in entry["operations"]
        },
        "conflict that decides, by operation": {
            (entry["conflict"], operation) for entry in library["conflicts"] for operation in entry["operations"]
        },
        "warning": set(library["warnings"]),
        "kind of case": set(kinds()),
    }


def covered(folder):
    """{subject: how often each member is in the vectors}."""
    seen = collections.defaultdict(collections.Counter)
    for name, case, expect in vectors(folder):
        if set(expect) == {"id", "error"}:
            continue
        kind, operation = case.get("do"), case.get("operation")
        seen["kind of case"][kind] += 1
        policy = {**(case.get("policy") or {}), **(case.get("transcript", {}).get("policy") or {})}
        for key, value in policy.items():
            seen["policy key"][key] += 1
            seen["policy setting"][key, setting(key, value)] += 1
        seen["boundary"].update(set(boundaries(expand(case), expect)))
        if kind == "decide":
            seen["rule that decides, by operation"][expect["rule"], operation] += 1
            seen["code that answers, by operation"][expect["code"], operation] += 1
            pair = PAIR.fullmatch(name)
            if pair and expect["rule"] in pair.groups():
                seen["pair of rules that one call can break"][*sorted(pair.groups()), operation] += 1
            world = case.get("world") or {}
            for entry in world.get("commits") or []:
                seen["what a conflict changes"].update(list((entry or {}).get("change") or {}))
            if policy.get("batch") == "partial":
                seen["partial batch"].update(partial(expect))
            commits = [entry for entry in world.get("commits") or [] if isinstance(entry, dict)]
            happened = [entry for entry in commits[: expect["asked"]["commits"]] if not entry.get("fails")]
            for entry in happened:
                seen["conflict at commit, by operation"][entry["conflict"], operation] += 1
            if happened and len(happened) == expect["asked"]["commits"] and expect["code"] != 200:
                seen["conflict that decides, by operation"][happened[-1]["conflict"], operation] += 1
        if kind == "replay":
            seen["transcript"].update(told(case["transcript"], expect))
        if kind == "preflight":
            seen["warning"].update(warning["warning"] for warning in expect["warnings"])
            for violation in expect["violations"]:
                seen["rule in a preflight, by operation"][violation["rule"], operation] += 1
    return seen


def partial(expect):
    """The features of partial batches that a decision shows."""
    rows = expect["refused"] or []
    rules = {"recipient-malformed", "recipient-domain-blacklisted", "subscriber-inactive"}
    of_addresses = [row["rule"] in rules for row in rows]
    if expect["code"] == 200:
        yield from ["a request"] * (False in of_addresses) + ["an address"] * (True in of_addresses)
        yield from ["both"] * (len(set(of_addresses)) == 2)
    elif rows:
        yield "refused after all" if expect["code"] in (442, 443, 444, 445) and expect["pointer"] is None else "all"


def told(transcript, expect):
    """The features of transcripts that a replay shows."""
    yield "misuse" if "misuse" in expect["steps"] else "all taken"
    if expect["decision"] is None:
        yield "without end"
    if transcript["operation"] == "httpSendMail":
        yield "of each operation"
    if any("ask" in step for step in transcript["steps"]):
        yield "with questions"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--missing", action="store_true", help="show all that is not covered")
    parser.add_argument("--vectors", type=pathlib.Path, default=ROOT / "tests/vectors", help="folder of the vectors")
    arguments = parser.parse_args()
    seen = covered(arguments.vectors)
    passed = failed = 0
    print(f"{'what':<40}{'all':>6}{'covered':>9}{'least often':>13}")
    for subject, members in wanted().items():
        counts = {member: seen[subject][member] for member in members}
        missing = sorted(str(member) for member, count in counts.items() if not count)
        print(f"{subject:<40}{len(members):>6}{len(members) - len(missing):>9}{min(counts.values(), default=0):>13}")
        for member in missing if arguments.missing else missing[:SHOWN]:
            print(f"    no vector: {member}")
        # A subject of which nothing is known has not been covered.
        passed += len(members) - len(missing)
        failed += len(missing) or not members
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
