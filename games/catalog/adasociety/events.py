"""What a seat knows and what happened to it, in sentences of one language: things, recipes, sights, groups, offers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from games.catalog.adasociety.play.paths import distance, nearest, people, things
from games.catalog.adasociety.rules import negotiation, norms
from games.catalog.adasociety.rules.graph import WHOLE, Node, group_nodes
from games.catalog.adasociety.rules.knowledge import Kit
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.pressure import PACE, SCENT
from games.catalog.adasociety.rules.state import BLOCK
from games.catalog.adasociety.setup.synthesis import UNLIMITED
from games.catalog.adasociety.setup.torus import Cell
from games.core.game import Seat
from games.core.prompts import quoted

Units = Iterable[tuple[str, int]]


def place(kit: Kit, cell: Cell) -> str:
    row, column = divmod(cell, kit.width)
    return f"[{row}, {column}]"


@dataclass(frozen=True, slots=True)
class Teller:
    """Words one observation; ``words`` are the sentences by name."""

    seen: Observation
    words: Mapping[str, str]

    def names(self, seats: Iterable[Seat]) -> str:
        return ", ".join(self.seen.kit.names[seat] for seat in seats) or self.words["none"]

    def units(self, units: Units) -> str:
        words = self.words
        return ", ".join(words["bag_one"].format(units=count, name=name or words["unknown"]) for name, count in units)

    # --- what it has and knows --------------------------------------------------------------------

    def things(self) -> Iterator[str]:
        kit, words = self.seen.kit, self.words
        for number, name in enumerate(kit.resources):
            if name:
                most = kit.capacity[number]
                yield words["things_one"].format(
                    name=name,
                    value=f"{kit.values[number]:g}",
                    held=self.seen.bag[number],
                    capacity=words["any_number"] if most >= UNLIMITED else most,
                )
        if not any(kit.resources):
            yield words["things_none"]

    def recipes(self) -> Iterator[str]:
        for event in self.seen.kit.events:
            if event is not None:
                name = "recipe_requires" if event.requires else "recipe"
                yield self.words[name].format(
                    name=event.name,
                    inputs=self.units(event.inputs),
                    outputs=self.units(event.outputs),
                    requires=self.units(event.requires),
                )

    def bag(self) -> str:
        held = [(self.seen.kit.resources[number], count) for number, count in enumerate(self.seen.bag) if count]
        return self.units(held) or self.words["bag_empty"]

    def hints(self) -> Iterator[str]:
        """What keeps it from making what it knows how to make."""
        kit, bag, words = self.seen.kit, self.seen.bag, self.words
        for number, event in enumerate(kit.events):
            if event is None:
                continue
            short = [
                words["hint_short"].format(units=count - bag[kind], name=kit.resources[kind] or words["unknown"])
                for kind, count in kit.needs[number]
                if bag[kind] < count
            ]
            full = [
                words["hint_full"].format(name=kit.resources[kind] or words["unknown"])
                for kind, change in enumerate(kit.change[number])
                if change > 0 and bag[kind] + change > kit.capacity[kind]
            ]
            if short or full:
                yield words["hint_craft"].format(event=event.name, what="; ".join(short + full))

    # --- what it sees -----------------------------------------------------------------------------

    def here(self) -> str:
        kit, words = self.seen.kit, self.words
        event, stack = self.seen.here
        said = []
        if stack:
            said.append(words["here_pile"].format(piles=self.units((kit.resources[kind], n) for kind, n in stack)))
        if event >= 0:
            said.append(words["here_grid"].format(event=self._event(event)))
        return " ".join(said) or words["here_nothing"]

    def _event(self, number: int) -> str:
        known = self.seen.kit.events[number]
        return known.name if known is not None else self.words["unknown"]

    def sights(self) -> Iterator[str]:
        kit, words, cell = self.seen.kit, self.words, self.seen.cell
        around = things(self.seen)
        for number, name in enumerate(kit.resources):
            piles = {at: n for at, (_, stack) in around.items() for kind, n in stack if kind == number}
            near = nearest(kit, cell, piles)
            if near is not None:
                yield words["sight_pile"].format(
                    name=name,
                    place=place(kit, near),
                    far=distance(kit, cell, near),
                    units=piles[near],
                    total=sum(piles.values()),
                    piles=len(piles),
                )
        for number in range(len(kit.events)):
            grids = [at for at, (event, _) in around.items() if event == number]
            near = nearest(kit, cell, grids)
            if near is not None:
                far = distance(kit, cell, near)
                name = self._event(number)
                yield words["sight_grid"].format(name=name, place=place(kit, near), far=far, grids=len(grids))
        for seat, at in sorted((seat, at) for at, seat in people(self.seen).items()):
            far = distance(kit, cell, at)
            yield words["sight_person"].format(name=kit.names[seat], place=place(kit, at), far=far)
        for at in self.seen.creatures:
            yield words["sight_creature"].format(place=place(kit, at), far=distance(kit, cell, at))
        blocks = sorted(at for at, (event, _) in around.items() if event == BLOCK)
        if blocks:
            yield words["sight_blocks"].format(places=", ".join(place(kit, at) for at in blocks))

    def messages(self) -> Iterator[str]:
        if self.seen.messages:
            yield self.words["messages_title"]
        for by, message in self.seen.messages:
            numbers = ", ".join(f"{value:g}" for value in message.vector)
            line = self.words["message_numbers" if numbers else "message"]
            yield line.format(name=self.seen.kit.names[by], text=quoted(message.text), numbers=f"[{numbers}]")

    # --- the social state -------------------------------------------------------------------------

    def society(self) -> Iterator[str]:
        graph, kit, words = self.seen.graph, self.seen.kit, self.words
        for (layer, number), members in graph.members.items():
            total = sum(weight for _, weight in members)
            told = ", ".join(
                words["nested" if node[0] else "member"].format(
                    name="" if node[0] else kit.names[node[1]], number=node[1], weight=_percent(weight, total)
                )
                for node, weight in members
            )
            higher = words["layer"].format(layer=layer) if layer > 1 else ""
            yield words["group"].format(number=number, layer=f" {higher}".rstrip() if higher else "", members=told)
            if kit.norm != "none" and layer == 1:
                yield self._rule((layer, number))
        if not graph.members:
            yield words["society_none"]
        else:
            alone = [seat for seat in range(graph.sizes[0]) if graph.group_of(seat) is None]
            if alone:
                yield words["ungrouped"].format(names=self.names(alone))
        shows = [
            words["pair"].format(tail=kit.names[tail], head=kit.names[head])
            for head, tails in sorted(graph.shown_to.items())
            for tail in tails
        ]
        if shows:
            yield words["shows"].format(pairs="; ".join(shows))
        gives = [
            words["given"].format(tail=kit.names[tail], head=kit.names[head], share=_percent(part, WHOLE))
            for tail, parts in sorted(graph.given.items())
            for head, part in parts
        ]
        if gives:
            yield words["gives"].format(pairs="; ".join(gives))

    def _rule(self, group: Node) -> str:
        """What a group has decided, and what its members ask for or whom they trust."""
        graph, names, words = self.seen.graph, self.seen.kit.names, self.words
        said = [(seat, graph.edge((0, seat), group).proposal) for seat in norms.members(graph, group)]
        delegates = self.seen.kit.norm == "delegation"
        told = [
            words["trust_one"].format(name=names[seat], other=names[ballot])
            if delegates
            else words["ballot_one"].format(name=names[seat], keep=ballot)
            for seat, ballot in said
            if ballot is not None
        ]
        keep = _percent(graph.rules.get(group, 0), WHOLE)
        line = words["rule_stands"].format(number=group[1], keep=keep, ballots="; ".join(told) or words["none"])
        decides = words["rule_decides"].format(name=names[norms.trusted(graph, group)])
        return f"{line} {decides}" if delegates else line

    # --- what presses -----------------------------------------------------------------------------

    def pressure(self) -> Iterator[str]:
        """What must be eaten, what spoils and what creatures do, of what the seat has names for."""
        kit, words = self.seen.kit, self.words
        for resource, every, units, loss in kit.meals:
            name = kit.resources[resource] or words["unknown"]
            yield words["rule_need"].format(every=every, units=units, name=name, loss=f"{loss:g}")
        for resource, every in kit.decay:
            yield words["rule_decay"].format(every=every, name=kit.resources[resource] or words["unknown"])
        if kit.bite:
            yield words["rule_creatures"].format(loss=f"{kit.bite:g}", scent=SCENT, pace=PACE)

    def free_groups(self) -> list[int]:
        return [
            node[1] for node in group_nodes(self.seen.graph) if node[0] == 1 and node not in self.seen.graph.members
        ]

    def bargain(self) -> Iterator[str]:
        graph, seat, words = self.seen.graph, self.seen.seat, self.words
        partner = graph.partner.get(seat)
        if partner is None:
            able = [f"{other} {self.seen.kit.names[other]}" for other in negotiation.invitable(graph, seat)]
            yield words["bargain_free"].format(names=", ".join(able) or words["none"])
            return
        name = self.seen.kit.names[partner]
        yield words["bargain_with"].format(name=name)
        ours, theirs = graph.bond(seat, partner).proposal, graph.bond(partner, seat).proposal
        if ours is not None:
            yield words["bargain_yours"].format(share=ours)
        if theirs is not None:
            yield words["bargain_theirs"].format(name=name, share=theirs, rest=100 - theirs)
        if ours is None and theirs is None:
            yield words["bargain_open"]

    def offers(self) -> str:
        """The bargains of others, with what is on the table."""
        graph, names, words = self.seen.graph, self.seen.kit.names, self.words
        told = []
        for one, other in sorted(graph.partner.items()):
            if self.seen.seat in (one, other):
                continue
            share = graph.bond(one, other).proposal
            if share is not None:
                told.append(words["offer_share"].format(tail=names[one], head=names[other], share=share))
            elif one < other and graph.bond(other, one).proposal is None:
                told.append(words["offer"].format(tail=names[one], head=names[other]))
        return words["offers"].format(pairs="; ".join(told)) if told else ""


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}".removesuffix(".0")
