"""The sizes of one configuration's arrays, and the numbers of its actions, for learners.

Actions are numbered as in the authors' code: 0 up, 1 down, 2 left, 3 right, 4 stay, 5 synthesize, then a pick and then
a dump of each resource in table order; contract adds a join of each group; negotiation a request to each seat, accept,
end and the nine shares; exploration a message to each seat, showing the map to each seat and a join of each group, and
then what a configuration opens: to leave, to pass 0, 25, 50, 75 or 100 percent on to each seat, to weigh 25, 50, 75 or
100 percent in each group.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from games.catalog.adasociety.rules.exploration import SHARES_PASSED, WEIGHTS_LISTED
from games.catalog.adasociety.rules.state import (
    ACCEPT,
    END,
    LEAVE,
    MOVES,
    SHARES,
    SYNTHESIZE,
    Action,
    Dump,
    Invite,
    Join,
    PassOn,
    Pick,
    Propose,
    Send,
    ShowMap,
    Weigh,
)  # fmt: skip
from games.catalog.adasociety.rules.world import groups_in_schedule
from games.catalog.adasociety.setup.config import AdaSocietyConfig, structure_at
from games.catalog.adasociety.setup.structures import WORDS
from games.catalog.adasociety.setup.task import task_of
from games.core.answers import ConfigError

SHOWN: Final = ("social_structure", "exploration")
"""Mini-games in which seats may show one another their windows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes of one configuration's arrays.

    ``window`` is the side of what a seat sees by itself, in cells; ``shown`` says whether it may see others' windows.
    Actions from the number ``further`` on are those that the configuration opens beside the usual ones.
    """

    seats: int
    resources: int
    groups: int
    window: int
    message: int
    shown: bool
    bargains: bool
    unions: int
    actions: tuple[Action, ...]
    further: int

    @property
    def channels(self) -> int:
        """People, blocks, then events (what they take and make) and piles, by resource."""
        return 2 + 2 * self.resources

    @property
    def features(self) -> int:
        """Numbers in a row of `features.features`."""
        seats = self.seats
        common = seats * self.groups + 2 * seats + 1 + (2 * seats * seats if self.bargains else 0)
        return self.channels * self.window**2 + self.resources + seats + common


@lru_cache(maxsize=16)
def _actions(
    mini_game: str, resources: tuple[str, ...], seats: int, groups: int, opened: tuple[str, ...] = ()
) -> tuple[Action, ...]:
    physical: tuple[Action, ...] = (*MOVES, SYNTHESIZE, *map(Pick, resources), *map(Dump, resources))
    joins = tuple(Join(group) for group in range(groups))
    match mini_game:
        case "contract":
            return (*physical, *joins)
        case "negotiation":
            return (*physical, *map(Invite, range(seats)), ACCEPT, END, *map(Propose, SHARES))
        case "exploration":
            further: dict[str, tuple[Action, ...]] = {
                "leave": (LEAVE,),
                "pass_on": tuple(PassOn(seat, share) for seat in range(seats) for share in SHARES_PASSED),
                "weigh": tuple(Weigh(group, weight) for group in range(groups) for weight in WEIGHTS_LISTED),
            }
            more = (action for name, actions in further.items() if name in opened for action in actions)
            return (*physical, *map(Send, range(seats)), *map(ShowMap, range(seats)), *joins, *more)
        case _:
            return physical


def layout(config: AdaSocietyConfig) -> Layout:
    """Raises ConfigError for settings of which learners are told nothing."""
    for name in ("group_norm", "needs", "decay", "creatures"):
        if getattr(config, name) != type(config).model_fields[name].default:
            raise ConfigError(WORDS.fault("not_in_arrays", path=name))
    task, nodes = task_of(config), max(config.group_count, groups_in_schedule(config))
    opened = tuple(config.social_actions)
    plain = numbered(config.mini_game, task.resources, len(task.everyone), nodes, config.sight, opened)
    return replace(plain, message=config.message_numbers, unions=_unions(config))


def numbered(
    mini_game: str, resources: tuple[str, ...], seats: int, groups: int, sight: int, opened: tuple[str, ...] = ()
) -> Layout:
    """The layout of a game of these sizes without unions or messages, for who knows no configuration."""
    sizes = mini_game, resources, seats, groups if mini_game in ("contract", "exploration") else 0
    shown, bargains = mini_game in SHOWN, mini_game == "negotiation"
    window, further = 2 * sight + 1, len(_actions(*sizes))
    actions = _actions(*sizes, opened)
    return Layout(seats, len(resources), max(groups, seats), window, 0, shown, bargains, 0, actions, further)


def _unions(config: AdaSocietyConfig) -> int:
    """Layers of groups of groups that any structure of the schedule has."""
    structures = [structure_at(config, milestone.at) for milestone in config.schedule]
    return max((group.layer - 1 for each in structures if each is not None for group in each.groups), default=0)
