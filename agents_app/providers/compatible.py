"""An OpenAI-compatible server, one's own or a vendor's, asked by aiohttp alone.

`litellm.acompletion` logs, prices, caches and validates each call: several times the processor time of the call itself,
in the one thread in which a hundred seats ask at once; and it takes seconds to import. A chat completion is one body
and one answer in a form that is documented, so nothing of litellm is needed for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
import urllib.request
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

import msgspec

from agents_app.pricing import facts_of
from agents_app.profile import Profile
from agents_app.providers.answers import overlong_reply, reply_of
from agents_app.providers.bounded import ANSWER_MAX, AnswerTooLong, read_whole
from agents_app.providers.keys import NO_KEY, key_for, unsendable
from agents_app.providers.outward import looking, outward
from agents_app.providers.parameters import body_of, is_marked, messages_of
from agents_app.providers.protocol import Failure, Prompt, ProviderFault, Reply
from agents_app.providers.refusals import fault_of, one_sentence, retry_after
from agents_app.providers.streamed import ASKED, Began, Pieces, events
from agents_app.providers.strict import is_strict
from agents_app.providers.vendors import HOSTED, OWN
from games.core.codec import differs, in_order

T = TypeVar("T")
Read: TypeAlias = Callable[[Any], Awaitable[T]]
ENDPOINT: Final = "/chat/completions"
NOTHING: Final[Mapping[str, Any]] = {}
REFUSED_AT: Final = 300
"""Redirections too: a body that is sent on, and a key with it, is asked for by nobody."""


ALL_BY_LITELLM: Final = "POLITY_ALL_BY_LITELLM"
"""The environment's setting by which nothing is asked here, and every model through litellm."""


def is_compatible(profile: Profile) -> bool:
    """Whether a profile's server is asked here, unless OpenAI offers the model elsewhere."""
    if os.environ.get(ALL_BY_LITELLM) == "1":
        return False
    if profile.base_url:
        return profile.provider in OWN or profile.provider in HOSTED
    if profile.provider not in HOSTED:
        return False
    return profile.provider != "openai" or bool(facts_of(profile.model).get("mode", "chat") == "chat")


class CompatibleServer:
    """One profile's way to its server."""

    loads = ""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.address = base_of(profile) + ENDPOINT
        self._written: tuple[Any, bytes, tuple[str, ...]] = (None, b"", ())
        """What stood beside the messages of the call before: of which settings, as JSON, and what was left out."""

    async def ready(self) -> None:
        """Import the client, without holding up the event loop."""
        if not _library.cache_info().currsize:
            await asyncio.to_thread(_library)

    def has_structured_output(self, model: str) -> bool:
        """Whether it is worth asking: a server of one's own is asked, and says so where it does not take a schema."""
        return bool(self.profile.base_url) or bool(facts_of(model).get("supports_response_schema"))

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        body, ignored = self._body(prompt)
        whole = partial(_whole, url=self.address, had_schema=prompt.schema is not None)
        try:
            status, said = await _asked(self.profile, "POST", self.address, body, whole)
        except AnswerTooLong as error:
            return overlong_reply(error, ignored)
        return self._reply(status, object_of(status, said, self.address), ignored)

    async def streamed(self, prompt: Prompt, timeout_s: float, began: Began) -> Reply:
        """The same in pieces, or at once from a server that does not heed the wish for them."""
        body, ignored = self._body(prompt, ASKED)
        had_schema = prompt.schema is not None

        async def read(answer: Any) -> tuple[int, Mapping[str, Any]]:
            if answer.status >= REFUSED_AT or answer.content_type != "text/event-stream":
                status, said = await _whole(answer, self.address, had_schema)
                return status, object_of(status, said, self.address)
            pieces = Pieces(began)
            async for told in events(answer.content.iter_any()):
                if told.get("error"):
                    raise fault_of(_status_of(told), self.address, "", told, had_schema, None)
                pieces.take(told)
            return answer.status, pieces.whole()

        try:
            status, told = await _asked(self.profile, "POST", self.address, body, read)
        except AnswerTooLong as error:
            return overlong_reply(error, ignored)
        return self._reply(status, told, ignored)

    def _body(self, prompt: Prompt, more: Mapping[str, Any] = NOTHING) -> tuple[bytes, tuple[str, ...]]:
        """The body as JSON, and what is not passed on. Messages stand there as the prompt has written them, unless they
        are sent otherwise; what stands beside them is written anew where it differs from the call before.
        """
        settings = (prompt.model, prompt.max_tokens, prompt.temperature, prompt.seed, prompt.schema, prompt.extra, more)
        known, head, ignored = self._written
        if settings != known:
            body, ignored = body_of(prompt, strict=is_strict(self.profile))
            body |= more
            if is_marked(prompt.model) or body["messages"] != messages_of(prompt):
                return _sent(body), ignored
            del body["messages"]
            head = _sent(body)[:-1]
            self._written = settings, head, ignored
        return b'%b,"messages":%b}' % (head, prompt.spoken), ignored

    def _reply(self, status: int, told: Mapping[str, Any], ignored: tuple[str, ...]) -> Reply:
        try:
            return reply_of(told, ignored)
        except ProviderFault as fault:
            text = one_sentence(f"{status} from {self.address}: {fault}")
            raise ProviderFault(fault.failure, text, is_answered=True) from None


