"""What is to be played: a game, its named conditions with validated configs and seated agents, and the seeds.

Bases, the file itself, a condition, ``--set`` and ``--agents`` are layers, merged in that order: mappings key by key,
entries of a list where a mapping names them, anything else replaced whole. Seats likewise: a seat that is named wins
over any ``default``, and the later layer over the earlier. Loading writes nothing, and plays no more than the
first steps of a game whose rounds' measures are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from agents_app.people import PeopleSettings
from games.core.answers import JSON, Note
from games.core.codec import config_hash, digest
from games.core.pack import Pack
from games.core.registry import Registry
from games.core.rng import SEED_MAX, Rng
from games.errors.faults import BadScenario, Fault, Refused, no_such
from games.lab.scenarios.chain import Chain, Link, locate
from games.lab.scenarios.design import read_experiment
from games.lab.scenarios.finding import Found, module_named, pack_named
from games.lab.scenarios.hypotheses import Declared, Experiment, asked_of, round_measures
from games.lab.scenarios.layers import Layer, merge_config, merge_people
from games.lab.scenarios.naming import AGENTS, changed_settings, changed_title
from games.lab.scenarios.seating import ModelSeat, Seated, seat_agents
from games.lab.scenarios.stated import source_of
from games.lab.scenarios.treatments import Treatment, treatments_of
from games.lab.scenarios.yamlfile import parse_yaml

BASE_CONDITION: Final = "base"
"""The name of the one condition of a scenario that names none."""
OF_SEATS: Final = ("no_seat", "seat_named_twice")
"""Faults that depend on which seats there are."""
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
    seeds: tuple[int, ...] = ()
    """Replicates of its own; (): the scenario's."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that is to be played. ``module`` is the game's package; ``seeds`` are the replicates, in order.

    ``experiment``  what was declared of the conditions; None where the file declares nothing
    ``changes``     what differs from the preset or file of that name, by the setting's path: it is part of the title
    ``look``        what to look for when it is watched
    ``inert``       by condition or setting, why nobody acts otherwise for it (`games.laws.varied`)
    ``tournament``  where the conditions are the pairs of a round robin: how it is held, for the manifest
    """

    module: str
    pack: Pack
    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    conditions: tuple[Condition, ...]
    seeds: tuple[int, ...]
    experiment: Experiment | None = None
    tournament: Mapping[str, JSON] = field(default_factory=dict)
    changes: Mapping[str, JSON] = field(default_factory=dict)
    inert: Mapping[str, str] = field(default_factory=dict)
    look: Mapping[str, str] = field(default_factory=dict)

    def seeds_of(self, condition: Condition) -> tuple[int, ...]:
        """The replicates of a condition, in order, before independent pairing makes each condition's own of them."""
        return condition.seeds or self.seeds

    @property
    def is_paired(self) -> bool:
        """Whether replicate r has the same seed in every condition."""
        return self.experiment is None or self.experiment.pairing == "common"

    def seed(self, condition: int, replicate: int) -> int:
        """The seed of a run, by the places of its condition and its replicate."""
        own = self.conditions[condition].seeds
        if own:
            return own[replicate]
        seed = self.seeds[replicate]
        return seed if self.is_paired else Rng.root(seed).bits("condition", condition) & SEED_MAX

    def plan_hash(self) -> str:
        """The hash of what decides the outcome: game, rules, configs, agents and seeds."""
        game = self.pack.game
        conditions = [
            [
                one.name,
                config_hash(game, one.config),
                [agent.plain() for agent in one.seats],
                *([list(one.seeds)] if one.seeds else []),
            ]
            for one in self.conditions
        ]
        seeds = list(self.seeds) if self.is_paired else [list(self.seeds), "independent"]
        return digest([game.slug, game.rules_version, conditions, seeds])


# --- loading ------------------------------------------------------------------------------------------


def load(
    target: str,
    registry: Registry | None = None,
    extra: Sequence[Layer] = (),
    seeds: tuple[int, ...] | None = None,
    tries: bool = True,
) -> Scenario:
    """The scenario of a preset (``mining/baseline``) or of a YAML file; ``extra`` layers and ``seeds`` win over it.

    ``tries``  play the first steps where measures of rounds are asked for, to know that the game has them; who only
               reads what was played of a preset before does without. Raises `BadScenario` with every fault found.
    """
    registry = registry or Registry()
    found = locate(target, registry, Path())
    return _read(found.read(), target, found, None, registry, extra, seeds, tries)


def load_preset(name: str, extra: Sequence[Layer] = ()) -> Scenario:
    """As `load`, of presets alone: whoever names one from afar learns nothing of the files that are here."""
    registry = Registry()
    found = locate(name, registry, None)
    return _read(found.read(), name, found, None, registry, extra, None)


def title_of(name: str) -> dict[str, str]:
    """What a preset is called, in each language, without reading more than its own file."""
    form = read_experiment(locate(name, Registry(), None).read(), name)
    return dict(form.title or {"en": name.rpartition("/")[2]})


