"""A declared class read as data, and refused at import in one line where it cannot be a game."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final

from games.core.agents import PolicySpec
from games.core.words import placeholders
from games.declare.fields import Field, Text
from games.declare.form import (
    UNSAID,
    BadDeclaration,
    Carried,
    Draw,
    Ends,
    Example,
    Fixed,
    Geometric,
    Happening,
    Measure,
    Repeated,
    Setting,
    Show,
    Stage,
    When,
)
from games.declare.money import Money

KINDS: Final = (int, float, bool, str)
OWN: Final = frozenset(
    {"seats", "round", "group", "rng", "earned", "roles", "ends", "examples", "measures", "treatments", "unheeded"}
)
"""Names that a game has of itself."""
TALK: Final = "talk"
DEAL: Final = "deal"
MESSAGE: Final = "message"
MATCHINGS: Final = ("partners", "strangers", "perfect")
MECHANISMS: Final[Mapping[str, tuple[type, Setting]]] = {
    "talk": (bool, Setting(False, group="around")),
    "talk_limit": (int, Setting(200, 1, 2000, "characters", group="around")),
    "noise": (float, Setting(0.0, 0, 1, group="around")),
    "groups": (int, Setting(1, 1, 50, "groups", group="around")),
    "matching": (str, Setting("partners", choices=MATCHINGS, group="around")),
}
"""Settings that every declared game has, around its own rules; see `games/declare/words`."""
ROUNDS: Final = "rounds"


@dataclass(frozen=True, slots=True)
class Declaration:
    """All that a class declares, in its order. ``policies`` is filled by `policy` after the class."""

    cls: type
    slug: str
    version: int
    title: str
    about: tuple[str, ...]
    source: str
    settings: Mapping[str, Setting]
    kinds: Mapping[str, Any]
    players: str | int
    roles: tuple[str, ...]
    stages: tuple[Stage, ...]
    draws: tuple[Draw, ...]
    carried: tuple[Carried, ...]
    ends: tuple[Ends, ...]
    examples: tuple[Example, ...]
    measures: tuple[Measure, ...]
    treatments: Mapping[str, Mapping[str, Any]]
    seats: Sequence[str] | Mapping[str, Sequence[str]]
    shows: tuple[Show, ...]
    unit: tuple[str, str]
    earnings: str
    methods: frozenset[str]
    happenings: tuple[Happening, ...] = ()
    around: tuple[str, ...] = ()
    """Mechanisms around it, by name; see `games.declare.mechanisms`."""
    main: str = ""
    """The stage that theory speaks of: the first that is the game's own."""
    policies: dict[str, PolicySpec] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)
    """How each policy was declared, so that it can be declared of the same game with mechanisms around it."""
    recalls: dict[str, int] = field(default_factory=dict)
    """Rounds before that a policy sees, for those that see no more."""

    def fields(self) -> Iterator[tuple[str, Stage, Field]]:
        """Every field with its stage, that of messages first."""
        talk = self.talking()
        for one in (*((talk,) if talk else ()), *self.stages):
            for name, part in one.fields.items():
                yield name, one, part

    def held(self) -> list[str]:
        """Names of draws and carried state."""
        return [*(draw.name for draw in self.draws), *(kept.name for kept in self.carried)]

    def talking(self) -> Stage | None:
        """The stage of messages, which `talk` opens; None where the game has no such mechanism."""
        if TALK not in self.settings:
            return None
        return Stage(TALK, {MESSAGE: Text("talk_limit")}, "", when=TALK, rules="-")

    def refuse(self, what: str) -> BadDeclaration:
        return BadDeclaration(f"{self.cls.__name__}: {what}")


