"""The kernel on toys: every kind of turn, legality by seat, plans, memories, eyes."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import codec
from games.core.agents import Decision, Request, deciding, planning
from games.core.answers import BadAction, Note
from games.core.conformance import LAWS, Case
from games.core.engine import Ask, News, Position, drive, play, replay
from games.core.game import All, Event, LazyEvents, Public, SeatEyes, Step
from games.core.registry import BrokenGame, load_pack
from tests.core.toys import PARADE, Parade, ParadeConfig, Say, Trek, TrekConfig, walk_on

CONFIG = ParadeConfig(days=2)
LATEST = deciding(PARADE.policies["latest"].bind())
EVERYONE = dict.fromkeys(range(3), LATEST)


def parade(seed: int = 1) -> list[Step[Any, Any]]:
    return list(play(Parade(), CONFIG, seed, EVERYONE))


@pytest.mark.parametrize(
    "law", [law for law in LAWS if law.__name__ != "events_have_words"], ids=lambda law: law.__name__
)
def test_the_toy_keeps_every_law(law: Any) -> None:
    law(Case(PARADE, "toy", CONFIG, {}))


def test_no_seat_one_some_and_all_seats_take_their_turns() -> None:
    assert [(step.turn.stage, step.turn.seats) for step in parade()[:5]] == [
        ("start", ()), ("dawn", ()), ("solo", (0,)), ("pair", (0, 2)), ("all", (0, 1, 2)),
    ]  # fmt: skip


def test_seats_of_one_step_have_different_legal_actions_and_learn_names_later() -> None:
    loop = drive(Parade(), CONFIG, 1)
    told, schemas = next(loop), []
    while len(schemas) < 3:
        if isinstance(told, Ask):
            schemas.append({seat: str(request.actions.schema) for seat, request in told.requests.items()})
            told = loop.send({seat: Decision(Say("hymn")) for seat in told.requests})
        else:
            told = loop.send(None)
    pair = schemas[1]
    assert "waltz" in pair[0]
    assert "waltz" not in pair[2]
    before = parade()
    assert before[1].state.known[1] == ("hymn",)
    assert before[-1].state.known[1] == ("hymn", "waltz")


def test_a_name_that_a_seat_does_not_know_is_refused_by_its_reader_and_struck_out_by_the_rules() -> None:
    game, state = Parade(), parade()[1].state
    with pytest.raises(BadAction, match="hymn"):
        game.actions(CONFIG, state, 1).read({"tune": "waltz"})
    action, notes = game.clean(CONFIG, state, 1, Say("waltz"), None)  # type: ignore[arg-type]
    assert action == Say("hymn")
    assert notes == (Note("tune_unknown", {"tune": "waltz"}),)


def test_a_plan_is_carried_out_over_three_steps_and_asked_for_only_when_done() -> None:
    asked = []

    def planner(request: Request[Any, Any]) -> Decision[Any]:
        asked.append(request.index)
        return Decision(None, plan={"walk": 3})

    steps = list(play(Trek(), TrekConfig(length=9), 1, {0: planning(walk_on, planner)}))
    assert asked == [1, 4, 7]
    assert steps[-1].state.place == 9
    assert not any(step.flags for step in steps)


def test_a_plan_that_becomes_impossible_is_made_anew_and_the_failure_is_flagged() -> None:
    asked = []

    def planner(request: Request[Any, Any]) -> Decision[Any]:
        asked.append(request.index)
        return Decision(None, plan={"walk": 5})

    steps = list(play(Trek(), TrekConfig(length=4, rockfall=2), 1, {0: planning(walk_on, planner)}))
    assert asked == [1, 3, 4]
    assert [dict(step.flags) for step in steps[3:]] == [{0: ("impossible_plan",)}] * 2
    assert steps[-1].state.place == 2


def remembering(since: Position[Any, Any] | None = None) -> tuple[list[Any], Position[Any, Any]]:
    """What a walker that writes down where it stands is given as memory at each step, and where the run ends."""
    loop = drive(Trek(), TrekConfig(length=3), 1, since, reflecting=(0,))
    told, memories = next(loop), []
    while True:
        try:
            if isinstance(told, Ask):
                memories.append(told.requests[0].memory)
                told = loop.send({0: Decision(1, memory="old")})
            elif isinstance(told, News):
                assert told.requests[0].purpose == "reflect"
                assert told.requests[0].actions is None
                told = loop.send({0: f"I stand at {told.requests[0].observation.place}"})
            else:
                told = loop.send(None)
        except StopIteration as end:
            return memories, end.value


def test_a_memory_is_rewritten_after_the_news_and_handed_over_with_the_next_request() -> None:
    memories, end = remembering()
    assert memories == ["I stand at 0", "I stand at 1", "I stand at 2"]
    assert end.memories == {0: "I stand at 3"}


def test_a_run_that_goes_on_begins_with_the_news_of_its_last_step() -> None:
    steps = list(play(Trek(), TrekConfig(length=3), 1, {0: lambda request: Decision(1)}))
    assert remembering(Position(steps[:2], {0: "never read"}))[0] == ["I stand at 1", "I stand at 2"]


def test_a_view_differs_by_eyes() -> None:
    state = parade()[-1].state
    views = [Parade().view(CONFIG, state, eyes)["purses"] for eyes in (All(), Public(), SeatEyes(1))]
    assert views[0] == list(state.purses)
    assert views[1] == [None, None, None]
    assert views[2] == [None, state.purses[1], None]


def test_a_seat_remembers_only_what_it_could_see() -> None:
    seen: list[Any] = []

    class Curious(Parade):
        def observe(self, config: Any, state: Any, seat: Any, past: Any) -> Any:
            if seat == 1 and state.stage == "all":
                seen.extend(past)
            return super().observe(config, state, seat, past)

    list(play(Curious(), ParadeConfig(days=2), 1, EVERYONE))
    private = [event for step in seen for event in step.events if event.kind == "earned"]
    assert private
    assert {event.data["seat"] for event in private} == {1}
    assert {step.action for step in seen if step.turn.stage == "pair"} == {None}


def test_a_seat_that_does_not_answer_is_flagged_and_gets_the_default() -> None:
    steps = list(play(Parade(), CONFIG, 1, {**EVERYONE, 2: lambda request: Decision(None)}))
    assert steps[4].flags == {2: ("no_answer",)}
    assert steps[4].actions[2] == Say("hymn")


def test_swapping_one_agent_leaves_the_luck_of_the_others_untouched() -> None:
    lots: dict[str, list[int]] = {"a": [], "b": []}

    def noting(name: str) -> Any:
        def decide(request: Request[Any, Any]) -> Decision[Any]:
            lots[name].append(request.rng.below(1000, "lot"))
            return Decision(Say("hymn"))

        return decide

    list(play(Parade(), CONFIG, 5, {0: LATEST, 1: noting("a"), 2: LATEST}))
    list(play(Parade(), CONFIG, 5, {0: lambda r: Decision(None), 1: noting("b"), 2: LATEST}))
    assert lots["a"] == lots["b"]


def test_a_replay_refuses_actions_of_seats_that_do_not_decide() -> None:
    with pytest.raises(ValueError, match=r"step 1: actions of seats \[0\]; \[\] decide"):
        list(replay(Parade(), CONFIG, 1, [{0: Say("hymn")}]))


def test_the_chained_hash_names_the_first_step_that_differs() -> None:
    steps, other = parade(), parade()
    changed = list(other)
    changed[3] = Step(**{**{k: getattr(other[3], k) for k in Step.__slots__}, "payoffs": {0: 99, 2: 1}})
    hashes: list[list[str]] = []
    for run in (steps, changed):
        previous, chain = codec.GENESIS, []
        for step in run:
            previous = codec.chain(Parade(), previous, step)
            chain.append(previous)
        hashes.append(chain)
    assert next(i for i, pair in enumerate(zip(*hashes, strict=True)) if pair[0] != pair[1]) == 3
    assert hashes[0][-1] != hashes[1][-1]


def test_lazy_events_are_worded_once_and_only_when_read() -> None:
    worded = []

    def build() -> list[Event]:
        worded.append(1)
        return [Event("dawned", {})]

    events = LazyEvents(build)
    assert not worded
    assert len(events) == 1
    assert list(events) == [Event("dawned", {})]
    assert worded == [1]


def test_a_run_goes_on_from_a_position() -> None:
    steps = parade()
    went_on = list(play(Parade(), CONFIG, 1, EVERYONE, Position(steps[:4], {0: 2}, {})))
    assert [step.state for step in went_on] == [step.state for step in steps[4:]]


def test_a_broken_folder_of_the_catalog_is_named(tmp_path: Any, monkeypatch: Any) -> None:
    folder = tmp_path / "brokengames" / "leaky"
    folder.mkdir(parents=True)
    (tmp_path / "brokengames" / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BrokenGame, match=r"game leaky: its folder cannot be imported.*no_such_module"):
        load_pack("brokengames.leaky")
