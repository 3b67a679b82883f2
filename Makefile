# The two ways in: `make demo` shows the tool on a MobileNetV2, `make test` checks everything.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test test-ops test-onnx bench setup tables clean

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py

# Two workers, each with one thread: more only wait for each other.
test: export OMP_NUM_THREADS := 1
test: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lit -j 2 --succinct test
	$(BIN)/pytest -n 2 -q

# PyTorch's operator samples, all of them in float32; ARGS="--dtype bfloat16 --only add" for others.
test-ops: $(INSTALLED)
	$(BIN)/python test/ops/suite.py $(ARGS)

# ONNX's own backend tests, all of them; ARGS="--only conv --list" for some.
test-onnx: $(INSTALLED)
	$(BIN)/python test/onnx/suite.py $(ARGS)

# Both sides of each claim of speed and memory; ARGS=--write writes benchmarks/README.md.
bench: $(INSTALLED)
	$(BIN)/python benchmarks/bench.py $(ARGS)

setup: $(INSTALLED)

# Writes the tables of the README again, and the page about ATen ops.
tables: $(INSTALLED)
	$(BIN)/python -m torch_ttir.tools.readme README.md
	$(BIN)/python test/ops/docs.py docs/ops.md

$(INSTALLED): pyproject.toml constraints.txt
	@echo "Installing into $(VENV), once: PyTorch is large, so this takes some minutes"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check $$(grep '^torch==' constraints.txt) -c constraints.txt
	$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[all]'
	@touch $@

clean:
	rm -rf $(VENV) build .demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
