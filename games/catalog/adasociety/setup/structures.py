"""The social structures that a schedule may name, as pairs and groups over the seats.

Five named ones for eight seats (carpenters 0-3, miners 4-7) and for four (carpenters 0-1, miners 2-3).
Source: AdaSociety paper, appendix C.1; who is linked to whom comes from the authors' configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from games.core.answers import Note
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent.parent / "words")
StructureName = Literal["isolation", "connection", "independent", "overlapping", "inequality"]
Index = Annotated[int, Field(ge=0, le=4095)]
Weight = Annotated[float, Field(gt=0, le=1_000_000)]


class Group(Settings):
    """A group node. Members of layer 1 are seats, of layer 2 groups of layer 1 by their number there, and so on."""

    layer: int = setting(1, 1, 8)
    members: tuple[Index, ...] = setting(())
    weights: tuple[Weight, ...] | None = setting(None)


class RewardShare(Settings):
    """An edge from one seat to another that passes a part of each step's reward on."""

    tail: Index = setting()
    head: Index = setting()
    share: float = setting(most=1, gt=0)


class Structure(Settings):
    """A whole social state: who shows the map to whom, who is grouped with whom, who passes reward on."""

    sharing: tuple[tuple[Index, Index], ...] = setting(())
    groups: tuple[Group, ...] = setting(())
    reward_shares: tuple[RewardShare, ...] = setting(())


Pairs = tuple[tuple[int, int], ...]


def _both_ways(*sets: tuple[int, ...]) -> Pairs:
    """Every ordered pair inside each of the sets, once, sorted."""
    return tuple(sorted({pair for members in sets for pair in permutations(members, 2)}))


def _grouped(*members: tuple[int, ...]) -> tuple[Group, ...]:
    return tuple(Group(members=each) for each in members)


def _four_blocks(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...], d: tuple[int, ...]) -> Pairs:
    """Complete inside each block and between A-B, A-C, B-D and C-D."""
    return _both_ways(a + b, a + c, b + d, c + d)


_LINKS8: Final = _four_blocks((0, 1), (2, 3), (4, 5), (6, 7))
_LINKS4: Final = _four_blocks((0,), (1,), (2,), (3,))

NAMED: Final[dict[int, dict[str, Structure]]] = {
    8: {
        "isolation": Structure(),
        "connection": Structure(sharing=_LINKS8),
        "independent": Structure(sharing=_both_ways(tuple(range(8))), groups=_grouped((2, 3, 6, 7), (0, 1, 4, 5))),
        "overlapping": Structure(
            sharing=_LINKS8, groups=_grouped((0, 1, 4, 5), (2, 3, 6, 7), (0, 1, 2, 3), (4, 5, 6, 7))
        ),
        "inequality": Structure(
            sharing=_both_ways((0, 1, 4, 5), (2, 3, 6, 7)),
            groups=(
                Group(members=(0, 1, 4, 5), weights=(0.85, 0.05, 0.05, 0.05)),
                Group(members=(2, 3, 6, 7), weights=(0.05, 0.05, 0.85, 0.05)),
            ),
        ),
    },
    4: {
        "isolation": Structure(),
        "connection": Structure(sharing=_LINKS4),
        "independent": Structure(sharing=_both_ways((0, 1, 2, 3)), groups=_grouped((0, 2), (1, 3))),
        "overlapping": Structure(sharing=_LINKS4, groups=_grouped((0, 2), (1, 3), (0, 1), (2, 3))),
        "inequality": Structure(
            sharing=_both_ways((0, 2), (1, 3)),
            groups=(Group(members=(0, 2), weights=(0.85, 0.15)), Group(members=(1, 3), weights=(0.15, 0.85))),
        ),
    },
}
"""By the number of seats. Overlapping for four seats: the first pair of each kind, then the two crafts."""


class Milestone(Settings):
    """From the end of step ``at`` on, the social state is this structure; 0 is the start."""

    at: int = setting(least=0, most=100_000)
    structure: StructureName | Structure = setting()


def faults(structure: Structure, seats: int, path: str) -> list[Note]:
    """What is wrong with a structure over so many seats, each as ``path: value; bound; remedy``."""
    found: list[Note] = []

    def told(kind: str, place: str, **data: Any) -> None:
        found.append(WORDS.fault(kind, path=f"{path}.{place}", **data))

    for index, (tail, head) in enumerate(structure.sharing):
        if tail >= seats or head >= seats or tail == head:
            told("two_seats", f"sharing.{index}", tail=tail, head=head, last=seats - 1)
    sizes = [seats] + [sum(group.layer == layer for group in structure.groups) for layer in range(1, 9)]
    for index, group in enumerate(structure.groups):
        found.extend(_group_faults(group, sizes[group.layer - 1], f"{path}.groups.{index}"))
    given: dict[int, float] = {}
    pairs: set[tuple[int, int]] = set()
    for index, edge in enumerate(structure.reward_shares):
        if edge.tail >= seats or edge.head >= seats or edge.tail == edge.head:
            told("two_seats", f"reward_shares.{index}", tail=edge.tail, head=edge.head, last=seats - 1)
        if (edge.tail, edge.head) in pairs:
            told("share_twice", f"reward_shares.{index}", tail=edge.tail, head=edge.head)
        pairs.add((edge.tail, edge.head))
        given[edge.tail] = given.get(edge.tail, 0.0) + edge.share
    for tail, total in sorted(given.items()):
        if total > 1 + 1e-9:
            told("gives_too_much", "reward_shares", tail=tail, total=total)
    return found


def _group_faults(group: Group, below: int, path: str) -> Iterator[Note]:
    members, weights, layer = f"{path}.members", f"{path}.weights", group.layer - 1
    for member in group.members:
        if member >= below:
            yield WORDS.fault("no_node", path=members, member=member, layer=layer, last=below - 1)
    if len(set(group.members)) < len(group.members):
        yield WORDS.fault("member_twice", path=members)
    if group.weights is not None and len(group.weights) != len(group.members):
        yield WORDS.fault("weights_count", path=weights, weights=len(group.weights), members=len(group.members))
