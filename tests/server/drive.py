"""Checks anyone's server: sends it the calls of the vectors over HTTP and compares the codes that it answers.

    python tests/server/drive.py [--world FILE] [--accepted] [--header 'Name: value'] URL

URL is the part before `/v4/`. The server has been loaded with the world in FILE (tests/server/world.json if left
out), under the default policy: use an installation for tests, because a server that is wrong may send emails.
`--accepted` also sends the calls that have to be accepted; these create subscribers and send emails to names below
.example, where no mail arrives. The codes are compared as numbers, whether the server writes strings or numbers.

Vectors that cannot be judged from outside are counted with the reason. Exit status 1 when a code differs or nothing was judged.
Standard library only. docs/conformance.md says more.
"""

import argparse
import base64
import collections
import http.client
import json
import pathlib
import re
import ssl
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from conformance import expand  # noqa: E402

PATHS = {"sendMailer": ["/v4/sendMailer"], "httpSendMail": ["/v4/httpSendMail.php", "/v4/httpSendMail"]}
# Settings that change the text of an answer, but not its code.
TEXT_SETTINGS = {"answer_values", "answer_status"}
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
ACCOUNT = {"blocked": False, "expired": False, "deactivated": False, "subscriber_credit": None, "email_credit": None}
STATES = ("blocked", "expired", "deactivated")
SHOWN = 40


# What can be judged


def why_not(case, expect, world, phases, is_accepting):
    """Why a vector cannot be judged from outside; None when it can."""
    if set(expect) == {"id", "error"} or "$line" in case:
        return "no valid case, or a line that shows how cases are read"
    if case["do"] != "decide":
        return f"nothing that a server answers: {case['do']}"
    if expect["code"] is None:
        return "ends by an error of the host"
    if set(case.get("policy") or {}) - TEXT_SETTINGS:
        return "stands on another policy"
    method = case.get("method", "POST")
    if not TOKEN.fullmatch(method):
        return "the method cannot be sent over HTTP"
    if method not in METHODS:
        return "a method that servers may answer by themselves"
    if not is_of_world(expect, case.get("world") or {}, world, phases):
        return "stands on another world"
    if expect["code"] == 200 and not is_accepting:
        return "would send an email (--accepted sends it)"
    return None


def is_of_world(expect, told, world, phases):
    """Whether the decision is the same in the server's world as in that of the case."""
    phase = phases[expect["rule"]] if expect["rule"] else None
    if phase == 1 or expect["rule"] == "key-missing":
        return True
    told, world = plain(told), plain(world)
    if told.pop("commits"):
        return False
    world.pop("commits")
    if phase in (2, 3, 4):
        return states(told) == states(world)
    return told == world


def plain(world):
    """A world with all keys, without the members that decide nothing."""
    world = {key: value for key, value in world.items() if value is not None}
    subscribers = [
        {key: subscriber.get(key) or False for key in ("id", "email", "inactive")}
        for subscriber in world.get("subscribers", [])
    ]
    blacklists = {role: sorted(names) for role, names in world.get("blacklists", {}).items() if names}
    return {
        "accounts": {key: account_of(row) for key, row in world.get("accounts", {}).items()},
        "mailers": {number: {"from_name": None, **mailer} for number, mailer in world.get("mailers", {}).items()},
        "senders": sorted(world.get("senders", [])),
        "subscribers": sorted(subscribers, key=lambda subscriber: subscriber["id"]),
        "lists": sorted(world.get("lists", [])),
        "blacklists": blacklists,
        "commits": world.get("commits", []),
    }


def account_of(row):
    return {name: default if row.get(name) is None else row[name] for name, default in ACCOUNT.items()}


def states(world):
    return {key: {state: account[state] for state in STATES} for key, account in world["accounts"].items()}


