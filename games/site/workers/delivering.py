"""Sends what waits for webhooks: at least once each, with patience, and nowhere that is not for its account to ask.

An event stays due until its receiver has answered 2xx. Whoever sends one first puts its next try behind what sending
may take: a worker that dies at it costs that wait and nothing else. No redirection is followed, and of an answer its
status alone is read.
"""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
import time
import urllib.request
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Timer
from typing import Any, Final
from urllib.error import HTTPError

from django.db.models import F
from django.utils import timezone

from agents_app.providers.outward import Guard, numbers
from games.site.accounts.roles import Role, role_of
from games.site.accounts.webhooks import is_own, signed, webhook_disable
from games.site.models import Delivery, DeliveryStatus, Webhook
from games.site.notify.queueing import enqueue_webhook

log = logging.getLogger(__name__)
WAITS_S: Final = (5, 30, 300, 1800, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
"""Before the second try, the third and so on: three days in all."""
TIMEOUT_S: Final = 15.0
"""So long one try may take, from the connection to the answer's last header."""
HELD: Final = timedelta(seconds=60)
"""So long a message is the worker's that has taken it."""
SLICE_S: Final = 20.0
"""So long one webhook is served before others have their turn."""
KEPT: Final = timedelta(days=30)
"""What was delivered, or failed, is kept so long."""
SWEPT: Final = 100


def webhooks_sweep() -> None:
    """Hand every webhook for which something is due to a worker; once a second, by any number of processes."""
    due = Delivery.objects.filter(due__lte=timezone.now(), webhook__disabled=None)
    for pk in due.order_by().values_list("webhook", flat=True).distinct()[:SWEPT]:
        enqueue_webhook(pk)


def deliveries_clear() -> int:
    """Let go of what is old; how many there were."""
    return Delivery.objects.filter(due=None, created__lt=timezone.now() - KEPT).delete()[0]


def webhook_deliver(pk: int) -> None:
    """Send what is due for one webhook, one after the other, until nothing is or one is not taken."""
    until = time.monotonic() + SLICE_S
    while time.monotonic() < until and (delivery := _taken(pk)) is not None:
        if not _sent(delivery):
            return


def _taken(pk: int) -> Delivery | None:
    """The next that is due, now ours."""
    now = timezone.now()
    due = Delivery.objects.filter(webhook=pk, webhook__disabled=None, due__lte=now)
    found = due.select_related("webhook__user").order_by("due", "created").first()
    if found is None:
        return None
    mine = Delivery.objects.filter(pk=found.pk, due=found.due)
    if not mine.update(due=now + HELD, tries=F("tries") + 1, tried=now):
        return None
    found.tries += 1
    return found


def _sent(delivery: Delivery) -> bool:
    """Send it and keep what came of it; whether it was taken."""
    hook = delivery.webhook
    if role_of(hook.user) < Role.EXPERIMENTER:
        webhook_disable(hook, "role")
        return False
    code, error, wait_s = _answer(hook, delivery)
    log.info("%s: %s, try %d: %s", hook, delivery.pk, delivery.tries, code or error)
    told: dict[str, Any] = {"code": code, "error": error, "due": None, "status": DeliveryStatus.DELIVERED}
    is_taken = code is not None and 200 <= code < 300
    if not is_taken and delivery.tries <= len(WAITS_S):
        wait_s = max(wait_s, WAITS_S[delivery.tries - 1])
        told |= {"status": DeliveryStatus.WAITING, "due": timezone.now() + timedelta(seconds=wait_s)}
    elif not is_taken:
        told["status"] = DeliveryStatus.FAILED
    Delivery.objects.filter(pk=delivery.pk).update(**told)
    mine = Webhook.objects.filter(pk=hook.pk)
    if is_taken:
        mine.exclude(failing=None).update(failing=None)
    else:
        mine.filter(failing=None).update(failing=timezone.now())
        is_long = hook.failing is not None and timezone.now() - hook.failing > timedelta(seconds=sum(WAITS_S))
        if code == 410 or is_long:
            webhook_disable(hook, "gone" if code == 410 else "failing")
    return is_taken


def _answer(hook: Webhook, delivery: Delivery) -> tuple[int | None, str, float]:
    """HTTP status, or what went wrong; and how long the receiver wishes not to be asked again."""
    headers = {"Content-Type": "application/json", "User-Agent": "Polity-Webhooks/1"}
    headers |= signed(hook, delivery.pk, delivery.body, timezone.now())
    asked = urllib.request.Request(hook.address, delivery.body.encode(), headers, method="POST")
    guard = None if is_own(hook.address) else Guard()
    door = _Door(guard)
    try:
        if guard is not None and (number := numbers(hook.address)):
            guard.look(number)  # a proxy may connect there in our place
        with door, urllib.request.build_opener(door, _NoRedirect).open(asked, timeout=TIMEOUT_S) as answer:
            return answer.status, "", 0.0
    except HTTPError as refused:
        with refused:
            wished = refused.headers.get("Retry-After", "")
            return refused.code, "", float(wished) if wished.isdecimal() and len(wished) < 6 else 0.0
    except Exception as error:
        if guard is not None and guard.refused:
            return None, "not on the open internet", 0.0
        reason = getattr(error, "reason", error)
        return None, str(reason if isinstance(reason, str) else type(reason).__name__)[:80], 0.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """A redirection is an answer like any other that is not 2xx."""


class _Door(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens connections to addresses that were looked at, and ends them when their time is over. ``guard`` None: to
    wherever the operator has named.
    """

    def __init__(self, guard: Guard | None) -> None:
        super().__init__()
        self.line: socket.socket | None
        self.guard, self.line = guard, None
        self.timer = Timer(TIMEOUT_S, self._cut)

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()
        self._drop()

    def _drop(self) -> None:
        if self.line is not None:
            self.line.close()

    def _cut(self) -> None:
        if self.line is not None:
            with suppress(OSError):
                self.line.shutdown(socket.SHUT_RDWR)

    def http_open(self, asked: urllib.request.Request) -> Any:
        return self.do_open(partial(self._made, http.client.HTTPConnection), asked)

    def https_open(self, asked: urllib.request.Request) -> Any:
        secure = partial(http.client.HTTPSConnection, context=ssl.create_default_context())
        return self.do_open(partial(self._made, secure), asked)

    def _made(self, kind: Any, host: str, **how: Any) -> Any:
        connection = kind(host, **how)
        connection._create_connection = self._connected
        return connection

    def _connected(self, address: tuple[str, int], timeout: float, source: Any = None) -> socket.socket:
        """Connect to one of the addresses of a host, none of which may be where nothing is sent."""
        found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        failure = OSError("no address")
        for *_, where in found:
            if self.guard is not None:
                self.guard.look(str(where[0]))
        for *_, where in found:
            try:
                made = socket.create_connection((str(where[0]), address[1]), timeout)
            except OSError as error:
                failure = error
                continue
            self._drop()
            self.line = made.dup()
            return made
        raise failure
