# `make run` and `make test` do all the set-up themselves.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed
TABLES := trutdsl/syntax/rules.tables
# Tests start the program again and again: without its bytecode each start compiles it anew. That of
# libraries is made when they are first imported, which most of their modules never are.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test check lint collected types tests thorough snapshot pyright package pictures regional best-play differential fuzz pairs bounds peeking chaos mutants answers exact calibration worlds test-dask test-oracles test-rl test-notebook test-browser format clean
help:      ## show the targets
	@grep -E '^[a-z-]+: .*##|^[a-z-]+: *##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m compileall -q -j 0 trutdsl
	touch $(STAMP)

# The parser's tables come with the installation; each command would make them anew if they were old.
$(TABLES): trutdsl/syntax/rules.lark trutdsl/syntax/parse.py | $(STAMP)
	$(BIN)/python -c 'from pathlib import Path; from trutdsl.syntax.parse import write_tables; write_tables(Path("$@"))'

run: $(STAMP)  ## install, check the shipped variants, play a tournament
	$(BIN)/trutdsl check variants/*.yaml
	$(BIN)/trutdsl tournament trut --players 2 --strategies uniform,steady,caller,quiet,tight,bluffer --deals 1000000 --seed 1

test: $(STAMP)  ## everything that CI checks: format, lint, types, layers, tests
	$(MAKE) check

check: $(STAMP)  ## format, lint, types, import layers, tests
	$(MAKE) --jobs 2 lint collected
	$(MAKE) --jobs 2 types tests

lint: $(STAMP)  ## format, lint, import layers, as part of check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache

collected: $(TABLES)  ## bytecode of the tests, made once and not by each worker, as part of check
	-@$(BIN)/python -m pytest -n0 --collect-only >/dev/null  # the tests say what is wrong

types: $(STAMP)  ## types, as part of check
	$(BIN)/mypy

tests: $(TABLES)  ## tests, as part of check
	$(BIN)/python -m pytest

thorough: $(STAMP)  ## the tests with all their cases and repetitions, the longer half of an hour
	THOROUGH=1 $(BIN)/python -m pytest

differential: $(STAMP)  ## both engines over N decisions of every variant and number of players
	DIFFERENTIAL=$(or $(N),10000) $(BIN)/python -m pytest tests/native/test_differential.py

fuzz: $(STAMP)  ## N random whole programs on both engines, FILES random files for every reader, GAMES for exact, exploit and solve
	nice -n 10 $(BIN)/python -m tests.fuzz programs --count $(or $(N),10000)
	nice -n 10 $(BIN)/python -m tests.fuzz classes --count $(or $(GAMES),2000)
	nice -n 10 $(BIN)/python -m tests.fuzz recall --count $(or $(GAMES),2000)
	nice -n 10 $(BIN)/python -m tests.fuzz matches --count $(or $(GAMES),2000)
	nice -n 10 $(BIN)/python -m tests.fuzz readers --count $(or $(FILES),200000) --seed $(or $(SEED),1)

pairs: $(STAMP)  ## N random programs, each from pairs of states that a seat cannot distinguish, on all channels
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,rl,openspiel]'
	nice -n 10 $(BIN)/python -m tests.fuzz pairs --count $(or $(N),40000) --through $(or $(THROUGH),4)

bounds: $(STAMP)  ## every large variant that the check accepts: checked and compiled in bounds
	LARGE=1 $(BIN)/python -m pytest -n0 tests/native/test_large_variants.py

peeking: $(STAMP)  ## N pairs of states that a seat cannot distinguish, for each script, variant and engine
	PAIRS=$(or $(N),2000) $(BIN)/python -m pytest tests/strategy/test_nobody_peeks.py

chaos: $(STAMP)  ## tournaments killed, stopped and damaged again and again, for half an hour
	CHAOS=20 nice -n 10 $(BIN)/python -m pytest tests/tournaments/test_supervisor.py tests/tournaments/test_chaos.py

editions: $(STAMP)  ## the variants of three older commits are played as by their own programs
	nice -n 10 $(BIN)/python tools/check_editions.py

mutants: $(STAMP)  ## are known mistakes in engines, readers and checks found, and after how many tries
	$(BIN)/python -m tests.fuzz mutants

answers: $(STAMP)  ## exact answers of uniform play, met over a million matches
	ANSWERS=1000000 $(BIN)/python -m pytest -n0 tests/answers/test_uniform_trut.py tests/answers/test_goal_compared.py

exact: $(STAMP)  ## exact results of 31 pairs of scripts in four variants, met over MATCHES each, up to GOAL; goes on in OUT
	nice -n 10 $(BIN)/python tools/check_exact.py $(or $(OUT),reports/exact) --matches $(or $(MATCHES),1000000) $(if $(GOAL),--goal $(GOAL))

snapshot: $(STAMP)  ## what 39 commands print and write, and all LLVM text, into OUT, to compare two versions
	$(BIN)/python tools/snapshot.py $(or $(OUT),snapshot)

pictures: $(STAMP)  ## the pictures of README.md, from real output
	$(BIN)/python tools/pictures.py

pyright: $(STAMP)  ## the types of docs/examples under pyright, by basedpyright, which brings its own Node
	$(BIN)/python -m pip install --quiet --disable-pip-version-check basedpyright
	$(BIN)/basedpyright --level error docs/examples/*.py

package: $(STAMP)  ## wheel and sdist, installed in new environments, with the commands of README.md, and with the oldest dependencies
	$(BIN)/python tools/check_package.py

regional: $(STAMP)  ## all variants compared, DEALS of each in two runs: the tables and findings in reports/regional
	$(BIN)/python reports/regional/make.py --deals $(or $(DEALS),1000000) --readings $(or $(READINGS),200000)

best-play: $(STAMP)  ## the regional variants under best play, and which findings on scripts survive: reports/regional
	$(BIN)/python reports/regional/best_play.py

calibration: $(STAMP)  ## how often the statistics are wrong where the truth is known, a table
	$(BIN)/python -m tests.calibration reports/calibration $(or $(RUNS),1000)

test-dask: $(STAMP)  ## tournaments on a cluster, with Dask: a scheduler and workers on this machine
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,dask]'
	$(BIN)/python -m pytest -n0 -m dask tests/dask

worlds: $(STAMP)  ## the battery on worlds, all tables into reports/calibration; worlds of small games; monte-carlo against every script over N pairs of matches
	nice -n 10 $(BIN)/python -m tests.calibration reports/calibration $(or $(RUNS),240) worlds
	TRUTDSL_QUICK=0 WORLDS=1 MARGIN=$(or $(N),100) nice -n 10 $(BIN)/python -m pytest tests/strategy/test_battery.py tests/strategy/test_worlds.py tests/strategy/test_worlds_of_variants.py tests/strategy/test_monte_carlo.py

test-rl: $(STAMP)  ## the environments for learning agents, with PettingZoo, Gymnasium and OpenSpiel
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,rl,openspiel]'
	$(BIN)/python -m pytest -m rl tests/rl

test-oracles: $(STAMP)  ## the statistics against those of statsmodels, choix, nashpy and OpenSpiel
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,oracles,openspiel]'
	$(BIN)/python -m pytest -n0 -m oracles tests/oracles

test-notebook: $(STAMP)  ## the notebook of docs/examples, executed
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check --editable '.[dev,notebook]'
	$(BIN)/python -m pytest -n0 --nbmake docs/examples/house-rule.ipynb

test-browser: $(STAMP)  ## pages of results in Chromium, which has to be installed: apt-get install chromium
	$(BIN)/python -m pytest -n2 --dist loadgroup -m browser tests/browser

format: $(STAMP)  ## rewrite the sources in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:     ## remove the virtual environment and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
