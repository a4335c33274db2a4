"""What the environment may set: one table, read once. `.env.example` is its documentation, and a test compares them.

A name that begins with POLITY_ and stands in no table is refused: a misspelt setting that is silently ignored costs
more than a start that says so.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
OWN = ("127.0.0.0/8", "::1")
"""This machine, where a proxy of POLITY_HTTPS stands if nothing else is said."""
KEY = "secret_key"
"""Its file in the home."""
PREFIX = re.compile(r"[A-Za-z0-9_-]{1,40}")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LOGS = ("lines", "json")
SECOND_FACTOR = ("optional", "required")
SHOWN_TO = ("everyone", "link", "members")
RATES = ("api", "guess", "join", "login", "replay")
RATE = re.compile(r"(?P<kind>[a-z]+)=(?P<rate>\d{1,6}(\.\d{1,4})?)\*(?P<burst>\d{1,6})")

#: Read elsewhere than here: by the tests, and by the launcher's children (which part they are; the pipe to hold).
ELSEWHERE = frozenset(
    {
        "POLITY_CI",
        "POLITY_GOLDEN",
        "POLITY_GAMES",
        "POLITY_TRAINED",
        "POLITY_KERNELS",
        "POLITY_TEST_POSTGRES",
        "POLITY_TEST_CHROMIUM",
        "POLITY_TEST_SHARD",
        "POLITY_PART",
        "POLITY_KEY",
        "POLITY_LIFELINE",
        "POLITY_HEARTBEAT",
    }
)


class BadSetting(ValueError):
    """A setting that cannot be used: its name, its value, the bound and the remedy, in one line."""


def game_packages() -> tuple[str, ...]:
    """The places of POLITY_GAMES (comma-separated): packages, which are found in the working directory too, files of
    games, and folders of games by absolute paths."""
    named = tuple(name.strip() for name in os.environ.get("POLITY_GAMES", "").split(",") if name.strip())
    if named and "" not in sys.path and os.getcwd() not in sys.path:  # noqa: PTH109 - a path entry, kept as text
        sys.path.append(os.getcwd())  # noqa: PTH109
    return named


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


def _many(name: str, text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 1_000_000:
        return int(text)
    raise BadSetting(f"{name}={text!r}: a whole number from 1 to 1000000 is expected.")


def _folder(name: str, text: str) -> Path:
    path = Path(text).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise BadSetting(f"{name}={text!r}: this is a file; name a folder (it is made where it is missing).")
    return path


def _database(name: str, text: str) -> str:
    import dj_database_url

    try:
        engine = dj_database_url.parse(text)["ENGINE"] if text else ""
    except (ValueError, KeyError):
        engine = None
    if engine is None or (engine and engine.rpartition(".")[2] not in ("sqlite3", "postgresql")):
        scheme = text.partition(":")[0]
        raise BadSetting(
            f"{name}: {scheme[:20]!r} is no address of a database; sqlite:///path or "
            "postgresql://user:password@host:5432/name is expected."
        )
    return text


def _shared(name: str, text: str) -> str:
    if not text or len(text) >= 32:
        return text
    raise BadSetting(f"{name}: {len(text)} characters; at least 32, the same on both sides.")


def _share(name: str, text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if 0 <= share <= 1:
        return share
    raise BadSetting(f"{name}={text!r}: a share from 0 to 1 is expected, such as 0.2.")


def _collector(name: str, text: str) -> str:
    if not text:
        return text
    if not text.startswith(("http://", "https://")):
        raise BadSetting(f"{name}: {text.partition(':')[0][:20]!r}; http://host:4318 or https://... is expected.")
    if not find_spec("opentelemetry") or not find_spec("opentelemetry.sdk"):
        raise BadSetting(f"{name}: what sends there is not installed: pip install 'polity-lab[telemetry]'.")
    return text


def _key(name: str, text: str) -> str:
    if len(text) >= 32:
        return text
    raise BadSetting(f"{name}: {len(text)} characters; at least 32. Leave it out to have one made and kept.")


def _broker(name: str, text: str) -> str:
    if text.startswith(("redis://", "rediss://", "unix:///")):
        return text
    scheme = text.partition(":")[0]  # the rest may hold a password
    raise BadSetting(f"{name}: {scheme[:20]!r}; redis://host:port/0, rediss://... or unix:///path/to.sock is expected.")


def _shown_to(name: str, text: str) -> str:
    if text in SHOWN_TO:
        return text
    raise BadSetting(f"{name}={text!r}: one of {', '.join(SHOWN_TO)} is expected.")


def _logs(name: str, text: str) -> str:
    if text in LOGS:
        return text
    raise BadSetting(f"{name}={text!r}: one of {', '.join(LOGS)} is expected.")


def _second_factor(name: str, text: str) -> str:
    if text in SECOND_FACTOR:
        return text
    raise BadSetting(f"{name}={text!r}: one of {', '.join(SECOND_FACTOR)} is expected.")


def _rates(name: str, text: str) -> dict[str, tuple[float, int]]:
    """``api=20*200, ...``: so many a second, and so many at once, of each kind; ``off`` for none at all."""
    if text == "off":
        return {}
    found = {}
    for part in text.split(","):
        match = RATE.fullmatch(part.strip())
        if match is None or match["kind"] not in RATES or not float(match["rate"]) > 0 or not int(match["burst"]):
            told = f"KIND=PER_SECOND*AT_ONCE of {', '.join(RATES)}, separated by commas, or off, is expected"
            raise BadSetting(f"{name}={text!r}: {part.strip()!r}; {told}.")
        found[match["kind"]] = (float(match["rate"]), int(match["burst"]))
    return found


def _model_hosts(name: str, text: str) -> tuple[tuple[str, str], ...]:
    """Checked here, so that a site does not start with a wrong one; read where models are called."""
    from agents_app.providers.hosts import BadHost, hosts_of

    try:
        return hosts_of(text)
    except BadHost as error:
        raise BadSetting(f"{name}: {error}") from None


def _webhook_hosts(name: str, text: str) -> tuple[str, ...]:
    hosts = _model_hosts(name, text)
    if keyed := [address for address, key in hosts if key]:
        raise BadSetting(f"{name}: {keyed[0]} takes no key; addresses alone, separated by commas.")
    return tuple(address for address, _ in hosts)


def _networks(name: str, text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(","))
    except ValueError as error:
        raise BadSetting(
            f"{name}={text!r}: addresses or networks (10.0.0.0/8), separated by commas; {error}."
        ) from None


def _prefix(name: str, text: str) -> str:
    if PREFIX.fullmatch(text):
        return text
    raise BadSetting(f"{name}={text!r}: 1 to 40 letters, digits, - and _ are expected.")


def by_cores(cores: int) -> int:
    """Web processes of a machine, and its live workers: one a core, four at most. Each holds one core at the most."""
    return max(1, min(4, cores))


#: Name -> (default as text, how it is read).
TABLE: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    "POLITY_HOME": ("", _folder),
    "POLITY_SECRET_KEY": ("", _key),
    "POLITY_HOSTS": ("", _names),
    "POLITY_ORIGINS": ("", _origins),
    "POLITY_HTTPS": ("0", _flag),
    "POLITY_PROXIES": ("", _networks),
    "POLITY_OPEN": ("0", _flag),
    "POLITY_VISITORS": ("1", _flag),
    "POLITY_DEBUG": ("0", _flag),
    "POLITY_LOG_LEVEL": ("INFO", _level),
    "POLITY_WEB_PROCESSES": (str(by_cores(os.cpu_count() or 1)), _count),
    "POLITY_LIVE_PROCESSES": (str(by_cores(os.cpu_count() or 1)), _count),
    "POLITY_LIVE_THREADS": ("32", _count),
    "POLITY_MODEL_THREADS": ("64", _count),
    "POLITY_BULK_PROCESSES": (str(os.cpu_count() or 1), _count),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("", _collector),
    "DATABASE_URL": ("", _database),
    "POLITY_DATABASE_POOL": ("40", _count),
    "POLITY_SOCKETS": ("4096", _many),
    "POLITY_SOCKETS_PER_ADDRESS": ("512", _many),
    "POLITY_SHOWN_TO": ("everyone", _shown_to),
    "POLITY_RATES": ("api=20*150, guess=2*100, join=5*300, login=0.2*20, replay=0.5*20", _rates),
    "POLITY_MODEL_HOSTS": ("", _model_hosts),
    "POLITY_WEBHOOK_HOSTS": ("", _webhook_hosts),
    "POLITY_ALL_BY_LITELLM": ("0", _flag),
    "POLITY_NOT_OWN_MOST": ("0.2", _share),
    "POLITY_PANEL_KEY": ("", _shared),
    "POLITY_METRICS_KEY": ("", _shared),
    "POLITY_SECOND_FACTOR": ("optional", _second_factor),
    "POLITY_LOGS": ("lines", _logs),
    "REDIS_URL": ("", _broker),
    "POLITY_REDIS_PREFIX": ("", _prefix),
}


@dataclass(frozen=True, slots=True)
class Environment:
    """The settings as values, each under its name without POLITY_.

    `hosts` and `origins` come on top of the loopback names; `redis_url` is never empty.
    """

    home: Path
    secret_key: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    https: bool
    proxies: tuple[IPv4Network | IPv6Network, ...]
    open: bool
    visitors: bool
    debug: bool
    log_level: str
    web_processes: int
    live_processes: int
    live_threads: int
    model_threads: int
    bulk_processes: int
    otel_exporter_otlp_endpoint: str
    database_url: str
    database_pool: int
    sockets: int
    sockets_per_address: int
    shown_to: str
    rates: Mapping[str, tuple[float, int]]
    webhook_hosts: tuple[str, ...]
    not_own_most: float
    panel_key: str
    metrics_key: str
    second_factor: str
    logs: str
    redis_url: str
    redis_prefix: str
    part: str


def read(environ: Mapping[str, str] = os.environ) -> Environment:
    """Every setting of `environ`, checked. BadSetting for a value out of bounds and for an unknown POLITY_ name."""
    unknown = sorted(name for name in environ if name.startswith("POLITY_") and name not in TABLE.keys() | ELSEWHERE)
    if unknown:
        raise BadSetting(f"{unknown[0]}: no such setting; known are {', '.join(sorted(TABLE))} (see .env.example).")
    value: dict[str, Any] = {}
    for name, (default, sense) in TABLE.items():
        text = environ.get(name, "").strip() or default
        value[name.removeprefix("POLITY_").lower()] = sense(name, text) if text else _nothing(name)
    del value["model_hosts"], value["all_by_litellm"]  # read where models are called
    home: Path = value["home"] or own_home()
    follows = {
        "home": home,
        "secret_key": value["secret_key"] or kept_key(home),
        "origins": value["origins"] or tuple(f"https://{host}" for host in value["hosts"] if host != "*"),
        "proxies": value["proxies"] or (_networks("", ",".join(OWN)) if value["https"] else ()),
        "redis_url": value["redis_url"] or f"unix://{socket_path(home)}",
        "redis_prefix": value["redis_prefix"] or _prefix_of(home, value["database_url"]),
    }
    return Environment(**value | follows, part=environ.get("POLITY_PART", "polity"))


def _prefix_of(home: Path, database_url: str) -> str:
    """What keeps sites apart that share a Redis: with SQLite, which no other machine shares, the home."""
    if database_url and not database_url.startswith("sqlite"):
        return "polity"
    return f"polity-{hashlib.blake2b(os.fsencode(home), digest_size=6).hexdigest()}"


def _nothing(name: str) -> Any:
    return () if name in ("POLITY_HOSTS", "POLITY_ORIGINS", "POLITY_PROXIES", "POLITY_WEBHOOK_HOSTS") else ""


def own_home() -> Path:
    """The home where POLITY_HOME names none: one for each user, by the system's custom (~/.local/share/polity)."""
    from platformdirs import user_data_path

    return user_data_path("polity", appauthor=False)


