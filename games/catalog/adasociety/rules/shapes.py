"""What the page is given: the view, and the data of the events that the board reads. The board has its types of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NotRequired, TypeAlias

from typing_extensions import TypedDict

from games.core.game import Seat

Place: TypeAlias = tuple[int, int]
"""Row and column."""
Amounts: TypeAlias = Sequence[tuple[str, int]]
"""Units by the name of a thing, "" where these eyes do not know it."""


class Thing(TypedDict):
    """What is on a cell, as far as these eyes know it: a block, the event that can be done, the piles."""

    cell: Place
    block: bool
    event: str | None
    stack: Amounts


class AgentView(TypedDict):
    seat: Seat
    cell: Place


class BagView(TypedDict):
    seat: Seat
    units: Amounts


class Group(TypedDict):
    """``members`` are nodes of the layer below with their shares of the pot; ``total`` sums the weights, where agents
    set them: who joins comes in with 1. Where groups have a norm, ``keep`` is the part in percent that it lets them
    keep of what they earn, ``ballots`` what members ask for or whom they trust, ``trusted`` who decides by delegation.
    """

    layer: int
    number: int
    members: Sequence[tuple[int, float]]
    total: NotRequired[float]
    keep: NotRequired[float]
    ballots: NotRequired[Sequence[tuple[Seat, int]]]
    trusted: NotRequired[Seat]


Link = TypedDict(
    "Link",
    {"from": Seat, "to": Seat, "shows_map": bool, "reward": float, "parity": int | None, "proposal": int | None},
)
"""``reward``: the part of its own that ``from`` passes on. ``parity``: 0 or 1 where the two bargain."""
MessageView = TypedDict("MessageView", {"from": Seat, "to": Seat, "text": str, "vector": Sequence[float]})


class GraphView(TypedDict):
    groups: Sequence[Group]
    edges: Sequence[Link]
    messages: Sequence[MessageView]


class ResourceView(TypedDict):
    name: str
    value: float
    capacity: int


class Recipe(TypedDict):
    """``requires`` must be held and is not used up."""

    name: str
    inputs: Amounts
    outputs: Amounts
    requires: Amounts


class TreeView(TypedDict):
    resources: Sequence[ResourceView]
    events: Sequence[Recipe]


class Body(TypedDict):
    """Seats that are alike, by what not all seats have alike: the most that they carry (None: any number), worths."""

    role: str
    seats: Sequence[Seat]
    carries: Sequence[tuple[str, int | None]]
    worth: Sequence[tuple[str, float]]


class Seen(TypedDict):
    """What hangs on the eyes. ``seen`` are the cells that they see, numbered row by row; None: all. ``returns`` and
    ``made`` stand where they know them.
    """

    cells: Sequence[Thing]
    seen: NotRequired[Sequence[int] | None]
    agents: Sequence[AgentView]
    bags: Sequence[BagView]
    returns: NotRequired[Sequence[tuple[Seat, float]]]
    made: NotRequired[Amounts]
    creatures: NotRequired[Sequence[Place]]
    tree: TreeView


class Stakes(TypedDict):
    bodies: NotRequired[Sequence[Body]]


class SocietyView(Stakes, Seen):
    """A step, as far as some eyes know it. ``seen`` are the cells that they see, numbered row by row; None: all.
    ``bodies`` stand there while nobody moves.
    """

    step: int
    horizon: int
    social_steps: int
    height: int
    width: int
    sight: int
    stage: str
    mini_game: str
    order: Sequence[Seat]
    graph: GraphView


Bargain = TypedDict("Bargain", {"seat": Seat, "with": Seat})
Merger = TypedDict(
    "Merger", {"seat": Seat, "with": Seat, "share": int, "group": int, "weights": Sequence[tuple[Seat, int]]}
)


class Change(TypedDict):
    name: str


class Making(TypedDict):
    seat: Seat
    event: str
    made: Sequence[str]
    cell: Place


class Lapse(TypedDict):
    seats: tuple[Seat, Seat]


class Offer(TypedDict):
    seat: Seat
    to: Seat
    share: int


class Sending(TypedDict):
    by: Seat
    to: tuple[Seat]
    text: str
    vector: Sequence[float]


class Joining(TypedDict):
    seat: Seat
    group: int
    left: int | None


class Weighing(TypedDict):
    seat: Seat
    group: int
    weight: int


class Ruling(TypedDict):
    group: int
    keep: int
    norm: str


class Picking(TypedDict):
    seat: Seat
    resource: str
    cell: Place


EVENTS: Final[dict[str, Any]] = {
    "structure_changed": Change,
    "groups_merged": Merger,
    "synthesized": Making,
    "bargain_ended": Bargain,
    "bargain_lapsed": Lapse,
    "share_proposed": Offer,
    "message_sent": Sending,
    "group_joined": Joining,
    "reward_passed": Offer,
    "weight_set": Weighing,
    "rule_set": Ruling,
    "resource_picked": Picking,
}
