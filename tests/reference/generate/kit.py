"""What the generators share: a suite of vectors, a small world, and bodies."""

import copy
import json

from conformance import differences, expand

from ..executor import answer_line

KEY = "key-1"
WORLD = {
    "accounts": {
        KEY: {
            "blocked": False,
            "expired": False,
            "deactivated": False,
            "subscriber_credit": 1000000,
            "email_credit": 1000000,
        }
    },
    "mailers": {"42": {"from": "news@shop.example", "from_name": "The Shop"}},
    "senders": ["news@shop.example"],
    "subscribers": [{"id": 7, "email": "known@customer.example", "inactive": False, "fields": {}}],
    "lists": ["Customers"],
}
MAILER = {"apiKey": KEY, "mailerID": 42, "email": "new@customer.example"}
REQUEST = {"subject": "Hello", "body": "Hello", "to": "new@customer.example", "from": "news@shop.example"}


def world(**changes):
    changed = copy.deepcopy(WORLD)
    changed.update(changes)
    return changed


def account(**changes):
    return {KEY: {**WORLD["accounts"][KEY], **changes}}


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# One address, in the domain a.listed.example, in spellings that are allowed between the quotes of a JSON string.
SPELLINGS = {
    "as it is": "x@a.listed.example",
    "with upper case": "x@A.Listed.EXAMPLE",
    "with spaces around": "  x@a.listed.example ",
    "with no-break spaces around": "\u00a0x@a.listed.example\u00a0\u2003",
    "with a space and a no-break space before": " \u00a0 x@a.listed.example",
    "with an escaped letter": "x@a.l\\u0069sted.example",
    "with an escaped first letter": "\\u0078@a.listed.example",
    "with an escaped dot and upper case": "x@A\\u002eListed.example",
    "with escaped white space around": "\\t x@a.listed.example\\u00a0\\r\\n",
    "with wide dots": "x@a\uff0elisted\u3002example",
}


def spelled(body, field, spelling):
    """The text of the body, with the spelling in the place of the field's value."""
    text = dump(body)
    value = dump(body[field] if field in body else body["requests"][0][field])
    assert text.count(f'"{field}":{value}') == 1, (text, field)
    return text.replace(f'"{field}":{value}', f'"{field}":"{spelling}"')


def without(body, *names):
    return {name: value for name, value in body.items() if name not in names}


def batch(*requests, **top):
    return {"ApiKey": KEY, "requests": list(requests), **top}


class Suite:
    """One file of vectors."""

    def __init__(self, name, about):
        self.name = name
        self.about = about
        self.vectors = []
        self.names = {}

    def add(self, name, case, wants=None, error=None):
        """Adds a case. `wants`: a part of the answer, stated by hand. `error`: a word of its text."""
        count = self.names[name] = self.names.get(name, 0) + 1
        name = name if count == 1 else f"{name} ({count})"
        case = {"id": f"{self.name}-{len(self.vectors) + 1}", **case}
        answer = answer_line(json.dumps(expand(case), ensure_ascii=False))
        expected = answer
        if error is not None:
            assert set(answer) == {"id", "error"}, (name, answer)
            assert error in answer["error"], (name, answer)
            expected = {**answer, "error": {"$text": error}}
        else:
            assert set(answer) != {"id", "error"}, (name, case, answer)
        for key, value in (wants or {}).items():
            found = list(differences(value, answer[key])) if key in answer else ["missing"]
            assert not found, (self.name, name, key, found, case, answer)
        self.vectors.append({"name": name, "case": case, "expect": expected})
        return answer

    def add_line(self, name, line, number=None):
        """A raw line that is not a valid case."""
        answer = answer_line(line)
        assert answer["id"] == number and "error" in answer, (name, answer)
        self.vectors.append(
            {"name": name, "case": {"$line": line}, "expect": {"id": number, "error": {"$text": ""}}}
        )

    def replace_expectation(self, expect):
        """Takes the place of the last vector's expected value (the same value, as a recipe)."""
        got = self.vectors[-1]["expect"]
        assert not list(differences(expand(expect), got)), list(differences(expand(expect), got))[:3]
        self.vectors[-1]["expect"] = expect

    def decide(self, name, operation, body, wants=None, error=None, method="POST", policy=None, **others):
        case = {"do": "decide", "operation": operation, "method": method, **put(body)}
        if policy:
            case["policy"] = policy
        case["world"] = others.get("world", WORLD)
        return self.add(name, case, wants, error)

    def mailer(self, name, body, code=None, rule=None, **others):
        return self.decide(name, "sendMailer", body, stated(code, rule, others), **others)

    def http(self, name, body, code=None, rule=None, **others):
        return self.decide(name, "httpSendMail", body, stated(code, rule, others), **others)

    def preflight(self, name, operation, body, rules=None, warnings=None, policy=None):
        case = {"do": "preflight", "operation": operation, **put(body)}
        if policy:
            case["policy"] = policy
        answer = self.add(name, case)
        if rules is not None:
            got = [violation["rule"] for violation in answer["violations"]]
            assert got == rules, (name, got, rules)
        if warnings is not None:
            got = [(warning["warning"], warning["pointer"]) for warning in answer["warnings"]]
            assert got == warnings, (name, got, warnings)
        return answer

    def hosts(self, name, html, hosts):
        self.add(name, {"do": "hosts", "html": html}, {"hosts": sorted(set(hosts))})

    def text(self):
        head = json.dumps({"about": self.about}, ensure_ascii=False)[:-1]
        lines = ",\n".join(
            json.dumps(vector, ensure_ascii=False, separators=(",", ":")) for vector in self.vectors
        )
        return f'{head}, "cases": [\n{lines}\n]}}\n'


def stated(code, rule, others):
    wants = dict(others.pop("wants", None) or {})
    if code is not None:
        wants.update(code=code, rule=rule)
    return wants


def put(body):
    """The key and value that carry a body: an object, its text, its bytes or a recipe."""
    if isinstance(body, bytes):
        import base64

        return {"body_base64": base64.b64encode(body).decode("ascii")}
    if isinstance(body, dict) and list(body) != ["$parts"]:
        return {"body": dump(body)}
    return {"body": body}


def span_of(body, piece, start=0):
    """The span of a piece of text in a body."""
    data, wanted = body.encode("utf-8"), piece.encode("utf-8")
    at = data.index(wanted, start)
    return [at, at + len(wanted)]
