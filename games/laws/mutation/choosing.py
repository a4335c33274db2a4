"""Which mutants of a game there are: of its rules, of draws in its policies, of numbers in its texts."""

from __future__ import annotations

import ast
import fnmatch
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.core.pack import Pack
from games.core.rng import Rng
from games.laws.loading import Subject
from games.laws.mutation.operators import UNKEYED, expressions
from games.laws.mutation.source import Mutant, Source
from games.laws.mutation.spoiling import methods, stages
from games.laws.mutation.texts import numbers_in_texts


def mutants_of(subject: Subject, most: int = 0) -> list[Mutant]:
    """Every mutant of the game's rules, and of draws in its policies; ``most`` of them by turns of the operators."""
    mutants = [mutant for source in _sources(subject) for mutant in _of_source(subject.pack, *source)]
    mutants += numbers_in_texts(subject.pack)
    return mutants if not 0 < most < len(mutants) else _drawn(mutants, most)


def _of_source(pack: Pack, source: Source, in_rules: bool) -> Iterator[Mutant]:
    """Those of one module; of one that no rule rests on only what would break determinism."""
    helpers = (pack.indistinguishable, pack.alike)
    left_out = frozenset({"invariants", *(getattr(helper, "__name__", "") for helper in helpers if helper is not None)})
    for mutant in (*expressions(source, left_out), *methods(source), *stages(source)):
        if in_rules or mutant.operator == UNKEYED:
            yield mutant


def _drawn(mutants: Sequence[Mutant], most: int) -> list[Mutant]:
    """Of each operator one after the other, drawn by key, so that the same game gives the same ones; in their order."""
    by_operator: dict[str, list[int]] = {}
    for number, mutant in enumerate(mutants):
        by_operator.setdefault(mutant.operator, []).append(number)
    rng = Rng.root(0)
    queues = [rng.shuffled(numbers, operator) for operator, numbers in by_operator.items()]
    taken: list[int] = []
    while len(taken) < most:
        for queue in queues:
            if queue and len(taken) < most:
                taken.append(queue.pop())
    return [mutants[number] for number in sorted(taken)]


def _sources(subject: Subject) -> Iterator[tuple[Source, bool]]:
    """The modules of a game, and whether rules rest on each."""
    pack, place = subject.pack, Path(subject.origin.partition("=")[2])
    if place.is_file():
        yield Source.of(place.name, place.read_text("utf-8")), True
        return
    declared = getattr(pack.game, "made", None)  # an ejected game's rules are its class, which is compiled elsewhere
    rules = Path(str(sys.modules[(declared.cls if declared else type(pack.game)).__module__].__file__))
    rested = _rested_on(rules, place, subject.origin.partition("=")[0])
    for path in sorted(place.rglob("*.py")):
        name = path.relative_to(place)
        is_apart = any(fnmatch.fnmatch(name.as_posix(), pattern) for pattern in pack.exempt.impure)
        if {"tests", "__pycache__"}.intersection(name.parts) or is_apart:
            continue
        yield Source.of(name.as_posix(), path.read_text("utf-8")), path in rested


def _rested_on(rules: Path, place: Path, module: str) -> set[Path]:
    """The files of a game that its rules import, themselves or by others."""
    files, waiting = set[Path](), [rules]
    while waiting:
        path = waiting.pop()
        if path not in files and path.is_file():
            files.add(path)
            waiting += _imported(path, place, module)
    return files


def _imported(path: Path, place: Path, module: str) -> Iterator[Path]:
    """The files of the game that a file of it imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            root = path.parents[node.level - 1]
        elif (node.module or "").startswith(module):
            root = place
        else:
            continue
        below = (node.module or "").removeprefix(module if not node.level else "").strip(".").replace(".", "/")
        folder = root / below if below else root
        yield folder.with_suffix(".py")
        yield from (folder / f"{alias.name}.py" for alias in node.names)
