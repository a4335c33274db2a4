"""The rules of a match: two seats choose at the same time, what they do is paid, and the match may end.

Source: "Phase 1 Spec: Iterated Prisoner's Dilemma (Baseline Social PD)". The talk stage is a treatment beyond it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.catalog.dilemma.answers import clean_message, clean_move, talking
from games.catalog.dilemma.config import DECIMALS, DilemmaConfig
from games.catalog.dilemma.imagining import imagine, standing
from games.catalog.dilemma.labels import choosing
from games.catalog.dilemma.rounds import carry_out, ending, settle, tell, void
from games.catalog.dilemma.shapes import EVENTS, DilemmaView
from games.catalog.dilemma.state import Action, Choice, DilemmaState, Observation, Say
from games.core.answers import ActionSpec, Note
from games.core.game import (
    All,
    Event,
    Eyes,
    Game,
    Imagined,
    Invariant,
    LazyEvents,
    Resolution,
    Seat,
    SeatSpec,
    Seen,
    Standing,
    Turn,
)
from games.core.rng import Rng

BOTH = (0, 1)
SEATS = (SeatSpec("A"), SeatSpec("B"))


class Dilemma(Game[DilemmaConfig, DilemmaState, Observation, Action]):
    slug = "dilemma"
    rules_version = 1
    config_type = DilemmaConfig
    state_type = DilemmaState
    action_type = Action
    view_type: ClassVar[Any] = DilemmaView
    event_types: ClassVar[Mapping[str, Any]] = EVENTS

    def seats(self, config: DilemmaConfig) -> Sequence[SeatSpec]:
        return SEATS

    def initial(self, config: DilemmaConfig, rng: Rng) -> Resolution[DilemmaState]:
        return Resolution(DilemmaState(stage="talk" if config.talk else "choose"))

    def turn(self, config: DilemmaConfig, state: DilemmaState) -> Turn | None:
        return None if state.ending else Turn((("round", state.played + 1),), state.stage, BOTH)

    def horizon(self, config: DilemmaConfig) -> int | None:
        """Fixed matches end at a known step; with talk, a round takes two."""
        return config.rounds * (2 if config.talk else 1) if config.horizon == "fixed" else None

    def rounds(self, config: DilemmaConfig) -> int | None:
        return config.rounds if config.horizon == "fixed" else None

    def observe(
        self, config: DilemmaConfig, state: DilemmaState, seat: Seat, past: Sequence[Seen[Action]]
    ) -> Observation:
        own, opponent = (0, 1) if seat == 0 else (1, 0)
        noise = (config.noise_a, config.noise_b)
        return Observation(
            state.stage,
            state.played + 1,
            state.moves[own],
            state.moves[opponent],
            config.payoffs,
            (state.totals[own], state.totals[opponent]) if config.show_totals else None,
            *config.shown_length,
            (noise[own], noise[opponent]),
            config.history_window,
            (state.said[own], state.said[opponent]) if state.said else None,
            config.talk_limit if config.talk else None,
            config.labels,
        )

    deeds_are_common: ClassVar[bool] = True

    def imagine(self, observation: Observation, rng: Rng) -> Imagined[DilemmaConfig, DilemmaState, Action]:
        return imagine(observation)

    def standing(self, observation: Observation) -> Standing[Action]:
        return standing(observation)

    def actions(self, config: DilemmaConfig, state: DilemmaState, seat: Seat) -> ActionSpec[Action]:
        return choosing(config.labels) if state.stage == "choose" else talking(config.talk_limit)

    def clean(
        self, config: DilemmaConfig, state: DilemmaState, seat: Seat, action: Action | None, rng: Rng
    ) -> tuple[Action, tuple[Note, ...]]:
        if state.stage == "talk":
            return clean_message(config, action)
        return clean_move(config, state, seat, action)

    def resolve(
        self, config: DilemmaConfig, state: DilemmaState, actions: Mapping[Seat, Action], rng: Rng
    ) -> Resolution[DilemmaState]:
        a, b = actions[0], actions[1]
        if isinstance(a, Say) and isinstance(b, Say):
            return hear(state, a, b)
        if not isinstance(a, Choice) or not isinstance(b, Choice):
            return void(state, (a, b))
        intended = a.move, b.move
        executed = did_a, did_b = carry_out(config, intended, rng)
        paid = config.payoffs.of(did_a, did_b), config.payoffs.of(did_b, did_a)
        after = settle(config, state, executed, paid, ending(config, state.played + 1, rng))
        events = LazyEvents(lambda: tell(config, state, after, intended, executed, paid))
        return Resolution(after, events, {0: paid[0], 1: paid[1]})

    def view(self, config: DilemmaConfig, state: DilemmaState, eyes: Eyes) -> DilemmaView:
        """The strips, the totals, the rules in force. A hidden length and hidden totals are shown to omniscient eyes
        only, since whoever plays may look with public ones."""
        length = config.length if isinstance(eyes, All) else config.shown_length
        shows_totals = config.show_totals or isinstance(eyes, All)
        t, r, p, s = config.payoffs
        view: DilemmaView = {
            "moves": state.moves,
            "totals": state.totals if shows_totals else None,
            "payoffs": {"CC": (r, r), "CD": (s, t), "DC": (t, s), "DD": (p, p)},
            "horizon": length.horizon,
            "rounds": length.rounds,
            "stop_prob": length.stop_prob,
            "noise": (config.noise_a, config.noise_b),
            "talk": config.talk,
            "said": state.said,
            "ending": state.ending,
        }
        if config.labels != "letters":
            view["labels"] = config.labels
        return view

    def invariants(self, config: DilemmaConfig, state: DilemmaState) -> Sequence[Invariant]:
        a, b = state.moves
        owed = [_owed(config, a, b), _owed(config, b, a)]
        return (
            Invariant("both have moved in every round", len(a) == len(b), f"{len(a)} and {len(b)}"),
            Invariant("totals are what the moves pay", owed == list(state.totals), f"{owed}, {list(state.totals)}"),
            Invariant("within the longest match", len(a) <= config.longest, f"{len(a)} of {config.longest}"),
        )


def hear(state: DilemmaState, a: Say, b: Say) -> Resolution[DilemmaState]:
    """Both messages arrive together, before either moves."""
    after = DilemmaState(state.moves, state.totals, "choose", (a.text, b.text))
    events = tuple(
        Event("message_sent", {"by": seat, "text": text}) for seat, text in enumerate(after.said or ()) if text
    )
    return Resolution(after, events)


def _owed(config: DilemmaConfig, own: str, opponent: str) -> float:
    pairs = list(zip(own, opponent, strict=False))
    counts = zip((("D", "C"), ("C", "C"), ("D", "D"), ("C", "D")), config.payoffs, strict=True)
    return round(sum(pairs.count(pair) * paid for pair, paid in counts), DECIMALS)
