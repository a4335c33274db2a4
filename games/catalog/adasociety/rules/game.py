"""AdaSociety as a game: crafting on a torus, and a social graph that decides who sees what and who gets what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from games.catalog.adasociety.rules import asking, contract, exploration, negotiation, physical, view
from games.catalog.adasociety.rules import graph as social
from games.catalog.adasociety.rules.crafting import NAMED, NO_EVENT, refusal
from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.rules.imagining import imagine
from games.catalog.adasociety.rules.invariants import invariants
from games.catalog.adasociety.rules.knowledge import kit, learned
from games.catalog.adasociety.rules.observe import Observation, everybodys, observe
from games.catalog.adasociety.rules.shapes import EVENTS, SocietyView
from games.catalog.adasociety.rules.state import (
    STAY,
    Action,
    Ballot,
    Dump,
    Join,
    Leave,
    Move,
    PassOn,
    Pick,
    Send,
    ShowMap,
    State,
    Synthesize,
    Trust,
    Weigh,
)  # fmt: skip
from games.catalog.adasociety.rules.world import first_state, groups_in_schedule
from games.catalog.adasociety.setup.config import AdaSocietyConfig, structure_at
from games.catalog.adasociety.setup.task import MICRO, Task, task_of
from games.core.answers import ActionSpec, Note
from games.core.game import (
    Event,
    Eyes,
    Game,
    Imagined,
    Invariant,
    LazyEvents,
    Resolution,
    Seat,
    SeatSpec,
    Seen,
    Step,
    Turn,
)
from games.core.rng import Rng


class AdaSociety(Game[AdaSocietyConfig, State, Observation, Any]):
    """Source: AdaSociety paper (NeurIPS 2024 datasets and benchmarks); see the rule sheet for every reading."""

    slug: ClassVar[str] = "adasociety"
    rules_version: ClassVar[int] = 3
    config_type = AdaSocietyConfig
    state_type = State
    action_type = Action
    view_type: ClassVar[Any] = SocietyView
    event_types: ClassVar[Mapping[str, Any]] = EVENTS
    tells_end = True  # how many steps are left is in each observation
    counted = "step"  # a round of contracts is a part of the run, with a step for each agent

    def seats(self, config: AdaSocietyConfig) -> Sequence[SeatSpec]:
        return task_of(config).seats

    def initial(self, config: AdaSocietyConfig, rng: Rng) -> Resolution[State]:
        state = first_state(config, rng)
        task = task_of(config)
        events = partial(_news_of_start, config, task, state)
        return Resolution(state, LazyEvents(events), {seat: r / MICRO for seat, r in enumerate(state.returns) if r})

    def turn(self, config: AdaSocietyConfig, state: State) -> Turn | None:
        task = task_of(config)
        made = task.turns.get(state.step)
        if made is not None or state.step >= task.horizon:
            return made
        stage = task.stages[state.step]
        clock = (("step", state.step + 1),)
        if stage == "contract":
            here = (("round", state.step // len(task.everyone) + 1), *clock)
            return Turn(here, stage, (contract.on_turn(state),))
        if stage == "negotiation":
            return Turn(clock, stage, negotiation.asked(state.graph, state.step))
        made = task.turns[state.step] = Turn(clock, stage, task.everyone)
        return made

    def horizon(self, config: AdaSocietyConfig) -> int | None:
        return config.horizon

    def rounds(self, config: AdaSocietyConfig) -> int | None:
        return config.horizon

    def observe(self, config: AdaSocietyConfig, state: State, seat: Seat, past: Sequence[Seen[Any]]) -> Observation:
        return observe(config, state, seat)

    def imagine(self, observation: Observation, rng: Rng) -> Imagined[AdaSocietyConfig, State, Any]:
        return imagine(observation, rng)

    def actions(self, config: AdaSocietyConfig, state: State, seat: Seat) -> ActionSpec[Any]:
        return asking.spec(config, task_of(config), state, seat)

    def clean(
        self, config: AdaSocietyConfig, state: State, seat: Seat, action: Any, rng: Rng
    ) -> tuple[Any, tuple[Note, ...]]:
        if action is STAY:
            return STAY, ()
        task = task_of(config)
        match task.stages[min(state.step, task.horizon - 1)]:
            case "contract":
                if seat != contract.on_turn(state):
                    return _out_of_turn(action, contract.on_turn(state))
                return contract.clean(state, seat, action)
            case "negotiation":
                return negotiation.clean(state, seat, action)
            case "exploration" if isinstance(action, _SOCIAL):
                return exploration.clean(config, state, seat, action)
        if type(action) is Move and action.direction in physical.AHEAD:
            return action, ()
        return self._clean_physical(task, state, seat, action)

    def clean_all(
        self, config: AdaSocietyConfig, state: State, answers: Mapping[Seat, Any], rng: Rng
    ) -> tuple[dict[Seat, Any], dict[Seat, tuple[Note, ...]]]:
        """Nothing is drawn in cleaning. What needs no look at what a seat knows is decided here: most answers are
        steps, which are always open on the map, picks where nothing lies and dumps of what is not held."""
        task = task_of(config)
        if task.stages[state.step] in ("contract", "negotiation"):
            return super().clean_all(config, state, answers, rng)
        actions: dict[Seat, Any] = {}
        notes: dict[Seat, tuple[Note, ...]] = {}
        stacks, terrain, cells, bags = state.land.stacks, state.land.terrain, state.cells, state.bags
        ahead, numbers = physical.AHEAD, task.resource_index
        for seat, answer in answers.items():
            kind = type(answer)
            if kind is Move:
                if answer.direction in ahead:
                    actions[seat] = answer
                    continue
            elif kind is Pick:
                if not stacks[cells[seat]]:
                    actions[seat], notes[seat] = STAY, refusal("nothing_to_pick", answer.resource[:NAMED])
                    continue
            elif kind is Dump:
                number = numbers.get(answer.resource)
                if number is None or not bags[seat][number]:
                    actions[seat], notes[seat] = STAY, refusal("nothing_to_dump", answer.resource[:NAMED])
                    continue
            elif kind is Synthesize:
                if terrain[cells[seat]] < 0:
                    actions[seat], notes[seat] = STAY, NO_EVENT
                    continue
            else:
                actions[seat], made = self.clean(config, state, seat, answer, rng)
                if made:
                    notes[seat] = made
                continue
            actions[seat], made = self._clean_physical(task, state, seat, answer)
            if made:
                notes[seat] = made
        return actions, notes

    def observe_all(
        self, config: AdaSocietyConfig, state: State, seats: Sequence[Seat], kept: Sequence[Step[State, Any]]
    ) -> Sequence[Observation]:
        task = task_of(config)
        if seats == task.everyone and task.stages[state.step] not in ("contract", "negotiation"):
            return everybodys(task, state)
        return [observe(config, state, seat) for seat in seats]

    def _clean_physical(self, task: Task, state: State, seat: Seat, action: Any) -> tuple[Any, tuple[Note, ...]]:
        bag, cell, knows = state.bags[seat], state.cells[seat], state.known[seat]
        event, stack = state.land.terrain[cell], state.land.stacks[cell]
        if event >= 0 or stack:
            event, stack = task.glimpse(event, stack, state.facts(task)[seat].access)
        return physical.clean(task.kits.get((seat, knows)) or kit(task, seat, knows), event, stack, bag, action)

    def resolve(
        self, config: AdaSocietyConfig, state: State, actions: Mapping[Seat, Any], rng: Rng
    ) -> Resolution[State]:
        task = task_of(config)
        stage = task.stages[state.step]
        if stage in ("contract", "negotiation"):
            return self._resolve_social(config, task, state, actions)
        if "_settled" in state.__dict__ and not (task.presses or state.graph.inbox or config.schedule):
            for action in actions.values():
                if action is not STAY:
                    break
            else:
                return Resolution(state.followed(), (), dict.fromkeys(task.everyone, 0.0))
        graph, spoken = state.graph, NOBODY_SPOKE
        if stage == "exploration":
            graph, spoken = exploration.act(graph, actions, config.group_norm)
        outcome = physical.act(task, state, graph, actions, rng)
        returns = state.returns
        if outcome.rewards is not None:
            returns = tuple(before + reward for before, reward in zip(returns, outcome.rewards, strict=True))
        graph, changes = _scheduled(config, task, graph, state.step + 1)
        known = outcome.known
        if graph is not state.graph:
            known = learned(task, outcome.land, outcome.cells, outcome.facts, graph, known)
        after = state.followed(
            land=outcome.land,
            cells=outcome.cells,
            bags=outcome.bags,
            known=known,
            graph=graph,
            returns=returns,
            made=outcome.made,
            _facts=(task, outcome.facts),
            _settled=True,
        )
        if outcome.pressed is not None:
            pressed = outcome.pressed
            after.__dict__.update(creatures=pressed.creatures, spent=pressed.spent, lost=pressed.lost)

        def told() -> Iterator[Event]:
            yield from spoken
            yield from physical.tell(task, state, outcome, actions)
            yield from physical.tell_learned(task, outcome.known, known)
            yield from changes

        payoffs = dict.fromkeys(task.everyone, 0.0) if outcome.rewards is None else physical.in_units(outcome.rewards)
        return Resolution(after, LazyEvents(told), payoffs)

    def _resolve_social(
        self, config: AdaSocietyConfig, task: Task, state: State, actions: Mapping[Seat, Any]
    ) -> Resolution[State]:
        """A step of the contract or negotiation stage: the graph changes, the map rests."""
        events: list[Event]
        if config.mini_game == "contract":
            graph, events = contract.join(state.graph, actions)
        else:
            graph, events = negotiation.bargain(state.graph, actions, state.step)
            if state.step + 1 == config.social_steps:
                graph = negotiation.lapse(graph, events)
        after = state.followed(graph=graph)
        return Resolution(after, tuple(events))

    def view(self, config: AdaSocietyConfig, state: State, eyes: Eyes) -> SocietyView:
        return view.view(config, state, eyes)

    def invariants(self, config: AdaSocietyConfig, state: State) -> Iterable[Invariant]:
        return invariants(config, state)


NOBODY_SPOKE: Sequence[Event] = ()
_SOCIAL = (Join, Send, ShowMap, Leave, PassOn, Weigh, Ballot, Trust)


def _out_of_turn(action: Any, seat: Seat) -> tuple[Any, tuple[Note, ...]]:
    if action is None or (isinstance(action, Move) and action.direction == "stay"):
        return STAY, ()
    return STAY, (Note("out_of_turn", {"action": action.do, "seat": seat}),)


def _scheduled(config: AdaSocietyConfig, task: Task, graph: SocialGraph, step: int) -> tuple[SocialGraph, list[Event]]:
    """The graph once so many steps are resolved: a milestone clears the whole graph and lays the next one."""
    if not config.schedule:
        return graph, []
    structure = structure_at(config, step)
    if structure is None:
        return graph, []
    after = social.of_structure(structure, len(task.everyone), groups_in_schedule(config))
    return after, [Event("structure_changed", {"name": _structure_name(config, step)})]


def _structure_name(config: AdaSocietyConfig, step: int) -> str:
    """What the schedule calls the structure that begins at a step; "custom" where it is written out."""
    for milestone in config.schedule:
        if milestone.at == step and isinstance(milestone.structure, str):
            return milestone.structure
    return "custom"


def _news_of_start(config: AdaSocietyConfig, task: Task, state: State) -> Iterator[Event]:
    if state.order and config.social_steps:
        yield Event("order_drawn", {"seats": list(state.order)})
    if structure_at(config, 0) is not None:
        yield Event("structure_changed", {"name": _structure_name(config, 0)})
    if config.social_control != "free":
        groups = [[member[0][1] for member in members] for members in state.graph.members.values()]
        yield Event("groups_forced", {"groups": groups})
    yield from physical.tell_learned(task, (0,) * len(state.known), state.known)
