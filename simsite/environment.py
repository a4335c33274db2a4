"""What the environment may set: one table, read once. `.env.example` is its documentation, and a test compares them.

A name that begins with POLITY_ and stands in no table is refused: a misspelt setting that is silently ignored costs
more than a start that says so.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")

#: Read elsewhere than here: by the tests, and by the launcher's children (which part they are; the pipe to hold).
ELSEWHERE = frozenset(
    {
        "POLITY_CI",
        "POLITY_GOLDEN",
        "POLITY_GAMES",
        "POLITY_TEST_POSTGRES",
        "POLITY_TEST_CHROMIUM",
        "POLITY_PART",
        "POLITY_LIFELINE",
    }
)


class BadSetting(ValueError):
    """A setting that cannot be used: its name, its value, the bound and the remedy, in one line."""


def _flag(name: str, text: str) -> bool:
    if text in ("0", "1"):
        return text == "1"
    raise BadSetting(f"{name}={text!r}: 0 or 1 is expected.")


def _names(name: str, text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(",") if part.strip())
    for part in parts:
        if "/" in part or " " in part:
            raise BadSetting(f"{name}={text!r}: host names separated by commas are expected, not {part!r}.")
    return parts


def _origins(name: str, text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(",") if part.strip())
    for part in parts:
        if not part.startswith(("http://", "https://")):
            raise BadSetting(f"{name}={text!r}: {part!r} lacks its scheme; write https://{part}.")
    return parts


def _level(name: str, text: str) -> str:
    if text.upper() in LEVELS:
        return text.upper()
    raise BadSetting(f"{name}={text!r}: one of {', '.join(LEVELS)} is expected.")


def _count(name: str, text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 1024:
        return int(text)
    raise BadSetting(f"{name}={text!r}: a whole number from 1 to 1024 is expected.")


def _folder(name: str, text: str) -> Path:
    path = Path(text).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise BadSetting(f"{name}={text!r}: this is a file; name a folder (it is made where it is missing).")
    return path


def _text(name: str, text: str) -> str:
    return text


def _key(name: str, text: str) -> str:
    if len(text) >= 32:
        return text
    raise BadSetting(f"{name}: {len(text)} characters; at least 32. Leave it out to have one made and kept.")


def _broker(name: str, text: str) -> str:
    if text.startswith(("redis://", "rediss://", "unix:///")):
        return text
    raise BadSetting(f"{name}={text!r}: redis://host:port/0, rediss://... or unix:///path/to.sock is expected.")


#: Name -> (default as text, how it is read).
TABLE: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    "POLITY_HOME": (".polity", _folder),
    "POLITY_SECRET_KEY": ("", _key),
    "POLITY_HOSTS": ("", _names),
    "POLITY_ORIGINS": ("", _origins),
    "POLITY_HTTPS": ("0", _flag),
    "POLITY_OPEN": ("0", _flag),
    "POLITY_DEBUG": ("0", _flag),
    "POLITY_LOG_LEVEL": ("INFO", _level),
    "POLITY_LIVE_THREADS": ("32", _count),
    "POLITY_MODEL_THREADS": ("64", _count),
    "POLITY_BULK_PROCESSES": (str(os.cpu_count() or 1), _count),
    "DATABASE_URL": ("", _text),
    "POLITY_DATABASE_POOL": ("40", _count),
    "REDIS_URL": ("", _broker),
}


@dataclass(frozen=True, slots=True)
class Environment:
    """The settings as values. `hosts` and `origins` come on top of the loopback names; `redis_url` is never empty."""

    home: Path
    secret_key: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    https: bool
    open: bool
    debug: bool
    log_level: str
    live_threads: int
    model_threads: int
    bulk_processes: int
    database_url: str
    database_pool: int
    redis_url: str
    part: str


def read(environ: Mapping[str, str] = os.environ) -> Environment:
    """Every setting of `environ`, checked. BadSetting for a value out of bounds and for an unknown POLITY_ name."""
    unknown = sorted(name for name in environ if name.startswith("POLITY_") and name not in TABLE.keys() | ELSEWHERE)
    if unknown:
        raise BadSetting(f"{unknown[0]}: no such setting; known are {', '.join(sorted(TABLE))} (see .env.example).")
    given = {name: environ.get(name, "").strip() for name in TABLE}
    value = {
        name: sense(name, given[name] or default) if given[name] or default else _nothing(name)
        for name, (default, sense) in TABLE.items()
    }
    home: Path = value["POLITY_HOME"]
    return Environment(
        home=home,
        secret_key=value["POLITY_SECRET_KEY"] or kept_key(home),
        hosts=value["POLITY_HOSTS"],
        origins=value["POLITY_ORIGINS"] or tuple(f"https://{host}" for host in value["POLITY_HOSTS"] if host != "*"),
        https=value["POLITY_HTTPS"],
        open=value["POLITY_OPEN"],
        debug=value["POLITY_DEBUG"],
        log_level=value["POLITY_LOG_LEVEL"],
        live_threads=value["POLITY_LIVE_THREADS"],
        model_threads=value["POLITY_MODEL_THREADS"],
        bulk_processes=value["POLITY_BULK_PROCESSES"],
        database_url=value["DATABASE_URL"],
        database_pool=value["POLITY_DATABASE_POOL"],
        redis_url=value["REDIS_URL"] or f"unix://{socket_path(home)}",
        part=environ.get("POLITY_PART", "polity"),
    )


def _nothing(name: str) -> Any:
    return () if name in ("POLITY_HOSTS", "POLITY_ORIGINS") else ""


def socket_path(home: Path) -> Path:
    """Where the private Valkey of this home listens: always the same short path (a socket's ends at about 104 bytes).

    It follows from the home, so that a second shell, or a worker that starts again, finds the server without a file
    that could be stale.
    """
    mark = hashlib.blake2b(os.fsencode(home), digest_size=6).hexdigest()
    return Path(tempfile.gettempdir()) / f"polity-{os.getuid()}-{mark}" / "valkey.sock"


def kept_key(home: Path) -> str:
    """The secret key kept under `home`, readable by its owner only; made at the first call.

    It is written whole and then linked into place: of two processes that start together both use the one that stays.
    """
    path = home / "secret_key"
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        fresh = home / f".secret_key.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    key = path.read_text().strip()
    if len(key) < 32:
        raise BadSetting(f"{path}: not a key ({len(key)} characters, at least 32); delete it to have a new one made.")
    return key
