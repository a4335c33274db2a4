"""What happened in a run as lists, for programs: events, messages, decisions, metrics, through one sight.

Each page ends where it was full or after `SCANNED` steps, whichever comes first; what is left is read on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.core import codec
from games.core.game import All, SeatEyes
from games.site.audience import Sight
from games.site.models import Message
from games.site.record import selectors
from games.site.record.deciders import answers_between, decider, seated, seatings
from games.site.record.outcome import records

SCANNED: Final = 2000
"""Steps that one page looks through at most."""


def records_seen(play: selectors.Playing, sight: Sight, after: int) -> Iterator[dict[str, Any]]:
    """The steps' records after a number, up to the last that the sight allows."""
    return records(play.run.pk, after=after, until=selectors.shown_head(play.run, sight))


def may_know(sight: Sight, to: list[int] | None) -> bool:
    """Whether those eyes may know of an event."""
    if to is None or isinstance(sight.eyes, All):
        return True
    return isinstance(sight.eyes, SeatEyes) and sight.eyes.seat in to


def mine(sight: Sight, seat: int) -> bool:
    """Whether those eyes may see what a seat did."""
    return isinstance(sight.eyes, All) or (isinstance(sight.eyes, SeatEyes) and sight.eyes.seat == seat)


def events(
    play: selectors.Playing, sight: Sight, last: tuple[int, int], limit: int, kind: str | None = None
) -> tuple[list[dict[str, Any]], tuple[int, int] | None]:
    """Events after (step, number in the step), and where to go on; None where that was all."""

    def of(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for number, event in enumerate(record["events"]):
            if may_know(sight, event.get("to")) and kind in (None, event["kind"]):
                yield {"step": record["step"], "number": number, "clock": record["clock"], "to": None, **event}

    return _paged(records_seen(play, sight, last[0] - 1), of, last, limit)


def decisions(
    play: selectors.Playing, sight: Sight, last: tuple[int, int], limit: int, seat: int | None = None
) -> tuple[list[dict[str, Any]], tuple[int, int] | None]:
    """What the seats did, as the rules took it, with what was struck out and how it came about."""
    sat, sent = seatings(play.run), answers_between(play.run, last[0], last[0] + SCANNED + 1)

    def of(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        notes, flags, payoffs = codec.decode_notes(record["notes"]), dict(record["flags"]), dict(record["payoffs"])
        for number, (who, action) in enumerate(record["actions"]):
            if mine(sight, who) and seat in (None, who):
                yield {
                    "step": record["step"],
                    "number": number,
                    "clock": record["clock"],
                    "stage": record["stage"],
                    "seat": who,
                    "game": play.run.game,
                    "action": action,
                    "notes": list(map(codec.encode_note, notes.get(who, ()))),
                    "flags": flags.get(who, []),
                    "payoff": payoffs.get(who),
                    "decided_by": None
                    if sight.blind
                    else decider(
                        play.run,
                        seated(sat[who], record["step"])[0],
                        record["step"],
                        flags.get(who, []),
                        sent.get((record["step"], who)),
                    ),
                }

    return _paged(records_seen(play, sight, last[0] - 1), of, last, limit)


def _paged(
    steps: Iterator[dict[str, Any]], of: Any, last: tuple[int, int], limit: int
) -> tuple[list[dict[str, Any]], tuple[int, int] | None]:
    found: list[dict[str, Any]] = []
    for looked, record in enumerate(steps):
        if looked >= SCANNED:
            return found, (record["step"], -1)
        for row in of(record):
            at = row["step"], row["number"]
            if at <= last:
                continue
            if len(found) >= limit:
                return found, (found[-1]["step"], found[-1]["number"])
            found.append(row)
    return found, None


def metrics(play: selectors.Playing, sight: Sight, last: int, limit: int) -> tuple[list[dict[str, Any]], int | None]:
    """The measures of each step. They are made from everything, so only omniscient eyes get them."""
    if not isinstance(sight.eyes, All):
        return [], None
    found: list[dict[str, Any]] = []
    for record in records_seen(play, sight, last):
        if len(found) >= limit:
            return found, found[-1]["step"]
        if record["step"] > 0:
            found.append({"step": record["step"], "clock": record["clock"], "metrics": record["metrics"]})
    return found, None


def messages(
    play: selectors.Playing, sight: Sight, last: int, limit: int, sender: int | None = None
) -> tuple[list[dict[str, Any]], int | None]:
    """What seats said to one another, as far as those eyes may hear it, in order."""
    head = selectors.shown_head(play.run, sight)
    rows = Message.objects.filter(run=play.run, step__lte=head, pk__gt=last).order_by("pk")
    if sender is not None:
        rows = rows.filter(sender=sender)
    own = sight.eyes.seat if isinstance(sight.eyes, SeatEyes) else None
    found: list[dict[str, Any]] = []
    for row in rows.iterator(chunk_size=500):
        if not (row.sender == own or may_know(sight, row.to)):
            continue
        if len(found) >= limit:
            return found, found[-1]["id"]
        told = {name: getattr(row, name) for name in ("step", "order", "sender", "to", "text")}
        found.append({"id": row.pk, **told})
    return found, None