def declaration(cls: type, version: int) -> Declaration:
    """What the class declares; raises `BadDeclaration`."""
    body: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-2]):
        body |= {**vars(base), **vars(base).get("_said", {})}
    hints = _hints(cls)
    settings = {name: one for name, one in body.items() if isinstance(one, Setting)}
    stages = tuple(sorted((one for one in body.values() if isinstance(one, Stage)), key=lambda one: one.order))
    draws = tuple(replace(one, name=name) for name, one in body.items() if isinstance(one, Draw))
    kept = tuple(replace(one, name=name) for name, one in body.items() if isinstance(one, Carried))
    roles = tuple(body.get("roles", ()))
    players = "players" if "players" in settings else body.get("players", len(roles) or 2)
    title, about, source = _told(cls)
    ends = body.get("ends", (Fixed(),) if ROUNDS in settings else (Fixed(1),))
    own = [one for one in stages if any(part.slips() for part in one.fields.values())]
    around = {name: one for name, one in _mechanisms(body).items() if own or name != "noise"}
    unit = body.get("unit", ("unit", "units"))
    made = Declaration(
        cls, body.get("slug") or _snake(cls.__name__), version, title, about, source,
        settings=settings | {name: one for name, (_, one) in around.items()},
        kinds={name: _kind(cls, name, one, hints) for name, one in settings.items()}
        | {name: kind for name, (kind, _) in around.items()},
        players=players, roles=roles, stages=stages, draws=draws, carried=kept,
        ends=tuple(ends) if isinstance(ends, tuple | list) else (ends,),
        examples=tuple(body.get("examples", ())), measures=tuple(body.get("measures", ())),
        treatments=dict(body.get("treatments", {})), seats=body.get("preset_seats", ()),
        shows=tuple(one for one in body.values() if isinstance(one, Show)),
        unit=(unit, unit) if isinstance(unit, str) else tuple(unit), earnings=body.get("earnings", ""),
        methods=frozenset(name for name, one in body.items() if inspect.isfunction(one) and not name.startswith("_")),
        happenings=tuple(body.get("happenings", ())), around=tuple(body.get("around_it", ())),
        main=body.get("main_stage", stages[0].name if stages else ""),
    )  # fmt: skip
    _check(made)
    return replace(made, earnings=made.earnings or _earnings(made))


def _mechanisms(body: Mapping[str, Any]) -> dict[str, tuple[type, Setting]]:
    wanted = body.get("mechanisms", tuple(MECHANISMS))
    return {name: one for name, one in MECHANISMS.items() if name in wanted and name not in body}


def _earnings(made: Declaration) -> str:
    """Earnings are public where they tell nothing that is not: all moves are seen at once, and nothing is drawn."""
    is_open = all(one.seen == "all" and one.after == "move" for one in made.stages)
    held = [*(draw.seen for draw in made.draws), *(kept.seen for kept in made.carried)]
    return "all" if is_open and all(seen == "all" for seen in held) else "own"


def _hints(cls: type) -> dict[str, Any]:
    """The annotations of the class and of those between it and `Game`."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-2]):
        room = {"Money": Money, **vars(sys.modules.get(base.__module__, sys))}
        try:
            found |= inspect.get_annotations(base, globals=room, eval_str=True)
        except NameError as error:
            raise BadDeclaration(f"{cls.__name__}: {error}; import it, or name the type int, float or Money") from None
    return found


def _kind(cls: type, name: str, one: Setting, hints: Mapping[str, Any]) -> Any:
    """The type of a setting: its annotation, else that of its default."""
    kind = hints.get(name, type(one.default))
    if kind is not Money and kind not in KINDS:
        raise BadDeclaration(f"{cls.__name__}.{name}: type {kind!r}; a setting is int, float, Money, bool or str")
    if kind is str and not one.choices:
        raise BadDeclaration(f"{cls.__name__}.{name}: a setting in words needs choices=(…)")
    if kind in (int, float, Money) and (one.least is None or one.most is None):
        raise BadDeclaration(f"{cls.__name__}.{name}: a number needs both bounds: setting({one.default}, least, most)")
    return kind


def _told(cls: type) -> tuple[str, tuple[str, ...], str]:
    """Title, sentences and source, of the class's docstring or its module's."""
    own = vars(cls).get("__doc__") or getattr(sys.modules.get(cls.__module__), "__doc__", None) or cls.__name__
    parts = [" ".join(part.split()) for part in inspect.cleandoc(own).split("\n\n")]
    sources = [part.removeprefix("Source:").strip() for part in parts if part.startswith("Source:")]
    about = tuple(part for part in parts[1:] if not part.startswith("Source:"))
    return parts[0].rstrip("."), about, " ".join(sources)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# --- what cannot be a game ------------------------------------------------------------------------


def _check(made: Declaration) -> None:
    if not made.stages:
        raise made.refuse("no stage; write one method under @stage(…)")
    _check_names(made)
    for one in made.stages:
        _check_stage(made, one)
    for draw in made.draws:
        _check_draw(made, draw)
    for kept in made.carried:
        _check_bounds(made, f"carried {kept.name}", [kept.start], made.settings)
    for end in made.ends:
        _check_end(made, end)
    for name, changed in made.treatments.items():
        for key in changed:
            _known(made, f"treatment {name!r}", key, made.settings)
    for name in getattr(made.cls, "unheeded", ()):
        _known(made, "unheeded", name, made.settings)
    for told in made.measures:
        if isinstance(told.how, str):
            _known(made, f"measure {told.name!r}", told.of, _values(made))


def _check_names(made: Declaration) -> None:
    named: dict[str, str] = {}
    parts = [
        *((name, "setting") for name in made.settings),
        *((name, "field") for name, _, _ in made.fields()),
        *((one.name, "draw") for one in made.draws),
        *((one.name, "carried state") for one in made.carried),
    ]
    for name, what in parts:
        if name in OWN or name.startswith("_"):
            raise made.refuse(f"{what} {name!r}: a name that every game has of itself; choose another")
        if name in named:
            raise made.refuse(f"{what} {name!r}: there is a {named[name]} of that name; choose another")
        named[name] = what
    for one in made.stages:
        if one.name in (TALK, DEAL) or one.name in made.settings:
            raise made.refuse(f"stage {one.name!r}: a name that is taken; choose another")


def _check_stage(made: Declaration, one: Stage) -> None:
    at = f"stage {one.name}"
    if not one.fields:
        raise made.refuse(f"{at}: no field; give one, as in @stage(Amount(0, 10), silence=0)")
    if one.silence is UNSAID:
        raise made.refuse(f"{at}: no silence; say what no answer plays, as in silence=0")
    if len(one.fields) > 1 and not (isinstance(one.silence, Mapping) and set(one.silence) == set(one.fields)):
        raise made.refuse(f"{at}: silence {one.silence!r}; a value for each of {', '.join(one.fields)}")
    for part in one.fields.values():
        _check_bounds(made, at, part.bounds, _scope(made))
    if one.when:
        _known(made, f"{at}: when", one.when, {**made.settings, **dict.fromkeys(made.methods)})
    if one.fill:
        _known(made, f"{at}: fill", one.fill, made.methods)
    if one.who not in ("all", "turn"):
        _known(made, f"{at}: who", one.who, [*made.roles, *made.methods])
    _check_seen(made, at, one.seen)
    _check_asked(made, at, one)
    _check_told(made, at, one.rules)
    if not one.rules:
        raise made.refuse(f"{at}: no docstring; it is the rule that people and models read")


def _check_asked(made: Declaration, at: str, one: Stage) -> None:
    """The parameters of a stage's method: its own moves, then what it asks for by name."""
    assert one.function is not None
    asked = list(inspect.signature(one.function).parameters)[1:]
    if len(asked) < len(one.fields):
        raise made.refuse(f"{at}: no parameter for its moves; write def {one.name}(self, {', '.join(one.fields)})")
    for name in asked[len(one.fields) :]:
        _known(made, f"{at}: parameter", name, [*made.settings, *_values(made)])


