"""Which settings move whom: each setting is changed, and each of the game's policies plays under both.

A setting that changes no policy's first actions in any way that is tried is dead for the societies that we bundle,
even where it changes what is paid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, Final

from pydantic import ValidationError

from games.core import codec
from games.core.agents import Decider, deciding
from games.core.engine import play
from games.core.game import Seat
from games.core.pack import Pack
from games.laws.settings import changed, config_paths, others, sites

CHANGES: Final = 6
"""Values that each setting is given beside its own."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Whom one setting moves: by policy the first step whose actions differ. ``values`` were tried beside ``value``."""

    setting: str
    value: Any
    values: Sequence[Any]
    by_policy: Mapping[str, int]
    why_not: str = ""
    """The reason that the game gives (`Pack.inert_settings`) where it changes nothing."""


def probed(
    pack: Pack, config: Any, policies: Sequence[str], seed: int = 1, steps: int = 12, settings: Sequence[str] = ()
) -> Iterator[Moved]:
    """Each setting of the config, or those named. One seat of a role plays a policy that reckons, all of it any other.

    A setting that changes how many seats there are moves everybody from the first step.
    """
    data = written(config)
    base = {name: _actions(pack, config, name, seed, steps) for name in policies}
    for path, annotation in config_paths(pack.game.config_type):
        if "." in path or (settings and path not in settings):
            continue
        tried: list[Any] = []
        moved: dict[str, int] = {}
        for site in list(sites(data, path.split(".")))[:1]:
            for value in others(data, site, annotation):
                if len(tried) == CHANGES:
                    break
                try:
                    other = pack.game.config_type.model_validate(changed(data, site, value))
                except ValidationError:
                    continue
                tried.append(value)
                for name in policies:
                    at = _differs(base[name], _actions(pack, other, name, seed, steps))
                    if at is not None:
                        moved[name] = min(at, moved.get(name, at))
        yield Moved(path, data[path], tried, moved, pack.inert_settings.get(path, ""))


def written(config: Any) -> dict[str, Any]:
    """Every setting as JSON, those too that are not written while they stand at their default."""
    data: dict[str, Any] = config.model_dump(mode="json")
    fields = type(config).model_fields.items()
    left = {name: codec.dump(info.annotation, getattr(config, name)) for name, info in fields if name not in data}
    return data | left


def _actions(pack: Pack, config: Any, name: str, seed: int, steps: int) -> list[bytes]:
    """What everybody does, step by step."""
    game, spec = pack.game, pack.policies[name]
    roles = [one.role for one in game.seats(config)]
    deciders: dict[Seat, Decider] = {}
    policy, seated = deciding(spec.bind()), set[str]()
    usual = {role: deciding(pack.policies[pack.default_for(role)].bind()) for role in set(roles)}
    for seat, role in enumerate(roles):
        plays = spec.can_play(role) and not (spec.reckons and role in seated)
        deciders[seat] = policy if plays else usual[role]
        seated.add(role)
    kind, run = pack.game.action_type, islice(play(pack.game, config, seed, deciders), steps + 1)
    return [
        codec.canonical({str(seat): codec.dump(kind, action) for seat, action in step.actions.items()}) for step in run
    ]


def _differs(ours: Sequence[bytes], theirs: Sequence[bytes]) -> int | None:
    """The first step that differs; None where none does."""
    both = enumerate(zip_longest(ours, theirs))
    return next((index for index, (one, other) in both if one != other), None)
