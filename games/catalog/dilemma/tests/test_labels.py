"""What the moves are called: the same match under every label, and no letter but the labels for whoever plays."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.catalog.dilemma.config import WORDS, DilemmaConfig
from games.catalog.dilemma.instructions import tell
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core.agents import deciding
from games.core.answers import BadAction
from games.core.engine import play, start
from games.core.instructions import SECTIONS, instructions
from games.core.prompts import LANGUAGES

GAME = Dilemma()
LETTER = re.compile(r"(?<![A-Za-z])[CD](?![A-Za-z])")


def match(labels: str) -> list[Any]:
    config = DilemmaConfig(rounds=12, noise_a=0.3, noise_b=0.2, labels=labels)
    seats = {0: deciding(POLICIES["TFT"].bind()), 1: deciding(POLICIES["RANDOM"].bind())}
    return list(play(GAME, config, 5, seats))


@pytest.mark.parametrize("labels", ["neutral", "framed"])
def test_a_match_is_the_same_whatever_its_moves_are_called(labels: str) -> None:
    plain, other = match("letters"), match(labels)
    assert [step.state for step in plain] == [step.state for step in other]
    assert [step.actions for step in plain] == [step.actions for step in other]


@pytest.mark.parametrize(("labels", "c", "d"), [("neutral", "X", "Y"), ("framed", "合作", "背叛")])
def test_the_feed_tells_moves_and_slips_by_their_labels(labels: str, c: str, d: str) -> None:
    book, voice = WORDS.book("zh")["events"], WORDS.voice("zh")
    kinds = ("round_played", "hand_slipped")
    events = [event for step in match(labels) for event in step.events if event.kind in kinds]
    told = "\n".join(voice.sentence(book[event.kind]["text"], event.data) for event in events)
    assert {event.kind for event in events} == set(kinds)
    assert c in told
    assert d in told
    assert not LETTER.search(told)


@pytest.mark.parametrize("fallback", ["C", "D", "repeat"])
@pytest.mark.parametrize("labels", ["neutral", "framed"])
def test_players_are_told_no_letter_but_the_labels(labels: str, fallback: str) -> None:
    config = DilemmaConfig(labels=labels, fallback=fallback)
    for language in LANGUAGES:
        told = instructions(GAME, tell, config, 0, language)
        text = "\n".join([*(line for name in SECTIONS for line in getattr(told, name)), told.default])
        assert not LETTER.search(text), text


def test_no_answer_is_told_by_its_label() -> None:
    config = DilemmaConfig(labels="framed", fallback="D")
    action, (note,) = GAME.clean(config, start(GAME, config, 1).state, 0, None, None)  # type: ignore[arg-type]
    assert action.move == "D"  # type: ignore[union-attr]
    assert WORDS.note(note, "en") == "Move: no answer; plays defect (fallback)."
    assert WORDS.note(note, "zh") == "选择：没有作答；按规定代出 背叛。"


def test_a_choice_is_read_by_label_and_by_letter_and_its_refusal_names_the_labels() -> None:
    config = DilemmaConfig(labels="neutral")
    spec = GAME.actions(config, start(GAME, config, 1).state, 0)
    assert [spec.read({"move": move}) for move in ("X", "Y")] == list(spec.options or ())
    assert [spec.read({"move": move}) for move in ("C", "D")] == list(spec.options or ())
    assert not LETTER.search(str(spec.schema))
    with pytest.raises(BadAction, match=r'"X"} or {"move": "Y"}'):
        spec.read({"move": "Z"})
