"""Which pages may open a socket: those of this very site, port and all, and the origins that may send forms.

Cookies are sent to every port of a host. So a host that is allowed is not enough: another application on this machine
would move with a seat's cookie. Django compares forms' origins in the same way.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

PORTS = {"http": 80, "https": 443}


class SameOrigin:
    """Denies a websocket whose Origin is neither its own Host nor one of CSRF_TRUSTED_ORIGINS; without one, too.

    A program that brings a token has none; its cookies are not looked at (`games.site.live.bearer`).
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        # No page can add a token to a socket: who brings one is a program, and has no origin.
        allowed = b"authorization" in headers or is_ours(headers.get(b"origin", ""), headers.get(b"host", ""))
        return await (self.application if allowed else WebsocketDenier())(scope, receive, send)


def is_ours(origin: str, host: str) -> bool:
    """Whether a page of that origin may open a socket at that host."""
    try:
        page = urlsplit(origin)
        here = urlsplit(f"{page.scheme}://{host}")
        same = page.scheme in PORTS and (page.hostname, _port(page)) == (here.hostname, _port(here))
    except ValueError:
        return False
    return (same and validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)) or _is_trusted(page)


def _is_trusted(page: SplitResult) -> bool:
    for trusted in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS):
        if page.scheme == trusted.scheme and is_same_domain(page.netloc.lower(), trusted.netloc.lstrip("*").lower()):
            return True
    return False


def _port(address: SplitResult) -> int | None:
    return address.port or PORTS.get(address.scheme)
