"""The laws that every game must keep, over every game and every preset.

Each law is a function of one `Case`, named by the law as a sentence; it raises AssertionError with what it saw.
``tests/core/test_conformance.py`` runs `LAWS` over the catalog; `check` runs them over any pack, such as a new game's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

import numpy as np

from games.core import codec
from games.core.agents import Decider, Decision, Policy, Request, deciding
from games.core.engine import Ask, Position, drive, play, replay
from games.core.game import MESSAGES, All, BadAction, Eyes, Game, Past, Public, Seat, SeatEyes, Step
from games.core.registry import Pack
from games.core.rng import Rng

LONG: Final = 60
"""A run is followed for this many steps; games that take longer are cut, those that must end are asked by `ends`."""
HORIZON_MAX: Final = 20_000


@dataclass(frozen=True, slots=True)
class Case:
    """One preset of one game: its validated config and who sits where. Seats without a policy play the default."""

    pack: Pack
    preset: str
    config: Any
    policies: Mapping[Seat, Policy]
    seed: int = 7
    steps: int = LONG

    @property
    def game(self) -> Game[Any, Any, Any, Any]:
        return self.pack.game

    @property
    def seats(self) -> range:
        return range(len(self.game.seats(self.config)))

    def deciders(self) -> dict[Seat, Decider]:
        default = self.pack.policies[self.pack.default_policy].bind()
        return {seat: deciding(self.policies.get(seat, default)) for seat in self.seats}

    def run(self, seed: int | None = None, deciders: Mapping[Seat, Decider] | None = None) -> list[Step[Any, Any]]:
        """The first `steps` steps after the start."""
        chosen = self.deciders() if deciders is None else deciders
        told: list[Step[Any, Any]] = []
        for step in play(self.game, self.config, self.seed if seed is None else seed, chosen):
            told.append(step)
            if step.index >= self.steps:
                break
        return told

    def hashes(self, steps: Sequence[Step[Any, Any]]) -> list[str]:
        previous, hashes = codec.GENESIS, []
        for step in steps:
            previous = codec.chain(self.game, previous, step)
            hashes.append(previous)
        return hashes

    def eyes(self) -> list[Eyes]:
        return [All(), Public(), *(SeatEyes(seat) for seat in self.seats[:6])]


def config_round_trips(case: Case) -> None:
    """A config written as JSON reads back as itself, and its schema can be made."""
    written = json.loads(case.config.model_dump_json())
    assert case.game.config_type.model_validate(written) == case.config
    assert case.game.config_type.model_json_schema()["properties"], "a config without fields"


def config_fields_are_described(case: Case) -> None:
    """Every field of the config has a title and a description, and unknown keys are refused."""
    for name, info in case.game.config_type.model_fields.items():
        assert info.title, f"config field {name}: no title"
        assert info.description, f"config field {name}: no description"
    assert case.game.config_type.model_config.get("extra") == "forbid", "unknown keys of the config are not refused"


def same_seed_same_bytes(case: Case) -> None:
    """Two runs from one seed are the same, step for step."""
    assert case.hashes(case.run()) == case.hashes(case.run())


def states_and_steps_round_trip(case: Case) -> None:
    """A state, an action and an event written as JSON read back to the same bytes, even when keys are reordered."""
    for step in case.run():
        state = codec.dump(case.game.state_type, step.state)
        again = codec.load(case.game.state_type, _reordered(json.loads(codec.canonical(state))))
        assert codec.canonical(codec.dump(case.game.state_type, again)) == codec.canonical(state), step.index
        record = codec.encode_step(case.game, step)
        restored = codec.decode_step(case.game, _reordered(json.loads(codec.canonical(record))), again)
        assert codec.canonical(codec.encode_step(case.game, restored)) == codec.canonical(record), step.index


def stored_actions_resolve_the_same(case: Case) -> None:
    """Actions that were stored and reloaded replay to the same hashes."""
    steps = case.run()
    stored = [json.loads(codec.canonical(codec.encode_step(case.game, step)["actions"])) for step in steps[1:]]
    actions = (codec.decode_actions(case.game, pairs) for pairs in stored)
    assert case.hashes(list(replay(case.game, case.config, case.seed, actions))) == case.hashes(steps)


def a_run_resumes_anywhere(case: Case) -> None:
    """A run that is written down in its middle and read back goes on as if nothing had happened."""
    steps, memories, plans = _with_memories(case)
    if len(steps) < 3:
        return
    middle = len(steps) // 2
    states = [codec.dump(case.game.state_type, step.state) for step in steps[: middle + 1]]
    records = [codec.encode_step(case.game, step) for step in steps[: middle + 1]]
    restored = [
        codec.decode_step(case.game, codec.plain(record), codec.load(case.game.state_type, codec.plain(state)))
        for record, state in zip(records, states, strict=True)
    ]
    since = Position(restored, codec_memories(memories[middle]), codec_memories(plans[middle]))
    went_on: list[Step[Any, Any]] = []
    for step in play(case.game, case.config, case.seed, case.deciders(), since):
        went_on.append(step)
        if step.index >= steps[-1].index:
            break
    expected = [codec.canonical(codec.encode_step(case.game, step)) for step in steps[middle + 1 :]]
    assert [codec.canonical(codec.encode_step(case.game, step)) for step in went_on] == expected


def mapping_order_is_irrelevant(case: Case) -> None:
    """Actions handed over in another order of seats resolve to the same state, events and payoffs."""
    game, root = case.game, Rng.root(case.seed)
    before: Step[Any, Any] | None = None
    for step in case.run():
        if before is not None and len(step.actions) > 1:
            backwards = {seat: step.actions[seat] for seat in reversed(list(step.actions))}
            other = game.resolve(case.config, before.state, backwards, root.step(step.index))
            same = codec.state_hash(game, other.state) == codec.state_hash(game, step.state)
            assert same, f"step {step.index}: the state depends on the mapping's order"
            ours, theirs = list(step.events), list(other.events)
            assert ours == theirs, f"step {step.index}: the events depend on the mapping's order"
            assert dict(other.payoffs) == dict(step.payoffs), step.index
        before = step


def resolve_mutates_nothing(case: Case) -> None:
    """A state that was resolved from is the same bytes afterwards."""
    kept: list[tuple[Any, bytes]] = []
    for step in case.run():
        kept.append((step.state, codec.canonical(codec.dump(case.game.state_type, step.state))))
    for state, written in kept:
        assert codec.canonical(codec.dump(case.game.state_type, state)) == written


def cleaning_is_idempotent(case: Case) -> None:
    """Cleaning a cleaned action changes nothing and gives no reason."""
    game, root = case.game, Rng.root(case.seed)
    before: Step[Any, Any] | None = None
    for step in case.run():
        if before is not None:
            for seat, action in step.actions.items():
                rng = root.step(step.index).at("clean", seat)
                again, reasons = game.clean(case.config, before.state, seat, action, rng)
                assert codec.dump(game.action_type, again) == codec.dump(game.action_type, action), (step.index, seat)
                assert not reasons, f"step {step.index}, seat {seat}: a clean action is cleaned again: {reasons}"
        before = step


HOSTILE: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 10**400, 1e308, float("nan"), float("inf"), "", "C", "\x00", "x" * 10_000, ["\ud800"],
    [], {}, [[]], [None], [[0, 0]] * 1000, list(range(100_000)), {"a": {"b": {"c": {"d": []}}}}, {"__class__": "x"},
    {"type": "claim"}, {"claim": [[-1, -1]], "mine": [{"cell": [0, 0], "s": 1e99}]}, [{"type": []}],
    [{"type": "mine", "cell": ["0", None], "s": "3"}], [{"type": "raid", "cell": [10**30, 0]}],
    {"messages": [{"to": "all", "text": "x" * 100_000}]}, {"type": "move", "direction": "sideways"},
    {"type": "join", "group": 10**9}, {"type": "propose", "share": float("nan")},
)  # fmt: skip


def hostile_answers_never_raise(case: Case) -> None:
    """Junk is refused by `read` in one line or repaired by `clean` with one-line reasons, and the run goes on."""

    def hostile(request: Request[Any, Any]) -> Decision[Any]:
        raw = HOSTILE[request.rng.below(len(HOSTILE), "hostile")]
        assert request.actions is not None
        refusal = ""
        try:
            return Decision(request.actions.read(raw))
        except BadAction as refused:
            refusal = str(refused)
        assert "\n" not in refusal, f"more than one line: {refusal}"
        assert 0 < len(refusal) < 1000, f"{len(refusal)} characters of refusal"
        return Decision(None)

    for step in case.run(deciders=dict.fromkeys(case.seats, hostile)):
        for reasons in step.notes.values():
            for reason in reasons:
                assert "\n" not in reason, f"more than one line: {reason!r}"
                assert 0 < len(reason) < 1000, f"a note of {len(reason)} characters"
        _invariants(case, step)


def others_actions_are_cleaned(case: Case) -> None:
    """What another seat might do, this seat may try: it is repaired, never raised."""
    game = case.game
    loop, answer = drive(game, case.config, case.seed), None
    deciders = case.deciders()
    while True:
        try:
            told = loop.send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(told, Ask):
            given = {seat: deciders[seat](request) for seat, request in told.requests.items()}
            seats = sorted(given)
            answer = {seat: given[seats[(i + 1) % len(seats)]] for i, seat in enumerate(seats)}
        elif isinstance(told, Step) and told.index >= case.steps:
            return


def silence_is_played_and_flagged(case: Case) -> None:
    """A seat that never answers gets the game's default, flagged, and the run ends all the same."""
    for step in case.run(deciders=dict.fromkeys(case.seats, lambda request: Decision(None))):
        assert set(step.flags) == set(step.turn.seats)
        assert set(step.actions) == set(step.turn.seats)


