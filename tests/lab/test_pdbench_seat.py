from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalog.dilemma.answers import COOPERATE
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.prompts import FILES
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.state import DilemmaState
from games.core.agents import Memory, Request, deciding
from games.core.answers import JSON, Note
from games.core.engine import play
from games.lab.pdbench.parsing import parse_json, parse_token
from games.lab.pdbench.plan import HOME
from games.lab.pdbench.seat import JUNK, PERSONAS, ProviderClient, SeatSettings, mock_clients, model_seat
from games.lab.pdbench.templates import (
    ROUND_FIELDS,
    SYSTEM_FIELDS,
    BadTemplate,
    Prompt,
    check_template,
    render,
)

SYSTEM, ROUND = ((HOME / "configs" / "prompts" / name).read_text("utf-8") for name in ("pd_system.md", "pd_round.md"))
GAME = Dilemma()
SETTINGS = SeatSettings(SYSTEM, ROUND, "Be kind.")


class Scripted:
    """A provider that replies what it is told to, and keeps what it was asked."""

    def __init__(self, *replies: str) -> None:
        self.replies, self.asked = list(replies), list[str]()

    def complete(self, *, system: str, prompt: str, temperature: float, max_tokens: int) -> str:
        self.asked.append(prompt)
        return self.replies.pop(0)

    def __call__(self, request: Request[Any, Any]) -> tuple[ProviderClient, Memory]:
        return self, None


def prompted(state: DilemmaState, window: int | None = None, **settings: object) -> Prompt:
    config = DilemmaConfig.model_validate(settings)
    return render(GAME.observe(config, state, 0, ()), SYSTEM, ROUND, "Be kind.", window)


def one_round(provider: Scripted, fallback: str = "C", **settings: object) -> Any:
    """The step of one round in which A is played through the provider and B always cooperates."""
    seat = model_seat(SeatSettings(SYSTEM, ROUND, "", **settings), provider)  # type: ignore[arg-type]
    config = DilemmaConfig.model_validate({"rounds": 1, "fallback": fallback})
    return list(play(GAME, config, 1, {0: seat, 1: deciding(POLICIES["ALLC"].bind())}))[-1]


@pytest.mark.parametrize(("reply", "move"), [("C", "C"), ("D", "D"), (" c\n", "C"), ("\td ", "D")])
def test_a_single_letter_is_a_move(reply: str, move: str) -> None:
    assert parse_token(reply) == (move, "")


@pytest.mark.parametrize("reply", [*JUNK, "C.", "C D", "cooperate", '"C"', "С", "C\nD", "I choose C", "```C```"])
def test_anything_else_is_refused_in_one_line(reply: str) -> None:
    move, fault = parse_token(reply)
    assert move is None
    assert fault
    assert "\n" not in fault


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ('{"action": "C"}', "C"),
        ('{"action": "d"}', "D"),
        ("C", None),
        ('{"action": "C", "why": "peace"}', None),
        ('{"action": 1}', None),
        ('["C"]', None),
        ('Sure: {"action": "C"}', None),
        ("[" * 100_000, None),
    ],
)
def test_json_is_read_strictly_where_it_is_asked_for(reply: str, move: str | None) -> None:
    assert parse_json(reply).move == move


@given(st.text())
def test_only_a_single_letter_is_ever_read_as_a_move(reply: str) -> None:
    assert (parse_token(reply).move is not None) == (reply.strip() in ("C", "c", "D", "d"))
    assert "\n" not in parse_token(reply).fault + parse_json(reply).fault


@pytest.mark.parametrize("window", [0, 1, 3, 10, 100])
def test_the_configured_window_is_the_one_in_the_prompt(window: int) -> None:
    state = DilemmaState(("CD" * 10, "CC" * 10), (80, 30))
    for prompt in (prompted(state, window), prompted(state, history_window=window)):
        shown = [n for n in range(1, 21) if f"round {n}:" in prompt.round]
        assert shown == list(range(max(1, 21 - window), 21))


def test_a_round_of_the_transcript_says_moves_and_payoffs_from_one_s_own_side() -> None:
    state = DilemmaState(("D", "C"), (5, 0))
    assert "round 1: you D, other C; you got 5, other 0" in prompted(state).round
    config = DilemmaConfig()
    other = render(GAME.observe(config, state, 1, ()), SYSTEM, ROUND, "", None)
    assert "round 1: you C, other D; you got 0, other 5" in other.round


def test_the_prompt_tells_the_length_only_where_it_is_known() -> None:
    state = DilemmaState()
    assert "exactly 37 rounds" in prompted(state, rounds=37).system
    assert "probability 0.25" in prompted(state, horizon="geometric", stop_prob=0.25).system
    for hidden in ({"rounds": 37}, {"horizon": "geometric", "stop_prob": 0.37}):
        prompt = prompted(state, known_length=False, **hidden)
        assert "37" not in prompt.system + prompt.round
        assert "not told how long" in prompt.system


