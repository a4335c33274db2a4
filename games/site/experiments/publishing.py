"""An experiment of the site as a publication (`games.lab.folders.publishing`): what is private in it, and the file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from games.core.codec import GENESIS
from games.core.registry import Registry
from games.lab.folders.bundle import Bundle
from games.lab.folders.publishing import Wanted, chosen, publish
from games.lab.folders.reading import RunFolder
from games.lab.folders.scrubbing import has_private, private_in
from games.site.experiments.exporting import experiment_folder
from games.site.experiments.registering import registered
from games.site.models import Experiment, RegisterEntry


def register_entry(experiment: Experiment) -> dict[str, Any] | None:
    """The entry of the site's register with which an experiment was declared; None for one of before the register.

    Its document is left out where it names a server or a key.
    """
    entry = registered(experiment)
    if entry is None:
        return None
    before = RegisterEntry.objects.filter(number=entry.number - 1).first()
    told = {name: getattr(entry, name) for name in ("number", "subject", "digest", "hash")}
    seats = [seat for one in entry.document.get("conditions", {}).values() for seat in one.get("seats", ())]
    document = {} if has_private(seats) else {"document": entry.document}
    previous = GENESIS if before is None else before.hash
    return {**told, "at": entry.at.isoformat(), "kind": str(entry.kind), "previous": previous, **document}


@contextmanager
def _folder(experiment: Experiment) -> Iterator[RunFolder]:
    with tempfile.TemporaryDirectory(prefix="polity-publish-") as place:
        experiment_folder(experiment=experiment, out=Path(place) / "runs")
        yield RunFolder(Path(place) / "runs", Registry())


def private_of(experiment: Experiment) -> list[str]:
    """What publishing takes out, a line each, and what looks private in texts, which it leaves."""
    with _folder(experiment) as folder:
        return private_in(folder)


def publication(
    experiment: Experiment, language: str, licence: str, authors: Sequence[str], bundle: Bundle | None
) -> bytes:
    """The zip file. Replays, the first run of each condition, are in it where there is a ``bundle``."""
    with _folder(experiment) as folder:
        replays = chosen(folder, ()) if bundle is not None else ()
        wanted = Wanted(language, licence, tuple(authors), replays, bundle, register_entry(experiment))
        out = folder.path.with_name("crate.zip")
        publish(folder, out, wanted, Registry())
        return out.read_bytes()
