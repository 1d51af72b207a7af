"""Transcripts of a service, decided again with a blacklist, compared with the same calls to a service that has that blacklist."""

import http.client
import json
import os
import pathlib
import re
import subprocess
import threading
import urllib.parse

import pyarrow
import pyarrow.parquet

COUNT = int(os.environ.get("TRANSCRIPTS", "100000"))
CALLERS = 8
LISTED = "bad.example"
HOSTS = ("www.shop.example", "cdn.bad.example", "bad.example.shop.example", "good.example")
ORDER = re.compile("Order ([0-9]+) ")


class Running:
    """`with Running(program, folder) as service`: `service.host` takes calls; `service.run(...)` carries out a command.

    `listed` is a domain on the blacklist of content, if there is one.
    """

    def __init__(self, program, folder, listed=None):
        folder.mkdir(parents=True)
        self.program, self.listed = program, listed
        self.places = ["--data", folder / "data", "--key-file", folder / "keys"]

    def run(self, *words):
        return subprocess.run(
            [self.program, *words, *self.places], capture_output=True, text=True, check=True
        ).stdout

    def __enter__(self):
        self.run("migrate")
        self.run(
            "account", "add", "The Shop", "--email-credit", "10000000", "--subscriber-credit", "10000000"
        )
        self.key = self.run("key", "add", "1").strip()
        self.run("sender", "set", "1", "news@shop.example")
        if self.listed:
            self.run("blacklist", "set", self.listed, "content")
        command = [
            self.program,
            "serve",
            *self.places,
            "--listen",
            "127.0.0.1:0",
            "--operator-listen",
            "127.0.0.1:0",
        ]
        command += ["--transport", "none", "--transcripts", "whole", "--transcript-bytes", str(8 << 30)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.host = urllib.parse.urlsplit(
            self.process.stdout.readline().removeprefix("Listening on ").strip()
        ).netloc
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def body(key, number):
    html = f"<p>Order {number} <a href='https://{HOSTS[number % len(HOSTS)]}/{number}'>more</a>"
    request = {
        "from": "news@shop.example",
        "to": f"reader{number}@customer.example",
        "subject": "Your order",
        "body": html,
    }
    if number % 50 == 0:
        request["from"] = "other@shop.example"
    return json.dumps({"ApiKey": key, "requests": [request]})


def post(service, numbers, codes):
    """Posts calls, and notes the code of each."""
    connection = http.client.HTTPConnection(service.host)
    for number in numbers:
        connection.request(
            "POST", "/v4/httpSendMail", body(service.key, number), {"Content-Type": "application/json"}
        )
        codes[number] = int(json.load(connection.getresponse())["code"])
    connection.close()


def decided(service):
    """The code of each call, in the order of their numbers."""
    codes = [None] * COUNT
    shares = [range(caller, COUNT, CALLERS) for caller in range(CALLERS)]
    callers = [threading.Thread(target=post, args=(service, numbers, codes)) for numbers in shares]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return codes


def decided_again(programs, here, passed):
    """Returns the codes of all calls, in the order of their numbers."""
    folder = pathlib.Path(here) / "service"
    if folder.exists():
        subprocess.run(["rm", "-r", folder], check=True)
    with Running(programs / "franking-service", folder / "then") as service:
        decided(service)
        exported = service.run("call", "export", "--unmasked")
    with Running(programs / "franking-service", folder / "now", LISTED) as service:
        anew = decided(service)
    lines = folder / "calls.jsonl"
    lines.write_text(exported, encoding="utf-8")
    (folder / "listed.txt").write_text(LISTED + "\n", encoding="utf-8")
    command = [
        programs / "franking-bulk",
        "redecide",
        lines,
        "--carry",
        "number",
        "--blacklist-content",
        folder / "listed.txt",
    ]
    command += ["--out", folder / "found"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = pyarrow.parquet.read_table(folder / "found" / "calls.jsonl.parquet")
    calls = [json.loads(line) for line in exported.splitlines()]
    expected = [anew[int(ORDER.search(call["transcript"]["body"]).group(1))] for call in calls]
    passed(
        "the service exports the calls that it has kept",
        len(calls) > COUNT * 9 // 10,
        f"{len(calls)} of {COUNT}",
    )
    codes = found["code_now"].to_pylist()
    passed(
        "transcripts are decided again as each call is decided anew", codes == expected, said.splitlines()[0]
    )
    changed = [then != now for then, now in zip(found["code_then"].to_pylist(), codes, strict=True)]
    passed(
        "it is said which codes change",
        found["changed"].to_pylist() == changed and sum(changed) > COUNT // 10,
    )
    table = pyarrow.table(
        {
            "number": [f"{call['number']:09}" for call in calls],
            "transcript": [json.dumps(call["transcript"]) for call in calls],
        }
    )
    pyarrow.parquet.write_table(table, pathlib.Path(here) / "transcripts.parquet")
    return codes
