"""What scripted nations say, in either language. The sentences are those of the words' part ``speech``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from pydantic import Field

from games.catalog.nations.config import WORDS
from games.catalog.nations.observation import Observation
from games.catalog.nations.state import Message, Promise
from games.core.game import Seat
from games.core.settings import Settings


class Talking(Settings):
    """Parameters of every policy that can speak."""

    talk: bool = Field(True, title="Talks", description="Whether it sends messages where messages are allowed.")
    language: Literal["en", "zh"] = Field("en", title="Language", description="Of its messages.")


def say(
    params: Talking,
    seen: Observation,
    name: str,
    to: Sequence[Seat] | None = None,
    promise: Promise | None = None,
    **data: object,
) -> tuple[Message, ...]:
    """One message, cut to the allowed length; none where it may not talk, or there is nobody to talk to."""
    config = seen.public.config
    if not params.talk or not config.messages or (to is not None and not to):
        return ()
    text = worded(params.language, name, config.message_length, *data.items())
    return (Message(None if to is None else tuple(sorted(to)), text, promise),)


@lru_cache(maxsize=1024)
def worded(language: str, name: str, length: int, *data: tuple[str, object]) -> str:
    """A sentence with its numbers. Kept, since scripted nations repeat themselves."""
    return str(WORDS.book(language)["speech"][name]).format(**dict(data))[:length]