def _check_draw(made: Declaration, one: Draw) -> None:
    at = f"draw {one.name}"
    _check_bounds(made, at, (one.least, one.most), made.settings)
    _check_seen(made, at, one.seen)
    if one.weights and len(one.weights) != len(one.of):
        raise made.refuse(f"{at}: {len(one.weights)} weights for {len(one.of)} words")
    if one.dealt and len(one.of) != _fewest(made):
        raise made.refuse(f"{at}: {len(one.of)} cards for {_fewest(made)} players; one for each")


def _fewest(made: Declaration) -> int:
    return made.players if isinstance(made.players, int) else int(made.settings[made.players].default)


def _check_end(made: Declaration, end: Ends) -> None:
    match end:
        case Fixed(rounds):
            _check_bounds(made, "ends", [rounds], made.settings)
        case Geometric(stop, most):
            _check_bounds(made, "ends", [stop, most], made.settings)
        case When(condition):
            _known(made, "ends", condition, made.methods)
        case Repeated(on, ending, more, rounds):
            _check_bounds(made, "ends", [on, ending, more, rounds], made.settings)


def _check_bounds(made: Declaration, at: str, bounds: Iterable[Any], known: Iterable[str]) -> None:
    for bound in bounds:
        if isinstance(bound, str):
            _known(made, f"{at}: bound", bound, known)


def _check_seen(made: Declaration, at: str, seen: Any) -> None:
    for who in (seen,) if isinstance(seen, str) else seen:
        _known(made, f"{at}: seen", who, ["all", "own", "none", *made.roles])


def _check_told(made: Declaration, at: str, text: str) -> None:
    for name in sorted(placeholders(text)):
        _known(made, f"{at}: its docstring's {{{name}}}", name, made.settings, "no setting of that name")


def _known(
    made: Declaration, at: str, name: str, known: Iterable[str], what: str = "there is none of that name"
) -> None:
    names = list(known)
    if name not in names:
        near = get_close_matches(name, names, 1)
        raise made.refuse(f"{at} {name!r}: {what}; " + (f"{near[0]!r}?" if near else f"there are {', '.join(names)}"))


def _scope(made: Declaration) -> list[str]:
    return [*made.settings, *made.methods, *_values(made)]


def _values(made: Declaration) -> list[str]:
    """Names of what has a value in a round."""
    fields = [name for name, _, _ in made.fields()]
    return [*fields, *made.held(), "earned"]
