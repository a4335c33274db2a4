"""Laws of what is kept: the same seed gives the same bytes, and what was written down reads back and goes on."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice, zip_longest
from typing import Any

from games.core import codec
from games.core.agents import deciding
from games.core.batch import Round
from games.core.engine import Position, play, replay
from games.core.game import Seat, Step
from games.core.pack import NoBatch, Pack, Seated, Sitting
from games.lab.wire.plainjson import encoded
from games.laws.case import Case


def config_round_trips(case: Case) -> None:
    """A config written as JSON reads back as itself, and its schema can be made."""
    written = json.loads(case.config.model_dump_json())
    again = case.game.config_type.model_validate(written)
    assert again == case.config, f"the config reads back as another one: {again}"
    assert case.game.config_type.model_json_schema()["properties"], "a config without fields"


def same_seed_same_bytes(case: Case) -> None:
    """Two runs from one seed are the same, step for step."""
    differing = _first_difference(case.hashes(case.played().steps), case.hashes(case.run()))
    assert differing is None, f"step {differing}: differs between two runs from one seed"


def a_config_that_was_stored_plays_the_same(case: Case) -> None:
    """A config read back from a store that orders keys in its own way gives the same run."""
    stored = case.game.config_type.model_validate(_reordered(case.config.model_dump(mode="json")))
    again = replace(case, config=stored, kept={})
    differing = _first_difference(case.hashes(case.played().steps), case.hashes(again.run()))
    assert differing is None, f"step {differing}: differs where the keys of the config stand in another order"


def states_and_steps_round_trip(case: Case) -> None:
    """A state, an action and an event written as JSON read back to the same bytes, even when keys are reordered.

    What stands in a field is of the field's type: a set in a tuple's place would be written in any order.
    """
    for step in case.played().steps:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            try:
                state = codec.dump(case.game.state_type, step.state)
            except UserWarning as odd:
                raise AssertionError(f"step {step.index}: the state is not of its type: {_short(odd)}") from None
        again = codec.load(case.game.state_type, _reordered(json.loads(codec.canonical(state))))
        assert codec.canonical(codec.dump(case.game.state_type, again)) == codec.canonical(state), (
            f"step {step.index}: the state reads back as another one"
        )
        record = codec.encode_step(case.game, step)
        restored = codec.decode_step(case.game, _reordered(json.loads(codec.canonical(record))), again)
        assert codec.canonical(codec.encode_step(case.game, restored)) == codec.canonical(record), (
            f"step {step.index}: the record reads back as another one"
        )


def stored_actions_resolve_the_same(case: Case) -> None:
    """Actions that were stored and reloaded replay to the same hashes."""
    steps = case.played().steps
    stored = [json.loads(codec.canonical(codec.encode_step(case.game, step)["actions"])) for step in steps[1:]]
    actions = (codec.decode_actions(case.game, pairs) for pairs in stored)
    differing = _first_difference(
        case.hashes(steps), case.hashes(list(replay(case.game, case.config, case.seed, actions)))
    )
    assert differing is None, f"step {differing}: stored actions resolve to something else"


def a_run_resumes_anywhere(case: Case) -> None:
    """A run that is written down in its middle and read back goes on as if nothing had happened."""
    steps, memories, plans = case.played()
    if len(steps) < 3:
        return
    middle = len(steps) // 2
    states = [codec.dump(case.game.state_type, step.state) for step in steps[: middle + 1]]
    records = [codec.encode_step(case.game, step) for step in steps[: middle + 1]]
    restored = [
        codec.decode_step(case.game, codec.plain(record), codec.load(case.game.state_type, codec.plain(state)))
        for record, state in zip(records, states, strict=True)
    ]
    since = Position(restored, _stored(memories[middle]), _stored(plans[middle]))
    went_on = list(islice(play(case.game, case.config, case.seed, case.deciders(), since), len(steps) - middle - 1))
    differing = _first_difference(
        [_record(case.pack, step) for step in steps[middle + 1 :]], [_record(case.pack, step) for step in went_on]
    )
    assert differing is None, f"step {middle + 1 + differing}: a run that is resumed after {middle} goes on differently"


def batch_equals_plain(case: Case) -> None:
    """Where a game has a batch form, it gives the very steps of `play`, or says in a line why it cannot."""
    if case.pack.batch is None:
        return
    default = Sitting(case.pack.default_policy)
    seated = {seat: case.seated.get(seat, default) for seat in case.seats}
    try:
        differing = batch_difference(case.pack, case.config, seated, (case.seed, case.seed + 1), case.steps)
    except NoBatch as unfit:
        refusal = str(unfit)
        assert refusal, "the batch form refuses without a reason"
        assert "\n" not in refusal, f"more than one line: {refusal}"
        return
    assert not differing, differing


def batch_difference(
    pack: Pack, config: Any, seated: Mapping[Seat, Seated], seeds: Sequence[int], steps: int | None = None
) -> str:
    """Where runs side by side part from the same runs played alone, within so many steps; "" where they do not.

    What the batch form measures or writes of steps that nobody makes is held to them too. Raises `NoBatch` where the
    batch form does.
    """
    assert pack.batch is not None
    deciders = {seat: deciding(pack.policies[one.policy].bind(one.params)) for seat, one in sorted(seated.items())}
    alone = [play(pack.game, config, seed, deciders) for seed in seeds]
    together = pack.batch(config, seeds, seated)
    before: list[Step[Any, Any] | None] = []
    for index in count() if steps is None else range(steps + 1):
        row = next(together, (None,) * len(seeds))
        steps_alone = [next(plain, None) for plain in alone]
        for seed, plain, other in zip(seeds, steps_alone, row, strict=True):
            if plain is None or other is None:
                if plain is not other:
                    return f"seed {seed}, step {index}: one form ends before the other"
            elif _record(pack, plain) != _record(pack, other):
                return f"seed {seed}, step {index}: the steps differ"
            elif codec.state_hash(pack.game, plain.state) != codec.state_hash(pack.game, other.state):
                return f"seed {seed}, step {index}: the states differ"
        for seed, odd in zip(seeds, _unmade_differences(pack, config, before, steps_alone, row), strict=False):
            if odd:
                return f"seed {seed}, step {index}: {odd} without the step differs"
        if not any(steps_alone):
            break
        before = steps_alone
    return ""


def _unmade_differences(
    pack: Pack,
    config: Any,
    before: Sequence[Step[Any, Any] | None],
    steps: Sequence[Step[Any, Any] | None],
    together: Sequence[Any],
) -> Iterator[str]:
    """By world which of what `Round` gives without making steps is not that of the steps; "" where all is."""
    if not isinstance(together, Round):
        return
    measures, written, states = together.measures(), together.written(), together.states()
    for world, (earlier, step) in enumerate(zip(before, steps, strict=True)):
        assert earlier is not None
        assert step is not None
        odd = ""
        if measures is not None and encoded(measures[world]) != encoded(
            pack.metrics.measure(config, earlier.state, step)
        ):
            odd = "what is measured"
        if states is not None and encoded(states[world]) != encoded(codec.dump(pack.game.state_type, step.state)):
            odd = "the state"
        if written is not None:
            ours = written[world]
            record = ours.record()
            if encoded(record) != encoded(codec.as_hashed(codec.encode_step(pack.game, step))):
                odd = "the record"
            if codec.chain(pack.game, codec.GENESIS, ours, record) != codec.chain(pack.game, codec.GENESIS, step):
                odd = "the hash"
        yield odd


def _first_difference(ours: Sequence[Any], theirs: Sequence[Any]) -> int | None:
    """Where two sequences part; None where they are the same."""
    pairs = zip_longest(ours, theirs)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), None)


def _short(odd: Warning) -> str:
    """What pydantic says of the first odd value, in a line."""
    return (str(odd).splitlines() or [""])[-1].strip()


def _record(pack: Pack, step: Step[Any, Any]) -> bytes:
    return codec.canonical(codec.encode_step(pack.game, step))


def _stored(memories: Mapping[Seat, Any]) -> dict[Seat, Any]:
    """Memories as they come back from storage."""
    return {seat: codec.plain(memory) for seat, memory in memories.items()}


def _reordered(value: Any) -> Any:
    """The same JSON with the keys of every object the other way round."""
    if isinstance(value, dict):
        return {key: _reordered(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [_reordered(item) for item in value]
    return value
