"""The social state: a multi-layer directed graph with attributes on its edges.

Layer 0 holds the agents, layer 1 groups of agents, layer 2 groups of groups, and so on. An edge inside layer 0 carries
what its tail grants or says to its head; an edge to the next layer is a membership with a weight. An edge whose last
attribute is taken away is gone. Everybody knows the graph; only messages are for their head alone.
Source: AdaSociety paper, sections 2.1.2 and 3, appendix A.6.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

from games.catalog.adasociety.setup.structures import Structure
from games.core.game import Seat

K = TypeVar("K")
V = TypeVar("V")
Node: TypeAlias = tuple[int, int]
"""(layer, number within the layer)."""
WHOLE: Final = 1_000_000_000
"""Weights and shares on edges are whole parts of a billion."""


@dataclass(frozen=True, slots=True)
class Message:
    """What one agent says to another; seen for one observation."""

    text: str = ""
    vector: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One directed edge.

    ``shares_view``   tail shows its window to head
    ``reward_share``  part of tail's step reward that goes to head, in billionths; of a group to itself: what it lets
                      its members keep (`norms`)
    ``weight``        tail is a member of the group head, with this weight above 0
    ``parity``        tail bargains with head and is on turn on even (0) or odd (1) steps
    ``proposal``      the share in percent that tail wants of what it and head will have; of a member: its ballot
    ``message``       what tail says to head
    """

    tail: Node
    head: Node
    shares_view: bool = False
    reward_share: int = 0
    weight: int = 0
    parity: int | None = None
    proposal: int | None = None
    message: Message | None = None

    @property
    def is_bare(self) -> bool:
        has_none = (self.message, self.parity, self.proposal) == (None, None, None)
        return has_none and not (self.weight or self.reward_share or self.shares_view)


@dataclass(frozen=True)
class SocialGraph:
    """``sizes`` counts the nodes of each layer; ``edges`` are sorted by tail and head, one for each pair."""

    sizes: tuple[int, ...]
    edges: tuple[Edge, ...] = ()

    @cached_property
    def by_pair(self) -> Mapping[tuple[Node, Node], Edge]:
        return {(edge.tail, edge.head): edge for edge in self.edges}

    @cached_property
    def members(self) -> Mapping[Node, tuple[tuple[Node, int], ...]]:
        """Members and weights of each group that has any, in node order."""
        found = _gathered((edge.head, (edge.tail, edge.weight)) for edge in self.edges if edge.weight)
        return {group: found[group] for group in sorted(found)}

    @cached_property
    def payees(self) -> Mapping[Node, tuple[tuple[Node, int], ...]]:
        """`members`, without groups in which no agent is, however deep: what is paid to them would be lost."""
        peopled: dict[Node, tuple[tuple[Node, int], ...]] = {}
        for group, members in self.members.items():
            paid = tuple((node, weight) for node, weight in members if node[0] == 0 or node in peopled)
            if paid:
                peopled[group] = paid
        return peopled

    @cached_property
    def groups(self) -> Mapping[Node, tuple[Node, ...]]:
        """The groups of each node that is in any."""
        return _gathered((edge.tail, edge.head) for edge in self.edges if edge.weight)

    @cached_property
    def shown_to(self) -> Mapping[Seat, tuple[Seat, ...]]:
        """The seats whose windows a seat is shown, for every seat that is shown any."""
        return _gathered((edge.head[1], edge.tail[1]) for edge in self.edges if edge.shares_view)

    @cached_property
    def given(self) -> Mapping[Seat, tuple[tuple[Seat, int], ...]]:
        """To whom a seat passes which part of its reward, for every seat that passes any."""
        return _gathered(
            (edge.tail[1], (edge.head[1], edge.reward_share))
            for edge in self.edges
            if edge.reward_share and edge.tail[0] == 0
        )

    @cached_property
    def rules(self) -> Mapping[Node, int]:
        """The part of what they earn that a group's members keep, in billionths, for every group that lets them any."""
        return {edge.head: edge.reward_share for edge in self.edges if edge.tail == edge.head and edge.reward_share}

    @cached_property
    def partner(self) -> Mapping[Seat, Seat]:
        """Who bargains with whom, both ways."""
        return {edge.tail[1]: edge.head[1] for edge in self.edges if edge.parity is not None}

    @cached_property
    def inbox(self) -> Mapping[Seat, tuple[tuple[Seat, Message], ...]]:
        """The messages to each seat that has any, by sender."""
        return _gathered(
            (edge.head[1], (edge.tail[1], edge.message)) for edge in self.edges if edge.message is not None
        )

    @cached_property
    def public(self) -> SocialGraph:
        """The graph as everybody knows it, without messages."""
        draft = Draft(self)
        draft.silence()
        return draft.done()

    def edge(self, tail: Node, head: Node) -> Edge:
        """The edge between two nodes, bare where there is none."""
        return self.by_pair.get((tail, head), Edge(tail, head))

    def bond(self, tail: Seat, head: Seat) -> Edge:
        return self.edge((0, tail), (0, head))

    def put(self, *edges: Edge) -> SocialGraph:
        """With these edges in place of those between the same nodes; bare ones vanish."""
        table = dict(self.by_pair)
        for edge in edges:
            if edge.is_bare:
                table.pop((edge.tail, edge.head), None)
            else:
                table[edge.tail, edge.head] = edge
        made = SocialGraph(self.sizes, tuple(table[pair] for pair in sorted(table)))
        made.__dict__["by_pair"] = table
        return made

    def group_of(self, seat: Seat) -> Node | None:
        """The first group of a seat; in stages where agents join, the only one."""
        groups = self.groups.get((0, seat))
        return groups[0] if groups else None

    def are_together(self, seat: Seat, other: Seat) -> bool:
        """Whether both are in one group, by the first of each."""
        return self.group_of(seat) is not None and self.group_of(seat) == self.group_of(other)

    def size_of(self, seat: Seat) -> int:
        """How many share with a seat, itself among them."""
        group = self.group_of(seat)
        return 1 if group is None else len(self.members[group])

    def with_group(self) -> tuple[SocialGraph, Node]:
        """A group node of layer 1 without members: the first free one, or a new one."""
        taken = {group[1] for group in self.members if group[0] == 1}
        count = self.sizes[1] if len(self.sizes) > 1 else 0
        number = next((n for n in range(count) if n not in taken), count)
        sizes = (self.sizes[0], max(count, number + 1), *self.sizes[2:])
        return SocialGraph(sizes, self.edges), (1, number)