async def exchange(
    profile: Profile,
    method: str,
    url: str,
    timeout_s: float,
    data: Any = None,
    *,
    most: int = ANSWER_MAX,
    had_schema: bool = False,
) -> tuple[int, bytes]:
    """One request with the profile's key: status and body, read up to ``most`` bytes. ``data`` is JSON as bytes, or a
    form of aiohttp's. Raises `ProviderFault`, for a refusal too.
    """
    try:
        whole = partial(_whole, url=url, had_schema=had_schema, most=most)
        return await _asked(profile, method, url, data, whole, timeout_s)
    except AnswerTooLong as error:
        raise ProviderFault("server_error", one_sentence(f"{url}: {error}")) from None


async def _asked(
    profile: Profile, method: str, url: str, data: Any, read: Read[T], timeout_s: float | None = None
) -> T:
    """What ``read`` makes of a server's answer from its first line on. Raises `ProviderFault` for whatever befalls it,
    and `AnswerTooLong` as it comes. ``timeout_s`` None: whoever asks ends the call in time.
    """
    if (why := unsendable(profile)) is not None:
        raise ProviderFault("no_key", why)
    session, proxies, _ = _sessions.get(asyncio.get_running_loop()) or await _opened()
    headers = {"Authorization": f"Bearer {key_for(profile) or NO_KEY}"}
    if isinstance(data, bytes):
        headers["Content-Type"] = "application/json"
    is_answered = False
    try:
        with outward(profile, listens=False):
            answer = await session.request(
                method,
                url,
                data=data,
                headers=headers,
                timeout=_library().ClientTimeout(total=timeout_s),
                allow_redirects=False,
                proxy=_proxy_to(url, proxies),
            )
        try:
            is_answered = answer.status < REFUSED_AT
            return await read(answer)
        finally:
            answer.release()
    except (asyncio.CancelledError, AnswerTooLong):
        raise
    except ProviderFault as fault:
        fault.is_answered = is_answered
        raise
    except Exception as error:
        lost = _fault(error, url)
        lost.is_answered = is_answered
        raise lost from None


async def _whole(answer: Any, url: str, had_schema: bool, most: int = ANSWER_MAX) -> tuple[int, bytes]:
    """Status and body of an answer; raises `ProviderFault` where it is a refusal."""
    said = await read_whole(answer.content, most)
    if answer.status < REFUSED_AT:
        return answer.status, said
    wait, moved = retry_after(answer.headers.get("Retry-After")), answer.headers.get("Location", "")
    text = said.decode("utf-8", "replace") or (f"it points to {moved}" if moved else "")
    raise fault_of(answer.status, url, text, _json(said), had_schema, wait)


def _sent(body: Mapping[str, Any]) -> bytes:
    """The body as JSON: by msgspec, and anew where floats may be written otherwise, or a text is none in UTF-8."""
    with suppress(TypeError, ValueError, OverflowError):
        written = in_order(body)
        if not differs(written):
            return written
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _status_of(told: Mapping[str, Any]) -> int:
    """The status that an error among the pieces names; that of a server at fault where it names none."""
    error = told["error"]
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if isinstance(code, int) and code >= REFUSED_AT else 500


