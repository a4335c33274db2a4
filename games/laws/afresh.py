"""The law of the fresh process: another process, with another seed of `hash`, gives the same bytes.

It plays each case anew, and resolves some stored steps first, the last one before the others, so that nothing which a
module remembers can help. One process serves a whole game. Run as ``python -m games.laws.afresh`` it is that process:
cases as JSON on its input, digests as JSON on its output.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.core import codec
from games.core.game import All, SeatEyes, Step
from games.core.rng import Rng
from games.laws.case import Case, case_as_json, case_from_json
from games.laws.origins import origin_of, pack_at

STEPS: Final = 20
"""A case is played anew for so many steps."""
STORED: Final = 5
"""So many of its steps are resolved from storage."""
PATIENCE_S: Final = 600
"""A process that is not done by then is ended."""
HASH_SEEDS: Final = ("1", "2")
"""One of them is another than this process's own."""


def another_process_gives_the_same_bytes(cases: Sequence[Case]) -> int:
    """Each case is the same in a process that has played nothing before and orders sets otherwise.

    Returns how many steps were compared.
    """
    first = cases[0]
    order = {"origin": first.origin or origin_of(first.pack), "cases": [_stored(case) for case in cases]}
    answers = _asked(order)
    compared = 0
    for case, answer in zip(cases, answers, strict=True):
        steps = case.played().steps
        for index, other in answer["resolved"].items():
            assert _digest(case, steps[int(index)]) == other, (
                f"{case.preset}: step {index} resolves to something else in a fresh process, which remembers nothing"
            )
        ours, theirs = _digests(case, steps[: STEPS + 1]), answer["played"]
        differing = next((at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]), None)
        assert differing is None, f"{case.preset}: step {differing} differs in another process"
        compared += len(ours) + len(answer["resolved"])
    return compared


def _asked(order: Mapping[str, Any]) -> list[Any]:
    """What a fresh process makes of it; AssertionError with its last lines where it fails."""
    own = os.environ.get("PYTHONHASHSEED", "")
    seed = HASH_SEEDS[own == HASH_SEEDS[0]]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-m", "games.laws.afresh"],
        input=json.dumps(order).encode(),
        capture_output=True,
        timeout=PATIENCE_S,
        env=environment,
        check=False,
    )
    assert not done.returncode, "a fresh process fails: " + done.stderr.decode(errors="replace")[-2000:]
    answers: list[Any] = json.loads(done.stdout)
    return answers


def _stored(case: Case) -> dict[str, Any]:
    """A case as JSON, with some of its steps: the state before each, and its actions."""
    game, steps = case.game, case.played().steps
    every = max(1, (len(steps) - 1) // STORED)
    return {
        **case_as_json(case),
        "before": {
            step.index: [
                codec.dump(game.state_type, steps[step.index - 1].state),
                codec.encode_step(game, step)["actions"],
            ]
            for step in steps[1::every]
        },
    }


def _digests(case: Case, steps: Iterable[Step[Any, Any]]) -> list[str]:
    return [_digest(case, step) for step in steps]


def _digest(case: Case, step: Step[Any, Any]) -> str:
    """Of all that a step is and shows; notes and flags are left out, which storage does not resolve."""
    game = case.game
    return codec.digest(
        [
            codec.dump(game.state_type, step.state),
            [codec.encode_event(event) for event in step.events],
            sorted(step.payoffs.items()),
            game.view(case.config, step.state, All()),
            game.view(case.config, step.state, SeatEyes(0)),
        ]
    )


# --- the fresh process ----------------------------------------------------------------------------


def _answered(order: Mapping[str, Any]) -> list[Any]:
    pack = pack_at(order["origin"])
    cases = [replace(case_from_json(pack, stored), steps=STEPS) for stored in order["cases"]]
    resolved = [_resolved(case, stored["before"]) for case, stored in zip(cases, order["cases"], strict=True)]
    return [
        {"resolved": digests, "played": _digests(case, case.run())}
        for case, digests in zip(cases, resolved, strict=True)
    ]


def _resolved(case: Case, before: Mapping[str, Any]) -> dict[str, str]:
    """Digests of stored steps, resolved from the last to the first."""
    game, root = case.game, Rng.root(case.seed)
    digests = {}
    for index, (stored, pairs) in sorted(before.items(), key=lambda step: -int(step[0])):
        state, actions = codec.load(game.state_type, stored), codec.decode_actions(game, pairs)
        turn = game.turn(case.config, state)
        assert turn is not None, f"{case.preset}: the run is over before step {index}"
        result = game.resolve(case.config, state, actions, root.step(int(index)))
        digests[index] = _digest(
            case, Step(int(index), turn, actions, {}, {}, result.events, result.payoffs, result.state)
        )
    return digests


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_answered(json.load(sys.stdin))))