def load(folder):
    """(file, name, case, expected answer) of every vector, and the phase of every rule."""
    found, phases = [], {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            found.append((path.stem, vector["name"], vector["case"], vector["expect"]))
            for row in vector["expect"].get("rules", []) if vector["case"].get("do") == "rules" else []:
                phases[row["rule"]] = row["phase"]
    return found, phases


# Calling


class Server:
    """One connection, made again when the server has closed it."""

    def __init__(self, url, headers, timeout):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no http or https address")
        self.prefix = parts.path.rstrip("/")
        self.headers = {"Content-Type": "application/json", **headers}
        if parts.scheme == "https":
            context = ssl.create_default_context()
            # clock: the caller says when a server that does not answer is given up
            self.connection = http.client.HTTPSConnection(parts.netloc, timeout=timeout, context=context)
        else:
            # clock: the same
            self.connection = http.client.HTTPConnection(parts.netloc, timeout=timeout)

    def call(self, method, path, body):
        """(HTTP status, bytes)."""
        for attempt in (1, 2):
            try:
                self.connection.request(method, self.prefix + path, body, self.headers)
                response = self.connection.getresponse()
                return response.status, response.read()
            except (http.client.HTTPException, OSError):
                self.connection.close()
                # A connection kept alive may have been closed meanwhile, so the call is tried once more on a new connection.
                if attempt == 2:
                    raise


def code_in(data):
    """(code, None), or (None, what is wrong with the answer)."""
    try:
        answer = json.loads(data)
    except ValueError:
        return None, f"the answer is not JSON: {data[:80]!r}"
    if not isinstance(answer, dict):
        return None, "the answer is not a JSON object"
    code = answer.get("code")
    if isinstance(code, str) and re.fullmatch("[0-9]{3}", code):
        code = int(code)
    if not isinstance(code, int) or isinstance(code, bool):
        return None, "the answer has no code"
    if not isinstance(answer.get("status"), str) or not answer["status"]:
        return None, f"the answer with code {code} has no status"
    if code == 200 and not re.fullmatch("[1-9][0-9]*", str(answer.get("transactionId"))):
        return None, "the answer with code 200 has no transactionId"
    return code, None


def body_of(case):
    case = {key: expand(case[key]) for key in ("body", "body_base64") if key in case}
    return case["body"].encode("utf-8") if "body" in case else base64.b64decode(case["body_base64"])


def drive(server, world, vectors, phases, is_accepting=False, out=print):
    """Calls the server; gives {file: Counter of passed, failed, skipped} and a Counter of reasons."""
    table, reasons, shown = collections.defaultdict(collections.Counter), collections.Counter(), 0
    # Calls that are accepted change the server's world, so they come last.
    vectors = sorted(vectors, key=lambda vector: vector[3].get("code") == 200)
    for number, (file, name, case, expect) in enumerate(vectors):
        reason = why_not(case, expect, world, phases, is_accepting)
        if reason:
            table[file]["skipped"] += 1
            reasons[reason] += 1
            continue
        paths = PATHS[case["operation"]]
        try:
            method = case.get("method", "POST")
            # A body of GET has no meaning in HTTP: some servers do not read it. The code does not depend on it either.
            body = None if method == "GET" else body_of(case)
            status, data = server.call(method, paths[number % len(paths)], body)
            code, wrong = code_in(data)
            wrong = wrong and f"HTTP {status}, {wrong}"
        except (http.client.HTTPException, OSError) as error:
            code, wrong = None, f"no answer: {error}"
        if code == expect["code"]:
            table[file]["passed"] += 1
            continue
        table[file]["failed"] += 1
        shown += 1
        if shown <= SHOWN:
            because = f" ({expect['rule']})" if expect["rule"] else ""
            out(f"{file}: {name}: expected {expect['code']}{because}, got {wrong or code}")
    if shown > SHOWN:
        out(f"and {shown - SHOWN} more")
    return table, reasons


def show(table, reasons, out=print):
    """Prints the table; gives the number of (passed, failed)."""
    out(f"{'vectors':<36}{'passed':>8}{'failed':>8}{'skipped':>9}")
    for file in sorted(table):
        row = table[file]
        if row["passed"] or row["failed"]:
            out(f"{file:<36}{row['passed']:>8}{row['failed']:>8}{row['skipped']:>9}")
    out("not judged from outside:")
    for reason, count in reasons.most_common():
        out(f"{count:>8}  {reason}")
    passed, failed, skipped = (sum(row[key] for row in table.values()) for key in ("passed", "failed", "skipped"))
    out(f"{passed} passed, {failed} failed, {skipped} skipped")
    return passed, failed


def main(given=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="what stands before /v4/")
    parser.add_argument("--world", type=pathlib.Path, default=HERE / "world.json", help="what the server knows")
    parser.add_argument("--vectors", default=HERE.parent / "vectors", help="folder of the vectors")
    parser.add_argument("--accepted", action="store_true", help="also send calls that are to be accepted")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one vector in N")
    parser.add_argument("--header", action="append", default=[], metavar="'NAME: VALUE'", help="sent with each call")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one answer")
    arguments = parser.parse_args(given)
    headers = dict(re.split(r":\s*", header, maxsplit=1) for header in arguments.header)
    vectors, phases = load(arguments.vectors)
    vectors = vectors[:: arguments.every]
    try:
        server = Server(arguments.url, headers, arguments.timeout)
    except ValueError as error:
        parser.error(str(error))
    world = json.loads(arguments.world.read_text(encoding="utf-8"))
    try:
        passed, failed = show(*drive(server, world, vectors, phases, arguments.accepted))
    finally:
        server.connection.close()
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
