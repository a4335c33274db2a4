"""One group of all: carpenters make hammers, miners torches, and tools change hands at a meeting place.

Contract: everybody joins group 0. Negotiation: pairs merge on even terms by size until one group is left.
On the map: carpenters gather wood and stone, make hammers at the meeting place and leave there what they cannot carry;
miners collect hammers, with them coal, and where torches are known make torches and leave them; carpenters collect
torches, and with them iron. Other roles act as the loner does, in one group.
"""

from __future__ import annotations

from games.catalog.adasociety.play.field import FieldMemory
from games.catalog.adasociety.play.paths import distance, nearest
from games.catalog.adasociety.play.plans import Craft, DumpPlan, Explore, Gather, write_plan
from games.catalog.adasociety.play.solo_policy import fetch, go, next_plan, pursue
from games.catalog.adasociety.rules import negotiation
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import ACCEPT, END, STAY, Action, Invite, Join, Propose
from games.catalog.adasociety.setup.torus import Cell
from games.core.agents import Memory, NoParams, Plan, PolicySpec
from games.core.rng import Rng

LOAD = 5
"""Units of a kind to bring along, and hammers to make of them in one place."""
LAST_LOAD = 8
"""Steps before the end in which nothing is put down any more: nobody would fetch it."""


def play(params: NoParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if observation.stage == "contract":
        return Join(0), memory
    if observation.stage == "negotiation":
        return bargain(observation), memory
    if observation.stage == "exploration" and observation.graph.group_of(observation.seat) is None:
        return Join(0), memory
    field = FieldMemory.read(memory)
    field.look(observation)
    planner = {"carpenter": carpenter_plan, "miner": miner_plan}.get(observation.kit.role, next_plan)
    return pursue(observation, field, planner, rng), field.write()


# --- bargaining -----------------------------------------------------------------------------------


def bargain(observation: Observation) -> Action:
    """Ask the seat that the step pairs one with; offer and accept shares by size."""
    graph, seat = observation.graph, observation.seat
    partner = graph.partner.get(seat)
    if partner is None:
        asked = counterpart(observation)
        return STAY if asked is None else Invite(asked)
    ours, theirs = graph.size_of(seat), graph.size_of(partner)
    fair = min(max(round(10 * ours / (ours + theirs)) * 10, 10), 90)
    offered = graph.bond(partner, seat).proposal
    if graph.bond(seat, partner).parity != observation.step % 2:
        return STAY
    if offered is not None:
        return ACCEPT if 100 - offered >= fair - 10 else Propose(fair)
    return END if graph.bond(seat, partner).proposal is not None else Propose(fair)


def counterpart(observation: Observation) -> int | None:
    """Groups, by who speaks for them, pair up first with second, third with fourth."""
    graph = observation.graph
    heads = negotiation.speakers(graph)
    if observation.seat not in heads:
        return None
    place = heads.index(observation.seat)
    other = place ^ 1
    if other >= len(heads) or heads[other] not in negotiation.invitable(graph, observation.seat):
        return None
    return heads[other]


# --- crafting -------------------------------------------------------------------------------------


def meeting(observation: Observation) -> Cell:
    """The cell around which tools change hands: the middle of the map."""
    kit = observation.kit
    return kit.height // 2 * kit.width + kit.width // 2


def held(observation: Observation, name: str) -> int:
    number = observation.kit.index.get(name)
    return 0 if number is None else observation.bag[number]


def room(observation: Observation, name: str) -> int:
    """How many more units may be carried."""
    number = observation.kit.index.get(name)
    return 0 if number is None else observation.kit.capacity[number] - observation.bag[number]


def carpenter_plan(observation: Observation, field: FieldMemory) -> Plan:
    left = observation.horizon - observation.step
    pairs = min(held(observation, "wood"), held(observation, "stone"))
    torches = _fetch(observation, field, "torch")
    full = held(observation, "hammer") and not room(observation, "hammer")
    if full and pairs and left > LAST_LOAD and _on(observation, "hammer_craft"):
        return write_plan(DumpPlan("hammer"))
    if torches is not None:
        return torches
    iron = _fetch(observation, field, "iron") if held(observation, "torch") else None
    if iron is not None:
        return iron
    if pairs and (pairs >= _load(observation, field) or _sources(observation, field) is None or left < 30):
        return _make(observation, field, "hammer_craft")
    if (more := _sources(observation, field)) is None and held(observation, "hammer") and left > LAST_LOAD:
        return write_plan(DumpPlan("hammer"))
    return more or _wait(observation, field)


def _load(observation: Observation, field: FieldMemory) -> int:
    """Pairs to bring at once: one for the first tool, then many."""
    return LOAD if field.notes.get("delivered") or _is_small(observation) else 1


def _is_small(observation: Observation) -> bool:
    """Whether a window covers the height of the map."""
    return observation.kit.sight * 2 + 1 >= observation.kit.height


def _sources(observation: Observation, field: FieldMemory) -> Plan:
    """Fetch whichever of wood and stone is short; None where no source is known and all has been looked at."""
    lying = {observation.kit.resources[kind] for kind, _ in observation.here[1]}
    here = [name for name in ("wood", "stone") if name in lying and held(observation, name) < LOAD]
    if here:
        return write_plan(Gather(here[0], 1))
    short = ("wood", "stone") if held(observation, "wood") <= held(observation, "stone") else ("stone", "wood")
    for name in short:
        if held(observation, name) < 2 * LOAD and (fetched := _fetch(observation, field, name)) is not None:
            return fetched
    if held(observation, "stone") < 1 or held(observation, "wood") < 1:
        unseen = field.nearest_unseen(observation, 4)
        if unseen is not None:
            return go(observation, unseen)
    return None


def miner_plan(observation: Observation, field: FieldMemory) -> Plan:
    left = observation.horizon - observation.step
    pairs = min(held(observation, "wood"), held(observation, "coal"))
    torch_known = "torch" in observation.kit.index or held(observation, "coal")
    full = held(observation, "torch") and not room(observation, "torch")
    if full and pairs and left > LAST_LOAD and _on(observation, "torch_craft"):
        return write_plan(DumpPlan("torch"))
    hammers = _fetch(observation, field, "hammer", reach=99 if not held(observation, "hammer") else 6)
    if hammers is not None:
        return hammers
    coal = _fetch(observation, field, "coal") if held(observation, "hammer") else None
    if torch_known and pairs and (pairs >= 4 or coal is None or left < 40):
        return _make(observation, field, "torch_craft")
    if coal is not None:
        return coal
    wood = _fetch(observation, field, "wood") if held(observation, "wood") < 6 else None
    return wood or _wait(observation, field)


def _fetch(observation: Observation, field: FieldMemory, name: str, reach: int = 99) -> Plan:
    """Gather from the nearest pile known within reach; None where there is none, or no room."""
    if room(observation, name) < 1:
        return None
    cell = field.nearest_pile(observation, name)
    if cell is None or distance(observation.kit, observation.cell, cell) > reach:
        return None
    return fetch(observation, name, cell)


def _on(observation: Observation, event: str) -> bool:
    number = observation.here[0]
    known = observation.kit.events[number] if number >= 0 else None
    return known is not None and known.name == event


def _make(observation: Observation, field: FieldMemory, event: str) -> Plan:
    """Craft on a grid near the meeting place, as near as one is known."""
    kit = observation.kit
    middle = meeting(observation)
    grids = [cell for cell, name in field.grids.items() if name == event and cell not in field.taken]
    if _is_small(observation):
        grid = field.nearest_grid(observation, event)
    else:
        near = [cell for cell in grids if distance(kit, cell, middle) <= 3]
        if not near and distance(kit, observation.cell, middle) > 1 and middle not in field.blocks:
            return go(observation, middle)
        grid = nearest(kit, observation.cell, near or grids)
    if grid is None:
        return write_plan(Explore())
    field.notes["delivered"] = True
    return write_plan(Craft(event)) if grid == observation.cell else go(observation, grid)


def _wait(observation: Observation, field: FieldMemory) -> Plan:
    """Look where nobody of us has looked, else go by the meeting place for what was left there."""
    unseen = field.nearest_unseen(observation, 4)
    if unseen is not None:
        return go(observation, unseen)
    kit = observation.kit
    if distance(kit, observation.cell, meeting(observation)) > kit.sight + 1:
        return go(observation, meeting(observation))
    return write_plan(Explore())


CREW = PolicySpec(
    "crew",
    "One group of all; carpenters make hammers, miners torches, and tools are left for each other in the middle.",
    "AdaSociety paper, section 5.1: what group reward asks of carpenters and miners",
    play,
)
