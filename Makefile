# Everything sets itself up: a fresh machine needs Python 3.11 or later and make.
#
#   make play    open the page and play      make check   formatting, lint, types, imports
#   make test    all checks and tests        make bench   every published figure
#   make quick   what fails most often       make soak    a server under load for minutes
#   make setup   prepare .venv and kernels   make web-check   types, lint and tests of the page
#   make page    build the page              make coverage   lines and branches that tests run
#   make lock    renew the pinned requirements   make chaos   a server under attack for minutes
#   make docs    build the documentation in build/docs
#
# `make quick` is meant to take less than a minute once `make setup` is done: the checks of the Python code,
# the tests of rules, records, tables and views (no compiling, servers or browsers), and the page's
# unit tests where its packages are installed. `make test` runs everything.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
MINUTES ?= 15
# Tests that compile nothing and start neither servers nor browsers.
QUICK := $(addprefix tests/engine/test_,knobs.py ranges.py rulebook.py state.py subset.py unroll.py) \
  tests/games/test_contract.py tests/games/test_playthroughs.py tests/games/marrakech/test_rules.py \
  tests/games/marrakech/test_previews.py tests/games/marracash/test_rules.py tests/records \
  $(addprefix tests/server/test_,referee.py table_rules.py views.py protocol_doc.py)
# Many tests wait for servers and browsers, so more tests run at a time than there are cores.
CORES = $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)))' 2>/dev/null || echo 2)
WORKERS = $(shell expr $(CORES) + 4)

# Jobs that run at the same time print their lines together, where make can do that.
TOGETHER := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

# The tests start hundreds of processes; without bytecode each compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test quick coverage check style setup collect page web-check docs node-packages node chromium nginx bench soak chaos lock clean
.DEFAULT_GOAL := play

play: $(READY)
	@$(MAKE) --no-print-directory page || echo "Playing without the page: see above."
	@$(BIN)/souk serve --open

# Kernels are compiled while the rest waits for the network, or uses one core.
test:
	@$(MAKE) --no-print-directory --jobs=2 $(TOGETHER) setup check page chromium nginx collect
	$(BIN)/pytest -n $(WORKERS) --dist=worksteal

quick: style
	$(BIN)/pytest -n $(CORES) --dist=worksteal --hypothesis-profile=quick $(QUICK)
	@if [ -d web/node_modules ]; then $(BIN)/python -m tools.build_page test; fi

# Collecting once stores the rewritten assertions, else every worker rewrites them all.
collect: $(READY)
	@$(BIN)/pytest --collect-only -q >/dev/null || true # the tests themselves report errors

# Processes that the tests start are measured too; compiled kernels are not.
coverage: setup page chromium nginx
	rm -f .coverage .coverage.*
	-$(BIN)/coverage run -m pytest -n $(WORKERS) --dist=worksteal
	@find . -maxdepth 1 -name '.coverage.*' -empty -delete # of processes that were killed
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check: style web-check

style: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.check_kernels

setup: $(READY)
	@$(BIN)/souk prepare

# The page needs node: the machine's own, else one that pip can bring.
page: node-packages
	@$(BIN)/python -m tools.build_page

web-check: node-packages
	@$(BIN)/python -m tools.build_page check

# Warnings are errors: names, links and anchors that do not exist are among them.
docs: node-packages
	@$(BIN)/python -m sphinx --quiet --fail-on-warning docs build/docs
	@echo "Read build/docs/index.html."

node-packages: node
	@$(BIN)/python -m tools.build_page install

node: $(READY)
	@$(BIN)/python -m tools.node >/dev/null 2>&1 || \
	  $(BIN)/uv pip install --quiet --require-hashes -r requirements/web.txt

chromium: $(READY)
	@$(BIN)/python -m tools.chromium >/dev/null

nginx: $(READY)
	@$(BIN)/python -m tools.nginx >/dev/null

soak: setup
	$(BIN)/python -m bench.soak --minutes $(MINUTES) --plot docs/pictures/soak.svg

# Processes, database and disk are killed, stopped and starved; every acknowledgement is compared.
chaos: MINUTES = 10
chaos: setup
	$(BIN)/python -m bench.chaos --minutes $(MINUTES)

bench: setup page chromium .venv/bench-ready
	$(BIN)/python -m bench

$(READY): requirements/uv.txt requirements/dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "souk needs Python 3.11 or later")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/uv.txt
	$(BIN)/uv pip install --quiet --require-hashes -r requirements/dev.txt
	$(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $(READY)

.venv/bench-ready: $(READY) requirements/bench.txt
	$(BIN)/uv pip install --quiet --require-hashes -r requirements/bench.txt
	@touch .venv/bench-ready

lock: COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
  --generate-hashes --no-header --no-annotate
lock: $(READY)
	$(COMPILE) --extra all --extra mcp --extra open_spiel --extra ray --group dev pyproject.toml -o requirements/dev.txt
	$(COMPILE) --group bench pyproject.toml -o requirements/bench.txt
	$(COMPILE) --group web -o requirements/web.txt
	echo uv | $(COMPILE) - -o requirements/uv.txt

clean:
	rm -rf souk/page web/node_modules build/docs docs/generated
	rm -rf .coverage .coverage.* .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