def home_named(environ: Mapping[str, str] = os.environ) -> Path:
    """The home that is meant, there or not."""
    return Path(environ.get("POLITY_HOME", "").strip() or own_home()).expanduser().absolute()


def site_passed_over(environ: Mapping[str, str] = os.environ) -> str:
    """How to open the site in the current folder's ``.polity``, the home of earlier versions; "" where there is none,
    or POLITY_HOME says which home is meant.
    """
    here = Path.cwd() / ".polity"
    if environ.get("POLITY_HOME", "").strip() or not any((here / name).exists() for name in ("polity.sqlite3", KEY)):
        return ""
    return f"{here} holds a site, which is not opened: POLITY_HOME=.polity polity serve opens it."


def socket_path(home: Path) -> Path:
    """Where the private Valkey of this home listens: always the same short path (a socket's ends at about 104 bytes).

    It follows from the home, so that a second shell, or a worker that starts again, finds the server without a file
    that could be stale.
    """
    mark = hashlib.blake2b(os.fsencode(home), digest_size=6).hexdigest()
    return Path(tempfile.gettempdir()) / f"polity-{os.getuid()}-{mark}" / "valkey.sock"


def home_make(home: Path) -> None:
    """The home, open to its owner alone: in it stand sessions, people's names and the key that signs their links."""
    home.parent.mkdir(parents=True, exist_ok=True)
    home.mkdir(mode=0o700, exist_ok=True)


def kept_key(home: Path) -> str:
    """The secret key kept under `home`, readable by its owner only; made at the first call.

    It is written whole and then linked into place: of two processes that start together both use the one that stays.
    """
    try:
        return _kept_key(home)
    except OSError as error:
        raise BadSetting(f"POLITY_HOME={home}: {error.strerror}. Name a folder that can be written.") from None


def _kept_key(home: Path) -> str:
    path = home / KEY
    if not path.exists():
        home_make(home)
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
