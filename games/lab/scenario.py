"""What is to be played: a game, its named conditions with validated configs and seated agents, and the seeds.

Bases, the file itself, a condition, ``--set`` and ``--agents`` are layers, merged in that order: mappings key by key,
anything else replaced whole. Seats likewise: a seat that is named wins over any ``default``, and the later layer over
the earlier. Loading writes nothing and plays nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from agents_app.people import PeopleSettings
from games.core.codec import config_hash, digest
from games.core.registry import Pack
from games.lab.faults import BadScenario, Fault, Refused
from games.lab.finding import Shelf
from games.lab.form import ScenarioForm, read_form
from games.lab.layers import Layer, merge_config, merge_people
from games.lab.seating import Seated, seat_agents
from games.lab.yamlfile import parse_yaml, read_yaml

BASE_CONDITION: Final = "base"
"""The name of the one condition of a scenario that names none."""
BASES_MAX: Final = 8
CELLS_MAX: Final = 1_000_000


# --- what loading gives -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """One treatment: a validated config and an agent for each seat, in seat order."""

    name: str
    config: BaseModel
    seats: tuple[Seated, ...]
    title: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    people: PeopleSettings = field(default_factory=PeopleSettings)


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that is to be played. ``module`` is the game's package; ``seeds`` are the replicates, in order."""

    module: str
    pack: Pack
    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    conditions: tuple[Condition, ...]
    seeds: tuple[int, ...]

    def plan_hash(self) -> str:
        """The hash of what decides the outcome: game, rules, configs, agents and seeds."""
        game = self.pack.game
        conditions = [
            [one.name, config_hash(game, one.config), [agent.plain() for agent in one.seats]] for one in self.conditions
        ]
        return digest([game.slug, game.rules_version, conditions, list(self.seeds)])


# --- loading ------------------------------------------------------------------------------------------


def load(
    target: str, shelf: Shelf | None = None, extra: Sequence[Layer] = (), seeds: tuple[int, ...] | None = None
) -> Scenario:
    """The scenario of a preset (``mining/baseline``) or of a YAML file; ``extra`` layers and ``seeds`` win over it.

    Raises `BadScenario` with every fault that was found.
    """
    shelf = shelf or Shelf()
    path = locate(target, shelf, Path())
    return _built(_Chain.of(read_form(read_yaml(path, target), target), target, path, shelf), shelf, extra, seeds)


def load_text(text: str, source: str, game: str, shelf: Shelf | None = None) -> Scenario:
    """A scenario from text that came without a folder: it may rest on presets, not on files."""
    shelf = shelf or Shelf()
    form = read_form(parse_yaml(text, source), source)
    chain = _Chain.of(form.model_copy(update={"game": form.game or game}), source, None, shelf)
    return _built(chain, shelf, (), None)


def locate(target: str, shelf: Shelf, folder: Path | None) -> Path:
    """The file that a name means: a YAML file under ``folder``, or a preset. Raises `Refused`."""
    if target.endswith((".yaml", ".yml")):
        if folder is None:
            raise Refused(f"{target}: files cannot be referred to from here; name a preset as GAME/PRESET")
        path = folder / target
        if not path.is_file():
            raise Refused(f"{target}: there is no such file")
        return path
    is_file = folder is not None and (folder / target).is_file()
    if is_file or ("/" not in target and target not in shelf.modules()):
        raise Refused(f"{target}: a preset is named as GAME/PRESET, a file by its name, which ends in .yaml")
    return shelf.preset(target)


@dataclass(frozen=True, slots=True)
class _Link:
    form: ScenarioForm
    source: str
    folder: Path | None
    game: str | None

    def layer(self) -> Layer:
        return Layer(self.source, self.form.config, self.form.seats, folder=self.folder, people=self.form.people)


