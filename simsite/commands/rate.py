"""`polity rate`: ratings of agents by what they earned against each other."""

from __future__ import annotations

import json as jsonlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from simsite.commands.printing import as_json, say, table

BYTES_MAX: Final = 200_000_000


class Method(StrEnum):
    """By their names in `games.lab.analysis.rating`."""

    MEAN = "mean"
    REPLICATOR = "replicator"
    DEVIATION = "deviation"
    BRADLEY_TERRY = "bradley-terry"
    ALPHA_RANK = "alpha-rank"


def rate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Agents, seats and payoffs by line-up, as JSON.")],
    method: Annotated[Method, typer.Option(help="What is asked of the payoffs.")] = Method.MEAN,
    resamples: Annotated[
        int | None, typer.Option(min=0, max=100_000, help="Of the matches, for intervals; by the method, if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the resamples.")] = 1,
    eta: Annotated[float, typer.Option(min=1e-6, max=100, help="Of replicator: how fast shares grow.")] = 0.1,
    steps: Annotated[int, typer.Option(min=0, max=1_000_000, help="Of replicator, at most.")] = 1000,
    alpha: Annotated[float, typer.Option(min=0, max=1e6, help="Of alpha-rank: how much payoffs select.")] = 100.0,
    population: Annotated[int, typer.Option(min=2, max=100_000, help="Of alpha-rank.")] = 50,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Rate agents by the payoffs of their line-ups, with 95% intervals over resampled matches.

    FILE is {"agents": [names], "seats": N, "profiles": [{"agents": [numbers], "payoffs": [[a number a seat], a row a
    match]}]}. With "discount": d a match is a list of rounds. Rated is the symmetrised game: what an agent earns beside
    given others, over all seats and matches.

    mean: against others drawn evenly. replicator: against the population that is left when shares grow with earnings.
    deviation: what is gained by playing as it instead, 0 is best. bradley-terry: log strength by who earned more.
    alpha-rank: share of time that a population spends as it.
    """
    from games.errors.faults import Refused
    from games.lab.analysis.lineups import read
    from games.lab.analysis.rating import rated

    try:
        lineups = read(_parsed(file))
    except Refused as error:
        raise Refused(f"{file}: {error}") from None
    found = rated(
        lineups, method.value, resamples, seed, eta=eta, steps=steps, alpha=alpha, population=population
    )  # fmt: skip
    if json:
        intervals = None if found.intervals is None else [list(span) for span in found.intervals]
        told: dict[str, Any] = {"method": found.method, "agents": list(lineups.agents), "ratings": list(found.ratings)}
        as_json({**told, **found.more, "intervals": intervals, "resamples": found.resamples, "seed": seed})
        return 0
    lists = {name: values for name, values in found.more.items() if isinstance(values, list) and name != "fitness"}
    rows = []
    for at in sorted(range(len(lineups.agents)), key=lambda one: -found.ratings[one]):
        span = "-" if found.intervals is None else "[{:.4g}, {:.4g}]".format(*found.intervals[at])
        more = [f"{values[at]:.4g}" for values in lists.values()]
        rows.append([lineups.agents[at], f"{found.ratings[at]:.6g}", span, *more])
    table(["agent", found.method, "95% interval", *lists], rows, numbers=1)
    if found.more.get("drawn_games"):
        say("somebody never won or never lost: a hundredth of a drawn game was added between each two agents")
    if found.more.get("settled") is False:
        say(f"shares still move after {found.more['steps']} steps; take more --steps")
    return 0


def _parsed(file: Path) -> Any:
    """The file's JSON; raises `Refused` in one line."""
    from games.errors.faults import Refused

    try:
        if file.stat().st_size > BYTES_MAX:
            raise Refused(f"larger than {BYTES_MAX // 1_000_000} MB; rate a part of the agents")
        return jsonlib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise Refused(str(error.strerror or error)) from None
    except Refused:
        raise
    except (ValueError, RecursionError) as error:
        what = "it nests too deep" if isinstance(error, RecursionError) else str(error)
        raise Refused(f"no JSON: {what}") from None
