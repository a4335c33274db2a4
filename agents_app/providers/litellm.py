"""Every vendor, through litellm. Importing litellm takes seconds and 200 MB: it happens at the first call, not before.

Keys come from the environment. Where a base URL is set, the vendor's own key is not sent there: only the one that the
profile names, so that a wrong address learns nothing.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from agents_app.pricing import price_for
from agents_app.profile import Profile
from agents_app.providers.compatible import CompatibleServer, retry_after
from agents_app.providers.contract import Failure, Prompt, ProviderFault, Reply, cost
from agents_app.providers.redacting import one_line, redacted
from games.core.answers import JSON

NO_KEY: Final = "no-key"
FAILURES: Final[tuple[tuple[str, Failure], ...]] = (
    ("Timeout", "timeout"),
    ("TimeoutException", "timeout"),
    ("RateLimitError", "rate_limited"),
    ("APIConnectionError", "reset"),
    ("AuthenticationError", "refused"),
    ("PermissionDeniedError", "refused"),
    ("NotFoundError", "refused"),
    ("BadRequestError", "refused"),
    ("UnprocessableEntityError", "refused"),
    ("InternalServerError", "server_error"),
    ("ServiceUnavailableError", "server_error"),
    ("BadGatewayError", "server_error"),
    ("APIError", "server_error"),
)
"""litellm's exceptions by name, the narrower first, and what each means here."""
LOST: Final = frozenset(
    {"APIConnectionError", "TransportError", "ConnectError", "RemoteProtocolError", "ReadError", "ConnectionError"}
)
_importing = threading.Lock()
log = logging.getLogger(__name__)


@lru_cache(maxsize=1)
def library() -> Any:
    """litellm, silent and offline but for the calls themselves."""
    with _importing:
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx"):
            logging.getLogger(name).setLevel(logging.WARNING)
        return litellm


class LitellmProvider:
    """One profile's way to its vendor."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._server: CompatibleServer | None = None

    async def ready(self) -> None:
        """Import the library, without holding up the event loop."""
        if not library.cache_info().currsize:
            await asyncio.to_thread(library)
        if self._server is None and self.profile.base_url and self.profile.provider == "openai":
            self._server = _compatible(self.profile)

    def has_structured_output(self, model: str) -> bool:
        """As litellm's list of models says; a server of one's own is asked for JSON in the text."""
        if self.profile.base_url:
            return False
        try:
            return bool(library().supports_response_schema(model=model))
        except Exception:  # the list knows no such model: litellm raises whatever it likes
            return False

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        litellm = library()
        settings, ignored = self._settings(litellm, prompt)
        messages = [{"role": message.role, "content": message.text} for message in prompt.messages]
        try:
            if self._server is not None:
                key = self._address()["api_key"]
                told = await self._server.complete(messages, settings, key, timeout_s)
                return self._told(told, ignored)
            answer = await litellm.acompletion(
                model=prompt.model,
                messages=messages,
                timeout=timeout_s,
                num_retries=0,
                max_retries=0,
                **settings,
                **self._address(),
            )
        except asyncio.CancelledError:
            raise
        except Exception as error:
            raise _fault(error) from None
        return self._reply(answer, ignored)

    def _settings(self, litellm: Any, prompt: Prompt) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What the vendor takes, and the names of the settings that it does not."""
        wanted: dict[str, Any] = {"max_tokens": prompt.max_tokens}
        if prompt.temperature is not None:
            wanted["temperature"] = prompt.temperature
        if prompt.seed is not None:
            wanted["seed"] = prompt.seed
        if prompt.schema is not None:
            wanted["response_format"] = response_format(prompt.schema)
        known = _parameters(prompt.model)
        if known is None:
            return wanted, ()
        taken = {name: value for name, value in wanted.items() if name in known}
        if "max_tokens" in wanted and "max_tokens" not in taken and "max_completion_tokens" in known:
            taken["max_completion_tokens"] = wanted["max_tokens"]
        ignored = tuple(name for name in wanted if name not in taken and name != "max_tokens")
        return taken, ignored

    def _address(self) -> dict[str, str]:
        profile = self.profile
        address = {"api_base": profile.base_url} if profile.base_url else {}
        if profile.key_env:
            key = os.environ.get(profile.key_env, "")
            if not key:
                raise ProviderFault("refused", f"{profile.key_env} is not set in the environment")
            return {**address, "api_key": key}
        return {**address, "api_key": NO_KEY} if address else {}

    def _told(self, answer: Mapping[str, Any], ignored: tuple[str, ...]) -> Reply:
        """The reply in a server's own JSON."""
        try:
            choice = answer["choices"][0]
            text = choice["message"].get("content") or ""
            usage = answer.get("usage") or {}
            into, out = usage.get("prompt_tokens"), usage.get("completion_tokens")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ProviderFault("server_error", f"no choice in the answer: {one_line(error)}") from None
        return self._made(str(text), choice.get("finish_reason"), into, out, ignored)

    def _reply(self, answer: Any, ignored: tuple[str, ...]) -> Reply:
        """The reply in litellm's answer."""
        try:
            choice = answer.choices[0]
            text = choice.message.content or ""
        except (AttributeError, IndexError, TypeError) as error:
            raise ProviderFault("server_error", f"no choice in the answer: {one_line(error)}") from None
        usage = getattr(answer, "usage", None)
        into, out = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
        return self._made(str(text), choice.finish_reason, into, out, ignored)

    def _made(self, text: str, finish: object, into: object, out: object, ignored: tuple[str, ...]) -> Reply:
        tokens_in = into if isinstance(into, int) else None
        tokens_out = out if isinstance(out, int) else None
        price = cost(price_for(self.profile), tokens_in, tokens_out)
        return Reply(redacted(text), finish == "length", tokens_in, tokens_out, price, ignored)


