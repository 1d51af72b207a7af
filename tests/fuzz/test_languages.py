"""The comparison of languages, tried on small executors that differ in known ways."""

import base64
import contextlib
import io
import json
import pathlib
import queue
import random
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from fuzz import languages  # noqa: E402
from fuzz.minimise import minimise, size  # noqa: E402
from fuzz.stream import Stream, disturb_answer  # noqa: E402
from fuzz.transcripts import unmade  # noqa: E402

# An executor that answers a case with the value of `{0}`.
PROGRAM = """
import json, sys, threading
for line in sys.stdin:
    case = json.loads(line)
    {0}
    print(json.dumps({{"id": case["id"], "answer": answer}}), flush=True)
"""
SAME = 'answer = len(line) > 0'


class Cases:
    """A stream of the cases given."""

    def __init__(self, *cases):
        self.cases = cases

    def case(self, number):
        return self.cases[number]


class LanguagesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def executor(self, name, statement):
        path = pathlib.Path(self.folder.name) / f"{name}.py"
        path.write_text(PROGRAM.format(statement))
        return f"{name}={sys.executable} {path}"

    def compared(self, one, other, *cases, patience=20):
        """((equal, different), what is printed)."""
        names = [self.executor("one", one), self.executor("other", other)]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            equal, different, _, _ = languages.run(
                names, Cases(*cases), range(len(cases)), unmade, patience=patience
            )
        return (equal, different), out.getvalue()

    def test_answers_in_another_order_of_keys_are_equal(self):
        counts, out = self.compared(
            'answer = {"a": 1, "b": 2}', 'answer = {"b": 2, "a": 1}', {"id": 1, "do": "x"}, {"id": 2, "do": "y"}
        )
        self.assertEqual((counts, out), ((2, 0), ""))

    def test_numbers_that_are_written_otherwise_differ(self):
        counts, _ = self.compared("answer = 1", "answer = 1.0", {"id": 1, "do": "x"})
        self.assertEqual(counts, (0, 1))

    def test_a_difference_is_printed_as_small_as_it_gets(self):
        body = json.dumps({"apiKey": "k" * 300, "email": "a@b.example", "needle": [1, 2, 3]})
        case = {"id": 1, "do": "decide", "operation": "sendMailer", "body": body, "policy": {"x": 1}, "world": {"y": [2]}}
        counts, out = self.compared(SAME, 'answer = "needle" not in case.get("body", "")', case)
        self.assertEqual(counts, (0, 1))
        smallest = '{"body":"needle","do":"decide","id":1,"operation":"sendMailer"}'
        self.assertIn(smallest, out)

    def test_an_executor_that_ends_is_started_anew_and_its_case_differs(self):
        cases = [{"id": number, "do": "x", "dies": number == 2} for number in range(5)]
        counts, out = self.compared(SAME, "answer = True if not case.get('dies') else sys.exit()", *cases)
        self.assertEqual(counts, (4, 1))
        self.assertIn("the executor ended", out)

    def test_an_executor_that_does_not_answer_is_given_up(self):
        cases = [{"id": number, "do": "x", "sleeps": number == 1} for number in range(3)]
        hang = "answer = not case.get('sleeps') or (print('asleep', flush=True), threading.Event().wait())"

        class UntilAsleep(queue.Queue):
            """Waits as long as it takes, and gives up when the executor says that it does not answer."""

            def get(self, timeout):
                line = super().get()
                if line == b"asleep\n":
                    raise queue.Empty
                return line

        waiting = types.SimpleNamespace(SimpleQueue=UntilAsleep, Empty=queue.Empty)
        with unittest.mock.patch.object(languages, "queue", waiting):
            counts, out = self.compared(SAME, hang, *cases, patience=0.5)
        self.assertEqual(counts, (2, 1))
        self.assertIn("no answer in 0.5 seconds", out)

    def test_two_executors_that_fail_alike_are_not_equal(self):
        counts, _ = self.compared("sys.exit()", "sys.exit()", {"id": 1, "do": "x"})
        self.assertEqual(counts, (0, 1))

    def test_only_the_text_of_an_error_may_differ(self):
        with languages.Languages(["a=x", "b=y"]) as pair:
            self.assertTrue(pair.is_equal([{"id": 1, "error": "so"}, {"id": 1, "error": "thus"}]))
            self.assertFalse(pair.is_equal([{"id": 1, "error": "so"}, {"id": 2, "error": "so"}]))
            self.assertFalse(pair.is_equal([{"id": 1, "error": "so"}, {"id": 1, "error": ""}]))
            self.assertFalse(pair.is_equal([{"id": 1, "code": None, "error": "host"}, {"id": 1, "code": None, "error": "x"}]))


class MinimiseTest(unittest.TestCase):
    def test_what_holds_still_holds_and_nothing_else_is_left(self):
        case = {"do": "x", "text": "before needle after", "list": [1, "keep", {"a": [0] * 50}], "other": "y" * 1000}
        small = minimise(case, lambda case: "needle" in case.get("text", "") and "keep" in case.get("list", []))
        self.assertEqual(small, {"do": "x", "text": "needle", "list": ["keep"]})

    def test_questions_and_answers_stay_whole_or_go(self):
        steps = [{"ask": {"account": "k"}, "answer": {"facts": {"lists": [], "senders": []}}}] * 3
        small = minimise({"do": "replay", "transcript": {"steps": steps}}, lambda case: len(case["transcript"]["steps"]) > 0)
        self.assertEqual(small["transcript"]["steps"], [{"answer": {"facts": {"lists": [], "senders": []}}}])

    def test_bytes_in_base64_are_shortened_as_bytes(self):
        def has_byte(case):
            return b"\xff" in base64.b64decode(case.get("body_base64", ""))

        small = minimise({"do": "x", "body_base64": "YWJj/2RlZg=="}, has_byte)
        self.assertEqual(small, {"do": "x", "body_base64": "/w=="})

    def test_a_case_that_cannot_be_smaller_stays(self):
        case = {"do": "x", "text": "ab"}
        self.assertEqual(minimise(case, lambda other: size(other) >= size(case)), case)


class StreamTest(unittest.TestCase):
    def test_the_same_seed_and_number_give_the_same_case(self):
        one, other = Stream("s", unmade), Stream("s", unmade)
        self.assertEqual([one.case(number) for number in range(50)], [other.case(number) for number in reversed(range(50))][::-1])
        self.assertNotEqual(one.case(1), Stream("t", unmade).case(1))

    def test_every_answer_of_facts_can_be_disturbed_one_without_columns_too(self):
        for number in range(50):
            answer = {"facts": {}}
            disturb_answer(random.Random(number), answer)
            self.assertLessEqual(len(answer["facts"]), 1)

    def test_every_kind_of_case_stands_in_a_small_stream(self):
        stream = Stream("s", unmade)
        kinds = {languages.kind_of(stream.case(number)) for number in range(3000)}
        self.assertEqual(kinds, {case["do"] for case in stream.seeds} | {"rules", "of no kind"})


if __name__ == "__main__":
    unittest.main()
