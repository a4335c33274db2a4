"""What came of a finished run: its measures, how it was played, its story. Computed once, from the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from games.core import codec
from games.lab.analysis.tally import Tally
from games.lab.story import Headline, Log, Story, headline, story
from games.lab.story.rules import new_log
from games.site.models import Queue, Run, Seat, SeatKind, Step
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
    """What a run's outcome is reckoned from, gathered record by record from its start; ``log`` is for its story,
    or where it ``is_brief`` for what that begins with.

    ``fallbacks``  by seat: how often nothing of its answer was usable
    """

    is_brief: bool
    log: Log
    tally: Tally = field(default_factory=Tally)
    series: list[Any] = field(default_factory=list)
    fallbacks: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, play: Playing) -> Account:
        """An empty one for a run. Of a bulk run only what its story begins with is kept; who reads on has it told."""
        is_brief = play.run.queue == Queue.BULK
        return cls(is_brief, Log(play.game.counted) if is_brief else new_log(play.pack))

    def add(self, record: Mapping[str, Any]) -> None:
        self.log.add(record)
        noted = sum(1 for _, notes in record["notes"] if notes)
        self.tally.add(record["step"], record["payoffs"], record["seats"], noted, record["flags"])
        if record["step"] > 0:
            for seat, flags in record["flags"]:
                if "fallback" in flags:
                    self.fallbacks[seat] += 1
            self.series.append(record["metrics"])

    def outcome(self, play: Playing) -> dict[str, Any]:
        """The run's ``metrics``, ``tally`` and ``story``, each plain JSON, by the fields that keep them."""
        measures = codec.plain(dict(play.pack.metrics.summarise(play.config, self.series)))
        log, roles, most = self.log, roles_of(play), settings.POLITY_NOT_OWN_MOST
        if self.is_brief:
            told: Headline = headline(play.pack, log, roles, most=most)
        else:
            told = story(play.pack, log, roles, measures=measures, most=most)
        return {"metrics": measures, "tally": self.tally.plain(), "story": codec.plain(told)}


def roles_of(play: Playing) -> list[str]:
    """The role of each seat."""
    return [seat.role for seat in selectors.seats_of(play.run)]


def story_until(play: Playing, head: int, *, over: bool) -> Story:
    """The story of a run as far as step ``head``, from its log; at its end with its measures."""
    log = new_log(play.pack)
    for record in records(play.run.pk, until=head):
        log.add(record)
    measures, most = play.run.metrics if over else None, settings.POLITY_NOT_OWN_MOST
    return story(play.pack, log, roles_of(play), measures=measures, over=over, most=most)


def account_of(run: Run) -> Account:
    """Read from the whole log."""
    account = Account.of(selectors.playing(run))
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
