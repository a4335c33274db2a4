"""Golden traces: short runs written out, a line a step, so that a change of the rules shows as a diff.

``tests/golden/NAME.jsonl`` of a folder, ``golden/GAME/NAME.jsonl`` beside a file, begins with what is played,
``{"config", "seed", "seats": {seat: {"policy", "params"}}}``, config laid over the defaults.
Then each line has a step's record, what omniscient eyes are shown, and the chained hash.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from games.core import codec
from games.core.engine import replay
from games.core.game import All
from games.core.pack import Pack
from games.laws.case import Case, Policy


class Trace(NamedTuple):
    """A file of a golden trace: the run that it is of, and its lines."""

    case: Case
    lines: list[str]


def golden_files(pack: Pack) -> list[Path]:
    """The traces of a game, sorted; none where it keeps none."""
    folder = pack.files.golden()
    return sorted(folder.glob("*.jsonl")) if folder is not None else []


def read_trace(pack: Pack, path: Path) -> Trace:
    lines = path.read_text("utf-8").splitlines()
    played = json.loads(lines[0])
    config = pack.game.config_type.model_validate(played["config"])
    seated = {int(seat): Policy(one["policy"], one.get("params", {})) for seat, one in played["seats"].items()}
    return Trace(Case(pack, path.stem, config, seated, played["seed"], steps=10_000), lines)


def traced(case: Case) -> list[str]:
    """The run as lines, the start first."""
    lines, hashed = [], codec.GENESIS
    for step in case.played().steps:
        record = codec.encode_step(case.game, step)
        hashed = codec.chain(case.game, hashed, step, record)
        shown = case.game.view(case.config, step.state, All())
        lines.append(json.dumps({**record, "view": shown, "hash": hashed}, ensure_ascii=False))
    return lines


def rewrite(pack: Pack) -> None:
    """Play every golden trace anew and write it down; the first line stays."""
    for path in golden_files(pack):
        trace = read_trace(pack, path)
        path.write_text("".join(f"{line}\n" for line in [trace.lines[0], *traced(trace.case)]), "utf-8", newline="\n")


def golden_traces_replay(cases: Sequence[Case]) -> None:
    """Every golden trace of the game is played again line by line, and its stored actions resolve to its hashes."""
    for path in golden_files(cases[0].pack):
        case, (_, *kept) = read_trace(cases[0].pack, path)
        lines = traced(case)
        for index, (line, before) in enumerate(zip(lines, kept, strict=False)):
            assert line == before, f"{path.name}: step {index} is not what it was (after a wanted change: just golden)"
        assert len(lines) == len(kept), f"{path.name}: {len(lines)} steps; {len(kept)} are written"
        records = [json.loads(line) for line in kept]
        actions = (codec.decode_actions(case.game, record["actions"]) for record in records[1:])
        again = case.hashes(list(replay(case.game, case.config, case.seed, actions)))
        assert again == [record["hash"] for record in records], f"{path.name}: stored actions resolve to other hashes"