def ends_within_its_horizon(case: Case) -> None:
    """Every run ends."""
    for step in play(case.game, case.config, case.seed, case.deciders()):
        assert step.index <= HORIZON_MAX, f"not over after {HORIZON_MAX} steps"


def turns_are_well_formed(case: Case) -> None:
    """The seats of a turn exist and are strictly increasing; clocks never stand still."""
    clocks = set()
    for step in case.run():
        assert list(step.turn.seats) == sorted(set(step.turn.seats) & set(case.seats)), step.turn
        assert (step.turn.clock, step.turn.stage) not in clocks, f"the same clock twice: {step.turn}"
        clocks.add((step.turn.clock, step.turn.stage))


def policies_play_legally(case: Case) -> None:
    """What the named policies do needs no repair."""
    for step in case.run():
        assert not step.notes, f"step {step.index}: {dict(step.notes)}"


def invariants_hold(case: Case) -> None:
    """The game's own conservation laws hold in every state."""
    for step in case.run():
        _invariants(case, step)


def views_are_json_for_all_eyes(case: Case) -> None:
    """What is drawn is plain JSON, whoever looks."""
    for step in case.run()[::7]:
        for eyes in case.eyes():
            codec.canonical(case.game.view(case.config, step.state, eyes))


def private_facts_stay_private(case: Case) -> None:
    """What a seat observes, is asked and is shown is the same in states that differ in others' private facts."""
    if case.pack.twins is None:
        raise AssertionError("the pack declares no twins: what is private, and from whom?")
    game = case.game
    steps = case.run()
    for at in range(0, len(steps), 7):
        kept = steps[: at + 1]
        state = steps[at].state
        if game.turn(case.config, state) is None:
            break
        for seat in case.seats[:6]:
            past: Past[Any] = Past(kept, seat)
            for twin in case.pack.twins(case.config, state, seat):
                ours = game.observe(case.config, state, seat, past)
                theirs = game.observe(case.config, twin, seat, past)
                assert ours == theirs, f"step {at}: seat {seat} observes a private fact"
                assert game.actions(case.config, state, seat).schema == game.actions(case.config, twin, seat).schema, (
                    f"step {at}: seat {seat} may do what a private fact allows"
                )
                eyes = SeatEyes(seat)
                assert codec.canonical(game.view(case.config, state, eyes)) == codec.canonical(
                    game.view(case.config, twin, eyes)
                ), f"step {at}: seat {seat} is shown a private fact"


