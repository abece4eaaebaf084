# What a person does with this program. `make` alone lists it.
# PYTHON=python3.12 chooses another Python; PMS_PORT=8001 and the other settings go through.

PYTHON ?= python3
VENV = .venv
# A file of tests stays in one process; each process has servers of its own. One file alone
# needs no second process. A process that dies ends the run: xdist waits for ever for the files
# of one that it replaced.
PYTEST ?= $(if $(filter %.py,$(TESTS)),-n 0,-n auto --maxprocesses 4 --max-worker-restart 0 --dist loadfile)
BIN = $(VENV)/bin
# CLOCK=+365d or CLOCK=2028-02-29 runs the tests, and every program they start, on that day.
SHIFTED = $(if $(CLOCK),$(BIN)/python -m tests.shifted_clock $(CLOCK))

# Compiled modules are kept, also where the environment forbids it: a start takes a third of the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-all cases lint check bench figures pictures translations sbom lock clean
.NOTPARALLEL:

help: ## List what can be done here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: ## Start everything with demo data; Ctrl-C ends it, the data stays in var/
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements.txt
	@exec $(BIN)/pms run

test: ## Run the tests a change must pass (TESTS=tests/rules for a part, CLOCK=2028-02-29 for a day); about 15 minutes on two cores
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(SHIFTED) $(BIN)/python -m pytest $(PYTEST) $(TESTS)

test-all: ## Run every test on both databases, in all looks, on other days, and mutations; prints coverage and time
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(BIN)/python .ci/test_all $(PYTEST) -- $(MUTATE)

cases: ## Run worked cases against rules and use cases (CASES="FILE ids", files as in tests/cases)
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(BIN)/python -m tests.cases $(CASES)

lint: ## Check format, style, types, import contracts, templates and translations
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@sh .ci/lint "$(BIN)"

check: lint test ## Everything a change must pass: lint and the tests of `make test`

bench: ## Measure the speed against a hand-written floor (BENCH="--pages --quick" for every page at × 1, × 10 and × 100 of the demo; --pages=NAME,NAME for some)
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(BIN)/python -m tests.bench $(BENCH)

pictures: ## Take the pictures of the manual anew, in a browser
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(BIN)/python -m tests.screens.manual_pictures

figures: ## Print the figures of this program's form: files, lines, imports, routes
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(BIN)/python .ci/figures

translations: ## Bring the translation catalogues in line with the texts of the program
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@$(BIN)/python -m tests.architecture.translations --update

sbom: ## Print the bill of materials, the libraries with versions and hashes, as CycloneDX JSON
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt >&2
	@$(BIN)/python .ci/sbom requirements.txt

lock: ## Choose the newest allowed versions of all libraries and write them down with hashes
	@sh .ci/environment "$(PYTHON)" "$(VENV)" requirements-dev.txt
	@sh .ci/lock "$(BIN)"

clean: ## Remove the virtual environment and what the tools keep; the data in var/ stays
	rm -rf $(VENV) pms.egg-info build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