@dataclass(frozen=True, slots=True)
class _Chain:
    """A file and the bases that it rests on, the deepest base first."""

    links: tuple[_Link, ...]

    @classmethod
    def of(cls, form: ScenarioForm, source: str, path: Path | None, shelf: Shelf) -> _Chain:
        links = [_Link(form, source, path.parent if path else None, form.game or _home(path))]
        while (base := links[0].form.base) is not None:
            here = links[0]
            if len(links) > BASES_MAX:
                raise BadScenario([Fault(here.source, "base", f"{base!r}; more than {BASES_MAX} files in a row")])
            try:
                found = locate(base, shelf, here.folder)
                below = read_form(read_yaml(found, base), base)
            except BadScenario:
                raise
            except Refused as error:
                raise BadScenario([Fault(here.source, "base", str(error))]) from None
            links.insert(0, _Link(below, base, found.parent, below.game or _home(found)))
        return cls(tuple(links))

    @property
    def top(self) -> _Link:
        return self.links[-1]

    def game(self) -> str:
        """The one game that all files speak of."""
        named = [(link, link.game) for link in self.links if link.game is not None]
        if not named:
            raise BadScenario([Fault(self.top.source, "game", "missing; name the game, or a base")])
        first = named[0][1]
        for link, game in named[1:]:
            if game != first:
                raise BadScenario([Fault(link.source, "game", f"{game!r}; its base plays {first!r}")])
        return first

    def conditions(self) -> tuple[_Link, Mapping[str, Any]]:
        """The named conditions, from the last file that names any."""
        for link in reversed(self.links):
            if link.form.conditions:
                return link, link.form.conditions
        return self.top, {}

    def seeds(self) -> tuple[int, ...]:
        for link in reversed(self.links):
            chosen = link.form.chosen_seeds()
            if chosen is not None:
                return chosen
        return (1,)


def _home(path: Path | None) -> str | None:
    """The game in whose ``scenarios`` folder a preset stands."""
    if path is None or path.parent.name != "scenarios" or not (path.parent.parent / "__init__.py").is_file():
        return None
    return path.resolve().parent.parent.name


def _built(chain: _Chain, shelf: Shelf, extra: Sequence[Layer], seeds: tuple[int, ...] | None) -> Scenario:
    try:
        slug = chain.game()
        module, pack = shelf.module(slug), shelf.pack(slug)
    except BadScenario:
        raise
    except Refused as error:
        raise BadScenario([Fault(chain.top.source, "game", str(error))]) from None
    base = [link.layer() for link in chain.links]
    stands_in, named = chain.conditions()
    faults: list[Fault] = []
    conditions: list[Condition] = []
    for name, form in named.items() if named else [(BASE_CONDITION, None)]:
        layers = list(base)
        if form is not None:
            at = f"conditions.{name}"
            treatment = Layer(
                stands_in.source,
                form.config,
                form.seats,
                f"{at}.config",
                f"{at}.seats",
                stands_in.folder,
                form.people,
                f"{at}.people",
            )
            layers.append(treatment)
        condition = _condition(pack, name, form, [*layers, *extra], faults)
        if condition is not None:
            conditions.append(condition)
    if faults:
        raise BadScenario(list(dict.fromkeys(faults)))
    chosen = chain.seeds() if seeds is None else seeds
    if len(chosen) * len(conditions) > CELLS_MAX:
        many = f"{len(conditions)} conditions x {len(chosen)} seeds; at most {CELLS_MAX} runs at once"
        raise BadScenario([Fault(chain.top.source, "", many)])
    top = chain.top.form
    name = Path(chain.top.source).stem
    return Scenario(module, pack, name, top.title or {"en": name}, top.about, tuple(conditions), chosen)


def _condition(pack: Pack, name: str, form: Any, layers: Sequence[Layer], faults: list[Fault]) -> Condition | None:
    known = len(faults)
    config = merge_config(pack, layers, faults)
    if config is None:
        return None
    seats = seat_agents(pack, pack.game.seats(config), layers, faults)
    people = merge_people(layers, faults)
    if people is None or len(faults) > known:
        return None
    return Condition(name, config, seats, form.title if form else {}, form.about if form else {}, people)