def events_have_words(case: Case) -> None:
    """Every event kind, stage, policy and config field has words in both languages, every kind a line in the rules."""
    words = {lang: _words(case.pack, lang) for lang in ("en", "zh")}
    sheet = (case.pack.folder / "README.md").read_text("utf-8")
    steps = case.run()
    kinds = {event.kind for step in steps for event in step.events}
    stages = {step.turn.stage for step in steps[1:]}
    for lang, book in words.items():
        assert _keys(book) == _keys(words["en"]), f"{lang}: other keys than en: {_keys(book) ^ _keys(words['en'])}"
        assert kinds <= set(book["events"]), f"{lang}: no words for events {sorted(kinds - set(book['events']))}"
        assert stages <= set(book["stages"]), f"{lang}: no words for stages {sorted(stages - set(book['stages']))}"
        settings = set(case.game.config_type.model_fields)
        assert settings <= set(book["config"]), f"{lang}: no words for config {sorted(settings - set(book['config']))}"
        assert set(case.pack.policies) <= set(book["policies"]), f"{lang}: no words for some policy"
    for kind in kinds:
        assert kind in sheet, f"README.md has no line for event {kind}"


def words_of_seats_have_one_form(case: Case) -> None:
    """What a seat says is told alike in every game: who, to whom, the text."""
    for step in case.run():
        for event in step.events:
            if event.kind in MESSAGES:
                assert event.data["by"] in case.seats, f"{event.kind}: by {event.data['by']!r}"
                assert isinstance(event.data["text"], str), f"{event.kind}: text {event.data['text']!r}"
                to: Any = event.data.get("to")
                assert to is None or all(seat in case.seats for seat in to), f"{event.kind}: to {to!r}"


