"""Where a benchmark ran: kept beside its figures, which mean nothing without."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from games.core.answers import JSON
from games.lab.speed.adapters import version_of
from games.lab.speed.peers import HOUSE, commit_of


def machine() -> dict[str, JSON]:
    """System, processor, cores that may be used, versions, and how many processes wanted a core lately."""
    load: list[JSON] = [round(one, 2) for one in os.getloadavg()] if hasattr(os, "getloadavg") else []
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "python": platform.python_version(),
        "numpy": version_of("numpy"),
        "numba": version_of("numba"),
        "polity": version_of("polity-lab"),
        "commit": commit_of(HOUSE),
        "load": load,
    }


def _processor() -> str:
    """The processor's name, as Linux tells it; what Python knows elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
