"""What came of a finished run: its measures, and how it was played. Computed once, from the log, when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.core import codec
from games.lab.analysis.tally import Tally
from games.lab.wire.plainjson import decoded, encoded
from games.site.models import Run, Seat, SeatKind, Step
from games.site.record import blobs, selectors
from games.site.record.selectors import Playing


def records(run_id: str, after: int = -1, until: int | None = None) -> Iterator[dict[str, Any]]:
    """The records of a run with ``after < step <= until`` in order, its start too, as they were stored."""
    rows = Step.objects.filter(run_id=run_id, index__gt=after).order_by("index").values_list("index", "record")
    if until is not None:
        rows = rows.filter(index__lte=until)
    for index, body in rows.iterator(chunk_size=200):
        yield selectors.base_of(run_id, blobs.snapshot_index(index)).unpack(body)


@dataclass(slots=True)
class Account:
    """What a run's outcome is reckoned from, gathered record by record from its start.

    ``fallbacks``  by seat: how often nothing of its answer was usable
    """

    tally: Tally = field(default_factory=Tally)
    series: list[Any] = field(default_factory=list)
    fallbacks: Counter[int] = field(default_factory=Counter)

    def add(self, record: Mapping[str, Any]) -> None:
        noted = sum(1 for _, notes in record["notes"] if notes)
        self.tally.add(record["step"], record["payoffs"], record["seats"], noted, record["flags"])
        if record["step"] > 0:
            self.fallbacks.update(seat for seat, flags in record["flags"] if "fallback" in flags)
            self.series.append(record["metrics"])

    def add_new(self, record: Mapping[str, Any]) -> None:
        """A record that was just written, as it will be read."""
        self.add({**record, "metrics": decoded(encoded(record["metrics"]))})

    def outcome(self, play: Playing) -> tuple[dict[str, Any], dict[str, Any]]:
        """The run's measures and its tally, both plain JSON."""
        measures = play.pack.metrics.summarise(play.config, self.series)
        return dict(codec.plain(dict(measures))), self.tally.plain()


def account_of(run: Run) -> Account:
    """Read from the whole log."""
    account = Account()
    for record in records(run.pk):
        account.add(record)
    return account


def answers_of(run: Run, account: Account) -> list[Seat]:
    """Its models' seats with how often each was asked and could not be used, to be stored. Left out are seats that
    somebody else had before, and forks: the answers that they begin with were given in another run.
    """
    if run.parent_id is not None:
        return []
    seats = list(Seat.objects.filter(run=run, kind=SeatKind.MODEL, since__lt=0))
    for seat in seats:
        seat.decisions, seat.fallbacks = account.tally.decided.decisions[seat.index], account.fallbacks[seat.index]
    return seats