def test_totals_are_shown_only_where_both_match_and_agent_show_them() -> None:
    state = DilemmaState(("D", "C"), (5, 0))
    assert "Totals so far: you 5, other 0." in prompted(state).round
    assert "Totals" not in prompted(state, show_totals=False).round
    observation = GAME.observe(DilemmaConfig(), state, 0, ())
    assert "Totals" not in render(observation, SYSTEM, ROUND, "", include_totals=False).round


def test_prompts_are_the_same_bytes_every_time() -> None:
    state = DilemmaState(("CD", "DD"), (1, 6))
    assert prompted(state) == prompted(state)


def test_a_template_with_an_unknown_placeholder_is_refused_by_name() -> None:
    check_template(SYSTEM, SYSTEM_FIELDS)
    check_template(ROUND, ROUND_FIELDS)
    with pytest.raises(BadTemplate, match=r"placeholder \{secret\} is unknown"):
        check_template("{secret}", ROUND_FIELDS)
    with pytest.raises(BadTemplate, match="is no template"):
        check_template("{round", ROUND_FIELDS)


def test_an_invalid_reply_is_corrected_with_the_same_round_and_asked_again() -> None:
    provider = Scripted("I cooperate", "D")
    step = one_round(provider)
    assert step.actions[0].move == "D"
    assert step.flags == {}
    assert len(provider.asked) == 2
    assert provider.asked[1].startswith(provider.asked[0])
    assert "'I cooperate' is not the single letter C or D" in provider.asked[1]


@pytest.mark.parametrize(("fallback", "move"), [("C", "C"), ("D", "D")])
def test_after_the_last_retry_the_fallback_is_played_and_flagged(fallback: str, move: str) -> None:
    provider = Scripted("x", "y", "z", "C")
    step = one_round(provider, fallback)
    assert len(provider.asked) == 3
    assert step.actions[0].move == move
    assert step.flags == {0: ("fallback",)}
    assert step.notes[0] == (Note("no_move_replaced", {"move": move}),)


def test_no_retries_means_one_attempt() -> None:
    provider = Scripted("x", "C")
    assert one_round(provider, max_retries=0).flags == {0: ("fallback",)}
    assert provider.replies == ["C"]


def trace_of(keep: str) -> Mapping[str, JSON]:
    seat = model_seat(SeatSettings(SYSTEM, ROUND, "", keep=keep), Scripted("no", "C"))  # type: ignore[arg-type]
    kept: list[Mapping[str, JSON]] = []

    def watched(request: Request[Any, Any]) -> Any:
        kept.append((decision := seat(request)).trace)
        return decision

    config = DilemmaConfig(rounds=1)
    list(play(GAME, config, 1, {0: watched, 1: deciding(POLICIES["ALLC"].bind())}))
    return kept[0]


def test_every_attempt_is_traced_and_prompts_as_asked_for() -> None:
    attempts = [{"reply": "no", "fault": "'no' is not the single letter C or D"}, {"reply": "C", "fault": None}]
    assert trace_of("none") == {"attempts": attempts}
    full = trace_of("full")["prompts"]
    assert isinstance(full, dict)
    assert full["round"].startswith("Round 1.")
    hashed = trace_of("hash")["prompts"]
    assert isinstance(hashed, dict)
    assert len(hashed["round_hash"]) == 32


def test_the_mock_has_a_strategy_for_every_persona_of_the_game() -> None:
    assert set(FILES.personas()) == set(PERSONAS)


@pytest.mark.parametrize("persona", PERSONAS)
def test_the_mock_plays_its_persona_s_strategy_with_the_same_draws(persona: str) -> None:
    config = DilemmaConfig(rounds=60, noise_a=0.1, noise_b=0.1)
    policy, opponent = PERSONAS[persona], deciding(POLICIES["RANDOM"].bind())
    mock = model_seat(SETTINGS, mock_clients(policy, {}))
    seats = ({0: mock, 1: opponent}, {0: deciding(POLICIES[policy].bind()), 1: opponent})
    ours, plain = (list(play(GAME, config, 3, deciders))[-1].state for deciders in seats)
    assert ours == plain


def test_faults_of_the_mock_are_retried_and_counted_the_same_way_every_time() -> None:
    config = DilemmaConfig(rounds=300)
    opponent = deciding(POLICIES["ALLC"].bind())

    def flagged(faults: float) -> list[int]:
        seat = model_seat(SETTINGS, mock_clients("ALLC", {}, faults=faults))
        return [step.index for step in play(GAME, config, 5, {0: seat, 1: opponent}) if step.flags]

    assert flagged(0) == []
    assert len(flagged(1)) == 300
    some = flagged(0.5)
    assert some == flagged(0.5)
    assert abs(len(some) - 300 / 8) < 4 * (300 * 1 / 8 * 7 / 8) ** 0.5
    assert COOPERATE
