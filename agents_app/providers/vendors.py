"""Vendors that speak OpenAI's chat completions word for word: asked like a server of one's own, without litellm.

Each name here is one import of seconds and 200 MB less, in the worker and in the page that asks whether a key is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Vendor(NamedTuple):
    """Where it is asked, and the environment variable of its key."""

    base: str
    key: str


HOSTED: Final[Mapping[str, Vendor]] = {
    "openai": Vendor("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "deepseek": Vendor("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "groq": Vendor("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "openrouter": Vendor("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together_ai": Vendor("https://api.together.xyz/v1", "TOGETHERAI_API_KEY"),
    "xai": Vendor("https://api.x.ai/v1", "XAI_API_KEY"),
}
OWN: Final = frozenset({"hosted_vllm", "litellm_proxy", "llamafile", "lm_studio"})
"""Servers of one's own, by litellm's names for what runs on them. With a base URL all of them are asked alike."""
ELSEWHERE: Final[Mapping[str, str]] = {"anthropic": "ANTHROPIC_API_KEY"}
"""Vendors that are asked through litellm and have one name for their key."""


def key_name(provider: str) -> str | None:
    """The environment variable of a vendor's key, where it is known without litellm."""
    return HOSTED[provider].key if provider in HOSTED else ELSEWHERE.get(provider)
