"""`polity run`: plays a scenario without the site."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from simsite.commands.costs import ask_first, estimated, has_models, spent, told
from simsite.commands.printing import as_json, progress, say, summary, table, watcher
from simsite.commands.shelf import shelf

if TYPE_CHECKING:
    from games.lab.cells import Played
    from games.lab.layers import Layer
    from games.lab.scenario import Scenario

COLUMNS: Final = 5
"""So many conditions stand side by side; more are told in further tables."""


def run(
    scenario: Annotated[str, typer.Argument(help="GAME/PRESET, or a YAML file.", show_default=False)],
    seed: Annotated[int | None, typer.Option(help="One run from this seed.")] = None,
    seeds: Annotated[str | None, typer.Option(help="Seeds as 1..20, or 3,5,9.")] = None,
    replicates: Annotated[int | None, typer.Option(help="That many seeds, from 1.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the config; may be repeated.")
    ] = None,
    agents: Annotated[Path | None, typer.Option(help="A YAML file of who sits where.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as pay, if left out.")] = None,
    out: Annotated[Path | None, typer.Option(help="The run folder to write; nothing is written without it.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder that stands at --out.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, play nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Call real models without asking first.")] = False,
    prompts: Annotated[
        str, typer.Option(metavar="full|hash", help="Keep models' prompts whole, or only their hashes.")
    ] = "full",
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Play a scenario: every condition with every seed. The result does not depend on --jobs."""
    from games.lab.faults import Refused
    from games.lab.folder import check_free
    from games.lab.running import run as play
    from games.lab.scenario import load

    if jobs is not None and not 1 <= jobs <= 256:
        raise Refused(f"--jobs: {jobs}; from 1 to 256")
    if prompts not in ("full", "hash"):
        raise Refused(f"--prompts: {prompts!r}; full or hash")
    chosen = load(scenario, shelf(), _layers(settings or [], agents), _seeds(seed, seeds, replicates))
    if out is not None:
        check_free(out, force)
    if dry_run:
        as_json(_plan(chosen)) if json else say(f"{summary(chosen)}: would be played; nothing is wrong with it")
        if not json and has_models(chosen):
            say(f"models: {estimated(chosen)}")
        return 0
    ask_first(chosen, yes)
    with progress(f"playing {scenario}") as tell:
        played = play(chosen, out, jobs, force, watcher(tell), "hash" if prompts == "hash" else "full")
    if json:
        where = None if out is None else str(out)
        as_json({**_plan(chosen), "out": where, "runs": [one.plain() for one in played], "metrics": _means(played)})
        return 0
    _show(chosen, played)
    if has_models(chosen):
        say(f"models: {spent(played)}")
    say(f"written: {out}" if out is not None else "nothing was written; --out DIR keeps the runs")
    return 0


def _layers(settings: list[str], agents: Path | None) -> list[Layer]:
    from games.lab.form import read_seats
    from games.lab.layers import Layer, set_layer
    from games.lab.yamlfile import read_yaml

    layers = [set_layer(settings)] if settings else []
    if agents is not None:
        source = str(agents)
        seats = read_seats(read_yaml(agents, source), source)
        layers.append(Layer(source, seats=seats, seats_at="", folder=agents.parent))
    return layers


def _seeds(seed: int | None, seeds: str | None, replicates: int | None) -> tuple[int, ...] | None:
    from games.lab.faults import Refused
    from games.lab.form import SEEDS_MAX, read_seeds

    given = {"--seed": seed, "--seeds": seeds, "--replicates": replicates}
    named = [(name, value) for name, value in given.items() if value is not None]
    if not named:
        return None
    if len(named) > 1:
        raise Refused(f"{' and '.join(name for name, _ in named)}: all say which seeds to play; give one")
    name, value = named[0]
    if replicates is not None:
        if not 1 <= replicates <= SEEDS_MAX:
            raise Refused(f"--replicates: {replicates}; from 1 to {SEEDS_MAX}")
        return tuple(range(1, replicates + 1))
    try:
        return read_seeds(value)
    except ValueError as error:
        raise Refused(f"{name}: {error}") from None


def _plan(scenario: Scenario) -> dict[str, Any]:
    return {
        "game": scenario.pack.slug,
        "scenario": scenario.name,
        "plan_hash": scenario.plan_hash(),
        "seeds": list(scenario.seeds),
        **({"estimate": told(scenario)} if has_models(scenario) else {}),
        "conditions": [
            {
                "name": condition.name,
                "config": condition.config.model_dump(mode="json"),
                "agents": [agent.plain() for agent in condition.seats],
            }
            for condition in scenario.conditions
        ],
    }


def _means(played: list[Played]) -> dict[str, dict[str, Any]]:
    """Mean, standard deviation and count of each numeric metric over the replicates where it is defined."""
    found: dict[str, dict[str, Any]] = {}
    for condition in dict.fromkeys(one.condition for one in played):
        rows = [one.metrics for one in played if one.condition == condition]
        for name in dict.fromkeys(name for row in rows for name in row):
            found.setdefault(condition, {})[name] = _mean([row.get(name) for row in rows])
    return found


def _mean(values: list[Any]) -> dict[str, Any]:
    numbers = [value for value in values if isinstance(value, int | float)]
    if not numbers:
        return {"mean": None, "sd": None, "n": 0}
    mean = math.fsum(numbers) / len(numbers)
    spread = math.fsum((value - mean) ** 2 for value in numbers)
    return {"mean": mean, "sd": math.sqrt(spread / (len(numbers) - 1)) if len(numbers) > 1 else None, "n": len(numbers)}


def _show(scenario: Scenario, played: list[Played]) -> None:
    means = _means(played)
    say(f"{summary(scenario)}, {sum(one.steps for one in played)} steps")
    names = list(dict.fromkeys(name for condition in means.values() for name in condition))
    conditions = list(means)
    for start in range(0, len(conditions), COLUMNS):
        shown = conditions[start : start + COLUMNS]
        rows = [[name, *(_cell(means[one].get(name), len(scenario.seeds)) for one in shown)] for name in names]
        table(["metric", *shown], rows, numbers=1)
    if len(scenario.seeds) > 1:
        say("mean over the seeds, ± standard deviation; (n) where it is defined in n of them only")


def _cell(found: dict[str, Any] | None, seeds: int) -> str:
    if found is None or found["mean"] is None:
        return "-"
    spread = "" if found["sd"] is None else f" ± {found['sd']:.3g}"
    count = "" if found["n"] == seeds else f" ({found['n']})"
    return f"{found['mean']:.6g}{spread}{count}"
