"""What the page is given: the view, and the data of the events that the board reads. The board has its types of it.

Records of the state are shown as `games.catalog.nations.money.facts` gives them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypeAlias, get_type_hints

from typing_extensions import TypedDict

from games.catalog.nations.money import money_of
from games.catalog.nations.settings import GoalKind
from games.catalog.nations.state import Account, Battle, Ceded, Payment, Promise, Vow
from games.core.game import Number, Seat

if TYPE_CHECKING:
    AttackView: TypeAlias = Mapping[str, Any]
    GrantView: TypeAlias = Mapping[str, Any]
    BudgetView: TypeAlias = Mapping[str, Any]
    VowView: TypeAlias = Mapping[str, Any]
    CessionView: TypeAlias = Mapping[str, Any]
    PromiseData: TypeAlias = Mapping[str, Any]
else:

    def _shown(name: str, record: type, **more: Any) -> Any:
        """A record as `facts` shows it, but for what is given otherwise."""
        money = money_of(record) if is_dataclass(record) else ()
        kinds = {field: float if kind == Number else kind for field, kind in get_type_hints(record).items()}
        return TypedDict(name, kinds | dict.fromkeys(money, float) | more)

    AttackView = _shown("AttackView", Battle)
    GrantView = _shown("GrantView", Payment, wanted=float | None)
    BudgetView = _shown("BudgetView", Account, welfare=float)
    VowView = _shown("VowView", Vow)
    CessionView = _shown("CessionView", Ceded)
    PromiseData = _shown("PromiseData", Promise)


class RulesView(TypedDict):
    """``resources``: what a territory needs of each; None without the option."""

    income: float
    price: float
    upkeep: float
    damage: float
    defence: float
    penalty: float
    trade: float
    per_attack: bool
    in_proportion: bool
    paid_at_end: bool
    messages: int
    message_length: int
    resources: Sequence[int] | None


class GoalView(TypedDict):
    """What a bad actor wants, and how far it is."""

    kind: GoalKind
    rival: Seat | None
    heritage: Sequence[int]
    creed: str | None
    text: str
    score: float


class NationView(TypedDict):
    """None is what those eyes may not know, or what there is not; ``budget`` is the nation's last turn."""

    army: int | None
    welfare: float | None
    banked: float | None
    held: Sequence[int] | None
    goal: GoalView | None
    budget: BudgetView | None


class NationsView(TypedDict):
    """The world after the last turn. Territories go by their place in ``owners``, from 1, money with its decimals.

    ``first``: the owners at the round's start. ``peak``: the most welfare that the world could make in a turn. A grant
    whose ``wanted`` is None is known by what came alone.
    """

    stage: str
    round: int
    rounds: int | None
    turn: int
    turns: int | None
    owners: Sequence[Seat]
    first: Sequence[Seat]
    rules: RulesView
    peak: float
    seats: Sequence[NationView]
    attacks: Sequence[AttackView]
    grants: Sequence[GrantView]
    cessions: Sequence[CessionView]
    promises: Sequence[VowView]


class MessageData(TypedDict):
    by: Seat
    text: str
    to: NotRequired[Sequence[Seat]]
    promise: NotRequired[PromiseData]


EVENTS: Final[Mapping[str, Any]] = {"message_sent": MessageData, "message_announced": MessageData}
