"""The `polity` command. Each command imports what it needs when it is called, so that the others start at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from simsite.commands import (
    account,
    aggregate,
    bench,
    check,
    cluster,
    doctor,
    eject,
    export,
    games,
    keeping,
    key,
    learn,
    mcp,
    merge,
    new_game,
    people,
    phenomena,
    plugins,
    population,
    publish,
    rate,
    reckoning,
    register,
    report,
    reproduce,
    run,
    site,
    story,
    study,
    transfer,
    validate,
    verify,
    view,
)
from simsite.shell import status_of

LASTING: Final = frozenset({"serve", "web", "worker", "beat", "mcp"})
"""Commands that last, and see to their own end."""
app = typer.Typer(
    name="polity",
    help="A live laboratory for societies of agents: models, people and scripts in the same seats of the same games.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich's help takes longer to import than all else together
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from games.errors.extras import DISTRIBUTION

        typer.echo(version(DISTRIBUTION))
        raise typer.Exit


@app.callback()
def _polity(
    home: Annotated[
        Path | None, typer.Option(help="The folder of the site that is meant; the user's own, if left out.")
    ] = None,
    games: Annotated[Path | None, typer.Option(help="A folder of games, beside those that are installed.")] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Say it, and end.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    if home is not None:
        os.environ["POLITY_HOME"] = str(home)
    if games is not None:
        more = os.environ.get("POLITY_GAMES", "").strip()
        os.environ["POLITY_GAMES"] = f"{more},{games.absolute()}" if more else str(games.absolute())


app.command("serve")(site.serve)
app.command("web")(site.web)
app.command("worker")(site.worker)
app.command("beat")(site.beat)
app.command("games")(games.games)
app.command("run")(run.run)
app.command("merge")(merge.merge)
app.command("cluster")(cluster.cluster)
app.command("validate")(validate.validate)
app.command("report")(report.report)
app.command("publish")(publish.publish)
app.command("reproduce")(reproduce.reproduce)
app.command("aggregate")(aggregate.aggregate)
app.command("view")(view.view)
app.command("export")(export.export)
app.command("import")(transfer.import_folder)
app.command("rerun")(transfer.rerun)
app.command("verify")(verify.verify)
app.command("story")(story.story)
app.command("register")(register.register)
app.command("people")(people.people)
app.command("mcp")(mcp.mcp)
app.add_typer(study.study, name="study")
app.command("account")(account.account)
app.command("key")(key.key)
app.command("backup")(keeping.backup)
app.command("restore")(keeping.restore)
app.command("purge")(keeping.purge)
app.command("bench")(bench.bench)
app.command("learn")(learn.learn)
app.command("probe")(reckoning.probe)
app.command("exploit")(reckoning.exploit)
app.command("phenomena")(phenomena.phenomena)
app.command("rate")(rate.rate)
app.command("population")(population.population)
app.command("check")(check.check)
app.command("plugins")(plugins.plugins)
app.command("doctor")(doctor.doctor)
app.command("new-game")(new_game.new_game)
app.command("eject")(eject.eject)


def main(args: Sequence[str] | None = None) -> None:
    """Run one command and exit with its status; see `shell`."""
    sys.exit(status_of(app, "polity", sys.argv[1:] if args is None else args, LASTING))
