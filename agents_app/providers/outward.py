"""Where a call may go, looked at as each connection is made: after names were resolved, and after each redirection.

Who writes a profile names a server. What lies in the operator's own network, or answers this machine alone, such as a
cloud's metadata, is not theirs to ask: only the operator's environment names it. A site that nobody else can come to
may ask servers on its own machine.

Whoever makes the sockets of his connections by `looking` has each address looked at within `outward`. Every connection
of Python's passes the audit event ``socket.connect``, whichever library asks: who asks by another's sockets listens to
it. Source: Python library reference, "Audit events table". While anybody listens, each object that a round makes by
assignment costs an event too (`games.core.values.swift`).
"""

from __future__ import annotations

import os
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from agents_app.profile import Profile
from agents_app.providers.hosts import NAME, is_listed
from agents_app.providers.protocol import ProviderFault

OPEN_TO_OTHERS: Final = ("POLITY_HOSTS", "POLITY_OPEN", "POLITY_HTTPS")
METADATA: Final = frozenset({IPv4Address("168.63.129.16")})
"""Azure's, in a network that is routed; the others' are link-local, private or shared."""
NAT64: Final = ip_network("64:ff9b::/96")
COMPATIBLE: Final = ip_network("::/96")
"""IPv6 networks whose last 32 bits are an IPv4 address."""


class Guard:
    """Which addresses may be connected to. ``refused``: the address to which no connection is made."""

    def __init__(self) -> None:
        self.refused = ""
        self.proxies = _proxies(int(time.monotonic() // 60))

    @property
    def loopback(self) -> bool:
        return is_alone()

    def lets(self, address: str) -> bool:
        try:
            return address in self.proxies or is_open(ip_address(address), self.loopback)
        except ValueError:  # a name: what resolves it there cannot be looked at
            return False

    def look(self, address: str) -> None:
        if not self.lets(address):
            self.refused = address
            raise PermissionError(f"{address}: not on the open internet")


@lru_cache(maxsize=1)
def _proxies(minute: int) -> frozenset[str]:
    """Where the proxies are; looked up once a minute."""
    return _addresses(*urllib.request.getproxies().values())


_guard: ContextVar[Guard | None] = ContextVar("outward", default=None)


@contextmanager
def outward(profile: Profile, *, listens: bool = True) -> Iterator[None]:
    """Let connections that begin within go to the open internet alone; raises `ProviderFault` where one would not.

    ``listens``: also those whose sockets are not made by `looking`.
    """
    if _is_operators(profile):
        yield
        return
    if listens:
        _listen()
    guard = Guard()
    token = _guard.set(guard)
    try:
        if guard.proxies and (number := numbers(profile.base_url)):
            guard.look(number)  # a proxy connects there; names are its to resolve, and to refuse
        hosts = _operators_hosts(int(time.monotonic() // 60))
        if hosts and (host := urlsplit(profile.base_url).hostname) in hosts:
            for address in _addresses(profile.base_url) or (str(host),):
                guard.look(address)  # a connection that the operator's models left open passes no event
        yield
    except Exception:
        if not guard.refused:
            raise
        where = profile.base_url or profile.provider
        told = f"{where}: {guard.refused} is not on the open internet; the operator names it in {NAME}, or nobody"
        raise ProviderFault("refused", told) from None
    finally:
        _guard.reset(token)


def is_alone() -> bool:
    """Whether nobody but this machine's own users can come to the site."""
    return not any(os.environ.get(name, "0").strip() not in ("", "0") for name in OPEN_TO_OTHERS)


def is_open(address: IPv4Address | IPv6Address, loopback: bool = False) -> bool:
    """Whether an address lies on the open internet, or on this machine where ``loopback`` is let through."""
    if isinstance(address, IPv6Address) and (inner := list(_within(address))):
        return all(is_open(one, loopback) for one in inner)
    if address.is_loopback:
        return loopback
    return address.is_global and not (address.is_multicast or address.is_reserved or address in METADATA)


def _within(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that an IPv6 address stands for."""
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if address in NAT64 or (address in COMPATIBLE and not address.is_loopback):
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _is_operators(profile: Profile) -> bool:
    """Whether the operator's environment names the server: by its list, or by the variable of the vendor's address."""
    if profile.base_url:
        return is_listed(profile.base_url)
    vendor = profile.provider.upper()
    return any(os.environ.get(f"{vendor}_{name}") for name in ("API_BASE", "BASE_URL"))


@lru_cache(maxsize=1)
def _operators_hosts(minute: int) -> set[str | None]:
    """The hosts to which the environment sends vendors' models; looked up once a minute."""
    named = (url for name, url in os.environ.items() if name.endswith(("_API_BASE", "_BASE_URL")))
    return {urlsplit(url).hostname for url in named} - {None}


def looking(place: tuple[Any, ...]) -> socket.socket:
    """A socket for a connection to a place, as `socket.getaddrinfo` gives it; raises where it may not go there."""
    if (guard := _guard.get()) is not None:
        guard.look(str(place[4][0]))
    return socket.socket(*place[:3])


@cache
def _listen() -> None:
    """There is no way to listen no more."""
    sys.addaudithook(_look)


def _look(event: str, given: tuple[Any, ...]) -> None:
    if event == "socket.connect" and (guard := _guard.get()) is not None and isinstance(given[1], tuple):
        guard.look(str(given[1][0]))


def numbers(url: str) -> str:
    """The address that a host of numbers is, in whatever spelling; "" for a name."""
    host = urlsplit(url).hostname
    try:
        return str(socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)[0][4][0]) if host else ""
    except OSError:
        return ""


@lru_cache(maxsize=8)
def _addresses(*urls: str) -> frozenset[str]:
    """The addresses of these servers."""
    found: set[str] = set()
    for url in urls:
        with suppress(OSError):
            found |= {str(row[4][0]) for row in socket.getaddrinfo(urlsplit(url).hostname, None)}
    return frozenset(found)
