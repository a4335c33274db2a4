"""Golden traces: short runs written out, a line a step, so that a change of the rules shows as a diff.

``tests/golden/NAME.jsonl`` of a folder, ``golden/GAME/NAME.jsonl`` beside a file, begins with what is played,
``{"config", "seed", "seats": {seat: {"policy", "params"}}}``, config laid over the defaults; and, where it stands,
``said``: what the game says beside its rules, silences, theory, the run's measures, and why it refuses the settings
that ``refuses`` lists, each laid over the config; no play shows them. Then each line has a step's record, what
omniscient eyes are shown, and the chained hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from games.core import codec
from games.core.answers import JSON
from games.core.engine import replay
from games.core.game import All
from games.core.pack import Pack
from games.laws.case import Case, Policy
from games.laws.complete import series


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


def said(case: Case, refuses: Sequence[Mapping[str, JSON]] = ()) -> dict[str, JSON]:
    """What each stage of a declared game plays for no answer, what theory says, what the run comes to, and why settings
    are refused."""
    pack, made = case.pack, getattr(case.game, "made", None)
    theory = dict((pack.theory(case.config) if pack.theory is not None else None) or {})
    for told in ("which", "people", "table"):
        theory.pop(told, None)
    found: dict[str, Any] = {
        "silence": {one.name: one.silence for one in made.stages} if made is not None else {},
        "theory": theory,
        "measures": pack.metrics.summarise(case.config, list(series(case))),
    }
    if refuses:
        found["refused"] = [_refused(case, changed) for changed in refuses]
    plain: dict[str, JSON] = json.loads(json.dumps(found))
    return plain


def _refused(case: Case, changed: Mapping[str, JSON]) -> str:
    """Why these settings are none of the game's; "" where they are."""
    try:
        case.game.config_type.model_validate({**case.config.model_dump(), **changed})
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return ""


def rewrite(pack: Pack) -> None:
    """Play every golden trace anew and write it down; the first line stays, but for what is said there."""
    for path in golden_files(pack):
        trace = read_trace(pack, path)
        first = json.loads(trace.lines[0])
        if "said" in first:
            first["said"] = said(trace.case, first.get("refuses", ()))
        lines = [json.dumps(first, ensure_ascii=False), *traced(trace.case)]
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")


def golden_traces_replay(cases: Sequence[Case]) -> None:
    """Every golden trace of the game is played again line by line, and its stored actions resolve to its hashes."""
    for path in golden_files(cases[0].pack):
        case, (first, *kept) = read_trace(cases[0].pack, path)
        lines = traced(case)
        for index, (line, before) in enumerate(zip(lines, kept, strict=False)):
            assert line == before, f"{path.name}: step {index} is not what it was (after a wanted change: just golden)"
        assert len(lines) == len(kept), f"{path.name}: {len(lines)} steps; {len(kept)} are written"
        records = [json.loads(line) for line in kept]
        actions = (codec.decode_actions(case.game, record["actions"]) for record in records[1:])
        again = case.hashes(list(replay(case.game, case.config, case.seed, actions)))
        header = json.loads(first)
        told = header.get("said", {})
        for name, now in (said(case, header.get("refuses", ())) if told else {}).items():
            assert now == told.get(name), f"{path.name}: {name} is {now}; {told.get(name)} is written"
        assert again == [record["hash"] for record in records], f"{path.name}: stored actions resolve to other hashes"
