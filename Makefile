# Everything sets itself up: Python 3.11+ and make are all a machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Modules are compiled once, whatever the machine says: tests start some hundred processes.
export PYTHONDONTWRITEBYTECODE :=
# Where there is room in memory, tests keep their files there: else they mostly wait for the disk.
ROOMY := $(shell df -Pm /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000 { print "/dev/shm" }')
test quick soak simulate simulate-sample mutants mutants-sample try-game: export TMPDIR := $(or $(ROOMY),$(TMPDIR),/tmp)

.DEFAULT_GOAL := help
.PHONY: help run test quick check soak simulate simulate-sample bench tournament audit mutants mutants-sample lock wheel texts drawings pictures playthroughs game try-game clean

help:
	@echo "make run    start the bot: on Discord if DISCORD_TOKEN is set, else on a local Discord in the browser"
	@echo "make test   every check and test"
	@echo "make quick  the checks, and the tests nearest to what you have changed"
	@echo "make check  the checks alone: lint, format, types, imports, catalogues"
	@echo "make soak   two hundred kills, ten thousand forged clicks, a silent gateway, whole games while everything is awkward, several processes that are killed and restarted; twenty minutes or more"
	@echo "make simulate SEEDS=100  runs of the whole program in a deterministic world where everything goes wrong; Python 3.12"
	@echo "make simulate-sample  some of them, and tests in virtual time; three minutes"
	@echo "make bench  speed and cost, as tables; takes its time"
	@echo "make tournament  how good the computer players are, as tables with goals; an hour on two cores"
	@echo "make mutants  change one small thing of the program at a time: does a test notice? Takes hours; Python 3.12"
	@echo "make mutants-sample  the same with a few of those changes; some four minutes"
	@echo "make audit  look for known vulnerabilities of the dependencies"
	@echo "make lock   write requirements.lock again: the newest versions of all dependencies, with their hashes"
	@echo "make wheel  build the package into dist/"
	@echo "make pictures  take the pictures in docs/pictures again, with Chromium"
	@echo "make game NAME=zebra   make a toy game that runs at once, for you to turn into a game of your own"
	@echo "make try-game          make a toy game in a copy of the project, and run all checks and every suite over all games on it"
	@echo "make playthroughs      write the whole games in tests/playthroughs again; read the diff"
	@echo "make texts  bring the catalogues in locales/ up to date with the code"
	@echo "make drawings  record in tests/drawings.json what new drawings look like, and changed ones whose number was raised (looks)"
	@echo "make clean  delete the environments and caches that make has created"

$(VENV)/.run: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python lacks venv: on Debian and Ubuntu install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

run: $(VENV)/.run
	@$(BIN)/python -m bot

# All of them, also where one fails: whoever mends one sees what is left.
check: $(VENV)/.dev
	@failed=; for check in "ruff check ." "ruff format --check ." "mypy" "lint-imports" "python -m tests.texts --check"; do \
	  echo "$(BIN)/$$check"; $(BIN)/$$check || failed="$$failed\n  $$check"; \
	done; test -z "$$failed" || { printf "Failed:$$failed\n"; exit 1; }

# Of a test over all games or on both databases one case, of one with many cases two, of random games a few, others after each commit; under CI all.
SAMPLE := $(if $(CI),,--sample=$(shell git rev-parse HEAD 2>/dev/null || echo 0) --hypothesis-profile=sample)

quick: check
	$(BIN)/python -m tests.quick

# Three workers more than there are cores, since tests of real processes wait for them.
test: check
	$(BIN)/python -m pytest $(SAMPLE) -n $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 3)') --dist worksteal

soak: $(VENV)/.dev
	SOAK=1 $(BIN)/python -m pytest -rP -n 9 tests/process/soak_awkward.py tests/process/test_kills.py tests/process/test_hostile.py tests/process/soak_silence.py
	$(BIN)/python -m pytest -rP -n 2 tests/process/soak_cluster.py

# simloom and the measuring of mutants need Python 3.12; where $(VENV) is older, the newest Python that is found has an environment of its own.
SEEDS ?= 100
SIMULATION := .venv-simulation
PYTHONS := python3.14 python3.13 python3.12 $(sort $(wildcard $(HOME)/.pyenv/versions/3.1[2-9]*/bin/python3))

$(SIMULATION)/.ready: pyproject.toml
	@for python in $(PYTHON) $(PYTHONS); do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	test -n "$$found" || { echo "The simulation needs Python 3.12 or newer: make simulate PYTHON=..."; exit 1; }; \
	test -x $(SIMULATION)/bin/python || $$found -m venv $(SIMULATION)
	$(SIMULATION)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,simulation]'
	@touch $@

simulate: $(SIMULATION)/.ready
	$(SIMULATION)/bin/python -m tests.simulation --seeds $(SEEDS)

simulate-sample: $(SIMULATION)/.ready
	$(SIMULATION)/bin/python -m pytest -q -n auto tests/simulation
	$(SIMULATION)/bin/python -m tests.simulation --seeds 250 --seconds 80
	$(SIMULATION)/bin/python -m tests.simulation --seeds 20 --toy

bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m tests.bench

tournament: $(VENV)/.run
	@$(BIN)/python -m engine.train tournament

mutants: $(SIMULATION)/.ready
	$(SIMULATION)/bin/python -m tests.mutants

mutants-sample: $(SIMULATION)/.ready
	$(SIMULATION)/bin/python -m tests.mutants --sample 60 --without tests/discord engine bot/tables bot/review

audit: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip-audit --requirement requirements.lock --require-hashes --disable-pip
	$(BIN)/pip-audit --skip-editable

# One version of each part, for every Python that we support, and every platform.
lock: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --extra postgresql --universal --python-version 3.11 --fork-strategy fewest \
	  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --output-file requirements.lock

# The same bytes from the same commit: the files in it are as old as the commit.
wheel: $(VENV)/.dev
	rm -rf build dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

texts: $(VENV)/.dev
	$(BIN)/python -m tests.texts

drawings: $(VENV)/.dev
	$(BIN)/python -m tests.drawings

pictures: $(VENV)/.dev
	$(BIN)/python -m tests.pictures

playthroughs: $(VENV)/.dev
	$(BIN)/python -m tests.playthroughs

game: $(VENV)/.dev
	@$(BIN)/python -m tools.new_game $(NAME)

try-game: $(VENV)/.dev
	$(BIN)/python -m tools.try_game

clean:
	rm -rf $(VENV) $(SIMULATION) .mypy_cache .ruff_cache .pytest_cache
