"""Feeds the hosts of docs/c.md and docs/cpp.md ordinary and hostile bodies, and compares each decision with the expected one.

    python3 fed.py PREFIX            PREFIX is where the library is installed

Each program is taken from the page as it is, except for the body that it decides, which comes from a file. All hosts of
the page know the same: one account, one stored email, one sender, one list, one subscriber, one blacklisted domain.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {"at_once.c": "sendMailer", "step.c": "sendMailer", "decide.c": "httpSendMail", "send_mailer.cpp": "sendMailer",
            "decide.cpp": "httpSendMail"}

# The code in place of a program's own body: it reads the text of a file, which has no NUL.
C_BODY = """static char body[1 << 24];
    FILE *fed = fopen("body", "rb");
    if (fed == NULL) return 99;
    body[fread(body, 1, sizeof body - 1, fed)] = 0;
    fclose(fed);"""
CPP_BODY = """std::ifstream fed("body", std::ios::binary);
    const std::string body{std::istreambuf_iterator<char>(fed), std::istreambuf_iterator<char>()};"""


def program(name):
    """A program of the page, with its body replaced."""
    language = name.rpartition(".")[2]
    page = (ROOT / "docs" / f"{language}.md").read_text(encoding="utf-8")
    (source,) = re.findall(rf"<!-- file: {re.escape(name)} -->\n```\w+\n(.*?)\n```\n", page, re.DOTALL)
    if name.endswith(".cpp"):
        source, count = re.subn(r"const std::string body = .*?\)\";", lambda _: CPP_BODY, source, flags=re.DOTALL)
        source = source.replace("#include <iostream>", "#include <fstream>\n#include <iostream>\n#include <iterator>")
    else:
        source, count = re.subn(r"static const char body\[\] = .*?;\n", lambda _: C_BODY + "\n", source)
    if count != 1:
        raise SystemExit(f"{name} has no body that could be replaced")
    return source


def many_labels(top):
    """The address with the most labels that one can have."""
    return "l@" + "a." * ((252 - len(top)) // 2) + top


def send_mailer():
    """Bodies of sendMailer, each with its code."""
    base = {"apiKey": "demo-key", "mailerID": 42, "email": "new@example.org"}
    by_id = {"apiKey": "demo-key", "mailerID": 42, "subID": 7}
    cases = [
        (base, 200),
        (by_id, 200),
        ({**base, "email": "Known@Example.org"}, 200),
        ({**by_id, "subID": 8}, 454),
        ({**by_id, "email": "other@example.org"}, 200),
        ({**base, "mailerID": "42"}, 200),
        ({**base, "mailerID": 41}, 442),
        ({**base, "from": "shop@example.com", "fromName": "Us"}, 200),
        ({**base, "from": "Shop@Example.COM"}, 200),
        ({**base, "from": "other@example.com"}, 442),
        ({**base, "fromName": "Us"}, 478),
        ({**base, "listName": "Customers"}, 200),
        ({**base, "listName": "customers"}, 442),
        ({**base, "listName": "Nobody's"}, 442),
        ({**base, "listName": "RealTime_Via_API"}, 200),
        ({**by_id, "listName": "Nobody's"}, 200),
        ({**base, "from": "shop@example.com", "listName": "Customers", "trackOpens": 1, "customField": "x"}, 200),
        ({**base, "firstName": "A\nB\u0000C", "city": "\u00e9\U0001f600", "extra1": ""}, 200),
        ({**base, "extra1": "x" * 1_000_000}, 200),
        ({**base, "email": "a@spam.example"}, 416),
        ({**base, "email": "a@deep.below.spam.example"}, 416),
        ({**base, "from": "a@mail.spam.example"}, 414),
        ({**base, "email": many_labels("bc")}, 200),
        ({**base, "email": many_labels("bc"), "from": many_labels("de")}, 442),
        ({**base, "email": "a." + many_labels("bc")}, 412),
        ({**base, "email": "x" * 100_000 + "@example.org"}, 412),
        ({**base, "apiKey": "demo-key\u0000"}, 403),
        ({**base, "apiKey": "DEMO-KEY"}, 403),
        ({**base, "apiKey": ""}, 402),
        ({**base, "unknown": {"deep": [[[[{}]]]]}}, 200),
        ({"apiKey": "demo-key", "mailerID": 42}, 602),
        ({}, 402),
    ]
    texts = [(json.dumps(body), code) for body, code in cases]
    fields = ["prefix", "firstName", "lastName", "mobile", "phone", "address", "city", "state", "pinCode", "country",
              "designation", "company", "referenceNo"] + [f"extra{number}" for number in range(1, 11)]
    texts.append((json.dumps({**base, **dict.fromkeys(fields, "x")}), 200))
    texts.append((json.dumps(base).replace("new@", "\\u006eew@"), 200))
    texts.append(("\ufeff" + json.dumps(base), 200))
    texts += [(text, 442) for text in ("", "{", "[]", "null", "[" * 100_000,
                                       json.dumps(base)[:-1] + ', "email": "twice@example.org"}')]
    return texts


def http_send_mail():
    """Bodies of httpSendMail, each with its code."""
    one = {"subject": "Hi", "body": "%3Cp%3EHi", "from": "shop@example.com", "to": "new@example.org"}
    link = "%3Ca+href%3D%22https%3A%2F%2F{}%2F%22%3Ex%3C%2Fa%3E"

    def call(*requests, **members):
        return {"ApiKey": "demo-key", "requests": list(requests), **members}

    many = ", ".join(f"a{number}@h{number}.example.org" for number in range(5_000))
    cases = [
        (call(one), 200),
        (call(one, {**one, "to": "known@example.org, new@example.org, New@example.org", "cc": "b@example.org"}), 200),
        (call({**one, "to": many}), 200),
        (call(*[one] * 1_000), 200),
        (call(*[one] * 1_001), 453),
        (call({**one, "from": "other@example.com"}), 420),
        (call({**one, "from": "a@spam.example"}), 414),
        (call({**one, "to": "a@b.spam.example"}), 416),
        (call({**one, "to": many_labels("bc"), "replyTo": many_labels("de")}), 200),
        (call({**one, "body": link.format("www.spam.example")}), 413),
        (call({**one, "body": link.format("www.fine.example")}), 200),
        (call({**one, "body": "".join(link.format(f"h{number}.example") for number in range(2_000))}), 200),
        (call({**one, "to": ""}), 411),
        (call({**one, "subject": "a\nb"}), 476),
        (call({**one, "to": "nobody"}), 412),
        (call(one, ApiKey="other"), 403),
        (call(), 475),
    ]
    texts = [(json.dumps(body), code) for body, code in cases]
    return texts + [(text, 475) for text in ("", "{", "[" * 100_000)]


def main():
    prefix = sys.argv[1]
    environment = {**os.environ, "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "franking"], env=environment, check=True,
                           capture_output=True, text=True).stdout.split()
    bodies = {"sendMailer": send_mailer(), "httpSendMail": http_send_mail()}
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, operation in PROGRAMS.items():
            (work / name).write_text(program(name), encoding="utf-8")
            compiler = ["g++", "-std=c++17"] if name.endswith(".cpp") else ["gcc", "-std=c11"]
            sanitizers = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
            subprocess.run([*compiler, *sanitizers, name, *flags, "-o", "program"], cwd=work, env=environment, check=True)
            for text, code in bodies[operation]:
                (work / "body").write_bytes(text.encode())
                # clock: ends a test that hangs
                ran = subprocess.run(["./program"], cwd=work, env=environment, capture_output=True, timeout=60)
                lines = ran.stdout.decode(errors="replace").splitlines()
                answer = lines[-1] if lines else ""
                has_sent = any(" to " in line for line in lines[:-1])
                if ran.returncode == 0 and f'"code":"{code}"' in answer and has_sent == (code == 200):
                    passed += 1
                    continue
                failed += 1
                print(f"{name}: {text[:200]}: expected {code}, got {answer[:200]!r}, exit status {ran.returncode}")
                print("    " + ran.stderr.decode(errors="replace")[:1000])
    print(f"fed: {passed} passed, {failed} failed")
    return failed > 0 or passed < 100


if __name__ == "__main__":
    sys.exit(main())
