# The commands that a person types; `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

PYTHON ?= python3
PREFIX ?= /usr/local
export LIBDIR DESTDIR

.PHONY: help demo serve check test prove conformance bench load deliveries fuzz fuzz-languages pages book screenshots build install notices dist

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | awk -F '\t' '{printf "  make %-16s %s\n", $$1, $$2}'

demo: ## Decide the calls of examples/calls against a small world, and show what happens
	@source tests/built.sh && built_with franking-cli && \
	{ "$$built/franking" decide --world examples/world.json examples/calls || [ $$? -eq 1 ]; }

serve: ## Run the service over a SQLite database in franking-data, and show how to call it
	@cargo run --quiet --release --package franking-service -- serve --demo

check: ## Every day, under two minutes when all is built: format, lints, unit tests, the vectors in Rust
	$(PYTHON) tests/run.py check $(PART)

test: ## What each change has to keep, in a quarter of an hour: all languages, the service, documentation (PART=key for one)
	$(PYTHON) tests/run.py test $(PART)

prove: ## What takes longer, each part for MINUTES=n (10): full size, kills, browsers, a release, mutations (PART=key for one)
	$(PYTHON) tests/run.py prove $(PART)

conformance: ## Run all vectors through the executors of all languages and print one table
	$(PYTHON) tests/conformance.py rust c cpp python json

bench: ## Measure beside peers in one run and write target/bench/ratios.json (QUICK=1: under 15 minutes)
	tests/bench/run.sh

load: ## Measure the calls that the service takes beside a handler that does nothing (SECONDS_EACH=n)
	cargo bench --quiet --package franking-service --bench load

deliveries: ## Measure the emails that the service sends beside a loop of the SMTP client alone (EMAILS=n)
	cargo bench --quiet --package franking-service --bench deliveries

fuzz: ## Feed generated and mutated input to the core for a minute (SECONDS_EACH=n for longer)
	tests/fuzz/run.sh

fuzz-languages: ## Run one generated stream of cases through all languages and compare (CASES=n)
	tests/fuzz/languages.sh

pages: ## Write docs/rules.md, docs/openapi.*, docs/settings.md, the list in docs/testing.md, and the C headers anew from the tables
	FRANKING_WRITE=1 cargo test --quiet --package franking --test behaviour rules_page::
	FRANKING_WRITE=1 cargo test --quiet --package franking-service --lib settings
	cargo run --quiet --package franking-tools -- header
	cargo run --quiet --package franking-tools -- openapi
	$(PYTHON) tests/run.py pages

book: ## Build the pages as a book, into target/book, and check its links (needs mdBook)
	$(PYTHON) tests/book.py

screenshots: ## Take the pictures of docs/desk.md anew, with Chromium
	@source tests/built.sh && built_with franking-service && \
	PYTHONPATH=tests PROGRAM="$$built/franking-service" $(PYTHON) -m desk --screenshots docs/desk

build: ## Build the C and C++ library, shared and static (CARGOFLAGS=--offline and the like)
	ffi/build.sh $(CARGOFLAGS)

install: ## Install what `make build` has built below PREFIX (LIBDIR=lib, below it or absolute; DESTDIR)
	ffi/install.sh "$(PREFIX)"

notices: ## Write THIRD-PARTY-NOTICES.txt anew with cargo-about
	tools/packaging/notices.sh

dist: ## Write what is released of the last commit into dist/: sources, crates, wheels, checksums
	tools/packaging/dist.sh
