"""`pdbench tournament`: a round robin from the command line."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from games.catalog.dilemma.bulk import Entrant
from games.catalog.dilemma.config import DilemmaConfig
from games.core.rng import SEED_MAX
from games.core.robin import Seeds, SelfPlay
from games.errors.faults import Fault, Refused, faults_of
from games.lab.folders.place import check_free
from games.lab.pdbench.agents import Desk, ModelSeat, PolicySeat
from games.lab.pdbench.forms import AgentRef
from games.lab.pdbench.mixed import Agent, Guest
from games.lab.pdbench.plan import HOME
from games.lab.pdbench.robinfolder import write_folder
from games.lab.pdbench.tournament import COOPERATION, PAYOFF, Results, Tournament
from games.lab.scenarios.layers import set_layer, strictly
from games.lab.scenarios.yamlfile import parse_yaml

REPETITIONS_MAX = 100_000


def hold(
    policies: str,
    settings: Sequence[str],
    noise: float | None,
    repetitions: int,
    seed: int,
    self_play: str,
    pairing: str,
    out: Path | None,
    json: bool,
) -> str:
    """Play a round robin and write its folder; what the command says of it. Raises `Refused`."""
    for name, value, known in (("--self-play", self_play, SelfPlay), ("--pairing", pairing, Seeds)):
        if value not in get_args(known):
            raise Refused(f"{name}: {value!r}; one of {', '.join(get_args(known))}")
    if noise is not None and not 0 <= noise <= 1:
        raise Refused(f"--noise: {noise:g}; from 0 to 1")
    if not 1 <= repetitions <= REPETITIONS_MAX:
        raise Refused(f"--repetitions: {repetitions}; from 1 to {REPETITIONS_MAX}")
    if not 0 <= seed <= SEED_MAX:
        raise Refused(f"--seed: {seed}; from 0 to {SEED_MAX}")
    if out is not None:
        check_free(out)
    config = _config(settings, noise)
    entrants = tuple(_entrant(text.strip(), config) for text in policies.split(","))
    try:
        results = Tournament(config, entrants, repetitions, seed, self_play, pairing).play()  # type: ignore[arg-type]
    except ValueError as error:
        raise Refused(str(error)) from None
    if out is not None:
        write_folder(results, out)
    return jsonlib.dumps(plain(results), indent=1) if json else shown(results)


def _config(settings: Sequence[str], noise: float | None) -> DilemmaConfig:
    given: Any = set_layer(settings).config if settings else {}
    if noise is not None:
        both = {"noise_a": noise, "noise_b": noise}
        if twice := sorted(both.keys() & given.keys()):
            raise Refused(f"--noise and --set {twice[0]}: both say how often a seat slips; give one")
        given = {**both, **given}
    try:
        return strictly(DilemmaConfig, given)
    except ValidationError as error:
        raise Refused([Fault.of("--set", ".".join(at), note) for at, note in faults_of(error, DilemmaConfig)]) from None


def _entrant(text: str, config: DilemmaConfig) -> Agent:
    """A strategy by name or an agent file, each with its parameters after colons."""
    name, *given = text.split(":")
    params: dict[str, Any] = {}
    for setting in given:
        key, equals, value = setting.partition("=")
        if not equals:
            raise Refused(f"--policies: {text!r}; write GTFT:generous_prob=0.1")
        params[key] = parse_yaml(value, "--policies")
    if name.endswith((".yaml", ".yml")):
        if config.labels != "letters":
            raise Refused(f"labels: {config.labels} with {name}: its prompts know C and D alone; leave labels out")
        return _seated(name, params, config)
    entrant = Entrant(name, params)
    entrant.machine(config.payoffs)
    return entrant


def _seated(name: str, overrides: dict[str, Any], config: DilemmaConfig) -> Agent:
    """Whoever an agent file means, here or in that of pdbench."""
    folder = Path() if Path(name).is_file() else HOME / "configs"
    faults: list[Fault] = []
    seat = Desk("--policies", folder, "none", faults).seat(
        name, AgentRef(ref=name, overrides=overrides), config.payoffs
    )
    if seat is None:
        raise Refused(faults)
    if isinstance(seat, ModelSeat) and seat.profile is not None:
        raise Refused(f"{seat.shown()}: real models are called by pdbench run, which tells the price first")
    return Entrant(seat.policy, seat.params) if isinstance(seat, PolicySeat) else Guest(seat.shown(), seat.decider)


def plain(results: Results) -> dict[str, Any]:
    """A tournament as JSON."""
    asked, table = results.tournament, results.standings
    return {
        "config": asked.config.model_dump(mode="json"),
        "repetitions": asked.repetitions,
        "seed": asked.seed,
        "self_play": asked.self_play,
        "pairing": asked.pairing,
        "names": list(results.names),
        "payoff_matrix": table.matrices[PAYOFF],
        "cooperation_matrix": table.matrices[COOPERATION],
        "wins": table.wins,
        "ranking_by_median": [entry.name for entry in table.ranking("median")],
        "ranking_by_mean": [entry.name for entry in table.ranking("mean")],
        "standings": [
            {"name": entry.name, "median": entry.median_score, "mean": entry.mean_score, **entry.means}
            for entry in table.by_entry
        ],
    }


def shown(results: Results) -> str:
    """The ranking and the payoff matrix as text, entrants in the order of the ranking."""
    asked, table = results.tournament, results.standings
    ranked = table.ranking("median")
    wide = max(len(name) for name in results.names)
    lines = [
        f"{len(results.cells)} matches, {asked.repetitions} repetitions, self-matches {asked.self_play}, "
        f"noise {asked.config.noise_a:g} and {asked.config.noise_b:g}; points a round; by median",
        f"{'':>{wide + 3}}  median    mean  wins      C  | against "
        + " ".join(f"{entry.name:>8.8}" for entry in ranked),
    ]
    for rank, entry in enumerate(ranked, 1):
        row = table.matrices[PAYOFF][entry.entrant]
        cells = " ".join(f"{_number(row[other.entrant]):>8}" for other in ranked)
        lines.append(
            f"{rank:>2} {entry.name:<{wide}}  {_number(entry.median_score):>6}  {_number(entry.mean_score):>6}  "
            f"{entry.wins:>4}  {_number(entry.means[COOPERATION]):>5}  |         {cells}"
        )
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
