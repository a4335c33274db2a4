"""The types of a declared game: its settings as a pydantic model, an action for each stage, the state of a match."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, create_model, model_validator

from games.core.answers import SAID, ConfigError, Note
from games.core.settings import Settings
from games.core.values import swift
from games.declare.declaration import Declaration
from games.declare.fields import Text
from games.declare.form import Fixed, Repeated, Setting, Stage, When
from games.declare.money import CENTS, Money, hundredths, number
from games.declare.plan import perfect_rounds
from games.declare.wording import fault, label_of


def _cents(value: float) -> float:
    if hundredths(value) != value * CENTS and number(hundredths(value)) != value:
        raise ConfigError(fault("cents", value=value))
    return value


def model_field(name: str, one: Setting, kind: Any) -> tuple[Any, Any]:
    """A setting as a field of a pydantic model."""
    extra: dict[str, Any] = {"unit": one.unit, "group": one.group}
    bounds = {"ge": one.least, "le": one.most} if kind in (int, float, Money) else {}
    if kind is Money:
        kind, extra = Annotated[float, AfterValidator(_cents)], {**extra, "money": True}
    elif one.choices:
        kind = Literal[one.choices]
    label, told = label_of(name, one)
    return kind, Field(one.default, title=label, description=told, json_schema_extra=extra, **bounds)


def config_type(made: Declaration) -> type[Settings]:
    """The settings of one run; `check` of the class may refuse them in a sentence."""

    def checked(self: Any) -> Any:
        _check_matching(made, self)
        check = getattr(made.cls, "check", None)
        if check is not None and (why := check(self)):
            raise ConfigError(Note(SAID, {"en": str(why)}))
        return self

    fields = {name: model_field(name, one, made.kinds[name]) for name, one in made.settings.items()}
    return create_model(  # type: ignore[no-any-return,call-overload]
        f"{made.cls.__name__}Config",
        __base__=Settings,
        __doc__="The settings of one run.",
        __validators__={"checked": model_validator(mode="after")(checked)},
        **fields,
    )


def _check_matching(made: Declaration, config: Any) -> None:
    """Perfect strangers are refused for more rounds than there are to be had."""
    if getattr(config, "matching", "") != "perfect" or config.groups == 1:
        return
    players = made.players if isinstance(made.players, int) else getattr(config, made.players)
    longest = [
        end.rounds if isinstance(end, Fixed | Repeated) else end.most for end in made.ends if not isinstance(end, When)
    ]
    rounds = min((getattr(config, one) if isinstance(one, str) else one for one in longest), default=1)
    if any(isinstance(end, Repeated) and not getattr(config, end.on) for end in made.ends):
        rounds = 1
    most = perfect_rounds(config.groups, players)
    if rounds > most:
        raise ConfigError(fault("perfect_rounds", most=most, groups=config.groups, players=players, rounds=rounds))


def action_type(one: Stage) -> type:
    """What a seat does in a stage: a value for each field."""
    name = "".join(part.capitalize() for part in one.name.split("_"))
    made = make_dataclass(name, [(key, part.python) for key, part in one.fields.items()], frozen=True, slots=True)
    made.__doc__ = f"A move of the stage {one.name}."
    return swift(made)


def action_union(kinds: list[type]) -> Any:
    return reduce(or_, kinds)


def state_type(made: Declaration) -> type:
    """The world between two steps.

    ``played``     rounds that are over
    ``step``       the step of the round that comes next
    ``over``       why the match is over; "" while it runs
    ``total``      earned so far by seat, in hundredths; ``gain`` in the round in play, or in the last one
    ``past_gain``  earned in each round that is over, by seat
    ``seatings``   who sits at which place, by round; empty where all keep their places
    Then each field's moves by seat, None where none was made, and those of earlier rounds (``past_…``); draws by seat
    or group; carried state in hundredths by seat or group, and of earlier rounds.
    """
    own: list[tuple[str, Any]] = []
    for name, _, part in made.fields():
        value: Any = part.python | None
        own.append((name, tuple[value, ...] | None))
        if not isinstance(part, Text):
            own.append((f"past_{name}", tuple[tuple[value, ...], ...]))
    for draw in made.draws:
        kind: Any = str if draw.of else int | float
        own.append((draw.name, tuple[kind, ...]))
        if draw.each == "round":
            own.append((f"past_{draw.name}", tuple[tuple[kind, ...], ...]))
    for kept in made.carried:
        own.append((kept.name, tuple[int, ...]))
        own.append((f"past_{kept.name}", tuple[tuple[int, ...], ...]))
    base: list[Any] = [
        ("played", int, field(default=0)),
        ("step", int, field(default=0)),
        ("over", str, field(default="")),
        ("total", tuple[int, ...], field(default=())),
        ("gain", tuple[int, ...], field(default=())),
        ("past_gain", tuple[tuple[int, ...], ...], field(default=())),
        ("seatings", tuple[tuple[int, ...], ...], field(default=())),
    ]
    fields = [*base, *((name, kind, field(default=None)) for name, kind in own)]
    return swift(make_dataclass(f"{made.cls.__name__}State", fields, frozen=True, slots=True))
