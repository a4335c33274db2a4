"""What all seats see alike of one state, gathered once: observations and policies read it, none changes it."""

from __future__ import annotations

from dataclasses import dataclass

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.grid import Grid, grid
from games.catalog.mining.reading import action_spec
from games.catalog.mining.state import LAND, NOBODY, MiningState, Plan, RoundRecord
from games.core.answers import ActionSpec
from games.core.game import Seat
from games.core.values import carried


@dataclass(frozen=True, slots=True)
class Shared:
    """The public world at the start of a round. Everything here may be known to everybody; gold is not here.

    From the state: ``owners``, ``since``, ``first``, ``immune_until``, ``alpha``, ``stamina``, ``treasury``, ``last``.
    ``round``      the round to be played, from 1
    ``holdings``   plots by seat, row by row
    ``free``       unowned plots, row by row
    ``raidable``   plots that may be raided this round (by any but their owner), row by row
    ``challenged`` by seat, the last visible round in which a plot of it was raided; 0: none that is visible
    ``leaders``    the two seats with the most plots, of equals the lower first; seats without plots are none
    ``answers``    what every seat may answer
    """

    config: MiningConfig
    grid: Grid
    round: int
    owners: tuple[Seat, ...]
    since: tuple[int, ...]
    first: tuple[Seat, ...]
    immune_until: tuple[int, ...]
    alpha: tuple[int, ...]
    stamina: tuple[int, ...]
    treasury: int
    last: RoundRecord
    holdings: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]
    raidable: tuple[int, ...]
    challenged: tuple[int, ...]
    leaders: tuple[Seat, ...]
    answers: ActionSpec[Plan]

    def is_free(self, plot: int) -> bool:
        """Whether nobody owns this plot."""
        return self.owners[plot] == NOBODY

    def is_raidable(self, plot: int) -> bool:
        """Whether this plot may be raided this round by any but its owner."""
        owned = self.owners[plot] != NOBODY or self.config.immunity_window == 0
        return owned and self.immune_until[plot] < self.round

    def largest_beside(self, seat: Seat) -> Seat:
        """The seat with the most plots other than this one, the lowest of several; NOBODY if no other owns any."""
        return next((leader for leader in self.leaders if leader != seat), NOBODY)


@carried
def shared(config: MiningConfig, state: MiningState) -> Shared:
    coming = state.round + 1
    held: list[list[int]] = [[] for _ in range(config.miners + 1)]
    for plot, owner in enumerate(state.owners):
        held[owner].append(plot)
    free = held.pop()  # NOBODY's, which are the last
    immune = state.immune_until
    if config.immunity_window == 0:
        raidable = [plot for plot, until in enumerate(immune) if until < coming]
    else:
        raidable = [plot for plot, owner in enumerate(state.owners) if owner != NOBODY and immune[plot] < coming]
    visible = config.history_rounds
    challenged = state.challenged
    if visible is not None:
        challenged = tuple(at if at > state.round - visible else 0 for at in challenged)
    sizes, leaders = list(map(len, held)), list[Seat]()
    while len(leaders) < 2 and (most := max(sizes)):
        leaders.append(sizes.index(most))
        sizes[leaders[-1]] = 0
    return Shared(
        config,
        grid(config.rows, config.cols),
        coming,
        *LAND(state),
        state.treasury,
        state.last,
        tuple(tuple(plots) for plots in held),
        tuple(free),
        tuple(raidable),
        challenged,
        tuple(leaders),
        action_spec(config),
    )
