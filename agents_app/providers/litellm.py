"""Every vendor that speaks a language of its own, through litellm. Importing it takes seconds and 200 MB: it happens at
the first call, not before.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

from agents_app.profile import Profile
from agents_app.providers.answers import overlong_reply, reply_of
from agents_app.providers.bounded import ANSWER_MAX, AnswerTooLong, bound_transport, most_now
from agents_app.providers.bytecode import write_ahead
from agents_app.providers.keys import key_for, unsendable
from agents_app.providers.outward import outward
from agents_app.providers.parameters import messages_of, wanted_of
from agents_app.providers.protocol import Failure, Prompt, ProviderFault, Reply
from agents_app.providers.redacting import one_line
from agents_app.providers.refusals import failure_of, one_sentence, retry_after
from agents_app.providers.streamed import ASKED, STREAM_MAX, Began, Pieces

FAILURES: Final[tuple[tuple[str, Failure], ...]] = (
    ("Timeout", "timeout"),
    ("TimeoutException", "timeout"),
    ("RateLimitError", "rate_limited"),
    ("ContextWindowExceededError", "context"),
    ("ContentPolicyViolationError", "filtered"),
    ("APIConnectionError", "reset"),
    ("AuthenticationError", "refused"),
    ("PermissionDeniedError", "refused"),
    ("NotFoundError", "refused"),
    ("BadRequestError", "refused"),
    ("UnprocessableEntityError", "refused"),
    ("InternalServerError", "server_error"),
    ("ServiceUnavailableError", "away"),
    ("BadGatewayError", "away"),
    ("APIError", "server_error"),
)
"""litellm's exceptions by name, the narrower first, and what each means here."""
LOST: Final = frozenset(
    {"APIConnectionError", "TransportError", "ConnectError", "RemoteProtocolError", "ReadError", "ConnectionError"}
)
CUT_SHORT: Final = frozenset({"ClientPayloadError", "TransferEncodingError", "ContentLengthError", "ReadError"})
"""Those of a line that was lost after the answer had begun."""
NOBODY: Final = frozenset({"ConnectError", "ClientConnectorError", "ConnectionRefusedError", "gaierror"})
CERTIFICATE: Final = frozenset({"SSLError", "SSLCertVerificationError", "ClientConnectorCertificateError"})
OFFLINE: Final = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""Prices and parameters as installed; else litellm asks for them over the net while it is imported."""
_importing = threading.Lock()
log = logging.getLogger(__name__)


@lru_cache(maxsize=1)
def library() -> Any:
    """litellm, silent and offline but for the calls themselves."""
    with _importing:
        os.environ.update(OFFLINE)
        with _set_apart():
            litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx"):
            logging.getLogger(name).setLevel(logging.WARNING)
        try:
            bound_transport()
        except (AttributeError, ImportError) as error:
            log.warning("litellm's transport is not the one that is known: its answers have no bound: %s", error)
        return litellm


def library_prepare() -> None:
    """Make the first call's import short, where bytecode is not kept yet. Takes seconds of another process."""
    write_ahead("litellm", OFFLINE)


