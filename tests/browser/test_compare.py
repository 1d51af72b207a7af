"""What counts as a host that the library misses."""

import unittest
import urllib.parse

from .compare import missed


class Library:
    """Finds these hosts in every document; refuses the encoded form for some."""

    def __init__(self, *found, encoded=None):
        self.found = set(found)
        self.encoded = self.found if encoded is None else encoded

    def hosts(self, _html):
        return self.found

    def refuses(self, _html, host):
        return any(name == host or name.endswith(f".{host}") for name in self.encoded)


class Missed(unittest.TestCase):
    def check(self, library, seen, lost):
        self.assertEqual(missed(library, "", seen), lost)

    def test_a_host_that_is_not_found_is_missed(self):
        self.check(Library("h1-1.example"), {"h1-1.example", "h1-2.example"}, {"h1-2.example"})

    def test_a_host_of_which_only_the_parent_is_found_is_missed(self):
        self.check(Library("h1-1.example"), {"www.h1-1.example"}, {"www.h1-1.example"})

    def test_a_host_that_is_found_only_plain_is_missed(self):
        self.check(Library("h1-1.example", encoded=set()), {"h1-1.example"}, {"h1-1.example (URL-encoded)"})

    def test_a_host_beyond_ascii_is_found_however_the_browser_writes_it(self):
        for host in ("b%C3%BCcher.h1-1.example", "xn--bcher-kva.h1-1.example"):
            self.check(Library("xn--bcher-kva.h1-1.example"), {host}, set())
        self.check(Library("h1-1.example"), {"x.h1-1.example"}, {"x.h1-1.example"})

    def test_a_host_that_nobody_asks_for_may_be_found(self):
        self.check(Library("h1-1.example", "h1-2.example"), {"h1-1.example"}, set())

    def test_a_refused_host_is_found_by_its_end(self):
        for host in ("xn--a.h1-1.example", "a%20b.h1-1.example", "b.xn--.h1-1.example", "a" * 64 + ".h1-1.example"):
            self.check(Library("h1-1.example"), {host}, set())
            self.check(Library("example"), {host}, {urllib.parse.unquote(host)})

    def test_a_host_that_is_divided_is_found_by_its_last_piece(self):
        for host in ("a%20b.h1-1.example", "a'b.h1-1.example", "a!$&(),;=b.h1-1.example"):
            self.check(Library("b.h1-1.example"), {host}, set())
            self.check(Library("c.h1-1.example"), {host}, {urllib.parse.unquote(host)})

    def test_a_refused_host_without_an_end_of_two_labels_is_none(self):
        self.check(Library(), {"xn--a.example", "%20"}, set())

    def test_a_percent_escape_is_the_character_that_it_stands_for(self):
        self.check(Library("*.h1-1.example"), {"%2A.h1-1.example"}, set())
        self.check(Library("a.h1-1.example"), {"%61.h1-1.example"}, set())
        self.check(Library("b.h1-1.example"), {"%61.h1-1.example"}, {"a.h1-1.example"})

    def test_a_dot_of_the_url_standard_divides_labels_and_a_character_that_it_refuses_does_not(self):
        self.check(Library("x.h1-1.example"), {"x%E3%80%82h1-1.example"}, set())
        self.check(Library("h1-1.example"), {"x%E3%80%82h1-1.example"}, {"x.h1-1.example"})
        self.check(Library("h1-1.example"), {"x%E2%80%A4h1-1.example"}, set())

    def test_a_document_that_computes_hosts_may_ask_for_any(self):
        self.check(Library("computed.invalid"), {"h1-1.example"}, set())
