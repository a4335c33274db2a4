"""What a model takes along from step to step. It is data in the decision, so that a run can be resumed anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from agents_app.profile import Profile
from agents_app.prompting import lines
from games.core.agents import Memory
from games.core.answers import JSON
from games.core.prompts import quoted

SAID: Final = 400
"""Characters of commentary that are remembered of one answer."""
CUT: Final = "memory_cut"


def told(profile: Profile, memory: Memory) -> str:
    """The memory as a prompt shows it; "" where the profile has none."""
    words = lines(profile.language)
    kept: Mapping[str, Any] = memory if isinstance(memory, Mapping) else {}
    match profile.memory:
        case "none" | "turns":
            return ""
        case "rounds":
            rounds = kept.get("rounds", [])[-profile.memory_rounds :]
            entries = [
                words["memory_round_said" if said else "memory_round"].format(
                    step=step, answer=answer, said=quoted(said, SAID)
                )
                for step, answer, said in rounds
            ]
            return "\n".join([words["memory_rounds"], *(entries or [words["memory_nothing"]])])
        case "summary" | "scratchpad":
            text = str(kept.get("text", ""))
            shown = quoted(text, profile.memory_length) if text else words["memory_nothing"]
            return words[f"memory_{profile.memory}"].format(text=shown)


def after_answer(
    profile: Profile, memory: Memory, step: int, raw: Any, commentary: str, scratchpad: str | None
) -> tuple[Memory, tuple[str, ...]]:
    """The memory after an answer was given, and the flag of a cut."""
    match profile.memory:
        case "rounds":
            kept: Mapping[str, Any] = memory if isinstance(memory, Mapping) else {}
            answer = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
            rounds = [*kept.get("rounds", []), [step, answer, commentary[:SAID]]]
            return {"rounds": rounds[-profile.memory_rounds :]}, ()
        case "scratchpad" if scratchpad is not None:
            text, cut = bounded(scratchpad, profile.memory_length)
            return text, (CUT,) if cut else ()
        case _:
            return memory, ()


def bounded(text: str, length: int) -> tuple[dict[str, JSON], int]:
    """A text as memory, cut hard at the longest length, with the number of characters that were lost."""
    lost = max(0, len(text) - length)
    return {"text": text[:length], **({"cut": lost} if lost else {})}, lost