def _gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """The values of each key, in order."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}


class Draft:
    """Changes of a graph that are made together: what `SocialGraph.put` makes edge by edge, sorted once.

    ``graph`` is the one before. What a change rests on is asked of `edge`, which knows the changes so far.
    """

    def __init__(self, graph: SocialGraph) -> None:
        self.graph = graph
        self._edges: dict[tuple[Node, Node], Edge] = {}

    def edge(self, tail: Node, head: Node) -> Edge:
        return self._edges.get((tail, head)) or self.graph.edge(tail, head)

    def put(self, edge: Edge) -> None:
        self._edges[edge.tail, edge.head] = edge

    def join(self, seat: Seat, number: int) -> None:
        """The seat leaves the groups that it was in before and joins that one of layer 1, with the weight of one."""
        node, group = (0, seat), (1, number)
        for old in self.graph.groups.get(node, ()):
            self.put(replace(self.edge(node, old), weight=0, proposal=None))
        self.put(replace(self.edge(node, group), weight=WHOLE))

    def silence(self) -> None:
        """Take away all messages."""
        for edge in self.graph.edges:
            if edge.message is not None:
                self.put(replace(edge, message=None))

    def done(self) -> SocialGraph:
        """The graph with all changes; the one before where there are none."""
        return self.graph.put(*self._edges.values()) if self._edges else self.graph


def empty(seats: int, groups: int) -> SocialGraph:
    return SocialGraph((seats, groups) if groups else (seats,))


def of_structure(structure: Structure, seats: int, least_groups: int = 0) -> SocialGraph:
    """The graph that a structure describes, with at least so many group nodes of layer 1."""
    counts: dict[int, int] = {}
    edges: dict[tuple[Node, Node], Edge] = {}

    def merge(tail: Node, head: Node, **attributes: Any) -> None:
        edges[tail, head] = replace(edges.get((tail, head), Edge(tail, head)), **attributes)

    for tail, head in structure.sharing:
        merge((0, tail), (0, head), shares_view=True)
    for share in structure.reward_shares:
        merge((0, share.tail), (0, share.head), reward_share=round(share.share * WHOLE))
    for group in structure.groups:
        number = counts.get(group.layer, 0)
        counts[group.layer] = number + 1
        weights = group.weights or (1.0,) * len(group.members)
        for member, weight in zip(group.members, weights, strict=True):
            merge((group.layer - 1, member), (group.layer, number), weight=max(1, round(weight * WHOLE)))
    top = max(counts, default=0)
    sizes = [seats] + [max(counts.get(layer, 0), least_groups if layer == 1 else 0) for layer in range(1, top + 1)]
    if top == 0 and least_groups:
        sizes.append(least_groups)
    return SocialGraph(tuple(sizes), tuple(edges[pair] for pair in sorted(edges)))


def group_nodes(graph: SocialGraph) -> Iterable[Node]:
    """Every group node, empty ones too, by layer and number."""
    return [(layer, number) for layer in range(1, len(graph.sizes)) for number in range(graph.sizes[layer])]
