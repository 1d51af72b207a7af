"""The runner of the tests runs each part once, after what it needs, and says how to repeat one that fails.

    python3 -m unittest tests/test_run.py
"""

import contextlib
import io
import pathlib
import re
import sys
import tempfile
import tomllib
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import run  # noqa: E402
from parts import BUILDS, CHECK, PROVE, TEST, Part  # noqa: E402


def ran(parts, kind="test"):
    """A runner that has run these parts, and what it printed."""
    runner = run.Runner(kind)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runner.run(parts)
    return runner, printed.getvalue()


class Parts(unittest.TestCase):
    def test_keys_name_one_part_each(self):
        for parts in (CHECK, TEST, PROVE):
            keys = [part.key for part in parts]
            self.assertEqual(len(keys), len(set(keys)))
            self.assertEqual(len({part.shows for part in parts}), len(parts))

    def test_what_a_part_needs_exists(self):
        for parts in (CHECK, TEST, PROVE):
            keys = {part.key for part in parts}
            for part in parts:
                self.assertLessEqual(set(part.after), keys, part.key)
                self.assertLessEqual(set(part.needs), set(run.TOOLS), part.key)

    def test_what_prove_runs_is_built_once(self):
        for part in PROVE:
            self.assertEqual("{release}" in part.command, "release" in part.after, part.key)
            if "{proving}" in part.command or "rust_tests.py --run" in part.command:
                self.assertIn("programs", part.after, part.key)
            # Another choice of packages would build each dependency again.
            self.assertNotRegex(part.command, r"cargo (build|test|run)", part.key)

    def test_the_tests_of_each_crate_belong_to_a_part(self):
        root = run.ROOT
        # Its test sends all vectors through the library, as the part `vectors` does through the executor.
        elsewhere = {"franking-executor"}
        commands = " ".join(part.command for part in TEST)
        for member in tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["members"]:
            name = tomllib.loads((root / member / "Cargo.toml").read_text(encoding="utf-8"))["package"]["name"]
            files = [file for folder in ("src", "tests") for file in (root / member / folder).rglob("*.rs")]
            files += (root / member).glob("*.rs")
            has_tests = any("#[test]" in file.read_text(encoding="utf-8") for file in files)
            if has_tests and name not in elsewhere:
                self.assertRegex(commands, rf"rust_tests\.py [^&;]*\b{re.escape(name)}\b(?!-)", member)

    def test_targets_whose_tests_are_not_built_have_none(self):
        root = run.ROOT
        seen = 0
        for member in tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["members"]:
            package = tomllib.loads((root / member / "Cargo.toml").read_text(encoding="utf-8"))
            for target in [package.get("lib", {}), *package.get("bin", [])]:
                if target.get("test", True):
                    continue
                seen += 1
                file = root / member / target.get("path", "src/lib.rs")
                # The modules beside the file of a program belong to the library, if there is one.
                is_program = file.name != "lib.rs" and (root / member / "src" / "lib.rs").exists()
                files = [file] if is_program else file.parent.rglob("*.rs")
                # The program of the package's tests.
                for file in set(files) - {file.with_name("tests.rs")}:
                    self.assertNotIn("#[test]", file.read_text(encoding="utf-8"), str(file))
        self.assertGreater(seen, 8)

    def test_a_key_brings_the_builds_that_it_needs_and_nothing_else(self):
        chosen = [part.key for part in run.chosen(TEST, ["fuzzing"])]
        self.assertEqual(chosen, ["build", "fuzzing"])

    def test_no_key_means_all_parts(self):
        self.assertEqual(run.chosen(TEST, []), TEST)

    def test_the_page_lists_the_parts_that_there_are(self):
        self.assertEqual(run.PAGE.read_text(encoding="utf-8"), run.page(), "tests/run.py pages writes it anew")

    def test_an_unknown_key_is_refused_with_those_that_exist(self):
        with self.assertRaisesRegex(SystemExit, "no part nothing.*lints"):
            run.chosen(CHECK, ["nothing"])


