# `make run` and `make test` do all the set-up themselves.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed

.PHONY: help run test check differential fuzz mutants format clean
help:      ## show the targets
	@grep -E '^[a-z]+: .*##|^[a-z]+: *##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

run: $(STAMP)  ## install, check the shipped variants, play a tournament
	$(BIN)/trutdsl check variants/*.yaml
	$(BIN)/trutdsl tournament trut --players 2 --strategies uniform,steady,caller,quiet --matches 40 --seed 1

test: $(STAMP)  ## everything that CI checks: format, lint, types, floors, tests
	$(MAKE) check

check: $(STAMP)  ## format, lint, types, import floors, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest
	TRUTDSL_CHECKED=1 DIFFERENTIAL=1000 $(BIN)/python -m pytest tests/conformance tests/native/test_differential.py tests/native/test_forms.py

differential: $(STAMP)  ## both engines over N deals of every variant and number of players
	DIFFERENTIAL=$(or $(N),2000) $(BIN)/python -m pytest tests/native/test_differential.py tests/native/test_forms.py

fuzz: $(STAMP)  ## N random whole programs on both engines, FILES random files for every reader, flows
	nice -n 10 $(BIN)/python -m tests.fuzz programs --count $(or $(N),10000)
	nice -n 10 $(BIN)/python -m tests.fuzz readers --count $(or $(FILES),200000) --seed $(or $(SEED),1)

mutants: $(STAMP)  ## are known mistakes in engines, readers and checks found, and after how many tries
	$(BIN)/python -m tests.fuzz mutants

format: $(STAMP)  ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:     ## remove the virtual environment and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
