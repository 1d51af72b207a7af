"""The comparison of links, tried on small executors that miss hosts or report too many."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from fuzz import links, nested  # noqa: E402
from fuzz.documents import Documents  # noqa: E402

PROGRAM = """
import json, sys
for line in sys.stdin:
    html = json.loads(line)["html"]
    print(json.dumps({{"id": 1, "hosts": {0}}}), flush=True)
"""


class Given:
    """The documents given, by number."""

    def __init__(self, *documents):
        self.documents = documents

    def document(self, number):
        return self.documents[number]


class LinksTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def compared(self, hosts, *documents):
        """((documents, counts), what is printed) for an executor that answers these hosts."""
        path = pathlib.Path(self.folder.name) / "executor.py"
        path.write_text(PROGRAM.format(hosts))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            found = links.run(
                f"x={sys.executable} {path}", Given(*documents), range(len(documents)), 600, 5, 600
            )
        return found, out.getvalue()

    def test_equal_hosts_are_no_difference(self):
        (done, counts), out = self.compared("['a.example'] if html else []", "<a href=//a.example>", "")
        self.assertEqual((done, counts, out), (2, {links.MISSED: 0, links.NO_NAME: 0, links.MORE: 0}, ""))

    def test_a_host_that_only_the_reference_finds_is_missed_and_shown_in_a_small_document(self):
        (_, counts), out = self.compared(
            "[]", "<p>some text, <b>and</b> a link <a href=//a.example>x</a> behind it"
        )
        self.assertEqual(counts, {links.MISSED: 1, links.NO_NAME: 0, links.MORE: 0})
        shown = out.splitlines()[1].strip()
        self.assertLess(len(shown), 16, shown)

    def test_a_host_that_only_the_executor_finds_is_counted_apart(self):
        (_, counts), out = self.compared("['a.example', 'b.example']", "<a href=//a.example>")
        self.assertEqual(counts, {links.MISSED: 0, links.NO_NAME: 0, links.MORE: 1})
        self.assertIn("b.example", out)

    def test_a_host_is_not_missed_when_one_below_it_is_found(self):
        (_, counts), _ = self.compared("['b.a.example']", "<a href=//a.example>")
        self.assertEqual(counts, {links.MISSED: 0, links.NO_NAME: 0, links.MORE: 1})
        (_, counts), _ = self.compared("['ba.example']", "<a href=//a.example>")
        self.assertEqual(counts, {links.MISSED: 1, links.NO_NAME: 0, links.MORE: 1})

    def test_a_host_whose_last_label_no_registry_gives_is_counted_apart(self):
        for host, is_name in (("a.example'", False), ("a.&b", False), ("a'.example", True), ("a.example.", True), ("[::1]", True)):
            (_, counts), _ = self.compared("[]", f"<a href=//{host}/>")
            self.assertEqual(counts, {links.MISSED: int(is_name), links.NO_NAME: int(not is_name), links.MORE: 0}, host)

    def test_an_executor_that_does_not_answer_has_missed(self):
        (_, counts), _ = self.compared("sys.exit()", "<a href=//a.example>")
        self.assertEqual(counts[links.MISSED], 1)


class DocumentsTest(unittest.TestCase):
    def test_the_same_seed_and_number_give_the_same_document(self):
        one, other = Documents("s"), Documents("s")
        numbers = range(50)
        self.assertEqual(
            [one.document(number) for number in numbers], [other.document(number) for number in numbers]
        )
        self.assertNotEqual(one.document(1), Documents("t").document(1))

    def test_what_the_grammar_is_for_stands_in_a_small_stream(self):
        text = "".join(Documents("s").document(number) for number in range(2000))
        for piece in [
            "<svg", "<math", "<template", "<select", "<frameset", "<![CDATA[", "<!--[if", "<plaintext", "<noscript", "\0",
            "srcset=", "srcdoc=", "refresh", "data:", ";base64,", "@import", "image-set", "ld+json", "<base", "&colon;", "%2",
            "\x1b(B", "xn--", "ẞ",
        ]:  # fmt: skip
            self.assertIn(piece, text)


class NestedTest(unittest.TestCase):
    def tried(self, hosts):
        """(documents tried, documents missed) when an executor answers these hosts for the document of a host."""
        documents = nested.Documents("s")
        expected = iter(documents.document(number)[1] for number in range(5))
        with contextlib.redirect_stdout(io.StringIO()):
            return nested.run(
                lambda cases: [{"hosts": hosts(next(expected))} for _ in cases], documents, range(5), 600
            )

    def test_a_host_that_is_found_is_not_missed(self):
        self.assertEqual(self.tried(lambda host: ["www.w3.org", f"{host}."]), (5, 0))

    def test_a_document_that_can_hide_a_host_misses_none(self):
        self.assertEqual(self.tried(lambda host: [nested.HIDDEN]), (5, 0))

    def test_another_host_is_missed(self):
        self.assertEqual(self.tried(lambda host: [f"{host}.test"]), (5, 5))

    def test_the_same_seed_and_number_give_the_same_document(self):
        one, other = nested.Documents("s"), nested.Documents("s")
        self.assertEqual(list(map(one.document, range(50))), list(map(other.document, range(50))))

    def test_each_way_to_put_a_document_in_another_stands_in_a_small_stream(self):
        text = "".join(nested.Documents("s").document(number)[0] for number in range(2000))
        for piece in ["srcdoc=", "data:text/html", "image/svg+xml", "base64", "<style>", "@import", "rel=stylesheet", "<g/>", "\\", "%25", "&#x"]:
            self.assertIn(piece, text)


if __name__ == "__main__":
    unittest.main()
