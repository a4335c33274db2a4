"""`polity view`: a page on a run folder, on this machine only."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.built import bundle
from simsite.commands.packages import registry
from simsite.commands.printing import say


def view(
    run_dir: Annotated[Path, typer.Argument(help="A run folder.", show_default=False)],
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = False,
) -> int:
    """Serve the run page, read-only, on a run folder until Ctrl-C. No agent is asked anything again."""
    from games.errors.faults import Refused
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.viewing import server

    folder = RunFolder(run_dir, registry())
    try:
        served = server(folder, bundle(), port)
    except OSError as error:
        raise Refused(f"--port: {port} cannot be listened on: {error.strerror}. Leave it out for a free one") from None
    with served:
        address = f"http://127.0.0.1:{served.server_address[1]}/"
        say(f"{run_dir} at {address} (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)
        try:
            served.serve_forever()
        except KeyboardInterrupt:
            say("ended")
    return 0
