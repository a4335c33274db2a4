"""An OpenAI-compatible server of one's own, asked through litellm's request form and transport, past its wrapper.

`litellm.acompletion` logs, prices, caches and validates each call: several times the processor time of the call itself,
in the one thread in which a hundred seats ask at once. What is done here is what it does for such a server: the
provider's config makes address, headers and body, litellm's aiohttp transport carries them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from typing import Any, Final

from agents_app.profile import Profile
from agents_app.providers.contract import Failure, ProviderFault
from agents_app.providers.redacting import redacted

REFUSED_AT: Final = 400
SAID_AT_MOST: Final = 300


class CompatibleServer:
    """One profile's way there. Raises AttributeError or ImportError where this litellm has not the parts it needs."""

    def __init__(self, litellm: Any, profile: Profile) -> None:
        from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler
        from litellm.types.utils import LlmProviders
        from litellm.utils import ProviderConfigManager

        self._model = profile.model.partition("/")[2]
        self._address = profile.base_url
        found = ProviderConfigManager.get_provider_chat_config(model=self._model, provider=LlmProviders.OPENAI)
        self._config: Any = found if found is not None else litellm.OpenAIGPTConfig()
        self._handler: Any = AsyncHTTPHandler
        self._url = self._config.get_complete_url(self._address, None, self._model, {}, {})

    async def complete(
        self, messages: list[dict[str, str]], settings: dict[str, Any], key: str, timeout_s: float
    ) -> dict[str, Any]:
        """The answer's JSON object; raises `ProviderFault`, and whatever the transport raises."""
        where = {"api_base": self._address}
        headers = self._config.validate_environment(
            headers={},
            model=self._model,
            messages=messages,
            optional_params=settings,
            litellm_params=where,
            api_key=key,
            api_base=self._address,
        )
        body = self._config.transform_request(
            model=self._model, messages=messages, optional_params=settings, litellm_params=where, headers=headers
        )
        client = await self._client()
        answer = await client.post(self._url, json=body, headers=headers, timeout=timeout_s)
        if answer.status_code >= REFUSED_AT:
            raise ProviderFault(
                failure_of(answer.status_code), _told(answer), retry_after(answer.headers.get("retry-after"))
            )
        try:
            told = json.loads(answer.content)
        except ValueError:
            raise ProviderFault("server_error", f"{answer.status_code}, but no JSON: {_told(answer)}") from None
        if not isinstance(told, dict):
            raise ProviderFault("server_error", "the answer is no JSON object")
        return told

    async def _client(self) -> Any:
        """The connections of this event loop: each driven run has a loop of its own."""
        loop = asyncio.get_running_loop()
        if loop not in _clients:
            held = _connections(self._handler)
            _clients[loop] = await anext(held), held
        return _clients[loop][0]


_clients: dict[asyncio.AbstractEventLoop, tuple[Any, AsyncGenerator[Any, None]]] = {}


async def _connections(handler: Any) -> AsyncGenerator[Any, None]:
    """A client of litellm's, closed when the event loop is: an ending loop ends the generators that ran in it."""
    loop = asyncio.get_running_loop()
    client = handler().client
    try:
        yield client
    finally:
        _clients.pop(loop, None)
        await client.aclose()


def failure_of(status: int) -> Failure:
    """What an HTTP status means here."""
    match status:
        case 429:
            return "rate_limited"
        case 408 | 504:
            return "timeout"
        case _:
            return "server_error" if status >= 500 else "refused"


def retry_after(told: object) -> float | None:
    """Seconds that the vendor asks to be left alone, from its header; a date instead of seconds is passed over."""
    if told is not None and re.fullmatch(r"\d{1,6}(\.\d+)?", str(told).strip()):
        return float(str(told).strip())
    return None


def _told(answer: Any) -> str:
    """What the server said of its refusal, in one line without keys."""
    try:
        error = json.loads(answer.content)["error"]
        said = error["message"] if isinstance(error, dict) else str(error)
    except (ValueError, KeyError, TypeError):
        said = answer.text
    return redacted(" ".join(f"{answer.status_code}: {said}".split()))[:SAID_AT_MOST]
