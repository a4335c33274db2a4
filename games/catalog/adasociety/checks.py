"""What is wrong with a configuration across its fields: one line each, with path, value, bound and remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from games.catalog.adasociety import structures, synthesis
from games.catalog.adasociety.settings import Cells, Settings


def faults(config: Settings) -> list[str]:
    """Every fault found, the most basic first. Later checks may rely on earlier ones having found nothing."""
    for check in (_tree, _cycle, _agents, _places, _window, _stages, _social):
        found = list(check(config))
        if found:
            return found
    return []


def _tree(config: Settings) -> Iterator[str]:
    """Names that nothing defines."""
    for index, name in enumerate(config.resources):
        if name not in synthesis.RESOURCES:
            known = ", ".join(synthesis.RESOURCES)
            yield f"resources.{index}: {name} is no built-in resource; one of {known}, or define it in new_resources"
        if config.resources.index(name) != index:
            yield f"resources.{index}: {name} stands twice; name each once"
    for name in config.new_resources:
        if name in synthesis.RESOURCES:
            yield f"new_resources.{name}: is built in; give it another name, or list it in resources"
    for name in config.new_events:
        if name in synthesis.EVENTS:
            yield f"new_events.{name}: is built in; give it another name"
    known_resources = config.resource_kinds
    known_events = {**synthesis.EVENTS, **config.new_events}
    for name, kind in known_resources.items():
        yield from _unknown(f"new_resources.{name}.requires", kind.requires, known_resources)
    for index, grids in enumerate(config.events):
        if grids.event not in known_events:
            yield f"events.{index}.event: {grids.event} is unknown; one of {', '.join(known_events)}"
            continue
    if any(grids.event not in known_events for grids in config.events):
        return
    for name, event in config.event_kinds.items():
        path = f"new_events.{name}" if name in config.new_events else f"events.{name}"
        for part, units in (("inputs", event.inputs), ("outputs", event.outputs), ("requires", event.requires)):
            yield from _unknown(f"{path}.{part}", units, known_resources)
    placed = {grids.event for grids in config.events}
    for name in config.new_events:
        if name not in placed:
            yield f"new_events.{name}: no event grid is of this kind; place one in events, or leave it out"
    for index, piles in enumerate(config.piles):
        if piles.resource not in known_resources:
            yield f"piles.{index}.resource: {piles.resource} is not in play; add it to resources or new_resources"
    for role, spec in config.roles.items():
        for part in ("preferences", "capacity", "inventory"):
            yield from _unknown(f"roles.{role}.{part}", getattr(spec, part), known_resources)


def _unknown(path: str, units: Mapping[str, object], known: Mapping[str, object]) -> Iterator[str]:
    for name in units:
        if name not in known:
            yield f"{path}: {name} is not in play; add it to resources or new_resources, or leave it out"


def _cycle(config: Settings) -> Iterator[str]:
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
            yield f"events: {' needs '.join(loop)}: a cycle; break it by taking one need away"
            return


def _agents(config: Settings) -> Iterator[str]:
    for index, crew in enumerate(config.agents):
        if crew.role not in config.roles:
            yield f"agents.{index}.role: {crew.role} is no role; one of {', '.join(config.roles)}"
        if crew.cells and len(crew.cells) != crew.count:
            yield f"agents.{index}.cells: {len(crew.cells)} cells for {crew.count} agents; one for each, or none"
    seated = {crew.role for crew in config.agents}
    for role, spec in config.roles.items():
        if role not in seated:
            yield f"roles.{role}: no agent has this role; seat one in agents, or leave it out"
        for name, units in spec.inventory.items():
            most = spec.capacity.get(name, synthesis.UNLIMITED)
            if units > most:
                yield f"roles.{role}.inventory.{name}: {units}; at most {most} (its capacity)"
    if config.seat_count > 1000:
        yield f"agents: {config.seat_count} in all; at most 1000"


def _places(config: Settings) -> Iterator[str]:
    """Objects that do not fit the map: placed outside, on a block, on one another, or too many."""
    cells = config.height * config.width
    piles = [(f"piles.{i}", each.cells) for i, each in enumerate(config.piles)]
    events = [(f"events.{i}", each.cells) for i, each in enumerate(config.events)]
    agents = [(f"agents.{i}", each.cells) for i, each in enumerate(config.agents)]
    layers: list[tuple[str, list[tuple[str, Cells]], int]] = [
        ("piles", piles, sum(each.count for each in config.piles)),
        ("events", events, sum(each.count for each in config.events)),
        ("agents", agents, sum(each.count for each in config.agents if not each.cells)),
    ]
    every = [("block_cells", config.block_cells), *chain.from_iterable(parts for _, parts, _ in layers)]
    for path, placed in every:
        for row, column in placed:
            if row >= config.height or column >= config.width:
                yield (
                    f"{path}: ({row},{column}) lies off the map; rows 0 to {config.height - 1}, "
                    f"columns 0 to {config.width - 1}"
                )
    blocks = set(config.block_cells)
    blank = cells - len(blocks) - config.blocks
    if blank < 1:
        yield f"blocks: {config.blocks + len(blocks)} on {cells} cells; at most {cells - 1}, so that something is free"
    for layer, parts, count in layers:
        seen: set[tuple[int, int]] = set()
        for path, placed in parts:
            for place in placed:
                if place in blocks:
                    yield f"{path}: ({place[0]},{place[1]}) is a block; move one of the two"
                if place in seen:
                    yield f"{path}: ({place[0]},{place[1]}) is taken twice among {layer}; one to a cell"
                seen.add(place)
        if len(seen) + count > blank:
            yield f"{layer}: {len(seen) + count} on {blank} blank cells; fewer {layer}, or a larger map"


def _window(config: Settings) -> Iterator[str]:
    most = (min(config.height, config.width) - 1) // 2
    if config.sight > most:
        yield (
            f"sight: {config.sight} on a map of {config.height}x{config.width}; at most {most}, "
            "or the window would overlap itself"
        )


def _stages(config: Settings) -> Iterator[str]:
    """Settings of a stage that the mini-game does not have."""
    fields = type(config).model_fields
    owners = {
        "contract_rounds": ("contract",),
        "negotiation_steps": ("negotiation",),
        "groups": ("contract", "exploration"),
        "message_chars": ("exploration",),
        "message_numbers": ("exploration",),
        "schedule": ("social_structure", "exploration"),
    }
    for name, games in owners.items():
        value = getattr(config, name)
        if config.mini_game not in games and value != fields[name].default:
            yield (
                f"{name}: set to {_short(value)}, but {config.mini_game} does not use it; "
                f"leave it out, or set mini_game to {' or '.join(games)}"
            )
    if config.social_control != "forced" and config.forced_probability != fields["forced_probability"].default:
        yield (
            f"forced_probability: {config.forced_probability:g} without effect; set social_control to forced, "
            "or leave it out"
        )
    if config.social_control != "free" and config.schedule:
        yield f"social_control: {config.social_control} beside a schedule; choose one of the two"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _social(config: Settings) -> Iterator[str]:
    before = -1
    for index, milestone in enumerate(config.schedule):
        path = f"schedule.{index}"
        if milestone.at <= before:
            yield f"{path}.at: {milestone.at} after {before}; later than the one before"
        before = milestone.at
        if milestone.at >= config.horizon:
            yield f"{path}.at: {milestone.at}; below {config.horizon}, the length of the run"
        if config.mini_game == "exploration" and milestone.at > 0:
            yield f"{path}.at: {milestone.at}; only 0 in exploration, where agents change the structure themselves"
        if isinstance(milestone.structure, str):
            if config.seat_count not in structures.NAMED:
                yield (
                    f"{path}.structure: {milestone.structure} is defined for "
                    f"{' and '.join(str(n) for n in structures.NAMED)} agents, "
                    f"here are {config.seat_count}; write it out"
                )
        else:
            for fault in structures.faults(milestone.structure, config.seat_count):
                yield f"{path}.structure.{fault}"
