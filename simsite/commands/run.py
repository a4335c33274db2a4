"""`polity run`: plays a scenario without the site."""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from simsite.commands.costs import ask_first, estimated, has_models, spent, told
from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, summary, table, watcher

if TYPE_CHECKING:
    from games.lab.analysis.piloting import Forecast
    from games.lab.folders.calllog import Keep
    from games.lab.folders.runspec import Played
    from games.lab.scenarios.layers import Layer
    from games.lab.scenarios.scenario import Scenario

TRAINED: Final = "POLITY_TRAINED"
"""Names the folders of trained networks, for whoever plays them."""
PARTS_MAX: Final = 10_000
COLUMNS: Final = 5
"""So many conditions stand side by side; more are told in further tables."""


def run(
    scenario: Annotated[
        str,
        typer.Argument(
            help="GAME/PRESET, a YAML file, a game's Python file (FILE.py:PRESET), or a run folder to play again.",
            show_default=False,
        ),
    ],
    seed: Annotated[int | None, typer.Option(help="One run from this seed.")] = None,
    seeds: Annotated[str | None, typer.Option(help="Seeds as 1..20, or 3,5,9.")] = None,
    replicates: Annotated[int | None, typer.Option(help="That many seeds, from 1.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the config; may be repeated.")
    ] = None,
    agents: Annotated[
        Path | None,
        typer.Option(help="A YAML file of who sits where, or a folder of trained agents, with agents.yaml in it."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as pay, if left out.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The run folder to write, or auto: runs/TIME_GAME_seedSEED (UTC), unless the game has a name of its "
            "own. Nothing is written without it."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder that stands at --out.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, play nothing.")] = False,
    pilot: Annotated[
        Path | None,
        typer.Option(help="With --dry-run: a run folder; what would the seeds show, by its spread?"),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Call real models without asking first.")] = False,
    prompts: Annotated[
        str, typer.Option(metavar="full|hash", help="Keep models' prompts whole, or only their hashes.")
    ] = "full",
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Write plain JSON lines and the game's own files, fifty times as many bytes."),
    ] = False,
    shard: Annotated[
        str | None, typer.Option(metavar="I/N", help="Play the I-th of N parts; polity merge puts them together.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Play a scenario: every condition with every seed. The result does not depend on --jobs."""
    from games.errors.faults import Refused
    from games.lab.folders.manifestplan import scenario_of
    from games.lab.folders.place import AUTO, check_free, named
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.running import run as play
    from games.lab.folders.runspec import specs_of
    from games.lab.folders.sealing import MANIFEST
    from games.lab.folders.sidebyside import one_by_one
    from games.lab.scenarios.costing import check_keys
    from games.lab.scenarios.finding import game_target
    from games.lab.scenarios.scenario import load

    if jobs is not None and not 1 <= jobs <= 256:
        raise Refused(f"--jobs: {jobs}; from 1 to 256")
    if prompts not in ("full", "hash"):
        raise Refused(f"--prompts: {prompts!r}; full or hash")
    part = _part(shard, out, plain)
    extra, own = _layers(settings or [], agents), _seeds(seed, seeds, replicates)
    if (Path(scenario) / MANIFEST).is_file():
        if extra or own:
            raise Refused(f"{scenario}: a run folder is played again as it stands; leave --set, --agents and seeds out")
        chosen = scenario_of(RunFolder(Path(scenario), registry()))
    else:
        scenario = game_target(scenario)
        chosen = load(scenario, registry(), extra, own)
    if out == AUTO:
        out = named(chosen.pack, chosen.name, chosen.seeds[0], datetime.now(UTC))
    if out is not None:
        check_free(out, force)
    if pilot is not None and not dry_run:
        raise Refused("--pilot: it says what the seeds would show before they are played; give --dry-run too")
    check_keys(chosen)
    if dry_run:
        seen = [] if pilot is None else _forecasts(chosen, pilot)
        more = {"forecasts": [asdict(one) for one in seen]} if pilot is not None else {}
        as_json({**_plan(chosen), **more}) if json else say(
            f"{summary(chosen)}: would be played; nothing is wrong with it"
        )
        if not json and has_models(chosen):
            say(f"models: {estimated(chosen)}")
        if not json and seen:
            _show_forecasts(seen)
        return 0
    ask_first(chosen, yes)
    with progress(f"playing {scenario}") as tell:
        kept: Keep = "hash" if prompts == "hash" else "full"
        played = play(chosen, out, jobs, force, watcher(tell), kept, is_plain=plain, part=part)
    alone = one_by_one(specs_of(chosen))
    if json:
        where = None if out is None else str(out)
        as_json(
            {
                **_plan(chosen),
                "out": where,
                "one_by_one": dict(alone),
                "runs": [one.plain() for one in played],
                "metrics": _means(played),
            }
        )
        return 0
    _show(chosen, played)
    if has_models(chosen):
        say(f"models: {spent(played)}")
    for reason, runs in alone.items():
        say(f"{runs} runs were played one by one: {reason}")
    say(f"written: {out}" if out is not None else "nothing was written; --out DIR keeps the runs")
    return 0


def _part(shard: str | None, out: Path | None, plain: bool) -> tuple[int, int] | None:
    from games.errors.faults import Refused

    if shard is None:
        return None
    first, _, of = shard.partition("/")
    if not (first.isdecimal() and of.isdecimal() and 1 <= int(first) <= int(of) <= PARTS_MAX):
        raise Refused(f"--shard: {shard!r}; I/N with I from 1 to N and N to {PARTS_MAX}, such as 1/4")
    if out is None or plain:
        raise Refused("--shard: a part is merged from its packed folder; give --out DIR, and no --plain")
    return int(first), int(of)


def _layers(settings: list[str], agents: Path | None) -> list[Layer]:
    from games.lab.scenarios.form import read_seats
    from games.lab.scenarios.layers import Layer, set_layer
    from games.lab.scenarios.yamlfile import read_yaml

    layers = [set_layer(settings)] if settings else []
    if agents is not None:
        if agents.is_dir():
            agents = trained(agents)
        source = str(agents)
        seats = read_seats(read_yaml(agents, source), source)
        layers.append(Layer(source, seats=seats, seats_at="", folder=agents.parent))
    return layers


def trained(folder: Path) -> Path:
    """The seats of a folder of trained agents, whose networks this process and those that it starts then find."""
    places = [str(folder.absolute()), *filter(None, [os.environ.get(TRAINED)])]
    os.environ[TRAINED] = os.pathsep.join(places)
    return folder / "agents.yaml"


def _seeds(seed: int | None, seeds: str | None, replicates: int | None) -> tuple[int, ...] | None:
    from games.errors.faults import Refused
    from games.lab.scenarios.form import SEEDS_MAX, read_seeds

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


def _forecasts(scenario: Scenario, pilot: Path) -> list[Forecast]:
    """What the experiment's seeds would show, by the spread of the pilot's runs of the same conditions."""
    from games.errors.faults import Refused
    from games.lab.analysis.piloting import forecasts
    from games.lab.analysis.plan import Plan
    from games.lab.folders.experiment import runs_of
    from games.lab.folders.reading import RunFolder

    if scenario.experiment is None or not scenario.experiment.comparisons:
        raise Refused(f"--pilot: {scenario.name} declares no hypotheses, so that there is nothing to show")
    plan = Plan.read(scenario.experiment.plain())
    return forecasts(plan, runs_of(RunFolder(pilot, registry()), plan), len(scenario.seeds))


def _show_forecasts(found: list[Forecast]) -> None:
    rows = []
    for one in found:
        power = "-" if one.power is None else f"{one.power:.0%}"
        numbers = (one.sd, one.seen, one.smallest)
        asked = one.comparison
        told = ("-" if number is None else f"{number:.3g}" for number in numbers)
        rows.append([f"{asked.hypothesis} ({', '.join(asked.weights)})", str(one.pilot), *told, power])
    table(["hypothesis", "pilot n", "sd", "seen", f"{found[0].seeds} seeds show", "power for seen"], rows, numbers=1)
    say("the difference that so many seeds show in 80 of 100 experiments, each test by itself at its family's level")


def _plan(scenario: Scenario) -> dict[str, Any]:
    return {
        "game": scenario.pack.slug,
        "scenario": scenario.name,
        **({"changes": dict(scenario.changes)} if scenario.changes else {}),
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


def _means(played: Collection[Played]) -> dict[str, dict[str, Any]]:
    """Count, mean, standard deviation and interval of each numeric metric, over the replicates where it is defined."""
    from games.errors import extras
    from games.lab.analysis.intervals import describe

    values: dict[str, dict[str, array[float]]] = {}
    for one in played:
        for name, value in one.metrics.items():
            column = values.setdefault(one.condition, {}).setdefault(name, array("d"))
            if isinstance(value, int | float):
                column.append(value)
    found: dict[str, dict[str, Any]] = {}
    for condition, columns in values.items():
        for name, column in columns.items():
            told = describe(column, has_interval=extras.has("scipy"))
            found.setdefault(condition, {})[name] = {
                "mean": told.mean, "sd": told.sd, "low": told.low, "high": told.high, "n": told.n
            }  # fmt: skip
    return found


def _show(scenario: Scenario, played: Collection[Played]) -> None:
    from games.errors import extras

    means = _means(played)
    say(f"{summary(scenario)}, {sum(one.steps for one in played)} steps")
    names = list(dict.fromkeys(name for condition in means.values() for name in condition))
    conditions = list(means)
    for start in range(0, len(conditions), COLUMNS):
        shown = conditions[start : start + COLUMNS]
        rows = [[name, *(_cell(means[one].get(name), len(scenario.seeds)) for one in shown)] for name in names]
        table(["metric", *shown], rows, numbers=1)
    if len(scenario.seeds) > 1 and not extras.has("scipy"):
        say("mean over the seeds; intervals come with the extra report: pip install 'polity-lab[report]'")
    elif len(scenario.seeds) > 1:
        say("mean over the seeds ± half its 95% interval (Student's t); (n) where it is defined in n of them only")


def _cell(found: dict[str, Any] | None, seeds: int) -> str:
    if found is None or found["mean"] is None:
        return "-"
    spread = "" if found["low"] is None else f" ± {(found['high'] - found['low']) / 2:.3g}"
    count = "" if found["n"] == seeds else f" ({found['n']})"
    return f"{found['mean']:.6g}{spread}{count}"
