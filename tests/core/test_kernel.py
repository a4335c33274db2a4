"""The kernel on toys: every kind of turn, legality by seat, plans, memories, eyes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from games.core import codec
from games.core.agents import Decision, Request, deciding
from games.core.answers import ActionSpec, BadAction, Note
from games.core.engine import Ask, Carried, News, Position, drive, play, replay
from games.core.game import All, Event, LazyEvents, Past, Public, SeatEyes, Step, Turn
from games.core.registry import BrokenGame, load_pack
from games.laws import LAWS, Case
from tests.core.toys import PARADE, Parade, ParadeConfig, Say, Trek, TrekConfig, walk_on

CONFIG = ParadeConfig(days=2)
LATEST = deciding(PARADE.policies["latest"].bind())
EVERYONE = dict.fromkeys(range(3), LATEST)


def parade(seed: int = 1) -> list[Step[Any, Any]]:
    return list(play(Parade(), CONFIG, seed, EVERYONE))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
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


def test_a_refusal_stays_short_whatever_was_sent() -> None:
    class One(BaseModel):
        do: Literal["one"]

    class Two(BaseModel):
        do: Literal["two"]

    spec: ActionSpec[Any] = ActionSpec.of(Annotated[One | Two, Field(discriminator="do")])
    for raw in ({"do": "x" * 10_000}, {"do": ["y"] * 10_000}, "z" * 10_000):
        with pytest.raises(BadAction) as refused:
            spec.read(raw)
        assert len(str(refused.value)) < 700


def test_a_plan_is_carried_out_over_three_steps_and_asked_for_only_when_done() -> None:
    asked = []

    def planner(request: Request[Any, Any]) -> Decision[Any]:
        asked.append(request.index)
        return Decision(None, plan={"walk": 3})

    steps = list(play(Trek(), TrekConfig(length=9), 1, {0: planner}, controller=walk_on))
    assert asked == [1, 4, 7]
    assert steps[-1].state.place == 9
    assert not any(step.flags for step in steps)


def test_a_plan_that_becomes_impossible_is_made_anew_and_the_failure_is_flagged() -> None:
    asked = []

    def planner(request: Request[Any, Any]) -> Decision[Any]:
        asked.append((request.index, request.replan and request.replan.kind))
        assert request.plan is None
        return Decision(None, plan={"walk": 5})

    steps = list(play(Trek(), TrekConfig(length=4, rockfall=2), 1, {0: planner}, controller=walk_on))
    assert asked == [(1, None), (3, "path_blocked"), (4, None)]
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
    assert memories == [None, "I stand at 1", "I stand at 2"], "nothing has happened at the start"
    assert end.memories == {0: "old"}, "nobody reflects on a run that is over"


def test_agents_reflect_when_a_round_is_over_and_not_after_each_of_its_steps() -> None:
    loop = drive(Parade(), CONFIG, 1, reflecting=(0, 2))
    told, reflected, asked = next(loop), [], 0
    while True:
        try:
            if isinstance(told, News):
                reflected.append((told.index, sorted(told.requests)))
                told = loop.send({})
            elif isinstance(told, Ask):
                asked += len(told.requests)
                told = loop.send({seat: Decision(Say("hymn")) for seat in told.requests})
            else:
                told = loop.send(None)
        except StopIteration:
            break
    assert asked == 12
    assert reflected == [(4, [0, 2])], "two days of four steps; after the second there is nothing left to decide"


def test_a_seat_whose_plan_goes_on_does_not_reflect() -> None:
    loop = drive(Trek(), TrekConfig(length=6), 1, reflecting=(0,), controller=walk_on)
    told, reflected = next(loop), []
    while True:
        try:
            if isinstance(told, News):
                reflected.append(told.index)
                told = loop.send({0: f"after {told.index}"})
            elif isinstance(told, Ask):
                plan = {"walk": 3} if told.index == 1 else None
                told = loop.send({0: Decision(None if plan else 1, plan=plan)} if told.index != 2 else {})
            else:
                told = loop.send(None)
        except StopIteration:
            break
    assert reflected == [3, 4, 5], "in steps 1 and 2 the plan goes on"


def test_a_host_may_play_something_else_than_a_standing_plan_and_reads_what_is_carried() -> None:
    carried = Carried()
    loop = drive(Trek(), TrekConfig(length=4), 1, controller=walk_on, carried=carried)
    told, standing = next(loop), []
    answers = iter([{0: Decision(None, plan={"walk": 9})}, {}, {0: Decision(0)}, {}])
    places = []
    while True:
        try:
            if isinstance(told, Ask):
                standing.append(told.requests[0].standing)
                told = loop.send(next(answers))
            else:
                places.append((told.state.place, carried.plans.get(0)))
                told = loop.send(None)
        except StopIteration:
            break
    assert [one and one.action for one in standing] == [None, 1, 1, None]
    assert places == [(0, None), (1, {"walk": 8}), (2, {"walk": 7}), (2, None), (2, None)]


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
    assert events == (Event("dawned", {}),) != LazyEvents(list)


def test_who_looks_for_its_own_deeds_alone_has_no_event_worded() -> None:
    worded = []

    def build() -> list[Event]:
        worded.append(1)
        return [Event("dawned", {}), Event("earned", {}, to=(1,))]

    step = Step(3, Turn("world", "all", (0,)), {0: "dug"}, {}, {}, LazyEvents(build), {}, None)
    (seen,) = Past([step], 0)
    assert (seen.action, worded) == ("dug", [])
    assert (list(seen.events), worded) == ([Event("dawned", {})], [1])


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
    with pytest.raises(BrokenGame, match=r"game leaky: it cannot be imported.*no_such_module"):
        load_pack("brokengames.leaky")
