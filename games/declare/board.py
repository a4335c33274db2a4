"""The board of a declared game: the parts of its face, and their values as some eyes may see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.core.answers import JSON
from games.core.game import All, Eyes, Public, SeatEyes
from games.declare.declaration import Declaration
from games.declare.fields import Amount, Cell, Pick, Points
from games.declare.money import plain
from games.declare.seeing import Fact, Seeing

KIND_OF = {Amount: "bars", Pick: "pick", Points: "matrix", Cell: "grid"}


def parts_of(made: Declaration) -> list[dict[str, Any]]:
    """The parts of the face, without their words: see the contract with the page in docs/decisions."""
    parts: list[dict[str, Any]] = []
    series: list[dict[str, Any]] = []
    for name, stage, part in made.fields():
        kind = KIND_OF.get(type(part))
        if kind is None:
            continue
        one: dict[str, Any] = {"key": name, "kind": kind, "stage": stage.name}
        if isinstance(part, Amount):
            most = part.most if isinstance(part.most, int | float) or part.most in made.settings else None
            one |= {"most": most, "unit": part.unit or "money", "money": not part.unit}
            series.append(
                {"key": f"past_{name}", "kind": "series", "of": name, "unit": part.unit or "money", "by": "seat"}
            )
        elif isinstance(part, Pick):
            one |= {"choices": part.choices}
        elif isinstance(part, Points):
            one |= {"unit": part.unit}
        parts.append(one)
    for draw in made.draws:
        kind = "number" if draw.by == "group" else "bars"
        if draw.of:
            kind = "text" if draw.by == "group" else "pick"
        more: dict[str, Any] = {"choices": {word: word for word in draw.of}} if draw.of else {}
        if draw.by == "seat" and not draw.of:
            more |= {"most": None, "money": not draw.unit}
        parts.append({"key": draw.name, "kind": kind, "unit": "" if draw.of else draw.unit or "money", **more})
    for kept in made.carried:
        if kept.by == "group":
            parts.append({"key": kept.name, "kind": "number", "unit": kept.unit or "money"})
            series.append(
                {
                    "key": f"past_{kept.name}",
                    "kind": "series",
                    "of": kept.name,
                    "unit": kept.unit or "money",
                    "by": "all",
                }
            )
        else:
            parts.append(
                {"key": kept.name, "kind": "bars", "unit": kept.unit or "money", "most": None, "money": not kept.unit}
            )
    parts += [
        {"key": key, "kind": part["kind"], "of": part["key"], **_drawn(part)} for key, part in _records(made, parts)
    ]
    parts += [{"key": one.name, "kind": one.kind, "unit": one.unit} for one in made.shows]
    parts.append({"key": "total", "kind": "money", "unit": "money", "score": True})
    parts.append({"key": "gain", "kind": "money", "unit": "money"})
    if "groups" in made.settings:
        parts.append({"key": "group", "kind": "table", "columns": ["group", "seats"]})
    return parts + series


RECORDS: Final = ("record_1", "record_2", "record_3")
"""What those whom one meets did so many rounds ago, where their reputation is told."""


def _records(made: Declaration, parts: Sequence[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    main = next(iter(made.stages[0].fields))
    part = next((one for one in parts if one["key"] == main), None)
    if "reputation" not in made.around or part is None or part["kind"] not in ("bars", "pick"):
        return []
    return [(key, part) for key in RECORDS]


def _drawn(part: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key in ("choices", "most", "unit", "money")}


def view_of(seeing: Seeing, state: Any, eyes: Eyes) -> dict[str, JSON]:
    """What the eyes may see drawn: the round, the stage that comes, and a value for each part of the face."""
    plan = seeing.plan
    view: dict[str, Any] = {
        "stage": "" if state.over else plan.steps[state.step].name,
        "round": state.played + (0 if state.over else 1),
        "rounds": plan.rounds if plan.tells_end or isinstance(eyes, All) else None,
    }
    kinds = {name: part for name, _, part in plan.made.fields()}
    for name, fact in seeing.facts.items():
        part = kinds.get(name)
        if part is not None and type(part) not in KIND_OF:
            continue
        view[name] = _value(seeing, fact, part, state, eyes)
        if (isinstance(part, Amount) or (fact.in_cents and fact.by_group)) and fact.has_past:
            view[f"past_{name}"] = _series(seeing, fact, state, eyes)
    for ago, key in enumerate(RECORDS if "reputation" in plan.made.around else (), start=1):
        fact = seeing.facts[next(iter(plan.made.stages[0].fields))]
        rows = seeing.past(fact, state, eyes)
        view[key] = list(rows[-ago]) if ago <= min(len(rows), seeing.record) else [None] * plan.n
    for one in plan.made.shows:
        is_shown = isinstance(eyes, All) or one.seen == "all"
        assert one.function is not None
        view[one.name] = one.function(plan.scene(state, 0)) if is_shown and plan.is_one else None
    if "groups" in plan.made.settings:
        view["group"] = _groups(seeing, state, eyes)
    return view


def _value(seeing: Seeing, fact: Fact, part: Any, state: Any, eyes: Eyes) -> Any:
    values = seeing.value(fact, state, eyes)
    n = seeing.plan.n
    if fact.by_group:
        shown = [plain(value) if isinstance(value, int | float) else value for value in values if value is not None]
        return None if not shown else shown[0] if len(shown) == 1 else ", ".join(map(str, shown))
    if isinstance(part, Points):
        return [_row(value, seat, n) for seat, value in enumerate(values or [None] * n)]
    if isinstance(part, Cell):
        return _grid(seeing, part, values)
    return list(values) if values is not None else [None] * n


def _row(value: Any, seat: int, n: int) -> list[int | None]:
    if value is None:
        return [None] * n
    given = {one.to: one.units for one in value}
    return [None if to == seat else given.get(to, 0) for to in range(n)]


def _grid(seeing: Seeing, part: Cell, values: Any) -> dict[str, Any]:
    """Who chose which cell: the first of several by seat, and all of their letters."""
    rows, cols = (int(seeing.plan.value(bound)) for bound in (part.rows, part.cols))
    seats: list[list[int | None]] = [[None] * cols for _ in range(rows)]
    for seat, cell in enumerate(values or ()):
        if cell is not None and seats[cell[0]][cell[1]] is None:
            seats[cell[0]][cell[1]] = seat
    return {"rows": rows, "cols": cols, "seat": seats}


def _series(seeing: Seeing, fact: Fact, state: Any, eyes: Eyes) -> list[Any]:
    rows = list(seeing.past(fact, state, eyes))
    if fact.by_group:
        return [next((value for value in row if value is not None), None) for row in rows] if seeing.plan.is_one else []
    return [*map(list, zip(*rows, strict=True))] if rows else [[] for _ in seeing.plan.seats]


def _groups(seeing: Seeing, state: Any, eyes: Eyes) -> dict[str, Any] | None:
    """Who plays with whom: all of it for who sees everything, one's own group for a seat; None with one group."""
    plan = seeing.plan
    if plan.is_one or isinstance(eyes, Public):
        return None
    seating = plan.seating(state.seatings)
    shown = [plan.group_of(seating, eyes.seat)] if isinstance(eyes, SeatEyes) else range(plan.groups)
    return {
        "columns": ["group", "seats"],
        "rows": [[group + 1, sorted(plan.members(seating, group))] for group in shown],
    }
