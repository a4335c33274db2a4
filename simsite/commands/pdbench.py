"""`pdbench`: the source's command. Heavy imports, and all of `games.lab.folders`, stand inside the commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from simsite.shell import status_of

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="The iterated prisoner's dilemma as a benchmark.",
    pretty_exceptions_enable=False, rich_markup_mode=None,
)  # fmt: skip
CONFIG = typer.Argument(help="An experiment file; looked up in pdbench's own folder where it is absent here.")
RUN_DIR = typer.Argument(help="A run folder.")


@app.command()
def validate(config_path: Annotated[str, CONFIG]) -> None:
    """Check an experiment file and every file it refers to; print a short summary."""
    from games.lab.pdbench.plan import load

    plan = load(config_path)
    typer.echo(f"{config_path}: good. {plan.summary()}")
    for condition in plan.scenario.conditions:
        seated = " vs ".join(agent.shown() for agent in plan.agents[condition.name])
        typer.echo(f"  {condition.name}: {seated}, {plan.length(condition.name)}")


@app.command()
def run(
    config_path: Annotated[str, CONFIG],
    replicates: Annotated[int | None, typer.Option(help="Runs of each condition; the file's own, if left out.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, play nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a run folder that holds another plan.")] = False,
    out: Annotated[Path | None, typer.Option(help="The run folder to write; the file's own, if left out.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Call real models without asking.")] = False,
) -> None:
    """Play every condition and replicate into the run folder that the file names, or --out."""
    from games.lab.pdbench.costing import check_keys, foretold, real_seats
    from games.lab.pdbench.plan import load
    from games.lab.pdbench.sourcefiles import check_place, play, spent
    from simsite.commands.costs import ask_leave
    from simsite.commands.printing import progress, watcher

    plan = load(config_path, replicates, out)
    check_place(plan, force)
    called = dict.fromkeys(seat.shown() for _, _, seat in real_seats(plan))
    if called:
        typer.echo(f"{', '.join(called)}: {foretold(plan)}", err=True)
    if dry_run:
        typer.echo(f"{config_path}: {plan.summary()}; would be written to {plan.output_dir}")
        return
    if called:
        check_keys(plan)
        ask_leave(yes)
    with progress(f"playing {config_path}") as tell:
        rounds = play(plan, force, watcher(tell))
    typer.echo(f"{plan.output_dir}: {plan.summary()}, {rounds} rounds")
    if called:
        typer.echo(f"models: {spent(plan.output_dir)}")


@app.command()
def aggregate(run_dir: Annotated[Path, RUN_DIR]) -> None:
    """Measure a run folder anew from its rounds; doing it twice changes nothing."""
    from games.lab.pdbench.sourcefiles import measure_again

    runs = measure_again(run_dir)
    typer.echo(f"{run_dir / 'aggregates.parquet'}: {runs} runs measured")


@app.command()
def ui(
    run_dir: Annotated[Path, RUN_DIR],
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")] = 0,
    print_only: Annotated[
        bool, typer.Option("--print", help="Print the viewer's command and do not start it.")
    ] = False,
) -> None:
    """Show a run folder in the browser, read-only, until Ctrl-C: `polity view` under the source's name."""
    import shlex

    from simsite.commands.view import view

    if print_only:
        typer.echo(shlex.join(["polity", "view", str(run_dir), *(["--port", str(port)] if port else [])]))
        return
    view(run_dir, port, browser=False)


@app.command()
def tournament(
    policies: Annotated[str, typer.Option(help="Entrants, comma-separated; GTFT:generous_prob=0.1 sets a parameter.")]
    = "ALLC,ALLD,TFT,GRIM,GTFT,WSLS",
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the match.")]
    = None,
    noise: Annotated[float | None, typer.Option(help="Chance of a slip, both seats; 0, if left out.")] = None,
    repetitions: Annotated[int, typer.Option(help="Matches of each pair.")] = 10,
    seed: Annotated[int, typer.Option(help="The tournament's seed.")] = 1,
    self_play: Annotated[str, typer.Option(help="none, shown (played, not scored) or scored.")] = "shown",
    pairing: Annotated[str, typer.Option(help="Seeds: independent, or common to all pairs.")] = "independent",
    out: Annotated[Path | None, typer.Option(help="A folder for the CSV files.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:  # fmt: skip
    """Hold a round robin: ranking, payoff and cooperation matrices, wins."""
    from games.lab.pdbench.robin import hold

    typer.echo(hold(policies, settings or [], noise, repetitions, seed, self_play, pairing, out, json))


@app.command()
def bench(
    peer: Annotated[bool, typer.Option("--peer/--no-peer", help="Time the axelrod library in the same run.")] = True,
    repeats: Annotated[int, typer.Option(min=1, max=100, help="The best of so many, at least.")] = 3,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Time the bulk path, tournaments and single matches, beside the axelrod library."""
    import json as jsonlib
    from contextlib import nullcontext

    from games.lab.speed.adapters import version_of
    from games.lab.speed.beside import by_turns
    from games.lab.speed.machine import machine
    from games.lab.speed.peers import peer as begun
    from games.lab.speed.works import dilemma

    rows = []
    with begun("axelrod") if peer and version_of("axelrod") else nullcontext() as axelrod:
        for work in dilemma():
            ours, theirs = by_turns(work, axelrod, 0.1, repeats)
            rows.append(
                {
                    "case": work.name,
                    "noise": work.beside["axelrod"]["noise"],
                    "seconds": work.rounds / ours,
                    "rounds_per_s": ours,
                    "peer_seconds": theirs and work.rounds / theirs,
                    "times": theirs and ours / theirs,
                }
            )
    if json:
        typer.echo(jsonlib.dumps({"machine": machine(), "repeats": repeats, "cases": rows}, indent=1))
        return
    for row in rows:
        pace = f"{row['seconds']:.5f} s, {row['rounds_per_s']:,.0f} rounds/s"
        peers = f"; axelrod {row['peer_seconds']:.4f} s, {row['times']:.0f} times" if row["times"] else ""
        typer.echo(f"{row['case']}: {pace}{peers}")


def main() -> None:
    """The command's door: statuses and lines as `polity` has them."""
    sys.exit(status_of(app, "pdbench", sys.argv[1:]))
