"""The browser bundle for commands that show or write pages; built where it is missing, as by `polity serve`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.lab.folders.bundle import Bundle


def bundle() -> Bundle:
    """Raises `Refused` where there is none and none can be built."""
    from games.errors.faults import Refused
    from games.lab.folders.bundle import Bundle
    from simsite.launch import Failed
    from simsite.launch.bundle import PROJECT, ensure

    try:
        good, told = ensure(PROJECT, _say)
    except Failed as error:
        raise Refused(str(error)) from None
    if not good:
        _say(told)
    dist = PROJECT / "frontend" / "dist"
    return Bundle(dist if dist.is_dir() else PROJECT / "simsite" / "bundle")


def built() -> Bundle | None:
    """The bundle where there is one already; None where not."""
    from games.lab.folders.bundle import Bundle
    from simsite.launch.bundle import PROJECT

    places = (PROJECT / "frontend" / "dist", PROJECT / "simsite" / "bundle")
    return next((Bundle(place) for place in places if place.is_dir()), None)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