class Running(unittest.TestCase):
    def test_a_part_runs_after_those_that_it_needs(self):
        parts = [Part("second", "needs the first", "true", after=("first",)), Part("first", "is needed", "true")]
        runner, _ = ran(parts)
        self.assertEqual([part.key for part, _, _, _ in runner.results], ["first", "second"])

    def test_nothing_runs_beside_a_part_that_keeps_all_processors_busy(self):
        with tempfile.TemporaryDirectory() as folder:
            busy = pathlib.Path(folder) / "busy"
            beside = f"test ! -e {busy}"
            parts = [Part(f"before {number}", f"is before, {number}", beside) for number in range(3)]
            parts.append(Part("full", "is alone", f"touch {busy}; sleep 0.1; rm {busy}", fills=True))
            parts += [Part(f"after {number}", f"is after, {number}", beside) for number in range(3)]
            runner, _ = ran(parts)
            self.assertEqual([status for _, status, _, _ in runner.results], [0] * 7)

    def test_a_part_that_fails_ends_with_the_command_that_repeats_it(self):
        runner, printed = ran([Part("bad", "does not hold", "echo found; exit 3")])
        self.assertEqual([part.key for part in runner.failed()], ["bad"])
        self.assertIn("FAILED, status 3\nfound\nAgain, alone: make test PART=bad\n", printed)

    def test_what_a_failed_build_was_for_is_not_run_and_said_so(self):
        self.assertIn("build", BUILDS)
        runner, _ = ran([Part("build", "builds", "false"), Part("user", "uses it", "echo ran", after=("build",))])
        self.assertEqual([status for _, status, _, _ in runner.results], [1, None])
        self.assertEqual(list(runner.not_checked()), ["uses it: NOT CHECKED, because this failed: builds"])

    def test_the_result_of_each_part_is_told_when_it_ends(self):
        told = []
        runner = run.Runner("prove", (), lambda part, status, output: told.append((part.key, status, output)))
        with contextlib.redirect_stdout(io.StringIO()):
            runner.run([Part("one", "shows", "echo 1"), Part("two", "fails", "exit 2")], at_once=1)
        self.assertEqual(told, [("one", 0, "1"), ("two", 2, "")])

    def test_what_a_part_did_not_check_is_repeated_at_the_end(self):
        runner, _ = ran([Part("one", "shows", "echo 'NOT TESTED, for want of a tool:'; echo '  a compiler'; echo fine")])
        self.assertEqual(list(runner.not_checked()), ["shows: NOT TESTED, for want of a tool:\n  a compiler"])


class Proving(unittest.TestCase):
    """`make prove` with parts of these tests, each of which writes its key into a file."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.ran = self.folder / "ran"
        self.enterContext(mock.patch.object(run, "TARGET", self.folder))
        self.enterContext(mock.patch.object(run, "commit", lambda: "this one"))
        self.parts = [self.part("programs"), self.part("good", after=("programs",)), self.part("bad", "exit 1", ("programs",))]

    def part(self, key, ends="exit 0", after=()):
        return Part(key, f"shows {key}", f"echo {key} >>{self.ran}; {ends}", after)

    def prove(self, *keys):
        """The status, and the keys of the parts that ran."""
        self.ran.write_text("", encoding="utf-8")
        with mock.patch.object(run, "PROVE", self.parts), contextlib.redirect_stdout(io.StringIO()) as printed:
            status = run.prove(keys)
        self.printed = printed.getvalue()
        return status, sorted(self.ran.read_text(encoding="utf-8").split())

    def test_what_has_passed_on_this_commit_is_not_run_again(self):
        self.assertEqual(self.prove(), (1, ["bad", "good", "programs"]))
        self.assertEqual(self.prove(), (1, ["bad", "programs"]))
        self.assertRegex(self.printed, "shows good .* passed before on this commit")
        self.parts[2] = self.part("bad", after=("programs",))
        self.assertEqual(self.prove(), (0, ["bad", "programs"]))
        self.assertEqual(self.prove(), (0, []))

    def test_what_has_passed_is_run_again_on_another_commit_or_for_more_minutes_or_when_it_is_asked_for(self):
        self.parts.pop()
        everything = (0, ["good", "programs"])
        self.assertEqual(self.prove(), everything)
        self.assertEqual(self.prove("good"), everything)
        with mock.patch.dict(run.os.environ, {"MINUTES": "11"}):
            self.assertEqual(self.prove(), everything)
        with mock.patch.object(run, "commit", lambda: "another one"):
            self.assertEqual(self.prove(), everything)

    def test_a_build_alone_is_run_when_it_is_asked_for(self):
        self.assertEqual(self.prove("programs"), (0, ["programs"]))
        self.assertEqual(self.prove("programs"), (0, ["programs"]))


class Tried(unittest.TestCase):
    def test_the_closing_lines_are_counted(self):
        self.assertEqual(run.tried(0, "x\n7 passed, 0 failed"), (7, 0))
        self.assertEqual(run.tried(0, "cases tried 5, findings 0\ncases tried 6, findings 2"), (11, 2))

    def test_a_part_that_fails_has_a_finding_whatever_it_says(self):
        self.assertEqual(run.tried(1, "7 passed, 0 failed"), (7, 1))
        self.assertEqual(run.tried(1, "nothing"), (None, 1))
        self.assertEqual(run.tried(1, "cases tried 5, findings 0"), (5, 1))


if __name__ == "__main__":
    unittest.main()
