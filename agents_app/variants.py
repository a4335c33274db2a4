"""A researcher's own words around a game's: other system and round texts, worked examples, rounds as turns of a chat.

They stand in the profile, so that a condition can have its own, and go into the prompt and its hash like any other
word. Places in braces are filled in once, by name; every other brace stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents_app.profile import Profile
from agents_app.providers.protocol import Message
from games.core.agents import Memory


def system_text(profile: Profile, own: str, persona: str) -> str:
    """The system text: the profile's, with ``{game}`` for the game's own words and ``{persona}``; else the game's."""
    return _filled(profile.system_prompt, {"game": own, "persona": persona}) if profile.system_prompt else own


def round_text(profile: Profile, own: str, memory: str) -> str:
    """A round's text: the profile's, with ``{game}`` and ``{memory}``; else the game's."""
    return _filled(profile.round_prompt, {"game": own, "memory": memory}) if profile.round_prompt else own


def shown_before(profile: Profile, memory: Memory) -> tuple[Message, ...]:
    """What stands between the system text and the question: worked examples, then the last rounds as turns."""
    examples = [(one.asked, one.answered) for one in profile.examples]
    turns = [(str(asked), str(answered)) for asked, answered in _turns(profile, memory)]
    return tuple(message for pair in (*examples, *turns) for message in _pair(*pair))


def with_turn(profile: Profile, memory: Memory, asked: str, answered: str) -> Memory:
    """The memory with one more turn, the oldest dropped beyond ``memory_rounds``."""
    return {"turns": [*_turns(profile, memory), [asked, answered]][-profile.memory_rounds :]}


def _turns(profile: Profile, memory: Memory) -> Sequence[Any]:
    if profile.memory != "turns" or not isinstance(memory, Mapping):
        return ()
    kept = memory.get("turns", ())
    return kept[-profile.memory_rounds :] if isinstance(kept, Sequence) and not isinstance(kept, str) else ()


def _pair(asked: str, answered: str) -> Iterator[Message]:
    yield Message("user", asked)
    yield Message("assistant", answered)


def _filled(text: str, places: Mapping[str, str]) -> str:
    """The text with its places filled in; what is filled in is not searched for places again."""
    marks = "|".join(re.escape(f"{{{name}}}") for name in places)
    return re.sub(marks, lambda found: places[found.group()[1:-1]], text).strip()
