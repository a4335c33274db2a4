"""A round's events, worded from what was resolved. The README lists each kind with its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.catalog.mining.authority import Levy
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.conflicts import Yield
from games.catalog.mining.grid import Grid
from games.catalog.mining.state import NOBODY, Message, Plan, Raid, RoundRecord, Verdict
from games.core.answers import JSON
from games.core.game import Event, Seat


@dataclass(frozen=True, slots=True)
class Settled:
    """All that a round's events are worded from. ``owners`` as the raids met them, after the claims."""

    config: MiningConfig
    grid: Grid
    round: int
    plans: Mapping[Seat, Plan]
    owners: Sequence[Seat]
    record: RoundRecord
    yields: Sequence[Yield]
    levies: Sequence[Levy]
    share: int
    treasury: int
    held: int

    def events(self) -> Iterator[Event]:
        """In the order of the steps: talk, defence, claims, raids, mining, authority, the round's totals."""
        yield from self._talk()
        if self.record.defended:
            yield Event("plots_defended", {"plots": self._cells(self.record.defended)})
        yield from self._claims()
        yield from self._raids()
        yield from self._mining()
        yield from self._authority()
        for verdict in self.record.verdicts:
            yield self._verdict(verdict)
        yield Event("round_closed", self._totals())

    def _cells(self, plots: Sequence[int]) -> list[JSON]:
        return [list(self.grid.cells[plot]) for plot in plots]

    def _talk(self) -> Iterator[Event]:
        for seat in sorted(self.plans):
            for message in self.plans[seat].messages:
                if isinstance(message, Message):
                    if message.to is None:
                        yield Event("message_announced", {"by": seat, "text": message.text})
                    else:
                        data: dict[str, JSON] = {"by": seat, "to": message.to, "text": message.text}
                        yield Event("message_sent", data, tuple(sorted({seat, *message.to})))

    def _claims(self) -> Iterator[Event]:
        for claim in self.record.claims:
            data: dict[str, JSON] = {"plot": list(self.grid.cells[claim.plot]), "by": claim.winner}
            if len(claim.claimants) == 1:
                yield Event("plot_claimed", data)
            else:
                yield Event("claim_drawn", {**data, "claimants": claim.claimants})

    def _raids(self) -> Iterator[Event]:
        if not self.record.raids:
            return
        holdings: dict[Seat, list[int]] = {}
        for plot, owner in enumerate(self.owners):
            holdings.setdefault(owner, []).append(plot)
        for raid in self.record.raids:
            yield self._raid(raid, holdings)

    def _raid(self, raid: Raid, holdings: Mapping[Seat, Sequence[int]]) -> Event:
        """``from``: for each raider its own plot that is closest to the target, None if it has none."""
        starts = [self.grid.closest(raid.plot, holdings.get(seat, ())) for seat in raid.raiders]
        data: dict[str, JSON] = {
            "plot": list(self.grid.cells[raid.plot]),
            "raiders": raid.raiders,
            "from": [None if start is None else list(self.grid.cells[start]) for start in starts],
            "owner": None if raid.owner == NOBODY else raid.owner,
        }
        match raid.outcome:
            case "repelled":
                return Event("raid_repelled", data)
            case "void":
                return Event("raid_void", data)
            case "taken":
                kind = "plot_taken" if len(raid.raiders) == 1 else "raid_drawn"
                return Event(kind, {**data, "by": raid.winner})

    def _mining(self) -> Iterator[Event]:
        for seat, paid in enumerate(self.yields):
            if paid.mined or paid.lost:
                yield Event(
                    "gold_mined",
                    {
                        "by": seat,
                        "gold": paid.gold,
                        "plots": self._cells([plot for plot, _ in paid.mined]),
                        "mined": [gold for _, gold in paid.mined],
                        "lost": self._cells(paid.lost),
                    },
                    (seat,),
                )

    def _authority(self) -> Iterator[Event]:
        for levy in self.levies:
            yield Event(
                "levy_paid",
                {
                    "by": levy.seat,
                    "raids": levy.raids,
                    "captures": levy.captures,
                    "due": levy.due,
                    "paid": levy.paid,
                },
            )
        if self.share:
            yield Event("treasury_shared", {"share": self.share, "left": self.treasury})

    def _verdict(self, verdict: Verdict) -> Event:
        return Event(
            "plot_restored" if verdict.restored else "capture_upheld",
            {"plot": list(self.grid.cells[verdict.plot]), "captor": verdict.captor, "first": verdict.first},
        )

    def _totals(self) -> dict[str, JSON]:
        raids = self.record.raids
        return {
            "round": self.round,
            "output": self.record.output,
            "held": self.held,
            "plots": self.config.plots,
            "claims": sum(len(claim.claimants) for claim in self.record.claims),
            "raids": sum(len(raid.raiders) for raid in raids),
            "captures": sum(raid.outcome == "taken" for raid in raids),
            "repelled": sum(len(raid.raiders) for raid in raids if raid.outcome == "repelled"),
            "defences": len(self.record.defended),
            "treasury": self.treasury,
        }
