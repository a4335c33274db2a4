"""Where the commands look for games: the catalog, and the packages that POLITY_GAMES names (comma-separated)."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.lab.finding import Shelf


def shelf() -> Shelf:
    """The catalog, and then the packages of POLITY_GAMES; those are also found in the working directory."""
    from games.core.registry import CATALOG
    from games.lab.finding import Shelf

    named = tuple(name.strip() for name in os.environ.get("POLITY_GAMES", "").split(",") if name.strip())
    if named and "" not in sys.path:
        sys.path.append(os.getcwd())  # noqa: PTH109 - a path entry, kept as text
    return Shelf((CATALOG, *named))
