"""Alone: gathers and makes what is worth most to itself, and shares with nobody.

It plans as a model would (gather, craft, go), has the controller carry the plan out, and plans anew when that ends.
"""

from __future__ import annotations

from collections.abc import Callable

from games.catalog.adasociety.play.controller import controller
from games.catalog.adasociety.play.field import FieldMemory
from games.catalog.adasociety.play.paths import distance, people, random_move, things
from games.catalog.adasociety.play.plans import Craft, Explore, Gather, Go, write_plan
from games.catalog.adasociety.rules import crafting
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import BLOCK, MOVES, STAY, Action, Join
from games.catalog.adasociety.setup.torus import Cell, neighbours
from games.core.agents import Act, Memory, NoParams, Plan, PolicySpec
from games.core.rng import Rng

MEALS = 2
"""For so many meals food is kept ready."""
TRIES = 3
"""Plans that may fail at once before the agent just takes a step."""


def play(params: NoParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if observation.stage == "contract":
        return Join(observation.seat % observation.graph.sizes[1]), memory
    if observation.stage == "negotiation":
        return STAY, memory
    field = FieldMemory.read(memory)
    field.look(observation)
    action = pursue(observation, field, next_plan, rng)
    return action, field.write()


def pursue(
    observation: Observation, field: FieldMemory, planner: Callable[[Observation, FieldMemory], Plan], rng: Rng
) -> Action:
    """A way out of a creature's; else the standing plan's next action, or that of a new plan."""
    if observation.creatures and (away := fleeing(observation)) is not None:
        return away
    plan: Plan = field.notes.pop("plan", None)
    for _ in range(TRIES):
        if plan is None:
            plan = planner(observation, field)
        acted = controller(observation, plan, rng)
        if isinstance(acted, Act):
            field.notes["plan"] = acted.plan
            action: Action = acted.action
            return action
        plan = None
    return random_move(rng)


def fleeing(observation: Observation) -> Action | None:
    """The step that leads furthest from creatures, where one is beside the agent or on its cell and would bite."""
    kit, here = observation.kit, observation.cell

    def safety(cell: Cell) -> int:
        return min(distance(kit, cell, creature) for creature in observation.creatures)

    if not kit.bite or safety(here) > 1:
        return None
    shut = {at for at, (event, _) in things(observation).items() if event == BLOCK}.union(people(observation))
    ways = zip(MOVES, neighbours(kit.height, kit.width, here), strict=False)
    best = max(((safety(cell), move) for move, cell in ways if cell not in shut), key=lambda way: way[0], default=None)
    return None if best is None or best[0] <= safety(here) else best[1]


def next_plan(observation: Observation, field: FieldMemory) -> Plan:
    """Craft what gains or is new; else fetch the input that is missing, else the best pile; else look around."""
    if (plan := worth_crafting(observation, field) or _worth_fetching(observation, field)) is not None:
        return plan
    unseen = field.nearest_unseen(observation, len(observation.kit.names))
    return write_plan(Explore()) if unseen is None else go(observation, unseen)


def go(observation: Observation, cell: Cell) -> Plan:
    return write_plan(Go(*divmod(cell, observation.kit.width)))


def fetch(observation: Observation, name: str, cell: Cell) -> Plan:
    """Gather one from a pile in sight, or go where it is."""
    is_far = distance(observation.kit, observation.cell, cell) > observation.kit.sight
    return go(observation, cell) if is_far else write_plan(Gather(name, 1))


def gain(observation: Observation, event: int) -> float:
    """What doing an event changes in the bag's worth."""
    kit = observation.kit
    return sum(change * value for change, value in zip(kit.change[event], kit.values, strict=True))


def wanted(observation: Observation, field: FieldMemory, event: int) -> bool:
    """Whether it pays, or makes a tool that was never held."""
    known = observation.kit.events[event]
    if known is None:
        return False
    new = [observation.kit.index.get(name) for name, _ in known.outputs]
    return gain(observation, event) > 0 or any(number is None or not field.tools >> number & 1 for number in new)


def worth_crafting(observation: Observation, field: FieldMemory) -> Plan:
    """The best event that can be done with the bag as it is, on the nearest grid known."""
    best: tuple[float, Plan] | None = None
    for event, known in enumerate(observation.kit.events):
        if known is None or not wanted(observation, field, event):
            continue
        if crafting.synthesis_fault(observation.kit, event, observation.bag) is not None:
            continue
        grid = field.nearest_grid(observation, known.name)
        if grid is None:
            continue
        far = distance(observation.kit, observation.cell, grid)
        seen = far <= observation.kit.sight
        plan = write_plan(Craft(known.name)) if seen else go(observation, grid)
        score = (gain(observation, event) + 0.5) / (far + 1)
        if best is None or score > best[0]:
            best = (score, plan)
    return None if best is None else best[1]


def _worth_fetching(observation: Observation, field: FieldMemory) -> Plan:
    """The pile with the most worth for the way, where a missing input of a wanted event counts by that event's gain."""
    kit = observation.kit
    use = feeding(observation, {name: kit.values[number] for name, number in kit.index.items()})
    return fetching(observation, field, serving(observation, field, use, 5))[1]


def feeding(observation: Observation, use: dict[str, float]) -> dict[str, float]:
    """The worth of things, where food is worth besides what its lack would cost at the next meals."""
    kit = observation.kit
    for resource, _, units, loss in kit.meals:
        name = kit.resources[resource]
        if name and observation.bag[resource] < MEALS * units:
            use[name] += loss
    return use


def serving(observation: Observation, field: FieldMemory, use: dict[str, float], bonus: float) -> dict[str, float]:
    """The worth of things, where what a wanted event lacks is worth that event's gain and a bonus, by input."""
    kit, bag = observation.kit, observation.bag
    for event, known in enumerate(kit.events):
        if known is None or not wanted(observation, field, event):
            continue
        for name, units in known.inputs:
            number = kit.index.get(name)
            if number is not None and bag[number] < units:
                use[name] = max(use[name], (gain(observation, event) + bonus) / len(known.inputs))
    return use


def fetching(observation: Observation, field: FieldMemory, use: dict[str, float]) -> tuple[float, Plan]:
    """The pile with the most worth for the way, and how to get it; 0 and None where there is none."""
    kit, bag = observation.kit, observation.bag
    best: tuple[float, str, Cell] | None = None
    for name, number in kit.index.items():
        if bag[number] >= kit.capacity[number] or use[name] <= 0:
            continue
        cell = field.nearest_pile(observation, name)
        if cell is None:
            continue
        score = use[name] / (distance(kit, observation.cell, cell) + 1)
        if best is None or score > best[0]:
            best = (score, name, cell)
    if best is None:
        return 0.0, None
    score, name, cell = best
    return score, fetch(observation, name, cell)


LONER = PolicySpec(
    "loner",
    "Joins nobody; crafts what gains or is new, else fetches what serves that or is worth most for the way.",
    "AdaSociety paper, section 5.3: agents that complete tasks independently",
    play,
)
