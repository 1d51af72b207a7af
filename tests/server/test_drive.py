"""The driver against small HTTP servers on loopback that decide through the Rust executor.

    python -m unittest tests/server/test_drive.py
"""

import base64
import contextlib
import http.server
import io
import json
import pathlib
import re
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import drive  # noqa: E402

VECTORS, PHASES = drive.load(drive.HERE.parent / "vectors")
# Every eighth vector: enough to meet every reason, quick enough for every day.
SAMPLE = VECTORS[::8]
OPERATIONS = {path: operation for operation, paths in drive.PATHS.items() for path in paths}


class Decider:
    """A world behind the Rust executor; `spoil` changes the answer's bytes."""

    def __init__(self, world, spoil=lambda answer: answer):
        self.world, self.spoil = world, spoil
        self.process = subprocess.Popen(
            [drive.HERE.parent / "executors" / "run", "rust"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.lock = threading.Lock()

    def decide(self, method, path, body):
        case = {"id": 1, "do": "decide", "operation": OPERATIONS[path], "method": method, "world": self.world}
        case["body_base64"] = base64.b64encode(body).decode("ascii")
        with self.lock:
            self.process.stdin.write(json.dumps(case).encode("ascii") + b"\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
        return self.spoil(answer["response"].encode("utf-8"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave together: otherwise each answer waits for the other side's delayed acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    decider = None

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.handle_call
        raise AttributeError(name)

    def handle_call(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = self.decider.decide(self.command, self.path.removeprefix("/base"), body)
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(world, spoil=lambda answer: answer):
    decider = Decider(world, spoil)
    handler = type("Handler", (Handler,), {"decider": decider})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/base/"
        finally:
            server.shutdown()
            decider.close()


def world(name):
    return json.loads((drive.HERE / name).read_text(encoding="utf-8"))


def driven(url, told, vectors=SAMPLE, is_accepting=True):
    lines = []
    server = drive.Server(url, {}, 60)
    table, reasons = drive.drive(server, told, vectors, PHASES, is_accepting, lines.append)
    server.connection.close()
    passed, failed = drive.show(table, reasons, lines.append)
    return passed, failed, reasons, lines


class DriveTest(unittest.TestCase):
    def test_a_server_that_decides_as_the_vectors_say_passes(self):
        for name in ("world.json", "world-refusing.json"):
            with self.subTest(name), serving(world(name)) as url:
                passed, failed, _, lines = driven(url, world(name))
                self.assertEqual(failed, 0, lines)
                decided = [case for _, _, case, _ in SAMPLE if case.get("do") == "decide"]
                self.assertGreater(passed, len(decided) // 3)

    def test_a_server_that_answers_numbers_passes(self):
        def numbers(answer):
            return json.dumps({key: int(value) if key != "status" else value for key, value in json.loads(answer).items()}).encode()

        with serving(world("world.json"), numbers) as url:
            passed, failed, _, lines = driven(url, world("world.json"), SAMPLE[::6])
            self.assertEqual(failed, 0, lines)
            self.assertGreater(passed, 0)

    def test_another_code_is_a_failure_that_names_vector_rule_and_both_codes(self):
        with serving(world("world.json"), lambda answer: answer.replace(b'"412"', b'"410"')) as url:
            _, failed, _, lines = driven(url, world("world.json"))
            self.assertGreater(failed, 0)
            self.assertIn("expected 412 (recipient-malformed), got 410", lines[0])

    def test_a_failure_is_told_as_the_page_of_servers_that_exist_shows(self):
        page = (drive.HERE.parents[1] / "docs" / "migrating.md").read_text(encoding="utf-8")
        (shown,) = re.findall(r"^```text\n(.*)\n```$", page, re.MULTILINE)
        accepted = b'{"code": "200", "status": "Success", "transactionId": "5"}'
        with serving(world("world.json"), lambda answer: accepted if b'"442"' in answer else answer) as url:
            _, _, _, lines = driven(url, world("world.json"), [vector for vector in VECTORS if vector[0] == "repeated-fields"])
        self.assertIn(shown, lines)

    def test_what_is_no_answer_of_the_interface_is_a_failure(self):
        for spoiled, said in [
            (b"<html>", "not JSON"),
            (b"[]", "not a JSON object"),
            (b"{}", "no code"),
            (b'{"code":"442"}', "no status"),
            (b'{"code":200,"status":"Success"}', "no transactionId"),
        ]:
            with self.subTest(said), serving(world("world.json"), lambda _, spoiled=spoiled: spoiled) as url:
                passed, failed, _, lines = driven(url, world("world.json"), SAMPLE[::30])
                self.assertEqual(passed, 0)
                self.assertGreater(failed, 0)
                self.assertIn(said, lines[0])

    def test_a_server_that_is_not_there_is_a_failure(self):
        with serving(world("world.json")) as url:
            pass
        passed, failed, _, lines = driven(url, world("world.json"), SAMPLE[::60])
        self.assertEqual(passed, 0)
        self.assertGreater(failed, 0)
        self.assertIn("no answer", lines[0])

    def test_accepted_calls_are_sent_only_when_asked_for(self):
        with serving(world("world.json")) as url:
            _, _, reasons, _ = driven(url, world("world.json"), SAMPLE[::6], is_accepting=False)
        self.assertGreater(reasons["would send an email (--accepted sends it)"], 0)

    def test_what_stands_on_the_host_is_skipped_with_its_reason(self):
        reasons = {drive.why_not(case, expect, world("world.json"), PHASES, True) for _, _, case, expect in VECTORS}
        for reason in [
            "stands on another policy",
            "stands on another world",
            "ends by an error of the host",
            "the method cannot be sent over HTTP",
            "a method that servers may answer by themselves",
            "nothing that a server answers: preflight",
            None,
        ]:
            self.assertIn(reason, reasons)

    def test_every_phase_that_a_body_decides_is_judged(self):
        judged = {
            expect["rule"]
            for _, _, case, expect in VECTORS
            if drive.why_not(case, expect, world("world.json"), PHASES, True) is None
        }
        for rule, phase in PHASES.items():
            # The operation retires by policy only.
            if phase in (1, 2, 4) and rule != "operation-retired":
                self.assertIn(rule, judged)

    def test_the_command_prints_the_table_and_the_count(self):
        with serving(world("world.json")) as url:
            out = io.StringIO()
            vectors = drive.HERE.parent / "vectors"
            with contextlib.redirect_stdout(out), contextlib.ExitStack() as stack:
                few = [vector for vector in VECTORS if vector[0] in ("places", "repeated-fields")]
                stack.enter_context(replaced(drive, "load", lambda _: (few, PHASES)))
                status = drive.main([url, "--vectors", str(vectors), "--header", "X-Test: 1"])
        self.assertEqual(status, 0, out.getvalue())
        self.assertRegex(out.getvalue().splitlines()[-1], r"^\d+ passed, 0 failed, \d+ skipped$")


@contextlib.contextmanager
def replaced(module, name, value):
    kept = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, kept)


if __name__ == "__main__":
    unittest.main()
