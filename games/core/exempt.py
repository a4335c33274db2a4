"""What a game does otherwise than the laws of `games.laws` expect of every game, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Exempt:
    """A game's exemptions. Reasons are sentences for whoever reads the game; a kind of event, a pattern or a number
    that nothing needs breaks a law too.

    ``disclosed``   event kinds that tell a seat, or the public, what it could not know before: by kind, why
    ``discovered``  why a seat comes to see what nobody tells it of, such as land beyond its sight; "": it never does
    ``unequal``     why two seats of one role are not alike, such as places on a map; "": renaming them renames payoffs
    ``options``     why the listed options leave out answers that cleaning lets pass; "": they are all of them
    ``impure``      code that uses the clock, the disk or a memory of its own: why, by a pattern of `fnmatch` over
                    files of the game's folder (``tables/*``) or what is said of one (``tables.py: writes to _KEPT*``)
    ``numbers``     numbers that texts for players may spell out, by number: why they are no setting
    """

    disclosed: Mapping[str, str] = field(default_factory=dict)
    discovered: str = ""
    unequal: str = ""
    options: str = ""
    impure: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