def every_seat_is_asked_in_words_it_knows(case: Case) -> None:
    """Each request's schema is JSON, and a policy's own action reads back through it to itself."""
    game = case.game

    def checked(decider: Decider) -> Decider:
        def decide(request: Request[Any, Any]) -> Decision[Any]:
            decision = decider(request)
            assert request.actions is not None
            codec.canonical(request.actions.schema)
            if decision.action is not None:
                written = codec.dump(game.action_type, decision.action)
                read = request.actions.read(json.loads(codec.canonical(written)))
                assert codec.dump(game.action_type, read) == written, f"step {request.index}, seat {request.seat}"
            return decision

        return decide

    case.run(deciders={seat: checked(decider) for seat, decider in case.deciders().items()})


def metrics_are_numbers_or_none(case: Case) -> None:
    """Measures are JSON; a run's summary is flat, explained, and never NaN."""
    steps = case.run()
    series, before = [], steps[0]
    for step in steps[1:]:
        series.append(case.pack.metrics.measure(case.config, before.state, step))
        codec.canonical(series[-1])
        before = step
    summary = case.pack.metrics.summarise(case.config, series)
    about = case.pack.metrics.about()
    for name, value in summary.items():
        assert name in about, f"metric {name}: about() does not explain it"
        assert value is None or isinstance(value, int | float | str), f"metric {name}: {value!r}"
    codec.canonical(dict(summary))


LAWS: Final[tuple[Callable[[Case], None], ...]] = (
    config_round_trips,
    config_fields_are_described,
    same_seed_same_bytes,
    states_and_steps_round_trip,
    stored_actions_resolve_the_same,
    a_run_resumes_anywhere,
    mapping_order_is_irrelevant,
    resolve_mutates_nothing,
    cleaning_is_idempotent,
    hostile_answers_never_raise,
    others_actions_are_cleaned,
    silence_is_played_and_flagged,
    ends_within_its_horizon,
    turns_are_well_formed,
    policies_play_legally,
    invariants_hold,
    views_are_json_for_all_eyes,
    private_facts_stay_private,
    events_have_words,
    words_of_seats_have_one_form,
    every_seat_is_asked_in_words_it_knows,
    metrics_are_numbers_or_none,
)


def check(case: Case) -> Iterator[tuple[str, str | None]]:
    """Every law by name, with what broke it (None: it holds)."""
    for law in LAWS:
        try:
            law(case)
        except Exception as error:
            yield law.__name__, f"{type(error).__name__}: {error}"
        else:
            yield law.__name__, None


def codec_memories(memories: Mapping[Seat, Any]) -> dict[Seat, Any]:
    """Memories as they come back from storage."""
    return {seat: codec.plain(memory) for seat, memory in memories.items()}


def _with_memories(case: Case) -> tuple[list[Step[Any, Any]], list[dict[Seat, Any]], list[dict[Seat, Any]]]:
    """The steps of a run, with every seat's memory and plan after each."""
    steps: list[Step[Any, Any]] = []
    memories: list[dict[Seat, Any]] = []
    plans: list[dict[Seat, Any]] = []
    held: dict[Seat, Any] = {}
    planned: dict[Seat, Any] = {}
    deciders = case.deciders()
    loop, answer = drive(case.game, case.config, case.seed), None
    while True:
        try:
            told = loop.send(answer)
        except StopIteration:
            break
        answer = None
        if isinstance(told, Ask):
            answer = {seat: deciders[seat](request) for seat, request in told.requests.items()}
            held.update({seat: decision.memory for seat, decision in answer.items()})
            planned.update({seat: decision.plan for seat, decision in answer.items()})
        elif isinstance(told, Step):
            steps.append(told)
            memories.append(dict(held))
            plans.append(dict(planned))
            if told.index >= case.steps:
                break
    return steps, memories, plans


def _same(one: Any, other: Any) -> bool:
    """Equality that looks into records, sequences and arrays."""
    if is_dataclass(one) and not isinstance(one, type):
        return type(one) is type(other) and all(
            _same(getattr(one, part.name), getattr(other, part.name)) for part in fields(one)
        )
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other)
    if isinstance(one, Mapping):
        return isinstance(other, Mapping) and list(one) == list(other) and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, Sequence) and not isinstance(one, str | bytes):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def _invariants(case: Case, step: Step[Any, Any]) -> None:
    for law in case.game.invariants(case.config, step.state):
        assert law.holds, f"step {step.index}: {law.name}: {law.detail}"


def _reordered(value: Any) -> Any:
    """The same JSON with the keys of every object the other way round."""
    if isinstance(value, dict):
        return {key: _reordered(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [_reordered(item) for item in value]
    return value


def _words(pack: Pack, lang: str) -> dict[str, Any]:
    return dict(json.loads((pack.folder / "words" / f"{lang}.json").read_text("utf-8")))


def _keys(book: Any, prefix: str = "") -> set[str]:
    if not isinstance(book, dict):
        return {prefix}
    return {key for name, part in book.items() for key in _keys(part, f"{prefix}.{name}")}
