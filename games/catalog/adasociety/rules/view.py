"""What some eyes may see drawn: the map, the bags, the social graph, the tree as far as it is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.catalog.adasociety.rules import norms
from games.catalog.adasociety.rules.graph import WHOLE, Node, SocialGraph, group_nodes
from games.catalog.adasociety.rules.knowledge import Kit, full_kit
from games.catalog.adasociety.rules.observe import observe, sight
from games.catalog.adasociety.rules.shapes import (
    BagView,
    Body,
    GraphView,
    Group,
    Link,
    MessageView,
    Seen,
    SocietyView,
    Stakes,
    Thing,
    TreeView,
)
from games.catalog.adasociety.rules.state import BLOCK, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.synthesis import UNLIMITED
from games.catalog.adasociety.setup.task import MICRO, Bag, Stack, Task, task_of
from games.catalog.adasociety.setup.torus import Cell
from games.core.game import All, Eyes, Seat, SeatEyes

SOCIAL_STAGES: Final = ("contract", "negotiation")


def view(config: AdaSocietyConfig, state: State, eyes: Eyes) -> SocietyView:
    task = task_of(config)
    stage = task.stages[state.step] if state.step < task.horizon else "over"
    seen: Seen
    match eyes:
        case All():
            seen = _everything(task, state)
        case SeatEyes(seat):
            seen = _through(config, task, state, seat)
        case _:
            seen = {"cells": [], "agents": [], "bags": [], "tree": {"resources": [], "events": []}}
    shown: SocietyView = {
        "step": state.step,
        "horizon": task.horizon,
        "social_steps": config.social_steps,
        "height": task.height,
        "width": task.width,
        "sight": config.sight,
        "stage": stage,
        "mini_game": config.mini_game,
        "order": state.order,
        "graph": graph_view(state.graph, eyes, "weigh" in config.social_actions, config.group_norm),
        **_stakes(task, stage, eyes),
        **seen,
    }
    if config.creatures:
        shown["creatures"] = [task.place(cell) for cell in _prowling(config, state, eyes)]
    return shown


def graph_view(graph: SocialGraph, eyes: Eyes, weighed: bool = False, norm: str = "none") -> GraphView:
    """The graph for those eyes: weights as shares of one, messages only for their sender and receiver.

    ``weighed``: with the sums of weights, where agents set them; ``norm``: how groups decide.
    """
    edges: list[Link] = [
        {
            "from": edge.tail[1],
            "to": edge.head[1],
            "shows_map": edge.shares_view,
            "reward": edge.reward_share / WHOLE,
            "parity": edge.parity,
            "proposal": edge.proposal,
        }
        for edge in graph.public.edges
        if not edge.weight and edge.tail != edge.head
    ]
    messages: list[MessageView] = [
        {
            "from": edge.tail[1],
            "to": edge.head[1],
            "text": edge.message.text,
            "vector": edge.message.vector,
        }
        for edge in graph.edges
        if edge.message is not None
        and (isinstance(eyes, All) or (isinstance(eyes, SeatEyes) and eyes.seat in (edge.tail[1], edge.head[1])))
    ]
    groups = [_group(graph, node, weighed, norm) for node in group_nodes(graph)]
    return {"groups": groups, "edges": edges, "messages": messages}


def _group(graph: SocialGraph, node: Node, weighed: bool, norm: str) -> Group:
    members = graph.members.get(node, ())
    total = sum(weight for _, weight in members)
    shares = [(member[1], round(weight / total, 9)) for member, weight in members]
    group: Group = {"layer": node[0], "number": node[1], "members": shares}
    if weighed:
        group["total"] = total / WHOLE
    if norm != "none" and node[0] == 1 and members:
        group["keep"] = 100 * graph.rules.get(node, 0) / WHOLE
        said = ((seat, graph.edge((0, seat), node).proposal) for seat in norms.members(graph, node))
        group["ballots"] = [(seat, ballot) for seat, ballot in said if ballot is not None]
        if norm == "delegation":
            group["trusted"] = norms.trusted(graph, node)
    return group


def _stakes(task: Task, stage: str, eyes: Eyes) -> Stakes:
    """What there is to agree on while nobody moves: how seats differ, which all of them are told at the start."""
    return {"bodies": _bodies(task)} if stage in SOCIAL_STAGES and isinstance(eyes, All | SeatEyes) else {}


def _bodies(task: Task) -> list[Body]:
    alike: dict[tuple[Any, ...], list[Seat]] = {}
    for seat, body in enumerate(zip(task.roles, task.values, task.capacities, strict=True)):
        alike.setdefault(body, []).append(seat)
    carried, worth = (
        [r for r in range(len(task.resources)) if len({each[r] for each in table}) > 1]
        for table in (task.capacities, task.values)
    )
    return [
        {
            "role": role,
            "seats": seats,
            "carries": [(task.resources[r], None if most[r] >= UNLIMITED else most[r]) for r in carried],
            "worth": [(task.resources[r], values[r] / MICRO) for r in worth],
        }
        for (role, values, most), seats in alike.items()
    ]


def _everything(task: Task, state: State) -> Seen:
    things = zip(state.land.terrain, state.land.stacks, strict=True)
    return {
        "cells": [
            _thing(task, cell, event, stack, task.resources, task.events)
            for cell, (event, stack) in enumerate(things)
            if event != -1 or stack
        ],
        "seen": None,
        "agents": [{"seat": seat, "cell": task.place(cell)} for seat, cell in enumerate(state.cells)],
        "bags": [_bag(task.resources, seat, bag) for seat, bag in enumerate(state.bags)],
        "returns": [(seat, amount / MICRO) for seat, amount in enumerate(state.returns)],
        "made": list(zip(task.events, state.made, strict=True)),
        "tree": _tree(full_kit(task, 0)),
    }


def _thing(task: Task, cell: Cell, event: int, stack: Stack, resources: Sequence[str], events: Sequence[str]) -> Thing:
    return {
        "cell": task.place(cell),
        "block": event == BLOCK,
        "event": events[event] if event >= 0 else None,
        "stack": [(resources[resource], units) for resource, units in stack],
    }


def _prowling(config: AdaSocietyConfig, state: State, eyes: Eyes) -> Sequence[Cell]:
    """Where those eyes see creatures."""
    match eyes:
        case All():
            return state.creatures
        case SeatEyes(seat):
            return observe(config, state, seat).creatures
        case _:
            return ()


def _bag(resources: tuple[str, ...], seat: Seat, bag: Bag) -> BagView:
    return {"seat": seat, "units": [(resources[r], units) for r, units in enumerate(bag) if units]}


def _through(config: AdaSocietyConfig, task: Task, state: State, seat: Seat) -> Seen:
    """One seat's own window and bag, and the windows it is shown."""
    observation = observe(config, state, seat)
    known = observation.kit
    events = [each.name if each is not None else "" for each in known.events]
    cells: dict[Cell, Thing] = {}
    seen: set[Cell] = set()
    people: dict[Seat, Cell] = {}
    for each in (*observation.shared, sight(task, state, seat)):
        for cell, (event, stack), person in zip(task.window_cells[each.cell], each.things, each.people, strict=True):
            seen.add(cell)
            if person >= 0:
                people[person] = cell
            if event != -1 or stack:
                cells[cell] = _richer(cells.get(cell), _thing(task, cell, event, stack, known.resources, events))
    return {
        "cells": [cells[cell] for cell in sorted(cells)],
        "seen": sorted(seen),
        "agents": [{"seat": person, "cell": task.place(people[person])} for person in sorted(people)],
        "bags": [_bag(known.resources, seat, state.bags[seat])],
        "returns": [(seat, state.returns[seat] / MICRO)],
        "tree": _tree(known),
    }


def _richer(before: Thing | None, now: Thing) -> Thing:
    """Two looks at one cell: whoever holds more tools may see more of it."""
    if before is None:
        return now
    more = now if len(now["stack"]) >= len(before["stack"]) else before
    return {**more, "event": now["event"] or before["event"]}


def _tree(known: Kit) -> TreeView:
    named: Iterable[tuple[int, str]] = ((r, name) for r, name in enumerate(known.resources) if name)
    return {
        "resources": [{"name": name, "value": known.values[r], "capacity": known.capacity[r]} for r, name in named],
        "events": [
            {"name": each.name, "inputs": each.inputs, "outputs": each.outputs, "requires": each.requires}
            for each in known.events
            if each is not None
        ],
    }
