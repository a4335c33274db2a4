"""The mining game: property rights on a grid, with claims, raids, defence and mining, all at once in every round.

Source: "homogeneous_grid_mining_no_comm_property_rights" (ODD protocol); the README says how its open points are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar

from games.catalog.mining.authority import adjudicate, levy, share_out
from games.catalog.mining.cleaning import clean_plan, is_clean
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.conflicts import award_claims, gather_orders, pay_mining, settle_raids
from games.catalog.mining.grid import grid
from games.catalog.mining.imagining import imagine
from games.catalog.mining.land import endow, lay_out
from games.catalog.mining.news import Settled
from games.catalog.mining.observation import Observation
from games.catalog.mining.shapes import EVENTS, MiningView
from games.catalog.mining.shared import shared
from games.catalog.mining.state import NOBODY, MiningState, Plan, RoundRecord
from games.core.answers import JSON, ActionSpec, Note
from games.core.game import (
    All,
    Event,
    Eyes,
    Game,
    Imagined,
    Invariant,
    LazyEvents,
    Past,
    Resolution,
    Seat,
    SeatEyes,
    SeatSpec,
    Seen,
    Standing,
    Step,
    Turn,
    cleaning,
)
from games.core.rng import Rng
from games.core.steps import everybody


class MiningGame(Game[MiningConfig, MiningState, Observation, Plan]):
    slug: ClassVar[str] = "mining"
    rules_version: ClassVar[int] = 1
    config_type = MiningConfig
    state_type = MiningState
    action_type: Any = Plan
    view_type: ClassVar[Any] = MiningView
    event_types: ClassVar[Mapping[str, Any]] = EVENTS

    def seats(self, config: MiningConfig) -> Sequence[SeatSpec]:
        width = max(2, len(str(config.miners)))
        return [SeatSpec(f"miner-{number:0{width}}") for number in range(1, config.miners + 1)]

    def initial(self, config: MiningConfig, rng: Rng) -> Resolution[MiningState]:
        """All plots unowned; productivity and stamina laid out."""
        alpha, gold_mines = lay_out(config, rng)
        stamina = endow(config, rng)
        nobody, never = (NOBODY,) * config.plots, (0,) * config.plots
        none = (0,) * config.miners
        state = MiningState(0, nobody, never, nobody, never, alpha, stamina, none, none)
        cells = grid(config.rows, config.cols).cells
        opened: dict[str, JSON] = {
            "rows": config.rows,
            "cols": config.cols,
            "miners": config.miners,
            "stamina": list(stamina),
            "gold_mines": [list(cells[plot]) for plot in gold_mines],
        }
        return Resolution(state, (Event("land_opened", opened),))

    def turn(self, config: MiningConfig, state: MiningState) -> Turn | None:
        if state.round >= config.rounds:
            return None
        return Turn((("round", state.round + 1),), "act", everybody(config.miners))

    def horizon(self, config: MiningConfig) -> int | None:
        return config.rounds

    def rounds(self, config: MiningConfig) -> int | None:
        return config.rounds

    def recall(self, config: MiningConfig) -> int | None:
        """As many rounds as are visible, and the last K at least, for the seat's own plans and the rolling summary."""
        visible = config.history_rounds
        return None if visible is None else max(visible, config.history_k)

    def observe(self, config: MiningConfig, state: MiningState, seat: Seat, past: Sequence[Seen[Plan]]) -> Observation:
        return Observation(shared(config, state), seat, state.gold[seat], past)

    def observe_all(
        self, config: MiningConfig, state: MiningState, seats: Sequence[Seat], kept: Sequence[Step[MiningState, Plan]]
    ) -> Sequence[Observation]:
        world, gold = shared(config, state), state.gold
        return [Observation(world, seat, gold[seat], Past(kept, seat)) for seat in seats]

    def imagine(self, observation: Observation, rng: Rng) -> Imagined[MiningConfig, MiningState, Plan]:
        return imagine(observation, rng)

    def standing(self, observation: Observation) -> Standing[Plan]:
        return Standing(observation.seat, {observation.seat: observation.gold})

    def actions(self, config: MiningConfig, state: MiningState, seat: Seat) -> ActionSpec[Plan]:
        return shared(config, state).answers

    def clean(
        self, config: MiningConfig, state: MiningState, seat: Seat, action: Plan | None, rng: Rng
    ) -> tuple[Plan, tuple[Note, ...]]:
        return clean_plan(config, state, seat, action, rng)

    def clean_all(
        self, config: MiningConfig, state: MiningState, answers: Mapping[Seat, Plan | None], rng: Rng
    ) -> tuple[dict[Seat, Plan], dict[Seat, tuple[Note, ...]]]:
        """As `clean` for each of them; plans that are clean at a glance cost no more than that."""
        actions: dict[Seat, Plan] = {}
        notes: dict[Seat, tuple[Note, ...]] = {}
        for seat, plan in answers.items():
            if plan is not None and is_clean(config, state, seat, plan):
                actions[seat] = plan
                continue
            actions[seat], made = clean_plan(config, state, seat, plan, cleaning(rng, seat))
            if made:
                notes[seat] = made
        return actions, notes

    def resolve(
        self, config: MiningConfig, state: MiningState, actions: Mapping[Seat, Plan], rng: Rng
    ) -> Resolution[MiningState]:
        """Claims, then raids, then mining, then the authority (if there is one), then the round's end."""
        now = state.round + 1
        shape = grid(config.rows, config.cols)
        orders = gather_orders(shape, actions, config.miners)

        owners = list(state.owners)
        claims = award_claims(orders.claims, owners, rng)
        met = tuple(owners)
        raids = settle_raids(config, orders.raids, orders.defended, owners, rng)
        yields = pay_mining(config, orders.mining, owners, state.alpha)

        gold = [had + paid.gold for had, paid in zip(state.gold, yields, strict=True)]
        levies = levy(config, raids, gold)
        share, treasury = share_out(config, state.treasury + sum(one.paid for one in levies), gold)

        first, immune = list(state.first), list(state.immune_until)
        for claim in claims:
            if first[claim.plot] == NOBODY:
                first[claim.plot] = claim.winner
            immune[claim.plot] = now + config.immunity_window - 1 if config.immunity_window else 0
        verdicts = adjudicate(config, raids, first, rng)
        for verdict in verdicts:
            if verdict.restored:
                owners[verdict.plot] = verdict.first
                immune[verdict.plot] = now + 1
        since = list(state.since)
        for plot, before, after in zip(count(), state.owners, owners, strict=False):
            if before != after:
                since[plot] = now

        challenged = list(state.challenged)
        for raid in raids:
            if raid.owner != NOBODY:
                challenged[raid.owner] = now
        output = sum(paid.gold for paid in yields)
        record = RoundRecord(tuple(claims), tuple(raids), tuple(sorted(orders.defended)), tuple(verdicts), output)
        after_round = MiningState(
            now,
            tuple(owners),
            tuple(since),
            tuple(first),
            tuple(immune),
            state.alpha,
            state.stamina,
            tuple(gold),
            tuple(challenged),
            treasury,
            record,
        )
        told = Settled(config, actions, met, after_round, yields, levies, share)
        gains = {seat: gold[seat] - state.gold[seat] for seat in range(config.miners)}
        return Resolution(after_round, LazyEvents(told.events), gains)

    def view(self, config: MiningConfig, state: MiningState, eyes: Eyes) -> MiningView:
        """The world after the last round. Gold is null where those eyes may not see it; plots go by number."""
        known = range(config.miners) if isinstance(eyes, All) else (eyes.seat,) if isinstance(eyes, SeatEyes) else ()
        sizes = [0] * config.miners
        for owner in state.owners:
            if owner != NOBODY:
                sizes[owner] += 1
        return {
            "rows": config.rows,
            "cols": config.cols,
            "round": state.round,
            "rounds": config.rounds,
            "mine_cap": config.mine_cap,
            "defence": config.defence,
            "immunity_window": config.immunity_window,
            "owners": state.owners,
            "since": state.since,
            "first": state.first,
            "immune_until": state.immune_until,
            "alpha": state.alpha,
            "defended": state.last.defended,
            "claimed": [claim.plot for claim in state.last.claims],
            "taken": [
                (raid.plot, raid.owner)
                for raid in state.last.raids
                if raid.outcome == "taken" and state.owners[raid.plot] != raid.owner
            ],
            "treasury": state.treasury,
            "seats": [
                {
                    "plots": sizes[seat],
                    "stamina": state.stamina[seat],
                    "gold": state.gold[seat] if seat in known else None,
                }
                for seat in range(config.miners)
            ],
        }

    def invariants(self, config: MiningConfig, state: MiningState) -> Iterable[Invariant]:
        owned = [owner != NOBODY for owner in state.owners]
        yield Invariant("the land has the grid's size", len(owned) == config.plots, f"{len(owned)} of {config.plots}")
        yield Invariant("a plot has one owner of this run, or none", set(state.owners) <= {-1, *range(config.miners)})
        yield Invariant("nobody's gold is below 0", min(state.gold) >= 0, str(min(state.gold)))
        yield Invariant("the treasury is not below 0", state.treasury >= 0, str(state.treasury))
        yield Invariant("a plot once claimed stays owned", owned == [f != NOBODY for f in state.first])
        most = state.round * sum(state.alpha) * config.mine_cap
        total = sum(state.gold) + state.treasury
        yield Invariant("no more gold than the land can yield", total <= most, f"{total} of {most}")
