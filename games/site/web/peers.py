"""Where a request or a socket comes from: its peer, or the visitor of whom a proxy of ours says so.

`X-Forwarded-For` is anybody's to write. It is believed of the proxies that POLITY_PROXIES names and of nobody else.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

LINE: Final = 64
"""Bits of an IPv6 address that name a line; the rest of them its holder chooses for each request."""


def address_of(peer: str, forwarded: str) -> str:
    """The nearest address of the way that is no proxy of ours, IPv6 as the network of its line; "" where there is none,
    as of a socket in the file system.
    """
    here = _read(peer)
    way = forwarded.split(",")
    while here is not None and way and any(here in proxy for proxy in settings.POLITY_PROXIES):
        if (before := _read(way.pop())) is None:
            break
        here = before
    if here is None:
        return ""
    if isinstance(here, IPv6Address) and not here.is_loopback:
        return str(ip_network((here, LINE), strict=False))
    return str(here)


def address_of_request(request: HttpRequest) -> str:
    return address_of(str(request.META.get("REMOTE_ADDR", "")), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def address_of_scope(scope: Any) -> str:
    told = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return address_of(str((scope.get("client") or ("",))[0]), told.decode("latin-1"))


def is_own(address: str) -> bool:
    """Whether it is this machine's: nobody else can come by it, since proxies are named."""
    return not address or ip_address(address.partition("/")[0]).is_loopback


def _read(text: str) -> IPv4Address | IPv6Address | None:
    """An address, also in brackets or with a port, as some proxies write them."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
