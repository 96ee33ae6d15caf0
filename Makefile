# Every command of this project in one line each: `make` lists them.
# CORES=4 limits the processors; ARGS="..." is passed on, e.g. make run ARGS="-n" or make test ARGS="-k dci".

CORES ?= all
ARGS ?=
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

BIN := .venv/bin
# Named after the content of the locks, so that a changed lock is installed whatever the file times say.
STAMP := .venv/installed-$(shell cat envs/requirements*.txt | cksum | cut -d ' ' -f 1)

.PHONY: help setup run study test test-cluster check coverage docs bench clean clean-env

help: ## list these commands
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

setup: $(STAMP) ## create .venv with the locked dependencies (does nothing when they are there)

$(STAMP):
	@if [ -z "$(PYTHON)" ]; then \
		echo "custodes needs Python 3.11 or newer; found: $$(python3 --version 2>&1)." >&2; \
		echo "Install one, or name it: make setup PYTHON=/path/to/python3.11" >&2; exit 1; fi
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) lacks the venv module; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -c 'import pip' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@rm -f .venv/installed-*
	@echo "Installing the locked dependencies into .venv (a minute, and what the downloads take)"
	@sh envs/install.sh $(BIN)/python
	@$(BIN)/python -c 'import torch' || { \
		echo "PyTorch does not load. After an interrupted installation: make clean-env setup" >&2; exit 1; }
	@$(BIN)/python -c 'import lightgbm' 2>/dev/null || { \
		echo "LightGBM does not load; $(BIN)/python -c 'import lightgbm' says why." >&2; \
		echo "A bare Debian lacks its OpenMP library: apt-get install libgomp1" >&2; exit 1; }
	@touch $@

run: setup ## the quick study: every experiment and figure, thinned, in minutes
	$(BIN)/snakemake --configfile config/quick.yaml --cores $(CORES) $(ARGS)

study: setup ## the full study under both protocols
	$(BIN)/snakemake --cores $(CORES) $(ARGS)

test: setup ## all tests
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS)

test-cluster: setup ## the quick study on a Slurm of one node, started for it (root; slurm-wlm, munge)
	$(BIN)/python -m tests.workflow.slurm $(BIN)/snakemake --profile profiles/slurm --configfile config/quick.yaml \
		--slurm-status-command squeue --slurm-init-seconds-before-status-checks 10 $(ARGS)

check: setup ## style of the Python code and of the Snakefiles, types, layers, and Snakemake's lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/mypy
	PYTHONPATH=scripts $(BIN)/lint-imports
	$(BIN)/snakemake --lint

coverage: setup ## the unit tests, and what they run of the package (half as long again as without)
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile tests/unit --cov --cov-report=term $(ARGS)

docs: setup ## the documentation site: docs/_build/html/index.html
	@mkdir -p docs/_build/source
	$(BIN)/sphinx-build -W --keep-going -q -d docs/_build/doctrees -c docs docs/_build/source docs/_build/html

bench: setup ## time the parts that cost most
	@set -e; for bench in tests/bench/*.py; do echo "$$bench"; PYTHONPATH=. $(BIN)/python "$$bench" $(ARGS); done

clean: ## remove all results, Snakemake's records and the caches
	find results -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	rm -rf .snakemake .pytest_cache .ruff_cache .mypy_cache .coverage docs/_build
	find scripts tests -name __pycache__ -type d -prune -exec rm -rf {} +

clean-env: ## remove .venv
	rm -rf .venv