def object_of(status: int, said: bytes, url: str) -> dict[str, Any]:
    """The JSON object in a body; raises `ProviderFault` where there is none."""
    told = _json(said)
    if isinstance(told, dict):
        return told
    what = "no JSON" if told is None else "no JSON object"
    text = said.decode("utf-8", "replace")[:1000]
    raise ProviderFault("server_error", one_sentence(f"{status} from {url}, but {what}: {text}"), is_answered=True)


def base_of(profile: Profile) -> str:
    """The address under which a server's endpoints stand."""
    base = (profile.base_url or _base_of(profile.provider)).rstrip("/")
    return base.removesuffix(ENDPOINT)


def _base_of(provider: str) -> str:
    """A vendor's own address; OpenAI's may be set by the environment, as its own client has it."""
    told = os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") if provider == "openai" else None
    return told or HOSTED[provider].base


def _json(said: bytes) -> Any:
    with suppress(msgspec.MsgspecError, ValueError, RecursionError):
        return msgspec.json.decode(said)
    try:  # what msgspec takes for none, such as an infinite number
        return json.loads(said)
    except (ValueError, RecursionError):
        return None


def _fault(error: Exception, url: str) -> ProviderFault:
    """What no answer at all means: nobody listens, a certificate that does not hold, a line that was lost."""
    aiohttp = _library()
    parts = urlsplit(url)
    where = f"{parts.scheme}://{parts.netloc}"
    match error:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError() | ssl.SSLError():
            beneath = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
            return ProviderFault("certificate", one_sentence(f"{where}: {beneath} (trust it by SSL_CERT_FILE)"))
        case aiohttp.ClientConnectorDNSError():
            failure: Failure = "refused" if error.os_error.errno == socket.EAI_NONAME else "away"
            return ProviderFault(failure, one_sentence(f"{where}: its name is not known ({error.os_error.strerror})"))
        case aiohttp.ClientConnectorError():
            return ProviderFault("away", one_sentence(f"{where}: nobody answers there ({error.os_error.strerror})"))
        case aiohttp.InvalidURL() | ValueError():
            return ProviderFault("refused", one_sentence(f"{url}: no address that can be asked"))
        case TimeoutError():
            return ProviderFault("timeout", one_sentence(f"{where}: no whole answer came in time"))
        case _:
            return ProviderFault("reset", one_sentence(f"{where}: {type(error).__name__}: {error}"))


@lru_cache(maxsize=1)
def _library() -> Any:
    import aiohttp

    return aiohttp


@lru_cache(maxsize=1)
def _trust() -> ssl.SSLContext:
    """The machine's certificates (or those of SSL_CERT_FILE), and the well-known ones where a machine has none."""
    trust = ssl.create_default_context()
    if not trust.cert_store_stats()["x509_ca"] and not os.environ.get("SSL_CERT_FILE"):
        import certifi

        trust.load_verify_locations(certifi.where())
    return trust


def _proxy_to(url: str, proxies: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for an address. aiohttp's own reading would send what stands in .netrc."""
    if not proxies:
        return None
    parts = urlsplit(url)
    if urllib.request.proxy_bypass(parts.netloc):
        return None
    return proxies.get(parts.scheme) or proxies.get("all")


_sessions: dict[asyncio.AbstractEventLoop, tuple[Any, Mapping[str, str], AsyncGenerator[Any, None]]] = {}


async def _opened() -> tuple[Any, Mapping[str, str], AsyncGenerator[Any, None]]:
    """The connections of this event loop, which are many runs', and the proxies."""
    held = _connections()
    found = _sessions[asyncio.get_running_loop()] = await anext(held), urllib.request.getproxies(), held
    return found


async def _connections() -> AsyncGenerator[Any, None]:
    """A session, closed when the event loop is: an ending loop ends the generators that ran in it."""
    loop, aiohttp = asyncio.get_running_loop(), _library()
    connector = aiohttp.TCPConnector(limit=0, ssl=_trust(), socket_factory=looking)
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())  # for many profiles
    try:
        yield session
    finally:
        _sessions.pop(loop, None)
        await session.close()