def _compatible(profile: Profile) -> CompatibleServer | None:
    """The short way to a server of one's own; None where this litellm has not the parts, and the long way is taken."""
    try:
        return CompatibleServer(library(), profile)
    except (AttributeError, ImportError, TypeError) as error:
        log.warning("%s: asked through litellm's wrapper, which is slower: %s", profile.model, error)
        return None


@lru_cache(maxsize=256)
def _parameters(model: str) -> frozenset[str] | None:
    """The settings that litellm can pass on to a model; None where it does not know."""
    try:
        known = library().get_supported_openai_params(model=model)
    except Exception:  # the list knows no such model: litellm raises whatever it likes
        return None
    return None if known is None else frozenset(known)


def response_format(schema: Mapping[str, JSON]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}


def _fault(error: Exception) -> ProviderFault:
    if isinstance(error, ProviderFault):
        return error
    names = [kind.__name__ for kind in type(error).__mro__]
    failure: Failure = next((means for name, means in FAILURES if name in names), "reset")
    if failure == "reset" and isinstance(error, TimeoutError):
        failure = "timeout"
    # litellm gives a lost connection out as an internal error of the server; what is beneath it tells.
    if failure == "server_error" and not LOST.isdisjoint(_beneath(error)):
        failure = "reset"
    return ProviderFault(failure, one_line(error), _retry_after(error))


def _beneath(error: BaseException) -> set[str]:
    """The names of an error's classes and of those that it arose from."""
    names: set[str] = set()
    here: BaseException | None = error
    for _ in range(20):
        if here is None:
            break
        names.update(kind.__name__ for kind in type(here).__mro__)
        here = here.__cause__ or here.__context__
    return names


def _retry_after(error: Exception) -> float | None:
    """Seconds that the vendor asks to be left alone, from its header."""
    response = getattr(error, "response", None)
    for headers in (getattr(response, "headers", None), getattr(error, "litellm_response_headers", None)):
        wait = retry_after(headers.get("retry-after")) if headers is not None else None
        if wait is not None:
            return wait
    return None
