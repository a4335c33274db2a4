"""A class: matches that begin when its lead says so, whoever comes; its screen tells who has moved and never what."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import registry
from games.core.prompts import LANGUAGES
from games.errors.faults import BadScenario
from games.errors.requests import BadRequest
from games.site.drive.conductor import conduct
from games.site.exports.sessions import tables_of
from games.site.models import Member, Participant, Run, RunStatus, Seat, Session, Visit
from games.site.people.moves import move_submit
from games.site.studies.findings import findings_of
from games.site.studies.gathering import PRESENT, studies_continue
from games.site.studies.leading import match_start, next_match
from games.site.studies.loading import study_read
from games.site.studies.matching import Groups, matched_now
from games.site.studies.operating import session_act
from games.site.studies.screen import screen_of
from games.site.studies.standing import standing
from games.site.studies.walking import member_join, session_open
from tests.studies.conftest import again, play_on, sends

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Session]

CLASS: dict[str, Any] = {
    "study": "class",
    "names": True,
    "steps": {
        "rules": {"text": "Read this."},
        "play": {
            "scenario": "dilemma/tft-vs-alld",
            "config": {"rounds": 2},
            "seats": {"*": {"person": True}},
            "people": {"deadline_s": 60, "shows": "all"},
            "repeat": 3,
            "match": "stranger",
            "gather": {"start": "lead"},
        },
        "talk": {"ask": {"why": {"title": "Why?", "required": False}}},
    },
}


def opened(**changes: Any) -> Session:
    data = deepcopy(CLASS)
    data["steps"]["play"].update(changes)
    return session_open(study_read(data), seed=5)


def come(session: Session, *names: str, in_ranking: bool = True) -> list[Member]:
    """They join, read and wait."""
    found = [member_join(session, name=name, in_ranking=in_ranking) for name in names]
    for one in found:
        sends(one)
    return found


def here(session: Session) -> None:
    Member.objects.filter(session=session).update(seen=timezone.now())


def begin(session: Session) -> int:
    here(session)
    return match_start(session)


def sat(session: Session, number: int) -> list[frozenset[int]]:
    """Who sat together in a match, by their numbers."""
    runs = Run.objects.filter(session=session, study_round=number - 1)
    return [frozenset(Participant.objects.filter(run=run).values_list("member__number", flat=True)) for run in runs]


def move(session: Session, number: int, with_move: str = "C") -> None:
    """One member moves in the match under way."""
    one = (
        Participant.objects.select_related("run")
        .filter(member__session=session, member__number=number)
        .latest("joined")
    )
    conduct(one.run_id, "live")
    step = Run.objects.get(pk=one.run_id).head + 1
    move_submit(
        participant=one, tab="", client_id=f"move-{one.pk}-{step}", step=step, raw={"action": {"move": with_move}}
    )


# --- who plays, and when ----------------------------------------------------------------------------


def test_nothing_begins_until_the_lead_says_so_and_a_second_press_begins_nothing() -> None:
    session = opened()
    come(session, "Mia", "Jonas", "Ben", "Ida")
    studies_continue()
    assert not Run.objects.exists(), "a full group began by itself"
    assert match_start(session, 1) == 2
    assert match_start(session, 1) == 0, "the first match began twice"
    assert Run.objects.count() == 2
    with pytest.raises(BadRequest, match="match 1 is still played"):
        match_start(session, 2)


def test_one_alone_cannot_begin_and_the_refusal_says_how_many_are_needed() -> None:
    session = opened()
    come(session, "Mia")
    with pytest.raises(BadRequest, match="1 wait and are there; at least 2"):
        match_start(session)


def test_an_odd_class_leaves_somebody_else_out_each_time_and_all_come_to_the_end() -> None:
    session = opened()
    come(session, *"ABCDE")
    out = []
    for number in (1, 2, 3):
        assert begin(session) == 2
        out.append(set(range(5)) - {one for pair in sat(session, number) for one in pair})
        play_on(session)
        studies_continue()
    assert [len(one) for one in out] == [1, 1, 1]
    assert len(set.union(*out)) == 3, "somebody sat out twice"
    met = Counter(pair for number in (1, 2, 3) for pair in sat(session, number))
    assert set(met.values()) == {1}, "a pair met twice although others were there"
    assert {again(one).step for one in Member.objects.all()} == {"talk"}
    assert next_match(session) is None
    assert set(Visit.objects.filter(why="sat_out").values_list("member__number", flat=True)) <= set.union(*out)


def test_whoever_comes_late_plays_from_the_next_match_and_after_the_last_goes_on_without_one() -> None:
    session = opened(repeat=2)
    come(session, "A", "B")
    begin(session)
    come(session, "C", "D")
    studies_continue()
    assert len(sat(session, 1)) == 1, "the late were put into a match that nobody began"
    play_on(session)
    studies_continue()
    assert begin(session) == 2
    (late,) = come(session, "E")
    play_on(session)
    studies_continue()
    assert (again(late).step, Participant.objects.filter(member=late).count()) == ("talk", 0)


def test_whoever_is_away_when_a_match_begins_is_not_in_it() -> None:
    session = opened()
    away, *_ = come(session, "A", "B", "C")
    Member.objects.filter(pk=away.pk).update(seen=timezone.now() - timedelta(minutes=1))
    assert match_start(session) == 1
    assert sat(session, 1) == [frozenset({1, 2})]


def test_a_program_plays_with_who_is_left_over_where_the_file_fills() -> None:
    session = opened(gather={"start": "lead", "else": "fill", "fill": {"policy": "TFT"}})
    come(session, "A", "B", "C")
    assert begin(session) == 2
    assert sorted(map(len, sat(session, 1))) == [1, 2]
    assert Seat.objects.filter(run__session=session, kind="policy").count() == 1


def test_pausing_holds_every_match_and_resuming_lets_all_go_on() -> None:
    session = opened()
    come(session, *"ABCD")
    begin(session)
    session_act(session, "pause")
    assert set(Run.objects.values_list("status", flat=True)) == {RunStatus.PAUSED}
    assert screen_of(session)["phase"] == "paused"
    session_act(session, "resume")
    assert RunStatus.PAUSED not in set(Run.objects.values_list("status", flat=True))


def test_ending_the_class_stops_its_matches_and_takes_everybody_to_the_end_with_what_they_have() -> None:
    session = opened()
    come(session, *"ABC")
    begin(session)
    play_on(session)
    studies_continue()
    begin(session)
    session_act(session, "finish")
    assert {(one.state, one.step) for one in Member.objects.all()} >= {("done", "play")}
    assert {one.state for one in Member.objects.all()} == {"done"}
    assert sorted(one.pay["points"] for one in Member.objects.all()) == [0.0, 6.0, 6.0]
    assert set(Run.objects.values_list("status", flat=True)) == {"finished", "stopped"}
    assert screen_of(Session.objects.get())["phase"] == "over"


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 4), st.integers(2, 17), st.integers(0, 2**53 - 1), st.sampled_from(["random", "stranger", "partner"])
)
def test_of_whoever_is_there_as_many_as_fit_play_once_and_the_left_over_have_played_most(
    size: int, count: int, seed: int, rule: Any
) -> None:
    past: list[Groups] = []
    played: Counter[int] = Counter()
    for number in range(4):
        present = [place for place in range(count + number) if (place + number) % 7]
        groups, left = matched_now(rule, present, size, number, seed, past)
        assert (groups, left) == matched_now(rule, present, size, number, seed, past)
        assert sorted([*(one for group in groups for one in group), *left]) == present
        assert len(left) == len(present) % size
        if rule != "partner":
            sitting = [played[one] for group in groups for one in group]
            assert min((played[one] for one in left), default=99) >= max(sitting, default=0) - 1
        played.update(one for group in groups for one in group)
        past.append(groups)


def test_partners_stay_together_and_who_lost_theirs_is_paired_anew() -> None:
    first, _ = matched_now("partner", range(6), 2, 0, 1)
    second, left = matched_now("partner", [0, 1, 2, 3, 4], 2, 1, 1, [first])
    kept = [pair for pair in first if 5 not in pair]
    assert [pair for pair in second if pair in kept] == kept
    assert (len(second), len(left)) == (2, 1)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"gather": {"start": "lead", "wait_s": 60}}, "leave wait_s out"),
    ({"silo": 4}, "leave silo out"),
    ({"match": "perfect"}, "take stranger"),
]


@pytest.mark.parametrize(("change", "told"), WRONG, ids=[one[1] for one in WRONG])
def test_what_a_class_cannot_be_given_is_refused_with_its_remedy(change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadScenario, match=told):
        opened(**change)


def test_a_class_of_several_arms_is_refused() -> None:
    with pytest.raises(BadScenario, match="a study of one arm"):
        study_read({**deepcopy(CLASS), "arms": {"a": {}, "b": {}}})


# --- what its screen tells --------------------------------------------------------------------------


def test_the_screen_tells_who_has_moved_and_nothing_of_what_they_chose() -> None:
    one, other = opened(), opened()
    for session, chosen in ((one, "C"), (other, "D")):
        come(session, "Mia", "Jonas")
        begin(session)
        move(session, 0, chosen)
    told = [screen_of(session) for session in (one, other)]
    (group,) = told[0]["groups"]
    assert {seat["name"]: seat["stands"] for seat in group["seats"]} == {"Mia": "moved", "Jonas": "deciding"}
    clock = told[0]["clock"]
    assert clock is not None
    assert (clock["moved"], clock["of"], clock["first"], clock["last"]) == (1, 2, 1, 1)
    plain = [json.dumps({**screen, "session": 0, "code": "", "clock": None}, sort_keys=True) for screen in told]
    assert plain[0] == plain[1], "the screen differs with a move that only its player may know"


def test_nothing_of_what_came_of_a_match_is_told_while_one_of_its_pairs_still_plays() -> None:
    session = opened(config={"rounds": 1})
    come(session, *"ABCD")
    begin(session)
    first = sorted(sat(session, 1), key=min)[0]
    for number in first:
        move(session, number)
    for run in Run.objects.all():
        conduct(run.pk, "live")
    assert sorted(Run.objects.values_list("status", flat=True)) == ["finished", "waiting"]
    assert (screen_of(session)["over"], findings_of(session)["findings"]) == ([], [])
    assert findings_of(session)["ranking"] == []
    play_on(session, "D")
    told = findings_of(session)
    assert screen_of(session)["over"] == [1]
    assert (told["metric"], told["findings"][0]["values"]) == ("cooperation", [0.5])


def test_most_points_names_those_who_agreed_half_the_class_at_the_most_and_averages_all() -> None:
    session = opened()
    come(session, "Mia", "Jonas", "Ida")
    come(session, "Shy", in_ranking=False)
    begin(session)
    play_on(session)
    told = findings_of(session)
    assert {row["name"] for row in told["ranking"]} <= {"Mia", "Jonas", "Ida"}
    assert told["average"] == 6.0
    assert {row["place"] for row in told["ranking"]} == {1}, "all have as many"


def test_the_screen_says_who_plays_from_which_match_and_who_is_away() -> None:
    session = opened()
    come(session, "A", "B", "C")
    begin(session)
    conduct(Run.objects.get().pk, "live")
    (waiting,) = screen_of(session)["waiting"]
    assert (waiting["plays_from"], waiting["reading"], waiting["away"]) == (2, False, False)
    gone = Participant.objects.order_by("seat").first()
    assert gone is not None
    long_ago = timezone.now() - timedelta(seconds=17)
    Participant.objects.filter(pk=gone.pk).update(seen=long_ago, gone_at=timezone.now())
    seat = screen_of(session)["groups"][0]["seats"][0]
    assert seat["stands"] == "away"
    assert seat["away_s"] == pytest.approx(17, abs=5)


def test_whoever_has_finished_stands_in_their_match_and_not_once_more_among_those_who_wait() -> None:
    session = opened()
    come(session, "Mia", "Jonas", "Ben", "Ida", "Elif")
    begin(session)
    one = Run.objects.filter(session=session).earliest("created")
    here(session)
    for _ in range(2):
        for seat in Participant.objects.filter(run=one):
            move(session, seat.member.number if seat.member else 0)
        conduct(one.pk, "live")
    studies_continue()
    shown = screen_of(session)
    assert [group["over"] for group in shown["groups"]] == [True, False]
    out = set(range(5)) - {number for pair in sat(session, 1) for number in pair}
    names = ["Mia", "Jonas", "Ben", "Ida", "Elif"]
    assert [person["name"] for person in shown["waiting"]] == [names[number] for number in out]
    play_on(session)
    studies_continue()
    assert len(screen_of(session)["waiting"]) == 5, "between two matches everybody waits"


def test_a_blind_study_shows_neither_names_nor_numbers_nor_who_is_a_person() -> None:
    session = opened(people={"deadline_s": 60, "shows": "all", "blind": True})
    come(session, "Mia", "Jonas", "Ida")
    begin(session)
    text = json.dumps(screen_of(session), ensure_ascii=False)
    assert not any(name in text for name in ("Mia", "Jonas", "Ida"))
    seats = [seat for group in screen_of(session)["groups"] for seat in group["seats"]]
    assert {(seat["number"], seat["stands"]) for seat in seats} == {(None, "deciding")}


def test_labels_of_a_panel_are_on_no_screen() -> None:
    session = opened()
    sends(member_join(session, label="PROLIFIC-77"))
    (person,) = screen_of(session)["waiting"]
    assert (person["name"], person["number"]) == ("", 1)
    assert "PROLIFIC-77" not in json.dumps(screen_of(session))


def test_results_are_held_back_where_players_are_shown_less_than_everything() -> None:
    session = opened(people={"deadline_s": 60, "shows": "results"})
    come(session, "A", "B")
    begin(session)
    play_on(session)
    assert (findings_of(session)["findings"], screen_of(session)["over"]) == ([], [])
    session_act(session, "finish")
    assert len(findings_of(Session.objects.get())["findings"]) == 1, "they are told when all is over"


def test_the_same_settings_played_by_programs_stand_beside_a_class(client: Client) -> None:
    from games.lab.scenarios.layers import Layer
    from games.lab.scenarios.scenario import load_preset
    from games.site.runs.creating import run_create

    session = opened()
    come(session, "A", "B")
    begin(session)
    play_on(session, "D")
    assert findings_of(session)["findings"][0]["beside"] is None
    run = run_create(scenario=load_preset("dilemma/tft-vs-alld", extra=[Layer("t", {"rounds": 2}, {})]))
    other = run_create(scenario=load_preset("dilemma/tft-vs-alld", extra=[Layer("t", {"rounds": 3}, {})]))
    for one in (run, other):
        conduct(one.pk, "live")
    beside = findings_of(session)["findings"][0]["beside"]
    assert beside is not None
    assert (beside["seats"], beside["models"], beside["values"]) == (2, False, [0.5, 0.0]), "of other settings nothing"
    Run.objects.filter(pk=run.pk).update(audience={"kind": "private"})
    assert findings_of(session)["findings"][0]["beside"] is None, "what not everybody may see is not projected"


@pytest.mark.parametrize("slug", list(registry.packs()))
def test_every_game_has_a_headline_measure_with_a_noun_in_both_languages(slug: str) -> None:
    pack = registry.get(slug)
    for lang in LANGUAGES:
        book = pack.words.book(lang)
        assert pack.headline in book["metrics"]
        assert book["headline"]


# --- its doors --------------------------------------------------------------------------------------


def operator() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def test_the_lead_begins_pauses_and_ends_from_the_screen_and_nobody_else_does() -> None:
    session = opened()
    come(session, "A", "B")
    at = f"/api/v1/sessions/{session.pk}"
    assert Client().get(f"{at}/screen").status_code == 403
    assert Client().post(f"{at}/lead", {"do": "begin"}, "application/json").status_code == 403
    lead = operator()
    assert lead.get(f"/sessions/{session.pk}/screen").status_code == 200
    assert lead.get(f"{at}/screen").json()["next"]["can_start"] is True
    told = lead.post(f"{at}/lead", {"do": "begin", "match": 1}, "application/json").json()
    assert (told["phase"], told["match"], len(told["groups"])) == ("playing", 1, 1)
    assert (
        lead.post(f"{at}/lead", {"do": "begin", "match": 2}, "application/json").json()["error"]["code"] == "match_busy"
    )
    assert lead.post(f"{at}/lead", {"do": "pause"}, "application/json").json()["phase"] == "paused"
    assert lead.post(f"{at}/lead", {"do": "finish"}, "application/json").json()["phase"] == "over"
    assert lead.get("/api/v1/sessions/999999/screen").status_code == 404


def test_a_code_is_typed_as_it_stands_on_the_screen_and_the_door_asks_for_a_name() -> None:
    session = opened()
    typed = f"{session.code[:3].lower()} {session.code[3:].lower()}"
    assert len(session.code) == 6
    client = Client()
    assert client.get("/join", {"code": typed})["Location"] == f"/s/{session.code}"
    wrong = client.get("/join", {"code": "nope"})
    assert (wrong.status_code, "There is no code NOPE" in wrong.content.decode()) == (404, True)
    assert 'name="name"' in client.get(f"/s/{session.code}").content.decode()
    long = client.post(f"/s/{session.code}", {"name": "A" * 21, "in_ranking": "yes"}).content.decode()
    assert "21 characters; a name on the screen has 20 at most" in long
    assert f'value="{"A" * 21}"' in long, "what was written is lost"
    assert not Member.objects.exists()
    client.post(f"/s/{session.code}", {"name": "  Zoë  ", "in_ranking": "yes"})
    one = Member.objects.get()
    assert (one.name, one.in_ranking) == ("Zoë", True)
    assert "Zoë" not in json.dumps(tables_of(session).rows, default=str), "a name is in the data"


def test_whoever_waits_is_told_what_for() -> None:
    session = opened(repeat=2)
    client = Client()
    client.post(f"/s/{session.code}", {"name": "E"})
    (late,) = Member.objects.all()
    sends(late)
    page = lambda: client.get(f"/me/{late.pk}").content.decode()  # noqa: E731
    assert "Match 1 of 2 is next" in page()
    come(session, "A", "B")
    Member.objects.filter(pk=late.pk).update(seen=timezone.now() - timedelta(minutes=1))
    match_start(session)
    assert "You play from match 2; match 1 is being played" in page()


def test_a_name_that_should_not_stand_there_is_taken_off_the_screen() -> None:
    session = opened()
    (one,) = come(session, "Rude")
    session_act(session, "unname", one)
    assert "Rude" not in json.dumps(screen_of(session))
    assert screen_of(session)["waiting"][0]["number"] == 1


def test_looking_at_a_class_costs_no_more_queries_for_more_matches() -> None:
    session = opened()
    come(session, *"ABCDEFGH")
    asked: dict[int, list[int]] = {}
    for number, names in ((1, "ABCD"), (2, "ABCDEFGH")):  # two matches, then four
        Member.objects.filter(session=session).exclude(name__in=list(names)).update(seen=timezone.now() - PRESENT * 2)
        Member.objects.filter(session=session, name__in=list(names)).update(seen=timezone.now())
        assert match_start(session) == len(names) // 2
        for one in Run.objects.filter(session=session, study_round=number - 1):
            conduct(one.pk, "live")
        asked[number] = [counted(lambda: screen_of(session))]
        assert {one["round"] for one in screen_of(session)["groups"]} == {1}
        standing(session)  # what each seat has gained is read once for each step
        asked[number].append(counted(lambda: standing(session)))
        for member in range(len(names)):
            move(session, member)
        for one in Run.objects.filter(session=session, study_round=number - 1):
            conduct(one.pk, "live")
        asked[number].append(counted(lambda: screen_of(session)))
        assert {one["round"] for one in screen_of(session)["groups"]} == {2}
        play_on(session)
        studies_continue()
    assert asked[1] == asked[2]


def counted(look: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as made:
        look()
    return len(made)
