# Short names for what is done often; `just` lists them.
_list:
    @just --list

# the site, without the demo, on a home in this folder
dev *args:
    POLITY_HOME="${POLITY_HOME:-.polity}" uv run polity serve --no-demo {{args}}

# the quick tests, as the README runs them
test *args:
    uv run --group dev pytest {{args}}

lint:
    uv run --group dev ruff check
    uv run --group dev ruff format --check
    uv run --group dev lint-imports

types:
    uv run --group dev mypy
    cd frontend && npm run check

# the API’s schema, from which the frontend’s types are made, and the types of the Python client
contract:
    uv run --group dev python .ci/contract.py

# rewrite the golden traces; look at the diff
golden:
    POLITY_GOLDEN=1 uv run --group dev pytest -k golden

# lines of the house by room, beside their ceilings
count *args:
    uv run python .ci/count.py {{args}}

bench *args:
    uv run polity bench {{args}}

# the page of speed from its kept results; `just speed --measure --beside axelrod` measures them anew
speed *args:
    uv run --group dev python .ci/speed.py {{args}}

# pin every dependency, transitive ones too
lock:
    python3 .ci/lock.py

# the long checks: kills, crowds, simulations, big exports; forty minutes of them, again for the next forty
full *args:
    uv run --group dev python .ci/full.py {{args}}