def robin_of(name: str) -> dict[str, Any] | None:
    """The round robin that a preset declares, as an experiment's document has it; None where it declares none."""
    registry = Registry()
    robin = read_experiment(locate(name, registry, None).read(), name).round_robin
    return None if robin is None else robin.model_dump(mode="json", exclude_unset=True)


def load_text(text: str, source: str, game: str, registry: Registry | None = None) -> Scenario:
    """A scenario from text that came without a folder: it may rest on presets, not on files."""
    return load_data(parse_yaml(text, source), source, game, registry)


def load_data(data: Any, source: str, game: str, registry: Registry | None = None) -> Scenario:
    """A scenario from what a file holds, without a file: it may rest on presets, not on other files."""
    return _read(data, source, None, game, registry or Registry(), (), None)


def _read(
    data: Any,
    source: str,
    found: Found | None,
    game: str | None,
    registry: Registry,
    extra: Sequence[Layer],
    seeds: tuple[int, ...] | None,
    tries: bool = True,
) -> Scenario:
    """Every part is looked at, whatever is wrong with the others."""
    faults: list[Fault] = []
    try:
        form = read_experiment(data, source, faults)
        at = found or Found(lambda: data, None, None)
        chain = Chain.of(form.model_copy(update={"game": form.game or game}), source, at, registry, faults)
        return _built(chain, registry, extra, seeds, faults, tries)
    except BadScenario as error:
        raise BadScenario(list(dict.fromkeys([*faults, *error.faults]))) from None


def _built(
    chain: Chain,
    registry: Registry,
    extra: Sequence[Layer],
    seeds: tuple[int, ...] | None,
    faults: list[Fault],
    tries: bool,
) -> Scenario:
    try:
        slug = chain.game()
        module, pack = module_named(registry, slug), pack_named(registry, slug)
    except BadScenario:
        raise
    except Refused as error:
        raise BadScenario([Fault(chain.top.source, "game", str(error))]) from None
    base = [link.layer(pack.switches) for link in chain.links]
    treatments = _treatments(chain, pack, base, faults)
    conditions: list[Condition] = []
    for one in treatments:
        condition = _condition(pack, one, [*base, *one.layers, *extra], faults)
        if condition is not None:
            conditions.append(condition)
    chosen = chain.seeds() if seeds is None else seeds
    experiment = None
    if not faults and not extra:
        _refuse_the_same(chain.designed(), treatments, conditions, faults)
    if not faults:
        experiment = _experiment(chain, pack, treatments, conditions, chosen, seeds is None, tries, faults)
    if faults:
        raise BadScenario(faults)
    if len(chosen) * len(conditions) > CELLS_MAX:
        many = f"{len(conditions)} conditions x {len(chosen)} seeds; at most {CELLS_MAX} runs at once"
        raise BadScenario([Fault(chain.top.source, "", many)])
    top = chain.top.form
    name = Path(chain.top.source).stem
    changes = _changes(pack, base, treatments[0], conditions[0], extra)
    title: Mapping[str, str] = top.title or {"en": name}
    title = changed_title(pack, title, changes) if changes else title
    told = (module, pack, name, title, top.about, tuple(conditions), chosen, experiment)
    return Scenario(*told, changes=changes, inert=top.inert, look=top.look)


def _changes(
    pack: Pack, base: Sequence[Layer], first: Treatment, condition: Condition, extra: Sequence[Layer]
) -> dict[str, JSON]:
    """What the layers that came from outside changed, seen in the first condition: settings, and who sits there."""
    config = merge_config(pack, [*base, *first.layers], []) if any(layer.config for layer in extra) else None
    found: dict[str, JSON] = {}
    if config is not None:
        found.update(changed_settings(config.model_dump(mode="json"), condition.config.model_dump(mode="json")))
    files = [Path(layer.source).name for layer in extra if layer.seats and layer.folder is not None]
    return {**found, AGENTS: files[-1]} if files else found


def _treatments(chain: Chain, pack: Pack, base: Sequence[Layer], faults: list[Fault]) -> list[Treatment]:
    """The conditions that the design makes; one of the base's own name where nothing differs."""
    link = chain.designed()
    if not link.form.names_conditions:
        return [Treatment(BASE_CONDITION)]
    seats: tuple[str, ...] = ()
    if link.form.round_robin is not None:
        config = merge_config(pack, base, faults)
        if config is None:
            return []
        seats = tuple(spec.name for spec in pack.game.seats(config))
    return treatments_of(link.form, link.source, link.folder, pack, seats, faults)