@contextmanager
def _set_apart() -> Iterator[None]:
    """While 2,400 modules are made, look for no cycles among them, which takes a fifth of the time; nor later, when
    each full look at them would hold up every thread.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


class LitellmProvider:
    """One profile's way to its vendor."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.address = profile.base_url or profile.provider

    @property
    def loads(self) -> str:
        return "" if library.cache_info().currsize else "litellm"

    async def ready(self) -> None:
        """Import the library, without holding up the event loop."""
        if not library.cache_info().currsize:
            await asyncio.to_thread(library)

    def has_structured_output(self, model: str) -> bool:
        """As litellm's list of models says; a server of one's own is asked."""
        if self.profile.base_url:
            return True
        try:
            return bool(library().supports_response_schema(model=model))
        except Exception:  # the list knows no such model: litellm raises whatever it likes
            return False

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        return await self._completed(prompt, timeout_s, None)

    async def streamed(self, prompt: Prompt, timeout_s: float, began: Began) -> Reply:
        """The same in pieces; at once from vendors that litellm asks for no pieces."""
        return await self._completed(prompt, timeout_s, began)

    async def _completed(self, prompt: Prompt, timeout_s: float, began: Began | None) -> Reply:
        if (why := unsendable(self.profile)) is not None:
            raise ProviderFault("no_key", why)
        settings, ignored = self._settings(prompt)
        while True:
            try:
                with outward(self.profile):
                    answer = await self._asked(prompt, settings if began is None else {**settings, **ASKED}, timeout_s)
                told = answer.model_dump() if began is None else await _gathered(answer, began)
            except (asyncio.CancelledError, ProviderFault):
                raise
            except Exception as error:
                beneath = _beneath(error)
                if AnswerTooLong.__name__ in beneath:
                    return overlong_reply(AnswerTooLong(ANSWER_MAX if began is None else STREAM_MAX), ignored)
                refused = _untaken(error, settings)
                if refused is None:
                    raise self._fault(error, beneath, prompt.schema is not None) from None
                settings.pop(refused)
                ignored = (*ignored, refused)
                continue
            return reply_of(told, ignored)

    async def _asked(self, prompt: Prompt, settings: dict[str, Any], timeout_s: float) -> Any:
        profile = self.profile
        key = key_for(profile) if profile.key_env or profile.base_url else None
        where = {"api_base": profile.base_url} if profile.base_url else {}
        return await library().acompletion(
            model=prompt.model,
            messages=messages_of(prompt),
            timeout=timeout_s,
            num_retries=0,
            max_retries=0,
            **settings,
            **where,
            **({} if key is None else {"api_key": key}),
        )

    def _settings(self, prompt: Prompt) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What the vendor takes, and the names of the settings that it does not."""
        wanted = wanted_of(prompt)
        known = _parameters(prompt.model)
        taken = dict(wanted) if known is None else {name: value for name, value in wanted.items() if name in known}
        if "max_tokens" not in taken and known is not None and "max_completion_tokens" in known:
            taken["max_completion_tokens"] = wanted["max_tokens"]
        ignored = [name for name in wanted if name not in taken and name not in ("max_tokens", "top_logprobs")]
        if isinstance(budget := wanted.get("thinking"), int) and "thinking" in taken:
            taken["thinking"] = {"type": "enabled", "budget_tokens": budget}
        if (more := prompt.extra.get("extra_body")) is not None:
            taken["extra_body"] = more
        return taken, tuple(ignored)

    def _fault(self, error: Exception, beneath: set[str], had_schema: bool) -> ProviderFault:
        names = [kind.__name__ for kind in type(error).__mro__]
        failure: Failure = next((means for name, means in FAILURES if name in names), "reset")
        if failure == "reset" and isinstance(error, TimeoutError):
            failure = "timeout"
        # litellm gives a lost connection out as an internal error of the server; what is beneath it tells.
        if failure in ("server_error", "reset"):
            failure = _lost(beneath, failure)
        told = one_line(error)
        if failure in ("refused", "server_error", "rate_limited"):
            status = getattr(error, "status_code", None)
            failure = failure_of(status, str(error), had_schema) if isinstance(status, int) else failure
        where = f"{self.profile.base_url}: " if self.profile.base_url else ""
        is_answered = failure == "reset" and not CUT_SHORT.isdisjoint(beneath)
        return ProviderFault(failure, one_sentence(where + told), _retry_after(error), is_answered=is_answered)


async def _gathered(answer: Any, began: Began) -> dict[str, Any]:
    """The whole of an answer that comes in pieces."""
    pieces = Pieces(began)
    kept = most_now.set(STREAM_MAX)
    try:
        async for piece in answer:
            pieces.take(piece.model_dump())
    finally:
        most_now.reset(kept)
    return pieces.whole()


def _lost(beneath: set[str], failure: Failure) -> Failure:
    """What a failure was, by the names of the errors beneath it."""
    if not CERTIFICATE.isdisjoint(beneath):
        return "certificate"
    if not NOBODY.isdisjoint(beneath):
        return "away"
    return "reset" if not LOST.isdisjoint(beneath) else failure


def _untaken(error: Exception, settings: dict[str, Any]) -> str | None:
    """The setting that litellm says the model does not take, since its list does not know better; None: no such."""
    if type(error).__name__ != "UnsupportedParamsError":
        return None
    return next((name for name in settings if name in str(error) and name != "max_tokens"), None)


@lru_cache(maxsize=256)
def _parameters(model: str) -> frozenset[str] | None:
    """The settings that litellm can pass on to a model; None where it does not know."""
    try:
        known = library().get_supported_openai_params(model=model)
    except Exception:  # the list knows no such model: litellm raises whatever it likes
        return None
    return None if known is None else frozenset(known)


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
