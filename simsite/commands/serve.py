"""`polity serve`, and its parts for several machines: `polity web`, `polity worker`, `polity beat`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Queue(StrEnum):
    live = "live"
    bulk = "bulk"


Host = Annotated[str, typer.Option(help="The address to listen on. Other than loopback needs real credentials.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 picks a free one.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    no_demo: Annotated[bool, typer.Option("--no-demo", help="Start no demo match.")] = False,
) -> None:
    """Prepare everything and run the site: database, bundle, Valkey, workers, beat, web."""
    from simsite.launch.serve import serve as run

    raise typer.Exit(run(host=host, port=port, demo=not no_demo))


def web(host: Host = "127.0.0.1", port: Port = 8000) -> None:
    """Run one web process (DATABASE_URL and REDIS_URL say with which site)."""
    from simsite.launch.alone import run_web

    raise typer.Exit(run_web(host=host, port=port))


def worker(
    queue: Annotated[
        Queue, typer.Option(help="live: model calls, paced and human runs. bulk: policies at full speed.")
    ],
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="Tasks at once; POLITY_LIVE_THREADS or POLITY_BULK_PROCESSES where not given."
        ),
    ] = None,
) -> None:
    """Run one worker on one queue."""
    from simsite.launch.alone import run_worker

    raise typer.Exit(run_worker(queue=queue.value, concurrency=concurrency))


def beat() -> None:
    """Run the clock that sends the sweep each second."""
    from simsite.launch.alone import run_beat

    raise typer.Exit(run_beat())


def register(app: typer.Typer) -> None:
    """Adds the commands to `polity`."""
    for command in (serve, web, worker, beat):
        app.command()(command)
