"""A declared game with mechanisms around it: a class below the game's own, declared like any other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from types import new_class
from typing import Any, Final

from games.declare.declaration import Declaration
from games.declare.form import BadDeclaration, Setting, Stage, measure
from games.declare.mechanisms.parts import PARTS, Around, said, why_not
from games.declare.mechanisms.stagegame import why_not_plain
from games.declare.policies import policy

NAMES: Final = tuple(PARTS)
RULES: Final[Mapping[str, int]] = dict.fromkeys(PARTS, 1) | {"reputation": 2, "exit": 2}
"""By mechanism, raised when its rules change."""
SLUG_MAX: Final = 64
SHORT: Final[Mapping[str, str]] = {name: name[:3] for name in NAMES} | {"reputation": "rpn"}
"""In the place of names in a slug that would be too long."""
SHARED: Final = frozenset({"rounds", "groups", "matching"})
"""Settings that a game has, and for which a mechanism has another default."""
NONE, TOGETHER = "none", "together"
COOPEVAL: Final = "coopeval"
"""A game's attribute with the settings that the paper of that name plays it with, what stands for its mechanisms in a
slug, and the preset of a single one."""
PAPER: Final[Mapping[str, Mapping[str, Any]]] = {
    "repetition": {"repetition": True},
    "reputation_first_order": {"repetition": True, "reputation": True, "matching": "strangers"},
    "reputation": {"repetition": True, "reputation": True, "matching": "strangers", "depth": 3},
    "mediation": {"mediation": True},
    "contracts": {"contracts": True},
}
"""Its mechanisms beside none: 0.8 for another round, 15 at the most, records of 3, as are the defaults here."""

SEATS: Final = ("conditional", "altruist", "selfish", "conditional")
"""Who sits in the presets, in turn: those who reckon with mechanisms."""


def fitting(cls: Any) -> tuple[str, ...]:
    """The mechanisms that can be laid around a game one by one, in their order."""
    both = ("punishment", "voting")
    return tuple(name for name in NAMES if not _why_not(cls, name, both if name == "voting" else (name,)))


def _why_not(cls: Any, name: str, names: Sequence[str]) -> str:
    """Why a mechanism does not fit around a game, for its rules or for what it calls its own; "" where it does."""
    made: Declaration = cls.declared
    if why := why_not(name, made, names):
        return why
    own = {*made.settings, *(one.name for one in made.stages), *made.held()} - {made.main, *SHARED}
    taken = sorted(own.intersection(PARTS[name](Around(cls, made.stages[0]))))
    return f"{', '.join(taken)}: it has that of its own; give it another name" if taken else ""


@lru_cache(maxsize=256)
def compose(cls: Any, names: tuple[str, ...]) -> Any:
    """The game with these mechanisms around it; its own later stages that a setting opens are closed by default.

    Its slug is ``GAME-MECHANISM-MECHANISM``, in the order of `NAMES`. Raises `BadDeclaration` where a mechanism does
    not fit, or is none.
    """
    made: Declaration = cls.declared
    is_paper = names == (COOPEVAL,)
    if is_paper and not hasattr(cls, COOPEVAL):
        raise BadDeclaration(f"{made.slug}: CoopEval has no such game; leave {COOPEVAL} out")
    full = {short: name for name, short in SHORT.items()}
    named = PAPER if is_paper else [full.get(name, name) for name in names]
    for name in named if not is_paper else ():
        if name not in PARTS:
            raise BadDeclaration(f"mechanism {name!r}: there is none of that name; there are {', '.join(NAMES)}")
    ordered = tuple(name for name in NAMES if name in named)
    slug = f"{made.slug}-{COOPEVAL}" if is_paper else slug_of(made.slug, ordered)
    for name in ordered:
        if why := _why_not(cls, name, ordered):
            raise BadDeclaration(f"{slug}: {name} does not fit around {made.slug}: {why}")
    body = _body(cls, slug, ordered)
    if is_paper:
        off = dict.fromkeys(ordered, False) | {"matching": "partners"} | getattr(cls, COOPEVAL)
        body["treatments"] = {name: {**off, **changed} for name, changed in {NONE: {}, **PAPER}.items()}
    found = new_class(
        f"{cls.__name__}With",
        (cls,),
        {"version": 100 * made.version + max(RULES[name] for name in ordered)},
        lambda room: room.update(body),
    )
    _adopt(cls, found)
    if not why_not_plain(made):
        from games.declare.mechanisms.reckoning import declare_policies

        declare_policies(cls, found)
    return found


def slug_of(base: str, names: Sequence[str]) -> str:
    """The slug of a game with these mechanisms around it: their names, or short ones where it would be too long."""
    whole = "-".join((base, *names))
    return whole if len(whole) <= SLUG_MAX else "-".join((base, *(SHORT[name] for name in names)))


def _body(cls: Any, slug: str, names: Sequence[str]) -> dict[str, Any]:
    made: Declaration = cls.declared
    it = Around(cls, made.stages[0])
    body: dict[str, Any] = {
        "__module__": cls.__module__,
        "slug": slug,
        "around_it": tuple(names),
        "main_stage": made.main,
        "__annotations__": {},
    }
    measures, happenings = list(made.measures), list(made.happenings)
    for name in names:
        part = PARTS[name](it)
        measures += (replace(one, is_always=False) for one in part.pop("measures", ()))
        happenings += part.pop("happenings", ())
        changed = part.get(it.main.name)
        if isinstance(changed, Stage):
            it.main = changed
        body |= part
    if not why_not_plain(made):
        measures.append(_efficiency(cls, it))
    opened = {one.when: made.settings[one.when] for one in made.stages[1:] if one.when in made.settings}
    opened = {name: one for name, one in opened.items() if name not in body}
    body |= {name: replace(one, default=False if one.least is None else one.least) for name, one in opened.items()}
    kinds = {name: type(one.default) for name, one in body.items() if isinstance(one, Setting)}
    body["__annotations__"] = {name: made.kinds.get(name, kind) for name, kind in kinds.items()}
    treatments: dict[str, dict[str, Any]] = {NONE: dict.fromkeys(names, False)}
    treatments[TOGETHER if len(names) > 1 else names[0]] = {}
    if len(names) > 1:
        for one in names:
            needs = {"voting": ("punishment", "authority")}.get(one, ())
            treatments[one] = {name: name == one or name in needs for name in names}
    if own := getattr(cls, COOPEVAL, {}):
        treatments[COOPEVAL] = dict(own)
    off = dict.fromkeys((name for name in names if name in body), False) | {
        name: one.default for name, one in opened.items()
    }
    seats = made.seats if isinstance(made.seats, tuple | list) else ()
    return body | {
        "measures": tuple(measures),
        "happenings": tuple(happenings),
        "treatments": treatments,
        "examples": tuple(replace(one, given={**off, **one.given}) for one in made.examples),
        "samples": ({name: one.default for name, one in opened.items()},) if opened else (),
        "preset_seats": seats if why_not_plain(made) else SEATS,
    }


def _efficiency(cls: Any, it: Around) -> Any:
    def efficiency(game: Any) -> float | None:
        paid = sum(game.earned)
        return it.of(game).efficiency(int(paid * 100))

    return measure(
        "efficiency", efficiency, label="Efficiency",
        about="Where what a group earns in a round stands between the stage game's selfish outcome, 0, and its "
        "efficient one, 1; mechanisms may cost. Over a run the mean of its rounds. None where no outcome is steady.",
    )  # fmt: skip


def _adopt(cls: Any, found: Any) -> None:
    """Declare the game's own policies of the game with mechanisms too; what a mechanism asks they answer as silence
    would."""
    base, made = cls.declared, found.declared
    own = {one.name for one in base.stages}
    silences = {one.name: one.silence for one in made.stages}
    for name, (function, source, roles, aka, recall) in base.written.items():
        answering = _answering(function, own, silences, made.settings)
        policy(found, source=source, roles=roles, aka=aka, name=name, recall=recall)(answering)


def _answering(
    function: Callable[..., Any], own: set[str], silences: Mapping[str, Any], settings: Collection[str]
) -> Callable[..., Any]:
    @wraps(function)
    def play(seat: int, now: Any, **more: Any) -> Any:
        answer = function(seat, now, **more) if now.stage in own else None
        return said(now, silences[now.stage], settings) if answer is None else answer

    return play
