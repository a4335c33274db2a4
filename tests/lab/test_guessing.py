"""What spectators may guess: a few kinds of a seat's next decision, in every game that has them, as it came out."""

from __future__ import annotations

from typing import Any

import pytest

import polity
from games.core.prompts import LANGUAGES
from games.core.registry import get
from games.lab.folders.telling import read
from games.lab.scenarios.scenario import load
from games.lab.story.guessing import Question, question_of, questions

ASKED = ("dilemma/demo", "mining/baseline", "nations/demo", "economist/living", "adasociety/contract-easy")
DECLARED = ("stag_hunt/default", "ultimatum/default", "public_goods/default", "voting/default")


def played(preset: str) -> tuple[list[Question], list[Any]]:
    runs = polity.play(preset, [1])  # its folder lasts as long as this
    folder = runs.folder
    entry = folder.entries[0]
    return questions(folder.pack, folder.config(entry.condition)), list(read(folder, entry))


@pytest.mark.parametrize("preset", [*ASKED, *DECLARED])
def test_each_decision_is_one_of_few_options_that_have_words_in_every_language(preset: str) -> None:
    asked, records = played(preset)
    before: dict[int, Any] = {}
    found: set[str] = set()
    for record in records:
        for seat, _ in record["actions"]:
            question = question_of(asked, before.get(seat), seat)
            decided = question and question.decided(record, seat)
            if question and decided is not None:
                last = question.decided(before[seat], seat) if seat in before else None
                option = question.option(decided, last)
                assert option in question.options
                assert 2 <= len(question.options) <= 7
                assert all(question.options[option][lang] for lang in LANGUAGES)
                found.add(option)
            if question_of(asked, record, seat):
                before[seat] = record
    assert found


def test_in_the_deep_games_more_than_one_kind_comes_about() -> None:
    for preset in ASKED:
        [question], records = played(preset)
        came = {question.decided(record, seat) for record in records for seat, _ in record["actions"]}
        assert len(came - {None}) > 1, preset


def test_an_amount_is_held_against_the_one_before() -> None:
    [question], _ = played("public_goods/default")
    assert [question.option(now, 5) for now in (6, 5, 4)] == ["more", "same", "less"]


def test_a_slip_counts_as_what_came_of_it() -> None:
    [question], _ = played("dilemma/demo")
    slip = {"kind": "hand_slipped", "data": {"by": 0, "meant": "C", "did": "D"}}
    record = {"actions": [[0, {"move": "C"}], [1, {"move": "C"}]], "events": [slip]}
    assert [question.decided(record, seat) for seat in (0, 1)] == ["D", "C"]
    [declared], _ = played("prisoners_dilemma/default")
    news = {"kind": "choose_made", "data": {"by": 0, "choose": "D"}}
    assert declared.decided({"actions": [[0, {"choose": "C"}]], "events": [news]}, 0) == "D"


def test_a_stage_in_which_a_seat_decides_something_else_is_none_of_its_decisions() -> None:
    [question], _ = played("dilemma/talk")
    assert question.decided({"actions": [[0, {"text": "C"}]], "events": []}, 0) is None


def test_where_moves_have_other_names_nothing_is_guessed() -> None:
    conditions = {one.name: one.config for one in load("dilemma/framing").conditions}
    offered = {config.labels: bool(questions(get("dilemma"), config)) for config in conditions.values()}
    assert offered.pop("letters") is True
    assert offered
    assert not any(offered.values())
