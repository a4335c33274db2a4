"""A round's events, worded from what was resolved. The README lists each kind with its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from games.catalog.mining.authority import Levy
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.conflicts import Yield
from games.catalog.mining.grid import Grid
from games.catalog.mining.state import NOBODY, Message, Plan, Raid, RoundRecord
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
        record, cell = self.record, self._cell
        for seat in sorted(self.plans):
            for message in self.plans[seat].messages:
                if isinstance(message, Message):
                    yield _message(seat, message)
        if record.defended:
            yield Event("plots_defended", {"plots": self._cells(record.defended)})
        for claim in record.claims:
            won: dict[str, JSON] = {"plot": cell(claim.plot), "by": claim.winner}
            if len(claim.claimants) == 1:
                yield Event("plot_claimed", won)
            else:
                yield Event("claim_drawn", {**won, "claimants": claim.claimants})
        yield from self._raids()
        for seat, paid in enumerate(self.yields):
            if paid.mined or paid.lost:
                plots, gold = [plot for plot, _ in paid.mined], [gold for _, gold in paid.mined]
                places: dict[str, JSON] = {"plots": self._cells(plots), "mined": gold, "lost": self._cells(paid.lost)}
                yield Event("gold_mined", {"by": seat, "gold": paid.gold, **places}, (seat,))
        for levy in self.levies:
            yield Event("levy_paid", asdict(levy))
        if self.share:
            yield Event("treasury_shared", {"share": self.share, "left": self.treasury})
        for verdict in record.verdicts:
            kind = "plot_restored" if verdict.restored else "capture_upheld"
            yield Event(kind, {"plot": cell(verdict.plot), "captor": verdict.captor, "first": verdict.first})
        yield Event("round_closed", self._totals())

    def _cell(self, plot: int) -> list[JSON]:
        return list(self.grid.cells[plot])

    def _cells(self, plots: Sequence[int]) -> list[JSON]:
        return [self._cell(plot) for plot in plots]

    def _raids(self) -> Iterator[Event]:
        if not self.record.raids:
            return
        holdings: dict[Seat, list[int]] = {}
        for plot, owner in enumerate(self.owners):
            holdings.setdefault(owner, []).append(plot)
        for raid in self.record.raids:
            starts = [self.grid.closest(raid.plot, holdings.get(seat, ())) for seat in raid.raiders]
            data: dict[str, JSON] = {
                "plot": self._cell(raid.plot),
                "raiders": raid.raiders,
                "from": [None if start is None else self._cell(start) for start in starts],
                "owner": None if raid.owner == NOBODY else raid.owner,
            }
            yield Event(_kind(raid), {**data, "by": raid.winner} if raid.outcome == "taken" else data)

    def _totals(self) -> dict[str, int]:
        record = self.record
        return {
            "round": self.round,
            "output": record.output,
            "held": self.held,
            "plots": self.config.plots,
            "claims": record.claim_count,
            "raids": record.raid_count,
            "captures": record.capture_count,
            "repelled": sum(len(raid.raiders) for raid in record.raids if raid.outcome == "repelled"),
            "defences": len(record.defended),
            "treasury": self.treasury,
        }


def _message(seat: Seat, message: Message) -> Event:
    if message.to is None:
        return Event("message_announced", {"by": seat, "text": message.text})
    data: dict[str, JSON] = {"by": seat, "to": message.to, "text": message.text}
    return Event("message_sent", data, tuple(sorted({seat, *message.to})))


def _kind(raid: Raid) -> str:
    """The event that tells of a raid."""
    if raid.outcome == "taken":
        return "plot_taken" if len(raid.raiders) == 1 else "raid_drawn"
    return f"raid_{raid.outcome}"
