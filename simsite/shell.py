"""How a command ends: its status, and one line for each thing that is wrong.

0 well, 1 not as it should be, 2 bad input, 130 and 143 broken off by Ctrl-C and SIGTERM.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer

INTERRUPTED: Final = 130
TERMINATED: Final = 143


def status_of(app: typer.Typer, name: str, given: Sequence[str], own_signals: frozenset[str] = frozenset()) -> int:
    """Run one command of an app. Commands of ``own_signals`` see to SIGTERM themselves."""
    for group in (app, *(group.typer_instance for group in app.registered_groups)):
        for command in group.registered_commands if group is not None else ():
            command.short_help = command.callback.__doc__  # where it is not given, lists cut the help at one line
    commands = {command.name for command in app.registered_commands}
    if next((word for word in given if word in commands), "") in own_signals:
        return _status(app, name, given)
    with _sigterm_heard() as heard:
        status = _status(app, name, given)
    return TERMINATED if heard and status == INTERRUPTED else status


@contextmanager
def _sigterm_heard() -> Iterator[list[int]]:
    """SIGTERM ends a command as Ctrl-C does: what it had begun to write is taken away, its processes end."""
    heard: list[int] = []

    def stop(number: int, _: object) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGTERM, before)


def _status(app: typer.Typer, name: str, given: Sequence[str]) -> int:
    try:
        status: Any = app(list(given), prog_name=name, standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except typer.TyperException as error:
        return _usage(error, name, given)
    except BrokenPipeError:
        sys.stdout = None  # whoever read our lines has gone: nothing is left to flush
        return 0
    except Exception as error:
        return _told(error)
    if status == INTERRUPTED:  # Typer may have turned Ctrl-C into its status already
        return _say("broken off; nothing was kept", INTERRUPTED)
    return status if isinstance(status, int) else 0


def _usage(error: Any, name: str, given: Sequence[str]) -> int:
    if not str(error):  # no arguments: the help has been shown
        return 2
    command = f"{name} {given[0]}" if given and not given[0].startswith("-") else name
    return _say(f"{command}: {' '.join(error.format_message().split())}", getattr(error, "exit_code", 2))


def _told(error: Exception) -> int:
    """A refusal in its own lines; a game's bug with its trace; in one line a package that an extra brings, and the
    site's database that cannot be used; anything else is ours, and raised.
    """
    from games.core.agents import BadPolicy
    from games.errors import extras
    from games.errors.faults import Refused
    from games.lab.folders.running import BrokenOff
    from games.lab.folders.runspec import RunFailed

    if lacking := extras.remedy(error):
        return _say(lacking, 2)
    lines = [str(error), *(note for note in getattr(error, "__notes__", ()) if note)]
    if isinstance(error, BrokenOff):
        return _say(f"broken off; {error}", INTERRUPTED)
    if isinstance(error, Refused | BadPolicy):
        return _say("\n".join(lines), 2)
    if isinstance(error, RunFailed):
        return _say("\n".join([error.trace, *lines]), 1)
    database = sys.modules.get("django.db")
    if database is not None and isinstance(error, database.OperationalError | database.ProgrammingError):
        lacks = any(word in lines[0] for word in ("no such table", "does not exist"))
        remedy = "; start the site once (polity serve), which prepares its database" if lacks else ""
        return _say(f"the site's database: {' '.join(lines[0].split())}{remedy}", 2)
    raise error


def _say(text: str, status: int) -> int:
    print(text, file=sys.stderr)  # noqa: T201 - this is the shell
    return status
