"""`polity serve`, `web`, `worker`, `beat`: the site and its parts."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Queue(StrEnum):
    """Who waits: people and models (live), or nobody (bulk)."""

    live = "live"
    bulk = "bulk"


Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    demo: Annotated[bool, typer.Option("--demo/--no-demo", help="Start a match that is worth watching.")] = True,
) -> int:
    """Prepare everything and run the site: database, bundle, Valkey, workers, beat, web."""
    from simsite.launch.serve import serve as start

    return start(host=host, port=port, demo=demo)


def web(host: Host = "127.0.0.1", port: Port = 8000) -> int:
    """One web process, for several machines."""
    from simsite.launch.standalone import run_web

    return run_web(host=host, port=port)


def worker(
    queue: Annotated[Queue, typer.Option(help="Whose tasks to take.")],
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Tasks at once; the queue's default if left out.")
    ] = None,
) -> int:
    """One worker on a queue, for several machines."""
    from simsite.launch.standalone import run_worker

    return run_worker(queue=queue.value, concurrency=concurrency)


def beat() -> int:
    """The clock that sends the sweep each second, for several machines."""
    from simsite.launch.standalone import run_beat

    return run_beat()