def _condition(pack: Pack, one: Treatment, layers: Sequence[Layer], faults: list[Fault]) -> Condition | None:
    known = len(faults)
    config = merge_config(pack, layers, faults)
    if config is None:
        _look_at_seats(pack, layers, faults)
        return None
    seats = seat_agents(pack, pack.game.seats(config), layers, faults)
    people = merge_people(layers, faults)
    known_stages = pack.words.book("en").get("stages", {})
    for stage in people.stages if people else ():
        if stage not in known_stages:
            faults.append(Fault.of(layers[-1].source, f"people.stages.{stage}", no_such(stage, known_stages)))
    if people is None or len(faults) > known:
        return None
    return Condition(one.name, config, seats, one.title, one.about, people)


def _look_at_seats(pack: Pack, layers: Sequence[Layer], faults: list[Fault]) -> None:
    """What is wrong with the agents where the config, and so the seats, are not known."""
    try:
        specs = pack.game.seats(pack.game.config_type())
    except ValidationError:
        return
    found: list[Fault] = []
    seat_agents(pack, specs, layers, found)
    faults.extend(fault for fault in found if fault.note is None or not fault.note.kind.startswith(OF_SEATS))


def _refuse_the_same(
    link: Link, treatments: Sequence[Treatment], conditions: Sequence[Condition], faults: list[Fault]
) -> None:
    """Cells that play the same: a level that changes nothing would be compared with itself."""
    seen: dict[str, str] = {}
    for one, condition in zip(treatments, conditions, strict=True):
        if one.levels:
            plays = digest([condition.config.model_dump(mode="json"), [agent.plain() for agent in condition.seats]])
            if seen.setdefault(plays, one.name) != one.name:
                note = Note("same_play", {"name": one.name, "other": seen[plays]})
                faults.append(Fault.of(link.source, "factors", note))


def _experiment(
    chain: Chain,
    pack: Pack,
    treatments: Sequence[Treatment],
    conditions: Sequence[Condition],
    seeds: Sequence[int],
    are_its_own: bool,
    tries: bool,
    faults: list[Fault],
) -> Experiment | None:
    """What is declared, checked; None where nothing is. ``are_its_own``: the seeds are the file's, not the caller's."""
    designed, declared = chain.designed(), chain.declared()
    if declared is None and not designed.form.names_conditions:
        return None
    names = tuple(one.name for one in treatments)
    is_compared = designed.form.round_robin is None and designed.form.sensitivity is None
    control = designed.form.control or (names[0] if is_compared else None)
    if control is not None and control not in names:
        faults.append(Fault.of(designed.source, "control", no_such(control, names)))
        return None
    told = declared or designed
    if chain.is_inherited(told):
        told = replace(told, form=asked_of(told.form, names, designed.form.factors))
    if told.form.hypotheses and len(seeds) < 2 and are_its_own:
        at = "seeds" if told.form.replicates is None else "replicates"
        faults.append(Fault.of(told.source, at, Note("one_seed", {"given": len(seeds)})))
    first = conditions[0]
    of_rounds: list[str] | None = None
    if tries and (told.form.report.trends or any(one.halves for one in told.form.hypotheses.values())):
        of_rounds = round_measures(pack, first.config, first.seats, seeds[0])
    check = Declared(
        told.form, told.source, treatments, control, list(pack.metrics.about()), of_rounds, len(seeds), faults
    )
    robin = designed.form.round_robin
    return Experiment(
        names,
        control,
        designed.form.pairing,
        {one.name: one.levels for one in treatments if one.levels},
        tuple(check.comparisons()),
        check.families(),
        check.report(),
        None
        if robin is None
        else {
            "entrants": list(robin.entrants),
            "self_play": robin.self_play,
            "seated": {
                one.name: _dealt(pack, condition, one) for one, condition in zip(treatments, conditions, strict=True)
            },
        },
        check.delivered(_arriving(pack, conditions, control)),
        check.stopping(),
        tuple(check.references(_reasons(pack) if told.form.references else {}, _of_models(conditions))),
        check.sensitivity({one.name: one.point for one in treatments}),
    )


def _of_models(conditions: Sequence[Condition]) -> list[str]:
    """The conditions in all of whose seats a real model plays."""
    return [
        one.name
        for one in conditions
        if all(isinstance(agent, ModelSeat) and not agent.profile.is_mock for agent in one.seats)
    ]


def _arriving(pack: Pack, conditions: Sequence[Condition], control: str | None) -> dict[str, list[str]]:
    """By condition, the measures by which the game knows that what it turns on, and the control does not, arrives."""
    if pack.arrives is None or control is None:
        return {}
    told = {one.name: list(pack.arrives(one.config)) for one in conditions}
    return {name: new for name, found in told.items() if (new := [one for one in found if one not in told[control]])}


def _reasons(pack: Pack) -> Mapping[str, Mapping[str, str]]:
    source = source_of(pack)
    return {} if source is None else source.reasons


def _dealt(pack: Pack, condition: Condition, one: Treatment) -> list[int | None]:
    """The number of the entrant in each seat of a meeting."""
    specs = pack.game.seats(condition.config)
    return [one.dealt.get(spec.name, one.dealt.get(str(seat))) for seat, spec in enumerate(specs)]
