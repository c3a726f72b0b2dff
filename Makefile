# make run   install once into .venv, then open the dashboard
# make test  everything that has to hold: style, types, tests
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
WANTED := Python 3.11, 3.12 or 3.13

# The first interpreter that fits and can make environments; one line says what is missing.
define venv
	@fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))'; \
	if $(BIN)/python -c "$$fits; import pip" 2>/dev/null; then exit 0; fi; \
	bare=; \
	for python in python3.13 python3.12 python3.11 python3 python; do \
		$$python -c "$$fits" 2>/dev/null || continue; \
		if $$python -c 'import ensurepip, venv' 2>/dev/null; then \
			echo "Making $(VENV) with $$python"; exec $$python -m venv --clear $(VENV); fi; \
		bare=$${bare:-$$python}; \
	done; \
	if [ -n "$$bare" ]; \
	then echo "$$bare lacks venv and ensurepip: install them (Debian, Ubuntu: apt-get install python3-venv)." >&2; \
	else echo "$(WANTED) is missing (found: $$(python3 --version 2>/dev/null || echo none))." >&2; fi; \
	exit 1
endef

.PHONY: run test bench evaluate models clean

run: $(VENV)/installed
	@$(BIN)/python -m inference app

test: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict inference benchmarks app.py
	$(BIN)/python -m pytest -n 2 -m "not browser"
	$(BIN)/python -m pytest -m browser

bench: $(VENV)/installed-test
	$(BIN)/python -m benchmarks

evaluate: $(VENV)/installed-test
	$(BIN)/python -m tests.twin --deals 100000 --seed 1
	$(BIN)/python -m tests.minimax --positions 100000 --seed 1
	$(BIN)/python -m tests.sequence_form --states 100 --hidden 9 --seed 1
	$(BIN)/python -m tests.sequence_form --states 100 --hidden 11 --seed 1
	$(BIN)/python -m tests.fuzz --cases 1000000 --seed 1
	$(BIN)/python -m tests.crash --times 200 --seed 1
	$(BIN)/python -m inference evaluate
	$(BIN)/python -m inference evaluate --regimes 75 --seed 5
	$(BIN)/python -m inference evaluate --inference --deals 1190 --value 625 --out docs/inference.md --seed 9

models: $(VENV)/installed-test
	$(BIN)/python -m inference fit --deals 12000 --styles 16 --seed 66 --out models/styles.json
	$(BIN)/python -m inference fit --sessions 120 --seed 66 --out models/chain.json
	$(BIN)/python -m inference fit --match --deals 400 --seed 66 --out models/match.json
	$(BIN)/python -m inference fit --habits --deals 300 --seed 66 --out models/habits.json

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/installed: pyproject.toml
	$(venv)
	@echo "Installing what the dashboard needs (once; about 900 MB)"
	@$(INSTALL) .
	@echo "Compiling the inner loops (once for each version; about two minutes)"
	@$(BIN)/python -c "from inference import advice; advice.warm_up()"
	@touch $@

$(VENV)/installed-test: pyproject.toml
	$(venv)
	@echo "Installing what the tests need (once)"
	@$(INSTALL) '.[test]'
	@touch $(VENV)/installed $@
