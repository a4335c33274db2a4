"""What is new of runs for those who watch them: read once, in one thread, however many sights and rooms there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.lab.wire.frames import Frame, Snapshot
from games.lab.wire.seat import SeatMessage
from games.site.audience import Sight
from games.site.live import tape
from games.site.live.wireimage import encode
from games.site.models import Run
from games.site.people.presence import Beat, beats_keep
from games.site.people.seat_page import seat_messages
from games.site.record import selectors, summary, waiting
from games.site.record.selectors import shown_head

GAP_MAX = 200
"""A gap longer than this is closed by a snapshot."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a room's sockets need read of a run: sights by key, the cursors of each, the first and last frame that the
    tape of each holds, descriptions by sight and rights, as they are known, and the seats that are played from here.
    """

    run_id: str
    sights: Mapping[str, Sight]
    cursors: Mapping[str, list[int]]
    tapes: Mapping[str, tuple[int | None, int]]
    metas: list[tuple[str, bool]]
    known: Mapping[tuple[str, bool], tuple[Any, ...]]
    holders: list[tuple[str, str]]
    beats: list[Beat]
    """Signs of life that are to be booked first."""


@dataclass(frozen=True, slots=True)
class News:
    run: Run
    heads: Mapping[str, int]
    frames: Mapping[str, list[Frame]]
    metas: list[tuple[tuple[str, bool], tuple[Any, ...], str]]
    seats: Mapping[tuple[str, str], SeatMessage]


def read(wanted: Sequence[Asked]) -> list[News | Exception]:
    """All that is new for each of those rooms; what one of them cannot be told is its alone."""
    if beats := [beat for asked in wanted for beat in asked.beats]:
        beats_keep(beats)
    runs = selectors.runs_at_hand({asked.run_id for asked in wanted})
    companies = summary.Company.of_all(list(runs.values()))
    found: list[News | Exception] = []
    for asked in wanted:
        try:
            run = runs.get(asked.run_id) or selectors.run_get(asked.run_id)
            found.append(_of(run, asked, companies.get(run.pk) or summary.Company.of(run)))
        except Exception as error:
            found.append(error)
    return found


def _of(run: Run, asked: Asked, company: summary.Company) -> News:
    """What is new of a run for one room; the run is read once, however many the sights."""
    awaits = ([*company.missing(run), *waiting.asked_now(run)], summary.is_undriven(run), company.is_up)
    # Where its row has not changed since, a description is the same.
    row = (run.status, run.pace, run.audience, run.error, run.cost_usd, run.notices_head, run.open_turn, awaits)
    metas = [
        (key, row, _described(run, asked.sights[key[0]], key[1], company))
        for key in asked.metas
        if asked.known.get(key) != row
    ]
    heads = {key: shown_head(run, sight) for key, sight in asked.sights.items()}
    frames = {}
    for key, sight in asked.sights.items():
        head = heads[key]
        oldest, newest = asked.tapes[key]
        wanted = [cursor for cursor in asked.cursors[key] if head - cursor <= GAP_MAX]
        after = max(min(wanted, default=head), head - tape.KEPT)
        is_kept = oldest is not None and after + 1 >= oldest
        if after < head and not (is_kept and newest >= head):
            frames[key] = _frames(run, sight, newest if is_kept else after, head)
    seats = seat_messages(run, asked.holders, company) if asked.holders else {}
    return News(run, heads, frames, metas, seats)


def _described(run: Run, sight: Sight, control: bool, company: summary.Company) -> str:
    """The run's description; head and clock stand beside it."""
    meta = summary.run_summary(run, sight, control=control, company=company)
    return encode({name: value for name, value in meta.items() if name not in ("head", "clock")})


def _frames(run: Run, sight: Sight, after: int, until: int) -> list[Frame]:
    return selectors.frames(selectors.playing(run), sight, after, until - after)


def snapshot(run_id: str, sight: Sight, control: bool) -> Snapshot:
    run = selectors.run_get(run_id)
    return {
        "run": summary.run_summary(run, sight, control=control),
        "frame": selectors.snapshot(selectors.playing(run), sight),
    }


def lasting(message: SeatMessage) -> str:
    """A seat's message without the clocks in it, which run on the page by themselves."""
    turn = {**message["turn"], "left_s": None} if message["turn"] else None
    room = {**message["room"], "starts_in_s": message["room"]["starts_in_s"] is None}
    presence = [{**one, "returns_in_s": None} for one in message["presence"]]
    return encode({**message, "turn": turn, "room": room, "presence": presence})
