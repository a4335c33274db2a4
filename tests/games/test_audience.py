"""Who may see what, for every audience, viewer and seat."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games.core.game import All, Eyes, Public, SeatEyes
from games.site.audience import Forbidden, Sight, Viewer, sight
from games.site.drive.conductor import conduct
from games.site.models import Run
from games.site.record import selectors, summary
from games.site.runs.creating import run_step, run_stop

MakeRun = Callable[..., Run]
OPERATOR, VISITOR, PLAYER = Viewer(operator=True), Viewer(), Viewer(seats=frozenset({1}))


def under_way(make_run: MakeRun, audience: dict[str, Any], steps: int = 7) -> Run:
    run = make_run(days=5, start=False, audience=audience)
    run_step(run_id=run.pk, steps=steps)
    conduct(run.pk, "live")
    return selectors.run_get(run.pk)


@pytest.mark.parametrize(
    ("audience", "viewer", "seat", "eyes", "head"),
    [
        ({"kind": "omniscient"}, VISITOR, None, All(), 6),
        ({"kind": "omniscient"}, VISITOR, 2, SeatEyes(2), 6),
        ({"kind": "public"}, VISITOR, None, Public(), 6),
        ({"kind": "public"}, OPERATOR, None, All(), 6),
        ({"kind": "public"}, OPERATOR, 0, SeatEyes(0), 6),
        ({"kind": "delayed", "delay": 1}, VISITOR, None, All(), 4),
        ({"kind": "delayed", "delay": 1}, VISITOR, 0, SeatEyes(0), 4),
        ({"kind": "delayed", "delay": 2}, VISITOR, None, All(), 0),
        ({"kind": "delayed", "delay": 3}, VISITOR, None, All(), -1),
        ({"kind": "delayed", "delay": 40}, VISITOR, None, All(), -1),
        ({"kind": "after_end"}, VISITOR, None, All(), -1),
        ({"kind": "after_end"}, OPERATOR, None, All(), 6),
        ({"kind": "omniscient"}, PLAYER, None, SeatEyes(1), 6),
        ({"kind": "after_end"}, PLAYER, 1, SeatEyes(1), 6),
    ],
)
def test_while_a_run_goes_on_each_viewer_sees_with_its_own_eyes(
    make_run: MakeRun, audience: Any, viewer: Any, seat: Any, eyes: Any, head: int
) -> None:
    run = under_way(make_run, audience)
    seen = sight(run, viewer, seat)
    assert seen.eyes == eyes
    assert selectors.shown_head(run, seen) == head


@pytest.mark.parametrize(
    ("audience", "viewer", "seat", "code"),
    [
        ({"kind": "public"}, VISITOR, 0, "seat_is_private"),
        ({"kind": "omniscient"}, PLAYER, 0, "seat_not_yours"),
        ({"kind": "omniscient"}, VISITOR, 3, "no_such_seat"),
        ({"kind": "omniscient"}, OPERATOR, -1, "no_such_seat"),
    ],
)
def test_a_seat_that_may_not_be_seen_is_refused_by_name(
    make_run: MakeRun, audience: Any, viewer: Any, seat: Any, code: str
) -> None:
    with pytest.raises(Forbidden) as refused:
        sight(under_way(make_run, audience), viewer, seat)
    assert refused.value.code == code


def test_a_delay_counts_whole_rounds_while_they_are_played(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "delayed", "delay": 1}, steps=1)
    shown = []
    for _ in range(12):
        now = selectors.run_get(run.pk)
        shown.append((now.head, selectors.shown_head(now, sight(now, VISITOR))))
        run_step(run_id=run.pk, steps=1)
        conduct(run.pk, "live")
    assert shown == [(0, -1), *((n, 0) for n in range(1, 5)), *((n, 4) for n in range(5, 9)), (9, 8), (10, 8), (11, 8)]


def test_after_the_end_everything_that_was_held_back_is_shown(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "after_end"})
    run_stop(run_id=run.pk)
    run = selectors.run_get(run.pk)
    assert selectors.shown_head(run, sight(run, VISITOR)) == 6
    assert sight(run, PLAYER).eyes == All()


def test_a_public_run_stays_public_after_its_end(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "public"})
    run_stop(run_id=run.pk)
    assert sight(selectors.run_get(run.pk), VISITOR).eyes == Public()


def test_whoever_held_a_seat_sees_as_it_after_the_end_of_a_public_run_too(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "public"})
    run_stop(run_id=run.pk)
    run = selectors.run_get(run.pk)
    assert sight(run, PLAYER, 1).eyes == SeatEyes(1)
    with pytest.raises(Forbidden, match="private"):
        sight(run, PLAYER, 0)


def test_what_plays_in_the_other_seats_is_kept_from_people_until_the_end(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "omniscient"})
    run.people = {"grace_s": 60.0}
    for eyes in (SeatEyes(1), Public()):
        assert {seat["agent"] for seat in summary.run_summary(run, Sight(eyes))["seats"]} == {""}
    assert "" not in {seat["agent"] for seat in summary.run_summary(run, Sight(All()))["seats"]}
    run.status = "finished"
    assert "" not in {seat["agent"] for seat in summary.run_summary(run, Sight(SeatEyes(1)))["seats"]}


def test_a_frame_holds_nothing_private_of_others(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "omniscient"}, steps=5)
    play = selectors.playing(run)
    for eyes, own in ((Public(), None), (SeatEyes(1), 1)):
        told = selectors.frames(play, Sight(eyes), -1)
        last = told[-1]
        assert {seat for seat, _ in last["payoffs"]} == ({own} if own is not None else set())
        assert {seat for seat, _ in last["actions"]} == ({own} if own is not None else set())
        assert {event["data"]["seat"] for frame in told for event in frame["events"] if event["kind"] == "earned"} == (
            {own} if own is not None else set()
        )
        assert last["metrics"] is None
    everything = selectors.frames(play, Sight(All()), -1)[-1]
    assert len(everything["payoffs"]) == 3
    assert everything["metrics"] is not None


def test_settings_that_may_tell_the_end_are_kept_from_seats(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "omniscient"})
    assert summary.run_summary(run, Sight(SeatEyes(0)))["config"] is None
    assert summary.run_summary(run, Sight(All()))["config"] == {"days": 5, "marchers": 3}


@pytest.mark.parametrize("eyes", [All(), Public(), SeatEyes(1)], ids=["all", "public", "seat 1"])
def test_a_brief_says_no_more_than_the_frame_of_the_same_eyes(make_run: MakeRun, eyes: Eyes) -> None:
    run = under_way(make_run, {"kind": "omniscient"}, steps=4)
    play, seen = selectors.playing(run), Sight(eyes)
    frames, briefs = selectors.frames(play, seen, -1), selectors.briefs(play, seen, -1)
    assert len(briefs) == len(frames) > 1
    for frame, brief in zip(frames, briefs, strict=True):
        same = ("n", "clock", "payoffs", "metrics", "hash")
        assert {key: brief[key] for key in same} == {key: frame[key] for key in same}
        assert brief["kinds"] == list(dict.fromkeys(event["kind"] for event in frame["events"]))


def test_frames_beyond_the_sight_are_not_to_be_had(make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "delayed", "delay": 1})
    play, seen = selectors.playing(run), sight(run, VISITOR)
    assert [frame["n"] for frame in selectors.frames(play, seen, -1)] == [0, 1, 2, 3, 4]
    with pytest.raises(selectors.NotFound, match="frame 5: not to be seen yet; the last is 4"):
        selectors.snapshot(play, seen, 5)
    json.dumps(selectors.snapshot(play, seen))
