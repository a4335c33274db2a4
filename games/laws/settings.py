"""The law of settings: every field of a config, nested ones too, changes something, or is listed with the reason.

Each field is changed in the presets and `Pack.config_samples` that have it, in a few ways that validation accepts,
until a run differs: in its states, records or legal actions, else in what a seat observes, a model is told, or the
measures say. What an opening event or a view recites of the config proves nothing and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from itertools import chain, islice, tee, zip_longest
from typing import Any, Final, Literal, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ValidationError

from games.core import codec
from games.core.agents import Decision, Request
from games.core.engine import Ask, drive, hosted, play
from games.core.game import Seat, Step
from games.core.prompts import PromptContext
from games.laws.case import Case, of_own_presets

STEPS: Final = 30
"""A run is compared for so many steps."""
TRIALS_MAX: Final = 16
"""A field that shows in none of so many changes counts as one that changes nothing."""
ASKED_MAX: Final = 4
"""So many seats' observations are compared at each step."""

Path = tuple[str | int, ...]


@of_own_presets
def every_setting_changes_something(cases: Sequence[Case]) -> None:
    """Every field of the config changes what is played, told, asked or measured, or is listed with the reason."""
    pack = cases[0].pack
    paths = dict(config_paths(pack.game.config_type))
    unknown = sorted(set(pack.inert_settings) - set(paths))
    assert not unknown, f"settings: {unknown[0]} is no field of the config"
    bases = _bases(cases)
    for path, annotation in paths.items():
        shown = _shows(bases, path, annotation)
        if path in pack.inert_settings:
            assert pack.inert_settings[path], f"settings: {path}: no reason is given"
            assert not shown, f"config field {path}: is listed as changing nothing, but it does"
        else:
            assert shown, (
                f"config field {path}: no change of it changes a run of any preset. Use it, take it out, show its use "
                "in Pack.config_samples, or give the reason in Pack.inert_settings"
            )


# --- the fields -----------------------------------------------------------------------------------


