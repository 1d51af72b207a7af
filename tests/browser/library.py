"""The results of the library for a document, by the executor of the Rust library."""

import json
import pathlib
import subprocess
import urllib.parse

RUN = pathlib.Path(__file__).resolve().parents[1] / "executors" / "run"


class LibraryFault(Exception):
    """The executor did not answer what it was asked."""


class Library:
    """`with Library() as library`; `command` is an executor in place of the Rust library's."""

    def __init__(self, command=None):
        self.command = command or [str(RUN), "rust"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def hosts(self, html):
        """The hosts that it finds in a document."""
        return set(self.answer({"do": "hosts", "html": html})["hosts"])

    def refuses(self, html, host):
        """Whether 413 answers a call that carries the document URL-encoded, when that host is blacklisted."""
        request = {"from": "a@sender.example", "to": "b@sender.example", "subject": "x"}
        body = {"ApiKey": "key", "requests": [request | {"body": urllib.parse.quote_plus(html)}]}
        world = {"accounts": {"key": {}}, "senders": [request["from"]], "blacklists": {"content": [host]}}
        case = {"do": "decide", "operation": "httpSendMail", "method": "POST", "body": json.dumps(body), "world": world}
        code = self.answer(case)["code"]
        if code not in (200, 413):
            raise LibraryFault(f"the executor answers {code}")
        return code == 413

    def answer(self, case):
        self.process.stdin.write(json.dumps({"id": 0, **case}).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "it has ended"}
        if answer.get("error") is not None:
            raise LibraryFault(f"the executor answers: {answer['error']}")
        return answer
