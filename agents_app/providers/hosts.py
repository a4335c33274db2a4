"""Which servers a profile's ``base_url`` may name, and which key is sent there: POLITY_MODEL_HOSTS, and nothing else.

Who writes a profile need not be who keeps the site's keys: a key goes only where whoever set the environment sends it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from agents_app.profile import Profile

NAME: Final = "POLITY_MODEL_HOSTS"


class BadHost(ValueError):
    """No list of servers, or a server that is not in it; one line."""


@lru_cache(maxsize=8)
def hosts_of(text: str) -> tuple[tuple[str, str], ...]:
    """Address and variable of each server; raises `BadHost`."""
    found = []
    for part in (part.strip() for part in text.split(",")):
        if not part:
            continue
        address, _, key = part.partition("=")
        split = urlsplit(address)
        if split.scheme not in ("http", "https") or not split.hostname or split.username or split.query:
            raise BadHost(f"{address[:80]!r}: https://HOST/PATH is expected, or https://HOST/PATH=NAME_OF_KEY")
        if key and not key.replace("_", "").isalnum():
            raise BadHost(f"{part[:80]!r}: after = stands the name of the variable that holds the key")
        found.append((address.rstrip("/"), key))
    return tuple(found)


def is_listed(base_url: str) -> bool:
    """Whether the environment lists the server."""
    return bool(_keys_to(base_url.rstrip("/")))


def _keys_to(base: str) -> set[str]:
    """The variables of the keys that may be sent there, "" among them for none; empty where it is not listed."""
    known = hosts_of(os.environ.get(NAME, ""))
    return {key for address, key in known if base == address or base.startswith(f"{address}/")}


def check_host(profile: Profile) -> None:
    """Raises `BadHost` where the profile names a server, or a key for it, that the environment does not list."""
    if not profile.base_url:
        return
    base = profile.base_url.rstrip("/")
    if not hosts_of(os.environ.get(NAME, "")):
        if profile.key_env:
            raise BadHost(f"no key is sent to {base}: set {NAME}={base}={profile.key_env} to permit it")
        return
    keys = _keys_to(base)
    if not keys:
        raise BadHost(f"{base} is not among the servers of {NAME}")
    if profile.key_env and profile.key_env not in keys:
        raise BadHost(f"{NAME} sends another key to {base} than {profile.key_env}, or none")