def config_paths(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every field by its path, ``*`` for any place in a list or mapping, with its type."""
    for name, info in model.model_fields.items():
        yield prefix + name, info.annotation
        for inner, stars in _models(info.annotation, ""):
            yield from config_paths(inner, f"{prefix}{name}.{stars}")


def _models(annotation: Any, stars: str) -> Iterator[tuple[type[BaseModel], str]]:
    """The models inside a type, and how many places down they stand."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, stars
        return
    down = stars + "*." if get_origin(annotation) in (tuple, list, dict, set, frozenset) else stars
    for part in get_args(annotation):
        yield from _models(part, down)


def _literals(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for part in get_args(annotation):
            yield from _literals(part)


def sites(data: Any, parts: Sequence[str], at: Path = ()) -> Iterator[Path]:
    """The places of a config that a path means."""
    if not parts:
        yield at
        return
    first, *rest = parts
    if first == "*":
        keys: Iterable[str | int] = data if isinstance(data, dict) else range(len(data or ()))
        for key in keys:
            yield from sites(data[key], rest, (*at, key))
    elif isinstance(data, dict) and first in data:
        yield from sites(data[first], rest, (*at, first))


# --- the changes ----------------------------------------------------------------------------------


def _bases(cases: Sequence[Case]) -> list[_Base]:
    """One for each distinct config of the presets and samples."""
    pack = cases[0].pack
    samples = [pack.game.config_type.model_validate(sample) for sample in pack.config_samples]
    every = [*(replace(cases[0], config=config, seated={}, kept={}) for config in samples), *cases]
    return [_Base(case) for case in {codec.config_hash(one.game, one.config): one for one in every}.values()]


def _shows(bases: Sequence[_Base], path: str, annotation: Any) -> bool:
    """Whether some change of the field changes a run."""
    trials, again = tee(_trials(bases, path, annotation))
    return any(base.differs(config, deep) for deep, tried in ((False, trials), (True, again)) for base, config in tried)


def is_only_told(cases: Sequence[Case], path: str) -> bool:
    """Whether the field changes what models and people are told, what they may answer, what becomes of a missing answer
    or what is measured, and nothing of what policies play."""
    annotation = dict(config_paths(cases[0].pack.game.config_type))[path]
    tried = list(_trials(_bases(cases), path, annotation))
    if any(_played(base.case) != _played(replace(base.case, config=config, kept={})) for base, config in tried):
        return False
    return any(base.differs(config, deep=True) for base, config in tried)


def _played(case: Case) -> list[bytes]:
    """The run of its policies: states and records."""
    steps = islice(play(case.game, case.config, case.seed, case.deciders()), STEPS)
    state = case.game.state_type
    return [codec.canonical([codec.dump(state, s.state), codec.encode_step(case.game, s)]) for s in steps]


def _trials(bases: Sequence[_Base], path: str, annotation: Any) -> Iterator[tuple[_Base, Any]]:
    """Changes of the field. Configs in which it is set to something unusual come first."""
    default = _default(bases[0].case, path)
    ordered = sorted(bases, key=lambda base: _at_default(base.data, path, default))
    in_turn = zip_longest(*(_changes(base, path, annotation) for base in ordered))
    return islice(filter(None, chain.from_iterable(in_turn)), TRIALS_MAX)


def _changes(base: _Base, path: str, annotation: Any) -> Iterator[tuple[_Base, Any]]:
    """Valid configs in which one value of the field is another; one that comes to the same is no change."""
    places = list(sites(base.data, path.split(".")))
    for site in dict.fromkeys([*places[:1], *places[-1:]]):
        for other in others(base.data, site, annotation):
            with suppress(ValidationError):
                config = base.case.game.config_type.model_validate(changed(base.data, site, other))
                if config != base.case.config:
                    yield base, config


def _default(case: Case, path: str) -> Any:
    """The field's default as JSON; None inside other models."""
    info = case.game.config_type.model_fields.get(path)
    if info is None or info.is_required():
        return None
    return codec.dump(info.annotation, info.get_default(call_default_factory=True))


def _at_default(data: Any, path: str, default: Any) -> bool:
    return all(_value(data, site) in (default, None, [], {}) for site in sites(data, path.split(".")))


def _value(data: Any, site: Path) -> Any:
    for part in site:
        data = data[part]
    return data


def changed(data: Any, site: Path, value: Any) -> Any:
    """The config with one value changed. What lies beside the way to it is shared with the given one."""
    part, *rest = site
    copied = data.copy()
    copied[part] = changed(data[part], tuple(rest), value) if rest else value
    return copied


def others(data: Any, site: Path, annotation: Any) -> list[Any]:
    """Other values that the field might have there, the likeliest to show first."""
    value = _value(data, site)
    names = [*_literals(annotation), *sorted(_names(data))[:24]]
    found: list[Any] = []
    for other in _like(value, names):
        if other != value and other not in found:
            found.append(other)
    return found


def _like(value: Any, names: Sequence[Any]) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, 2 * value + 1, value // 2, 0, 3, 10)
        case float():
            yield from (value / 2, value * 2, value + 0.25, 0.0, 0.5, 1.0)
        case str():
            yield from names
        case None:
            yield from (1, 2, 0.5, *names[:3])
        case list():
            yield from (value[:-1], value[1:], [], value[::-1], [*value, *value[-1:]])
            for other in _like(value[0], names) if value else ([0, 0], 1, *names):
                yield [other, *value[1:]]
            yield from ([*value, name] for name in names)
        case dict():
            for key in [*value][:4]:
                yield {name: one for name, one in value.items() if name != key}
                for other in islice(_like(value[key], names), 3):
                    yield {**value, key: other}
            if not value:
                yield from ({name: 1} for name in names if isinstance(name, str))


def _names(data: Any) -> set[str]:
    """Every text that a config has, keys of mappings included."""
    match data:
        case str():
            return {data}
        case dict():
            return set().union(*(_names(part) for part in data.values()), data)
        case list():
            return set().union(*(_names(part) for part in data))
    return set()


# --- what a run shows -----------------------------------------------------------------------------


class _Base:
    """A config with what its runs show, kept for comparison."""

    def __init__(self, case: Case) -> None:
        self.case, self.data = case, case.config.model_dump(mode="json")
        self._kept: dict[tuple[bool, bool], list[bytes]] = {}

    def differs(self, config: Any, deep: bool) -> bool:
        """Whether a run under the other config shows anything else: with its policies, or with seats that fall silent.

        ``deep`` looks at observations, prompts and measures too.
        """
        other = replace(self.case, config=config, kept={})
        for silent in (False, True):
            if (silent, deep) not in self._kept:
                self._kept[silent, deep] = list(shown_of(self.case, silent, deep))
            for ours, theirs in zip_longest(self._kept[silent, deep], shown_of(other, silent, deep)):
                if ours != theirs:
                    return True
        return False


def shown_of(case: Case, silent: bool, deep: bool) -> Iterator[bytes]:
    """All that a run shows, piece by piece."""
    game, deciders, metrics = case.game, case.deciders(), case.pack.metrics
    before: Step[Any, Any] | None = None
    series: list[Mapping[str, Any]] = []
    asked: list[bytes] = []

    def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        asked.extend(_asked(case, turn, deep))
        return {seat: _answer(deciders[seat], request, silent) for seat, request in turn.requests.items()}

    for step in hosted(drive(game, case.config, case.seed), ask):
        yield from asked
        asked.clear()
        yield codec.canonical(codec.dump(game.state_type, step.state))
        if before is not None:
            yield codec.canonical(codec.encode_step(game, step))
            series.append(metrics.measure(case.config, before.state, step) if deep else {})
        if step.index >= STEPS:
            break
        before = step
    if deep:
        yield codec.canonical([*series, dict(metrics.summarise(case.config, series))])


def _answer(decider: Any, request: Request[Any, Any], silent: bool) -> Decision[Any]:
    """A policy's decision; of silent seats each third is missing, and the others try what may be done at random."""
    options = request.actions.options if request.actions is not None else None
    if not silent:
        return decider(request)  # type: ignore[no-any-return]
    if (request.index + request.seat) % 3 == 0:
        return Decision(None)
    if options:
        return Decision(options[request.rng.below(len(options), "tried")])
    return decider(request)  # type: ignore[no-any-return]


def _asked(case: Case, ask: Ask[Any, Any], deep: bool) -> Iterator[bytes]:
    """What the first seats may do, know and are told."""
    for request in islice(ask.requests.values(), ASKED_MAX):
        assert request.actions is not None
        yield codec.canonical(request.actions.schema)
        if deep:
            yield repr(plain_sight(request.observation, case.game.config_type)).encode()
            for text in prompted(case, request).values():
                yield text.encode()


def prompted(case: Case, request: Request[Any, Any], language: str = "en") -> Mapping[str, str]:
    """What the game says to a model at this request; nothing where it brings no words of its own."""
    prompts = case.pack.prompts
    if prompts is None:
        return {}
    return prompts.render(case.config, PromptContext(request, language, options=prompts.whole()))


def plain_sight(value: Any, config_type: type[BaseModel]) -> Any:
    """An observation as comparable data. A config inside it says nothing by itself: it may be there unread."""
    if isinstance(value, config_type):
        return "config"
    if isinstance(value, str | bytes | int | float | None):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return [plain_sight(getattr(value, part.name), config_type) for part in fields(value)]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, Mapping):
        return [(str(key), plain_sight(one, config_type)) for key, one in value.items()]
    if isinstance(value, Sequence):
        return [plain_sight(one, config_type) for one in value]
    if isinstance(value, set | frozenset):
        return sorted(repr(plain_sight(one, config_type)) for one in value)
    return type(value).__name__
