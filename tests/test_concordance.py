"""Every name in the table of docs/concordance.md is in the public surface of the language of its column."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]


def read(*patterns):
    files = [file for pattern in patterns for file in sorted(ROOT.glob(pattern))]
    assert files, patterns
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def has_word(text, word):
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", text) is not None


class Surfaces:
    def __init__(self):
        # Generic parameters are between a type and its members: `Call<B>::step`.
        self.rust = re.sub(r"<[^<>]*>", "", read("core/public-api.txt"))
        self.c = read("include/franking.h", "include/franking_tools.h")
        self.cpp = read("include/franking/*.hpp")
        self.python = read("python/src/franking/*.py", "python/src/franking/*.pyi")
        self.json = read("docs/conformance.md")

    def has(self, language, name):
        match language:
            case "Rust":
                return has_word(self.rust, f"franking::{name}")
            case "C":
                prefixed = f"FRANKING_{name}" if name.isupper() else f"franking_{name}"
                return has_word(self.c, prefixed) or has_word(self.c, name)
            case "C++":
                return has_word(self.cpp, name)
            case "Python":
                return has_word(self.python, name)
            case "JSON":
                return has_word(self.json, name)
        raise AssertionError(language)


class Concordance(unittest.TestCase):
    def test_every_name_stands_in_the_surface_that_it_is_of(self):
        surfaces = Surfaces()
        lines = [line for line in read("docs/concordance.md").splitlines() if line.startswith("|")]
        languages = [cell.strip() for cell in lines[0].strip("|").split("|")][1:]
        self.assertEqual(languages, ["Rust", "C", "C++", "Python", "JSON"])
        missing = []
        names = 0
        for line in lines[2:]:
            concept, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            self.assertEqual(len(cells), len(languages), concept)
            for language, cell in zip(languages, cells, strict=True):
                for name in re.findall(r"`([^`]+)`", cell):
                    names += 1
                    if not surfaces.has(language, name):
                        missing.append(f"{concept}: {language} has no {name}")
        self.assertEqual(missing, [])
        self.assertGreater(names, 200)


if __name__ == "__main__":
    unittest.main()
