"""Lines of the house by room: ``python .ci/count.py [--check]``.

Counted are the lines of tracked files that hold more than white space. Product is code and words that run; tests are
whatever lies in a folder ``tests`` or is called ``*.test.*``; data are scenarios, golden traces and the like. Left out
are migrations, files that a program wrote, documentation and pictures.

With --check the exit status is 1 where a room is above its ceiling (``[tool.polity.ceilings]`` in `pyproject.toml`).
A ceiling goes down when a room has become smaller, and up only in the commit that says why.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = {".py", ".ts", ".svelte", ".css", ".html"}
WORDS = {".json", ".yaml", ".yml", ".md"}
CLIENT = "simsite/client"
WRITTEN = {
    f"{CLIENT}/models.py",
    f"{CLIENT}/synchronous.py",
    "frontend/openapi.json",
    "frontend/package-lock.json",
    "requirements.txt",
}
STATED = {"source.yaml", "reproduced.json", "phenomena.yaml"}
"""What is claimed, and what was measured beside it."""
BOARD = "/board/shapes.ts"
"""What a game's board reads, written from what the game declares."""
ROOMS = (
    "polity",
    "games/core",
    "games/declare",
    "games/laws",
    "games/catalog/adasociety",
    "games/catalog/dilemma",
    "games/catalog/economist",
    "games/catalog/mining",
    "games/catalog/nations",
    "games/catalog",
    "games/lab/learning",
    "games/lab",
    "games/site",
    "games",
    "agents_app/site",
    "agents_app",
    "simsite",
    "frontend/kit",
    "frontend",
    "templates",
    "tests",
)
"""The first that a path lies in is its room."""


def tracked() -> list[str]:
    run = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    names = run.stdout.splitlines()
    return [name for name in names if name not in WRITTEN and not name.endswith(BOARD) and "/migrations/" not in name]


def kind_of(name: str) -> str:
    """Product, test or data; "" for what is not counted."""
    path = Path(name)
    if path.suffix in CODE | WORDS and ("tests" in path.parts or ".test." in path.name):
        return "test" if path.suffix in CODE else "data"
    if path.suffix == ".jsonl":
        return "data"
    if path.suffix in CODE or (path.suffix in WORDS and path.name != "README.md"):
        return "data" if "scenarios" in path.parts or path.name in STATED else "product"
    return ""


def counts() -> dict[str, Counter[str]]:
    """Lines by kind, for each room."""
    found: dict[str, Counter[str]] = {room: Counter() for room in ROOMS}
    for name in tracked():
        room = next((room for room in ROOMS if name.startswith(f"{room}/")), None)
        kind = kind_of(name)
        if room and kind and (ROOT / name).is_file():
            lines = (ROOT / name).read_text("utf-8").splitlines()
            found[room][kind] += sum(1 for line in lines if line.strip())
    return found


def main() -> None:
    found = counts()
    ceilings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["polity"]["ceilings"]
    print(f"{'room':28}{'product':>9}{'ceiling':>9}{'test':>9}{'data':>9}")  # noqa: T201
    for room in ROOMS:
        row = found[room]
        if row:
            print(f"{room:28}{row['product']:9}{ceilings.get(room, 0):9}{row['test']:9}{row['data']:9}")  # noqa: T201
    total: Counter[str] = sum(found.values(), Counter())
    print(f"{'all':28}{total['product']:9}{sum(ceilings.values()):9}{total['test']:9}{total['data']:9}")  # noqa: T201
    above = [room for room in ROOMS if found[room]["product"] > ceilings.get(room, 0)]
    if "--check" in sys.argv and above:
        sys.exit(f"above their ceilings: {', '.join(above)}. Say it in fewer lines, or raise the ceiling and say why")


if __name__ == "__main__":
    main()
