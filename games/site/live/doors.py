"""How many sockets this process holds: in all, and of one address, so that no stranger takes what is there for all."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import Any

from django.conf import settings


class Doors:
    """Counts sockets by the address that they come from.

    Addresses of this machine are not counted apart: a proxy in front of the site is one, and all its visitors with it.
    """

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()

    def enter(self, scope: Any) -> bool:
        """Let one in, by its ASGI scope; False, and nothing counted, where there are too many."""
        address = address_of(scope)
        is_own = is_loopback(address)
        if self.held.total() >= settings.POLITY_SOCKETS:
            return False
        if not is_own and self.held[address] >= settings.POLITY_SOCKETS_PER_ADDRESS:
            return False
        self.held[address] += 1
        return True

    def leave(self, scope: Any) -> None:
        address = address_of(scope)
        self.held[address] -= 1
        if self.held[address] <= 0:
            del self.held[address]


def address_of(scope: Any) -> str:
    """The peer's host; "" where the server does not know it."""
    return str((scope.get("client") or ("",))[0])


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == ""


doors = Doors()
