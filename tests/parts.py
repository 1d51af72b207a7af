"""The parts of `make check`, `make test` and `make prove`: one line each, what it shows and the command that shows it.

A command runs in bash at the root of the repository, and ends with a status other than 0 when something does not hold. What it
prints is shown when it ends. A part of `prove` closes with `N passed, N failed` or with lines `cases tried N, findings N`,
and gets MINUTES and SECONDS_PER_PART.

`{built}` is the folder of the development build, `{release}` that of the release build, and `{proving}` that of the programs that
parts of `prove` run.
"""

import dataclasses
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BUILT = TARGET / "debug"
RELEASE = TARGET / "release"
PROVING = TARGET / "prove"
# The wheel needs CPython 3.11 or later.
HAS_PYTHON = sys.version_info >= (3, 11)
LANGUAGES = "rust c cpp python" if HAS_PYTHON else "rust c cpp"
# The oldest Rust that compiles what is shipped, as rustup names it.
OLDEST_RUST = re.search(r'^rust-version = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1] + ".0"
SHIPPED = ("franking", "franking-cli", "franking-ffi", "franking-python")
# The parts that build for other parts.
BUILDS = ("build", "release", "programs")


@dataclasses.dataclass(frozen=True)
class Part:
    """One thing that is shown."""

    # The word that is typed to run it alone.
    key: str
    shows: str
    command: str
    # The keys of parts that have to be done before it.
    after: tuple[str, ...] = ()
    # The tools that it needs beyond a Rust toolchain, Python and a C compiler: keys of TOOLS.
    needs: tuple[str, ...] = ()
    # It compares times, so `prove` runs nothing beside it.
    is_alone: bool = False
    # The run cannot end before this part and those after it do, so the other parts get the processors that it leaves.
    is_first: bool = False
    # It keeps all processors busy on its own. Beside other parts it would take longer than before or after them.
    fills: bool = False


def rust(package, *options):
    """The command that runs the test programs of a package, as the development build has made them."""
    return f"python3 tests/rust_tests.py {package} {' '.join(options)}".rstrip()


# Unit tests of facts that are written in several places.
SOURCES = (
    "python3 -m unittest --quiet tests/test_clocks.py tests/test_limits.py tests/test_versions.py tests/test_concordance.py"
    " tests/test_pages.py tests/test_blocks.py tests/test_run.py"
)

CHECK = [
    Part("lints", "Format and lints", "cargo fmt --all --check && cargo clippy --quiet --workspace --all-targets -- -D warnings"),
    Part("units", "Unit tests of all crates, and the vectors in Rust", "cargo test --quiet --workspace --lib --test vectors"),
    Part(
        "pages",
        "No test judges by a clock; limits, versions, words and the OpenAPI description are those of the code",
        f"{SOURCES} && cargo run --quiet --package franking-tools -- openapi --check",
    ),
]

TEST = [
    # Cargo locks its target folder, so its runs come one after the other. Long parts come first.
    Part(
        "build",
        "Format, lints, and the development build",
        "cargo fmt --all --check && python3 tests/rust_tests.py --build",
        fills=True,
        is_first=True,
    ),
    # It waits for much of its time, and takes the longest.
    Part("service", "The service", f"RUST_TEST_THREADS=8 {rust('franking-service')}", after=("build",), is_first=True),
    Part("reference", "The vectors are those of the reference", "tests/reference/check.sh"),
    # Some of the kinds of body. `make prove` takes all of them, with the release build.
    Part("memory", "Hostile bodies: memory", "{built}/franking-hostile memory bytes=2097152 share=1/9", after=("build",)),
    Part(
        "work",
        "Hostile bodies: work in proportion to their length",
        # Left out: partial batches, which take as much work as whole ones, and the host whose subscribers are all inactive.
        # Mixtures, too: they are judged only by how much work they take. What is planted is counted whole.
        "{built}/franking-hostile work share=1/12 'without=: partial|: inactive|a mixture|quadratic: |linear: '"
        " && {built}/franking-hostile work 'only=quadratic: |linear: '",
        after=("build",),
        needs=("valgrind",),
    ),
    Part("c", "C and C++", "tests/c/run.sh", after=("build",)),
    Part("core", "Tests of the core", rust("franking", "franking-hostile", "franking-bench"), after=("build",)),
    Part("python", "Python", "python/run_tests.sh", after=("build",), needs=("python",)),
    Part(
        "vectors",
        "The vectors, through the executors of all languages and of a plain FFI",
        # C++ and a plain FFI hand bodies to the same functions as C. `make prove` has the largest bodies through them, too.
        f"python3 tests/conformance.py {LANGUAGES.replace(' cpp', '')} && python3 tests/conformance.py --up-to 1000000 cpp json"
        " && python3 tests/conformance.py --every 4 'text=tests/executors/run json text'"
        # The function that decides a call at once takes only calls of sendMailer.
        " && python3 tests/conformance.py --operation sendMailer 'at-once=tests/executors/run c at-once'",
        # The executor of a plain FFI runs in the environment of the reference.
        after=("build", "reference"),
    ),
    Part(
        "servers",
        "The driver for servers, against the example hosts",
        "EVERY=3 tests/server/hosts.sh",
        after=("build",),
        needs=("python",),
    ),
    Part(
        "fuzzing",
        "Fuzzing with fixed seeds, the driver for servers, what the vectors cover",
        f"LANGUAGES='{LANGUAGES} reference' tests/fuzz/test.sh",
        after=("build", "vectors"),
    ),
    Part("command", "The commands: one call, and many", rust("franking-cli", "franking-bulk"), after=("build",)),
    Part(
        "crates",
        "The smaller crates: columns, the C library from inside, the examples in Rust",
        rust("franking-columns", "franking-ffi", "franking-examples"),
        after=("build",),
    ),
    # `make prove` tries more of them, and others each time.
    Part("browser", "What a real browser asks for", "CASES_DOM=1500 CASES_NAVIGATION=100 CASES_NESTED=100 tests/browser/run.sh", after=("build",), needs=("chromium",)),
    Part(
        "desk",
        "The desk in a real browser: accessibility of every page, actions by keyboard, nothing loaded from elsewhere",
        "PAGES_EACH=1 PYTHONPATH=tests PROGRAM={built}/franking-service python3 -m desk",
        after=("build",),
        needs=("chromium",),
    ),
    Part("examples", "The examples of the documentation and of the pages", "python3 tests/rust_tests.py --documentation", after=("build",)),
    Part("documentation", "Documentation", "RUSTDOCFLAGS='-D warnings' cargo doc --quiet --package franking --no-deps", after=("build", "examples")),
    Part(
        "api",
        "The public API of the crate is the one that is listed",
        "{built}/franking-tools api --check",
        after=("build", "alone"),
        needs=("rust",),
    ),
    Part(
        "alone",
        "Core alone: no feature of another member reaches it",
        "cargo check --quiet --package franking --no-default-features",
        after=("build", "documentation"),
    ),
    Part("demo", "The demo ends well", "make demo >/dev/null", after=("build",)),
    Part("pages", CHECK[2].shows, f"{SOURCES} && {{built}}/franking-tools openapi --check", after=("build",)),
    Part(
        "description",
        "The OpenAPI description is valid, and its examples get their codes",
        f"tests/description/run.sh && {rust('franking-tools')}",
        after=("build",),
    ),
    Part("book", "Every page is in the book, and every link of the book leads somewhere", "tests/book.py", needs=("mdbook",)),
    Part("dependencies", "Dependencies", "cargo deny --log-level error check bans licenses sources", needs=("cargo-deny",)),
]

# The tests of the service, as the part `programs` has built them.
SERVICE = "python3 tests/rust_tests.py --run service"
# Tests of the service with a database of LARGE emails.
LARGE = f"LARGE=$((MINUTES * 400000)) {SERVICE} --ignored --nocapture --test-threads=1"

PROVE = [
    # The longest parts come first. The programs that other parts run are built once, with one set of features.
    Part("programs", "The programs that other parts run", "python3 tests/rust_tests.py --prove", is_first=True),
    Part("release", "The release build: what is measured, and the C library", "tests/build_release.sh", is_first=True),
    Part(
        "packages",
        "Programs in four languages decide calls with a release",
        "tests/packages/prove.sh",
        needs=("python",),
        is_first=True,
    ),
    Part(
        "mutants",
        "The tests notice changes to the core",
        "SAMPLE=$((MINUTES * 2)) SEED=$RANDOM tests/coverage/mutants.sh",
        needs=("cargo-mutants",),
        is_first=True,
    ),
    Part(
        "debian",
        "Debian's tools build the packages, and programs decide calls with them",
        "tests/packages/debian.sh",
        needs=("debian",),
    ),
    Part(
        "oldest",
        f"Rust {OLDEST_RUST} compiles all that is shipped",
        f"cargo '+{OLDEST_RUST}' check --quiet --locked --target-dir '{TARGET}/oldest' "
        + " ".join(f"--package {crate}" for crate in SHIPPED),
        needs=("oldest-rust",),
    ),
    Part(
        "bulk",
        "A million calls are checked alike by franking-bulk, Python, DuckDB, Spark and Ray",
        "BUILT_FOR_TESTS={proving} ROWS=$((MINUTES * 300000)) TRANSCRIPTS=$((MINUTES * 30000)) tests/bulk/prove.sh",
        after=("programs",),
        needs=("python", "java"),
    ),
    Part("wheel", "The wheel, the source distribution and pip install", "WHEELS=1 python/run_tests.sh", needs=("python",)),
    Part(
        "service",
        "All vectors over HTTP, to the service and the example hosts; a thousand hostile calls on the pages of the desk",
        f"EVERY=1 HOSTILE_CALLS=1000 {SERVICE} interface:: desk::hostile --nocapture && tests/server/hosts.sh",
        after=("programs",),
        needs=("python",),
    ),
    Part(
        "kills",
        "Accepted calls outlive SIGKILL, whole and once",
        f"KILLS=$((MINUTES * 10)) {SERVICE} kills:: --nocapture",
        after=("programs",),
    ),
    Part(
        "outbound",
        "Accepted emails are sent, whoever is killed",
        f"KILLS=$((MINUTES * 10)) {SERVICE} outbound:: --nocapture",
        after=("programs",),
    ),
    Part(
        "scanner",
        "A scanner that follows all links of an email is not a person",
        f"SCANNED=$((MINUTES * 350)) {SERVICE} scanner --nocapture",
        after=("programs",),
    ),
    Part(
        "hits",
        "A million hits of tracked links are few statements and few bytes",
        f"HITS=$((MINUTES * 340000)) {SERVICE} tracking::costs --ignored --nocapture --test-threads=1",
        after=("programs",),
    ),
    Part(
        "webhooks",
        "Every event is posted, whoever is killed",
        f"KILLS=$((MINUTES * 34)) {SERVICE} every_event_is_posted --nocapture",
        after=("programs",),
    ),
    Part(
        "large",
        "Of a large database no statement reads all of a table; a month keeps its size",
        f"{LARGE} large::plans large::keeping",
        after=("programs",),
    ),
    Part(
        "times",
        "Calls and commands of a large database are as quick as of an empty one",
        f"{LARGE} large::times",
        after=("programs",),
        is_alone=True,
    ),
    Part(
        "operating",
        "Alerts are given when they should be; systemd takes the unit; the compose file is one",
        "cd tools/packaging && promtool check rules prometheus/franking.rules.yml && promtool test rules prometheus/franking.rules.test.yml"
        " && promtool check config --syntax-only prometheus/prometheus.yml"
        " && systemd-analyze security --offline=true --threshold=20 systemd/franking-service.service"
        " && /usr/bin/python3 -c \"import yaml; assert len(yaml.safe_load(open('container/compose.yml'))['services']) == 5\"",
        needs=("promtool", "yaml"),
    ),
    Part(
        "neighbours",
        "Two accounts: one does its worst, and the other one is as quick as alone",
        "python3 tests/rust_tests.py --run neighbours",
        after=("programs",),
        is_alone=True,
    ),
    Part(
        "waiting",
        "Memory is flat with a million emails waiting",
        f"{SERVICE} outbox_costs:: --ignored --nocapture --test-threads=1",
        after=("programs",),
    ),
    Part(
        "emails",
        "Emails arrive as they were to be sent; hostile texts stay in their place",
        f"EMAILS=$((MINUTES * 1000)) HOSTILE=$((MINUTES * 2000)) KILLS=10 {SERVICE} mail:: --nocapture",
        after=("programs",),
    ),
    Part(
        "description",
        "The service answers within its OpenAPI description, and clients made of it send emails",
        "tests/description/prove.sh",
        after=("programs",),
        needs=("npm",),
    ),
    Part(
        "desk",
        "Each page of the desk in a real browser, for several accounts, calls and emails",
        "PAGES_EACH=3 PYTHONPATH=tests PROGRAM={proving}/franking-service python3 -m desk",
        after=("programs",),
        needs=("chromium",),
    ),
    Part(
        "instructions",
        "Instructions beside the peer",
        "python3 tests/bench/instructions.py",
        needs=("valgrind",),
    ),
    # First all kinds of body, and then long bodies until the time is over.
    Part(
        "memory",
        "Hostile bodies of 2 MB and of 32 MB take little memory",
        '{release}/franking-hostile memory bytes=2097152 && {release}/franking-hostile memory "seconds=$SECONDS_PER_PART"',
        after=("release",),
    ),
    Part(
        "work",
        "Hostile bodies of 64 kB and of 4 MB take little work, in proportion to their length",
        '{release}/franking-hostile work && {release}/franking-hostile work bytes=4194304 "seconds=$SECONDS_PER_PART"',
        after=("release",),
        needs=("valgrind",),
    ),
    Part(
        "vectors",
        "The vectors, through the C library that is shipped: in C, in C++ and by a plain FFI",
        "BUILT_FOR_TESTS={release} python3 tests/conformance.py c cpp json",
        after=("release",),
    ),
    Part("sanitizers", "C and C++, all vectors under sanitizers, and threads under theirs", "WHOLE=1 tests/c/run.sh"),
    Part("miri", "Pointers that the C library hands out stay valid (Miri)", "tests/c/miri.sh", needs=("miri",)),
    Part("panics", "Nothing panics, and the parts of the core agree", "BUILT_FOR_TESTS={proving} SECONDS_EACH=$((SECONDS_PER_PART / 8)) tests/fuzz/run.sh", after=("programs",)),
    Part(
        "languages",
        "All languages answer alike, and as the reference does",
        f"LANGUAGES='{LANGUAGES} json reference' tests/fuzz/languages.sh",
    ),
    Part(
        "links",
        "The library finds every name of DNS that the reference finds",
        'BUILT_FOR_TESTS={proving} CASES=1000000 SECONDS_AT_MOST="$SECONDS_PER_PART" tests/fuzz/links.sh',
        after=("programs",),
    ),
    Part(
        "trees",
        "No link that a tree has is missed; encoded is as plain",
        "LINKS_DOCUMENTS=$((SECONDS_PER_PART * 800)) LINKS_BODIES=$((SECONDS_PER_PART * 400)) LINKS_SEED=$RANDOM"
        " python3 tests/rust_tests.py --run behaviour links_differential:: --nocapture",
        after=("programs",),
    ),
    Part(
        "browser",
        "Chromium asks for no host that is not found",
        "BUILT_FOR_TESTS={proving} CASES_DOM=$((SECONDS_PER_PART * 40)) CASES_NAVIGATION=$((SECONDS_PER_PART * 2))"
        " CASES_NESTED=$((SECONDS_PER_PART * 3)) SEED=$RANDOM tests/browser/run.sh",
        after=("programs",),
        needs=("chromium",),
    ),
    Part(
        "firefox",
        "Firefox asks for no host that is not found",
        "BUILT_FOR_TESTS={proving} CASES_DOM=0 CASES_NAVIGATION=0 CASES_NESTED=0 CASES_FIREFOX=$((SECONDS_PER_PART * 3 / 2)) SEED=$RANDOM tests/browser/run.sh",
        after=("programs",),
        needs=("chromium", "firefox"),
    ),
    Part(
        "nested",
        "A host in documents in documents is found, or its mail refused",
        'BUILT_FOR_TESTS={proving} CASES=1000000 SECONDS_AT_MOST="$SECONDS_PER_PART" tests/fuzz/nested.sh',
        after=("programs",),
    ),
    Part(
        "gigabyte",
        "The command checks a gigabyte of calls in flat memory",
        "BUILT_FOR_TESTS={proving} python3 tests/bench/command_throughput.py 1000",
        after=("programs",),
    ),
]
