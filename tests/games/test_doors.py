"""Where askers come from, and how many of their sockets and requests are held."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network
from typing import Any

import pytest

from games.site.web.doors import Doors, Requests
from games.site.web.peers import address_of, is_own

PROXIES = (ip_network("127.0.0.0/8"), ip_network("10.1.0.0/16"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "203.0.113.9, 198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("127.0.0.1", "nonsense, 10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
        ("::ffff:127.0.0.1", "[2001:db8:1:2:3::4]:80", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::5", "", "2001:db8:1:2::/64"),
        ("", "198.51.100.7", ""),
    ],
)
def test_an_address_is_the_nearest_that_is_no_proxy_of_ours(
    settings: Any, peer: str, forwarded: str, address: str
) -> None:
    settings.POLITY_PROXIES = PROXIES
    assert address_of(peer, forwarded) == address


def test_this_machine_is_nobody_else() -> None:
    assert [is_own(address) for address in ("", "127.0.0.1", "::1", "198.51.100.7", "2001:db8::/64")] == [
        True, True, True, False, False
    ]  # fmt: skip


def scope(address: str, path: str = "/", forwarded: str = "") -> dict[str, Any]:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    return {"type": "http", "path": path, "headers": headers, "client": [address, 1]}


def test_visitors_of_a_proxy_are_counted_each_by_their_own_address(settings: Any) -> None:
    settings.POLITY_SOCKETS, settings.POLITY_SOCKETS_PER_ADDRESS, settings.POLITY_PROXIES = 4, 2, PROXIES
    doors = Doors()
    ann, ben = scope("127.0.0.1", forwarded="192.0.2.1"), scope("127.0.0.1", forwarded="192.0.2.2")
    assert [doors.enter(ann) for _ in range(3)] == [0, 0, 429]
    assert [doors.enter(ben) for _ in range(3)] == [0, 0, 503]
    doors.leave(ann)
    assert doors.enter(ann) == 0


def test_a_few_requests_are_worked_on_at_once_and_the_others_wait_unread(settings: Any) -> None:
    settings.POLITY_SOCKETS, settings.POLITY_SOCKETS_PER_ADDRESS, settings.POLITY_PROXIES = 100, 12, ()
    under_way, most, read = 0, 0, 0

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal under_way, most, read
        await receive()
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        await send({"status": 200})

    async def asked(requests: Requests, path: str) -> Any:
        said: list[Any] = []

        async def receive() -> None:
            nonlocal read
            read += 1

        async def send(message: Any) -> None:
            said.append(message)

        await requests(scope("192.0.2.1", path), receive, send)
        return said[0]["status"], said[1]["body"] if len(said) > 1 else b""

    async def all_at_once(path: str) -> list[Any]:
        requests = Requests(application, at_once=3)
        try:
            return await asyncio.gather(*(asked(requests, path) for _ in range(20)))
        finally:
            assert not requests.doors.held

    answers = asyncio.run(all_at_once("/api/v1/runs"))
    assert sorted(status for status, _ in answers) == [200] * 12 + [429] * 8
    assert b'"code": "too_many_requests"' in answers[-1][1]
    assert (most, read) == (3, 12)
    assert "请稍后再试".encode() in asyncio.run(all_at_once("/"))[-1][1]
    most = 0
    asyncio.run(all_at_once("/api/v1/play/ID/turn"))
    assert most == 12, "who waits for a turn holds nobody up"
