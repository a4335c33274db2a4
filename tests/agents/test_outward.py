"""Requests to models' servers reach the open internet, and of the operator's network what the operator names."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

import pytest

from agents_app.profile import Profile
from agents_app.providers import outward
from agents_app.providers.compatible import CompatibleServer
from agents_app.providers.litellm import LitellmProvider
from agents_app.providers.outward import is_open
from agents_app.providers.protocol import Message, Prompt, ProviderFault
from tests.agents.server import Vendor, serving
from tests.sites import ROOT

SHORT, LONG = "openai/local", "custom_openai/local"
NAMES = {"inward.example": "127.0.0.1", "lab.example": "10.0.0.7", "six.example": "::1", "two.example": "192.168.1.9"}
"""What a name of the open internet may lead to."""
SPELLINGS = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001",
    "127.0.0.1.", "127.255.255.254", "0.0.0.0", "0", "localhost", "LOCALHOST", "localhost.", "[::1]", "[::]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "①②⑦.⓪.⓪.①", "127。0。0。1", "inward.example", "six.example", "lab.example", "two.example",
    "10.0.0.7", "172.16.0.9", "192.168.1.9", "169.254.169.254", "2852039166", "[fd00:ec2::254]", "[fe80::1]",
    "100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255",
]  # fmt: skip


@pytest.fixture(autouse=True)
def resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = socket.getaddrinfo

    def lookup(host: Any, *more: Any, **others: Any) -> Any:
        return plain(NAMES.get(str(host), host), *more, **others)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    outward._operators_hosts.cache_clear()
    outward._proxies.cache_clear()


async def asked(model: str, base_url: str) -> str:
    """What failed, "" where an answer came."""
    profile = Profile(model=model, base_url=base_url)
    server = CompatibleServer(profile) if model == SHORT else LitellmProvider(profile)
    try:
        await server.complete(Prompt(model, (Message("user", "?"),), 9), 5, None)
    except ProviderFault as fault:
        return f"{fault.failure}: {fault}"
    return ""


@asynccontextmanager
async def counted() -> AsyncIterator[tuple[int, list[Any]]]:
    """A port of this machine on which each connection is noted."""
    came: list[Any] = []

    def note(reader: Any, writer: Any) -> None:
        came.append(writer.get_extra_info("peername"))
        writer.close()

    listeners = [await asyncio.start_server(note, "0.0.0.0", 0)]
    port = listeners[0].sockets[0].getsockname()[1]
    listeners.append(await asyncio.start_server(note, "::1", port))
    yield port, came
    for listener in listeners:
        listener.close()


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_no_spelling_of_an_inner_address_is_connected_to(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLITY_HOSTS", "lab.example.org")
    some = SPELLINGS if model == SHORT else SPELLINGS[::6]
    async with counted() as (port, came):
        said = {spelling: await asked(model, f"http://{spelling}:{port}/v1") for spelling in some}
    assert came == []
    unread = "Invalid IPv4 address"  # what the library takes for no address at all
    assert [one for one, told in said.items() if not told.startswith("refused: ") and unread not in told] == []
    assert "127.0.0.1 is not on the open internet; the operator names it in POLITY_MODEL_HOSTS" in said["127.0.0.1"]


@pytest.mark.parametrize("model", [SHORT, LONG])
@pytest.mark.parametrize(
    ("hosts", "is_listed", "is_asked"),
    [("", False, True), ("lab.example.org", False, False), ("a.example", True, True)],
)
async def test_the_operators_list_and_a_site_of_this_machine_alone_let_through(
    model: str, hosts: str, is_listed: bool, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(Vendor()) as vendor:
        monkeypatch.setenv("POLITY_HOSTS", hosts)
        if is_listed:
            monkeypatch.setenv("POLITY_MODEL_HOSTS", vendor.url)
        told = await asked(model, vendor.url)
        assert told == "" if is_asked else "is not on the open internet" in told
        assert len(vendor.seen) == is_asked


@pytest.mark.parametrize("model", [SHORT, "hosted_vllm/local"])
async def test_a_connection_that_the_operators_model_left_open_serves_nobody_else(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLITY_HOSTS", "lab.example.org")
    vendor_name = model.partition("/")[0].upper()
    async with serving(Vendor()) as vendor:
        monkeypatch.setenv(f"{vendor_name}_API_BASE", vendor.url)
        monkeypatch.setenv(f"{vendor_name}_API_KEY", "sk-operators")
        assert await asked(model, "") == ""
        assert "is not on the open internet" in await asked(model, vendor.url)
        assert len(vendor.seen) == 1


@pytest.mark.parametrize("inner", ["10.0.0.7", "169.254.169.254", "lab.example"])
async def test_a_site_of_this_machine_alone_asks_nobody_beyond_it_in_its_network(inner: str) -> None:
    assert "is not on the open internet" in await asked(SHORT, f"http://{inner}/v1")


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_nothing_follows_a_redirection_inward(model: str) -> None:
    """The server stands for one of the open internet: a site of this machine alone may ask it."""

    async def sent_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 307 Moved\r\nLocation: http://lab.example/v1\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    listener = await asyncio.start_server(sent_on, "127.0.0.1", 0)
    told = await asked(model, f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1")
    listener.close()
    assert told.startswith("refused: ")
    assert model == SHORT or "10.0.0.7 is not on the open internet" in told


async def test_a_proxy_of_the_environment_is_asked_and_takes_nobody_inward(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLITY_HOSTS", "lab.example.org")
    async with serving(Vendor()) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "")
        assert "is not on the open internet" in await asked(SHORT, "http://0x0a000007/v1")
        assert proxy.seen == []
        await asked(SHORT, "http://models.example/v1")
        assert len(proxy.seen) == 1


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "2002:808:808::", "64:ff9b::808:808"])
def test_the_open_internet_is_open(address: str) -> None:
    assert is_open(ip_address(address))


def test_nobody_listens_to_the_interpreter_until_a_strangers_call_is_sent_by_anothers_sockets() -> None:
    """Each object of a round would be told to who listens."""
    code = (
        "import sys; heard = []; sys.addaudithook = heard.append\n"
        "import agents_app.providers.compatible, agents_app.providers.litellm\n"
        "from agents_app.profile import Profile\n"
        "from agents_app.providers.outward import outward\n"
        "profile = Profile(model='openai/x', base_url='http://93.184.215.14/v1')\n"
        "with outward(profile, listens=False): pass\n"
        "assert not heard\n"
        "for _ in range(2):\n"
        "    with outward(profile): pass\n"
        "assert len(heard) == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
