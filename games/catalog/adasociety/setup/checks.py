"""What is wrong with a configuration across its fields: one line each, with path, value, bound and remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from games.catalog.adasociety.setup import structures, synthesis
from games.catalog.adasociety.setup.settings import Cells, Role, Settings
from games.core.answers import Note, shortened


def faults(config: Settings) -> list[Note]:
    """Every fault found, the most basic first. Later checks may rely on earlier ones having found nothing."""
    for check in (_tree, _cycle, _agents, _places, _stages, _social, _survival):
        found = list(check(config))
        if found:
            return found
    return []


def _told(kind: str, path: str, **data: Any) -> Note:
    return structures.WORDS.fault(kind, path=path, **data)


def _tree(config: Settings) -> Iterator[Note]:
    """Names that nothing defines."""
    for index, name in enumerate(config.resources):
        if name not in synthesis.RESOURCES:
            yield _told("resource_not_built_in", f"resources.{index}", name=name, known=list(synthesis.RESOURCES))
        if config.resources.index(name) != index:
            yield _told("resource_twice", f"resources.{index}", name=name)
    for name in config.new_resources:
        if name in synthesis.RESOURCES:
            yield _told("resource_built_in", f"new_resources.{name}")
    for name in config.new_events:
        if name in synthesis.EVENTS:
            yield _told("event_built_in", f"new_events.{name}")
    known_resources = config.resource_kinds
    known_events = {**synthesis.EVENTS, **config.new_events}
    for name, kind in known_resources.items():
        yield from _unknown(f"new_resources.{name}.requires", kind.requires, known_resources)
    strange = [index for index, grids in enumerate(config.events) if grids.event not in known_events]
    for index in strange:
        yield _told("event_unknown", f"events.{index}.event", name=config.events[index].event, known=list(known_events))
    if strange:
        return
    for name, event in config.event_kinds.items():
        own = f"new_events.{name}" if name in config.new_events else ""
        stands = next(f"events.{index}.event" for index, each in enumerate(config.events) if each.event == name)
        for part, units in (("inputs", event.inputs), ("outputs", event.outputs), ("requires", event.requires)):
            for missing in (one for one in units if one not in known_resources):
                yield _told("not_in_play", f"{own}.{part}.{missing}" if own else stands, name=missing)
    placed = {grids.event for grids in config.events}
    for name in config.new_events:
        if name not in placed:
            yield _told("event_unplaced", f"new_events.{name}")
    for index, piles in enumerate(config.piles):
        if piles.resource not in known_resources:
            yield _told("pile_not_in_play", f"piles.{index}.resource", name=piles.resource)
    roles = ((f"roles.{role}", spec) for role, spec in config.roles.items())
    crews = ((f"agents.{index}", crew) for index, crew in enumerate(config.agents))
    for path, body in chain(roles, crews):
        for part in ("preferences", "capacity", "inventory"):
            yield from _unknown(f"{path}.{part}", getattr(body, part), known_resources)


def _unknown(path: str, units: Mapping[str, object], known: Mapping[str, object]) -> Iterator[Note]:
    for name in units:
        if name not in known:
            yield _told("not_in_play", f"{path}.{name}", name=name)


def _cycle(config: Settings) -> Iterator[Note]:
    """Something that can only be had by having it: follow what each resource is made from and needs."""
    needs: dict[str, set[str]] = {name: set(kind.requires) for name, kind in config.resource_kinds.items()}
    for event in config.event_kinds.values():
        for output in event.outputs:
            needs[output] |= {*event.inputs, *event.requires}
    done: set[str] = set()

    def follow(name: str, trail: tuple[str, ...]) -> tuple[str, ...] | None:
        if name in trail:
            return (*trail[trail.index(name) :], name)
        if name in done:
            return None
        for needed in sorted(needs[name]):
            loop = follow(needed, (*trail, name))
            if loop is not None:
                return loop
        done.add(name)
        return None

    for name in needs:
        loop = follow(name, ())
        if loop is not None:
            yield _told("needs_itself", "events", loop=" → ".join(loop))
            return


def _agents(config: Settings) -> Iterator[Note]:
    for index, crew in enumerate(config.agents):
        if crew.role not in config.roles:
            yield _told("no_role", f"agents.{index}.role", role=crew.role, known=list(config.roles))
        if crew.cells and len(crew.cells) != crew.count:
            yield _told("cells_for_agents", f"agents.{index}.cells", cells=len(crew.cells), agents=crew.count)
    seated = {crew.role for crew in config.agents}
    for role, spec in config.roles.items():
        if role not in seated:
            yield _told("role_unseated", f"roles.{role}")
        yield from _overfull(f"roles.{role}", spec)
    for index, crew in enumerate(config.agents):
        if crew.role in config.roles and (crew.inventory or crew.capacity):
            yield from _overfull(f"agents.{index}", config.of_crew(crew))
    if config.seat_count > 1000:
        yield _told("too_many_agents", "agents", count=config.seat_count)


def _overfull(path: str, body: Role) -> Iterator[Note]:
    for name, units in body.inventory.items():
        most = body.capacity.get(name, synthesis.UNLIMITED)
        if units > most:
            yield _told("over_capacity", f"{path}.inventory.{name}", units=units, most=most)


def _places(config: Settings) -> Iterator[Note]:
    """Objects that do not fit the map: placed outside, on a block, on one another, or too many; a window that does not.

    Piles of several resources may share a cell.
    """
    cells = config.height * config.width
    layers: list[tuple[str, list[tuple[str, str, Cells]], int]] = []
    for layer in ("piles", "events", "agents"):
        given = getattr(config, layer)
        parts = [(f"{layer}.{i}", getattr(each, "resource", ""), each.cells) for i, each in enumerate(given)]
        layers.append((layer, parts, sum(each.count for each in given if layer != "agents" or not each.cells)))
    every = [("block_cells", "", config.block_cells), *chain.from_iterable(parts for _, parts, _ in layers)]
    for path, _, placed in every:
        for row, column in placed:
            if row >= config.height or column >= config.width:
                last = {"last_row": config.height - 1, "last_column": config.width - 1}
                yield _told("off_the_map", path, cell=[row, column], **last)
    blocks = set(config.block_cells)
    blank = cells - len(blocks) - config.blocks
    if blank < 1:
        yield _told("too_many_blocks", "blocks", blocks=config.blocks + len(blocks), cells=cells, most=cells - 1)
    for layer, parts, count in layers:
        seen: set[tuple[str, tuple[int, int]]] = set()
        for path, kind, placed in parts:
            for place in placed:
                if place in blocks:
                    yield _told("on_a_block", path, cell=list(place))
                if (kind, place) in seen:
                    yield _told("cell_twice", path, cell=list(place), layer=layer)
                seen.add((kind, place))
        taken = len({place for _, place in seen}) + count
        if taken > blank:
            yield _told("too_many_placed", layer, count=taken, blank=blank, layer=layer)
    most = (min(config.height, config.width) - 1) // 2
    if config.sight > most:
        yield _told("sight_too_far", "sight", sight=config.sight, most=most, height=config.height, width=config.width)


def _stages(config: Settings) -> Iterator[Note]:
    """Settings of a stage that the mini-game does not have."""
    fields = type(config).model_fields
    owners = {
        "contract_rounds": ("contract",),
        "negotiation_steps": ("negotiation",),
        "groups": ("contract", "exploration"),
        "social_actions": ("exploration",),
        "group_norm": ("exploration",),
        "message_chars": ("exploration",),
        "message_numbers": ("exploration",),
        "schedule": ("social_structure", "exploration"),
    }
    for name, games in owners.items():
        value = getattr(config, name)
        if config.mini_game not in games and value != fields[name].default:
            yield _told(
                "not_used_here",
                name,
                value=shortened(str(value if name != "social_actions" else ", ".join(value)), 40),
                game=config.mini_game,
                games=list(games),
            )
    if config.social_control != "forced" and config.forced_probability != fields["forced_probability"].default:
        yield _told("without_effect", "forced_probability", value=config.forced_probability)
    if config.social_control != "free":
        if config.schedule:
            yield _told("control_beside_schedule", "social_control", control=config.social_control)
        for name, stands in (("social_actions", config.social_actions), ("group_norm", config.group_norm != "none")):
            if stands:
                yield _told("control_beside_actions", name, control=config.social_control)
    for index, act in enumerate(config.social_actions):
        if config.social_actions.index(act) != index:
            yield _told("action_twice", f"social_actions.{index}", name=act)


def _social(config: Settings) -> Iterator[Note]:
    before = -1
    for index, milestone in enumerate(config.schedule):
        path = f"schedule.{index}"
        if milestone.at <= before:
            yield _told("not_later", f"{path}.at", at=milestone.at, before=before)
        before = milestone.at
        if milestone.at >= config.horizon:
            yield _told("after_the_end", f"{path}.at", at=milestone.at, horizon=config.horizon)
        if config.mini_game == "exploration" and milestone.at > 0:
            yield _told("only_at_start", f"{path}.at", at=milestone.at)
        if isinstance(milestone.structure, str):
            if config.seat_count not in structures.NAMED:
                sizes = {"seats": config.seat_count, "sizes": list(structures.NAMED)}
                yield _told("structure_for_others", f"{path}.structure", name=milestone.structure, **sizes)
        else:
            yield from structures.faults(milestone.structure, config.seat_count, f"{path}.structure")


def _survival(config: Settings) -> Iterator[Note]:
    known = config.resource_kinds
    eaten = [need.resource for need in config.needs]
    for index, name in enumerate(eaten):
        yield from _unknown(f"needs.{index}.resource", {name: 1}, known)
        if eaten.index(name) != index:
            yield _told("resource_twice", f"needs.{index}.resource", name=name)
    yield from _unknown("decay", config.decay, known)
    blank = config.height * config.width - len(config.block_cells) - config.blocks
    if config.creatures > blank:
        yield _told("too_many_placed", "creatures", count=config.creatures, blank=blank, layer="creatures")
    if not config.creatures and config.bite != type(config).model_fields["bite"].default:
        yield _told("bites_nobody", "bite", value=config.bite)
