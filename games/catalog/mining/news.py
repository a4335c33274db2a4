"""A round's events, worded from what was resolved. The README lists each kind with its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from games.catalog.mining.authority import Levy
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.conflicts import Yield
from games.catalog.mining.grid import Grid, grid
from games.catalog.mining.state import NOBODY, Message, MiningState, Plan, Raid
from games.core.answers import JSON
from games.core.game import Event, Seat


@dataclass(frozen=True, slots=True)
class Settled:
    """All that a round's events are worded from: ``owners`` as the raids met them, ``state`` after the round."""

    config: MiningConfig
    plans: Mapping[Seat, Plan]
    owners: Sequence[Seat]
    state: MiningState
    yields: Sequence[Yield]
    levies: Sequence[Levy]
    share: int

    def events(self) -> Iterator[Event]:
        """In the order of the steps: talk, defence, claims, raids, mining, authority, the round's totals."""
        record, places = self.state.last, self._grid.places
        for seat in sorted(self.plans):
            for message in self.plans[seat].messages:
                if isinstance(message, Message):
                    yield message_event(seat, message)
        if record.defended:
            yield Event("plots_defended", {"plots": self._cells(record.defended)})
        for claim in record.claims:
            won: dict[str, JSON] = {"plot": places[claim.plot], "by": claim.winner}
            if len(claim.claimants) == 1:
                yield Event("plot_claimed", won)
            else:
                yield Event("claim_drawn", {**won, "claimants": claim.claimants})
        yield from self._raids()
        for seat, paid in enumerate(self.yields):
            if paid.mined or paid.lost:
                plots: list[JSON] = [places[plot] for plot, _ in paid.mined]
                gold: list[JSON] = [gold for _, gold in paid.mined]
                lost = self._cells(paid.lost)
                mined: dict[str, JSON] = {"by": seat, "gold": paid.gold, "plots": plots, "mined": gold, "lost": lost}
                yield Event("gold_mined", mined, (seat,))
        for levy in self.levies:
            yield Event("levy_paid", asdict(levy))
        if self.share:
            yield Event("treasury_shared", {"share": self.share, "left": self.state.treasury})
        for verdict in record.verdicts:
            kind = "plot_restored" if verdict.restored else "capture_upheld"
            yield Event(kind, {"plot": places[verdict.plot], "captor": verdict.captor, "first": verdict.first})
        yield Event("round_closed", self._totals())

    @property
    def _grid(self) -> Grid:
        return grid(self.config.rows, self.config.cols)

    def _cells(self, plots: Sequence[int]) -> list[JSON]:
        places = self._grid.places
        return [places[plot] for plot in plots]

    def _raids(self) -> Iterator[Event]:
        if not self.state.last.raids:
            return
        holdings: list[list[int]] = [[] for _ in range(self.config.miners + 1)]
        for plot, owner in enumerate(self.owners):
            holdings[owner].append(plot)  # NOBODY's stand last
        places, closest = self._grid.places, self._grid.closest
        for raid in self.state.last.raids:
            starts = [closest(raid.plot, holdings[seat]) for seat in raid.raiders]
            data: dict[str, JSON] = {
                "plot": places[raid.plot],
                "raiders": raid.raiders,
                "from": [None if start is None else places[start] for start in starts],
                "owner": None if raid.owner == NOBODY else raid.owner,
            }
            if raid.outcome == "taken":
                data["by"] = raid.winner
            yield Event(_kind(raid), data)

    def _totals(self) -> dict[str, int]:
        record = self.state.last
        return {
            "round": self.state.round,
            "output": record.output,
            "held": self.config.plots - self.state.owners.count(NOBODY),
            "plots": self.config.plots,
            "claims": record.claim_count,
            "raids": record.raid_count,
            "captures": record.capture_count,
            "repelled": sum(len(raid.raiders) for raid in record.raids if raid.outcome == "repelled"),
            "defences": len(record.defended),
            "treasury": self.state.treasury,
        }


def message_event(seat: Seat, message: Message) -> Event:
    if message.to is None:
        return Event("message_announced", {"by": seat, "text": message.text})
    data: dict[str, JSON] = {"by": seat, "to": message.to, "text": message.text}
    return Event("message_sent", data, tuple(sorted({seat, *message.to})))


def _kind(raid: Raid) -> str:
    """The event that tells of a raid."""
    if raid.outcome == "taken":
        return "plot_taken" if len(raid.raiders) == 1 else "raid_drawn"
    return f"raid_{raid.outcome}"
