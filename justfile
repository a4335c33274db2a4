# Short names for what is done often; `just` lists them.
_list:
    @just --list

# the site, without the demo
dev *args:
    uv run polity serve --no-demo {{args}}

# the quick tests, as the README runs them
test *args:
    uv run pytest {{args}}

lint:
    uv run ruff check
    uv run ruff format --check
    uv run lint-imports

types:
    uv run mypy
    cd frontend && npm run check

# the API's schema, from which `npm run check`, `test` and `build` make the frontend's types
contract:
    uv run python .ci/contract.py

# rewrite the golden traces; look at the diff
golden:
    POLITY_GOLDEN=1 uv run pytest -k golden

bench *args:
    uv run polity bench {{args}}

# pin every dependency, transitive ones too
lock:
    python3 .ci/lock.py

# the long checks: kills, crowds, simulations, big exports
full *args:
    uv run pytest -m full --timeout 3600 {{args}}
