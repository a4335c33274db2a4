"""The `polity` command. Each command imports what it needs when it is called, so that the others start at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import typer

from simsite.commands import aggregate, bench, export, games, new_game, people, run, site, validate, verify, view

INTERRUPTED: Final = 130
app = typer.Typer(
    name="polity",
    help="A live laboratory for societies of agents: models, people and scripts in the same seats of the same games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("serve")(site.serve)
app.command("web")(site.web)
app.command("worker")(site.worker)
app.command("beat")(site.beat)
app.command("games")(games.games)
app.command("run")(run.run)
app.command("validate")(validate.validate)
app.command("aggregate")(aggregate.aggregate)
app.command("view")(view.view)
app.command("export")(export.export)
app.command("verify")(verify.verify)
app.command("people")(people.people)
app.command("bench")(bench.bench)
app.command("new-game")(new_game.new_game)


def main(args: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 well, 1 not as it should be, 2 bad input, told in one line a fault."""
    given = list(sys.argv[1:] if args is None else args)
    sys.exit(_status(given))


def _status(given: list[str]) -> int:
    try:
        status: Any = app(given, prog_name="polity", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except typer.TyperException as error:
        return _usage(error, given)
    except BrokenPipeError:
        sys.stdout = None  # whoever read our lines has gone: nothing is left to flush
        return 0
    except Exception as error:
        return _told(error)
    if status == INTERRUPTED:  # Typer may have turned Ctrl-C into its status already
        return _say("broken off; nothing was kept", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _usage(error: Any, given: list[str]) -> int:
    if not str(error):  # no arguments: the help has been shown
        return 2
    command = f"polity {given[0]}" if given and not given[0].startswith("-") else "polity"
    return _say(f"{command}: {' '.join(error.format_message().split())}", getattr(error, "exit_code", 2))


def _told(error: Exception) -> int:
    """A refusal in its own lines; a game's bug with its trace; anything else is ours, and raised."""
    from games.lab.cells import RunFailed
    from games.lab.faults import Refused

    if isinstance(error, Refused):
        return _say(str(error), 2)
    if isinstance(error, RunFailed):
        return _say(f"{error.trace}\n{error}", 1)
    raise error


def _say(text: str, status: int) -> int:
    print(text, file=sys.stderr)  # noqa: T201 - this is the shell
    return status
