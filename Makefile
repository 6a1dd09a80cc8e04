# Two commands: `make demo` shows gofer at work, `make test` runs the whole test suite. Both set everything up.
PYTHON ?= python3
BIN := .venv/bin

JOBS ?= 10000  # of the soak; it runs for as long as they take

.PHONY: demo test soak lint types format lock clean

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("gofer needs Python 3.11 or newer; set PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: .venv/ready
	$(BIN)/python -m gofer.cli.demo

test: .venv/ready
	$(BIN)/pytest

# Not a part of CI: the real service under load, memory, descriptors and WAL watched; then the simulation on new seeds.
soak: .venv/ready
	$(BIN)/python bench/soak.py --jobs $(JOBS)
	$(BIN)/gofer-sim --base $$(date +%s) --seeds $(JOBS) --jobs 2

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready
	$(BIN)/mypy

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Renew the lock: resolve pyproject.toml from nothing in a throw-away environment and write down what came out.
lock:
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet '.[dev]'
	.venv-lock/bin/pip freeze --all --exclude pip --exclude gofer > constraints.txt
	rm -rf .venv-lock

clean:
	rm -rf .venv .venv-lock build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
