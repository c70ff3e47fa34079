# Everything sets itself up: a fresh machine needs Python 3.11 or later and make.
#
#   make play    play in the terminal        make check   formatting, lint, types, imports
#   make test    all checks and tests        make bench   every published figure
#   make setup   prepare .venv and kernels   make soak    a server under load for minutes
#   make lock    renew the pinned requirements

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
MINUTES ?= 5

.PHONY: play test check setup bench soak lock clean
.DEFAULT_GOAL := play

play: $(READY)
	@$(BIN)/souk play

test: check
	$(BIN)/pytest -n auto

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

setup: $(READY)
	@$(BIN)/souk prepare

soak: setup
	$(BIN)/python -m bench.soak --minutes $(MINUTES) --plot docs/pictures/soak.svg

bench: setup .venv/bench-ready
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

lock: $(READY)
	for group in dev bench; do \
	  $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	    --no-header --no-annotate --group $$group pyproject.toml -o requirements/$$group.txt; \
	done
	echo uv | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	  --generate-hashes --no-header --no-annotate - -o requirements/uv.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
