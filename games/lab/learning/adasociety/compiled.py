"""Whether the hot loop of `worlds` is compiled (`kernels`), which needs the extra ``polity[fast]``; the results do not
depend on it.

``auto`` compiles where numba is installed, ``on`` refuses to do without, ``off`` never does. Without a word of whoever
makes the worlds, ``POLITY_KERNELS`` says which.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

SETTING: Final = "POLITY_KERNELS"
CHOICES: Final = ("auto", "on", "off")


class NoKernels(ValueError):
    """A setting that is none, or compiled code that is wanted where numba is not installed; the message says which."""


class Kernels:
    """The functions of `kernels`. A copy that is read elsewhere does without where numba is missing there."""

    def __init__(self) -> None:
        made: Any = import_module("games.lab.learning.adasociety.kernels")
        self.look, self.show, self.checked, self.act = made.look, made.show, made.checked, made.act
        self.join, self.pots = made.join, made.pots

    def __reduce__(self) -> Any:
        return kernels, ("auto",)


def kernels(wanted: str | None = None) -> Kernels | None:
    """The compiled loops, imported when first wanted; None where plain arrays are to do. Raises `NoKernels`."""
    named, asked = ("kernels", wanted) if wanted is not None else (SETTING, os.environ.get(SETTING) or "auto")
    if asked not in CHOICES:
        raise NoKernels(f"{named}: {asked!r}; there are {', '.join(CHOICES)}")
    if asked == "off":
        return None
    if find_spec("numba") is None:
        if asked == "on":
            raise NoKernels(f"{named}: on, but numba is not installed: it comes with polity[fast]")
        return None
    return Kernels()
