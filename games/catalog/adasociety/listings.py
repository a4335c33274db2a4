"""What a model is told in the form of the paper's listings: a page of rules, the state under fixed headings, an answer
in two labelled lines of text, and worked examples.

Source: AdaSociety paper, appendix D.2 and listings 1 to 5, for their form: order, headings, options, three to five
examples. The sentences are ours, and so is what they are made from: the seat's kit, so that they hold in any world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from games.catalog.adasociety.events import Teller, place
from games.catalog.adasociety.play import planning
from games.catalog.adasociety.play.paths import distance, people, things
from games.catalog.adasociety.play.plans import (
    EXPLORE_STEPS,
    GATHER_MAX,
    WORDS,
    BadPlan,
    Craft,
    Once,
    read_plan,
    write_plan,
)
from games.catalog.adasociety.rules.knowledge import Kit
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import SHARES, Accept, Action, End
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.agents import Request
from games.core.answers import JSON, ActionSpec
from games.core.prompts import PromptContext, PromptFiles

TEXT: Final = {"type": "string"}
"""The schema of an answer that is one line of text: the page itself says how it is written."""
BARGAIN: Final = re.compile(
    r".*?\bnegotiate\s+with\s+(?P<name>\w+?)(?:[’']?s)?\b.*?(?P<ask>\d{1,3})\s*%.*", re.I | re.S
)
PROPOSE: Final = re.compile(r".*?\bpropos\w*\b.*?(?P<share>\d{1,3})\s*%.*", re.I | re.S)
JOIN: Final = re.compile(r".*?\bjoin\b\D*?(?P<group>\d{1,4})\b.*", re.I | re.S)
STEPS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
SHOWN: Final = (5, 3, 2)
"""Units, distance and units held that the worked examples speak of."""


def text_spec(request: Request[Any, Any], makers: Mapping[str, str] | None = None) -> ActionSpec[Any]:
    """One line of text, read into a plan as plans stand in the log; raises `BadPlan`.

    ``makers``  by a thing that everybody is told how to make, the event that makes it: who has never seen the thing
                may plan for it all the same
    """
    seen: Observation = request.observation
    stage = seen.stage

    def read(raw: Any) -> JSON:
        line = raw.strip() if isinstance(raw, str) else raw
        if not isinstance(line, str) or stage not in ("contract", "negotiation"):
            plan = read_plan(line)
            if isinstance(plan, Craft) and makers:
                plan = replace(plan, resource=makers.get(plan.resource, plan.resource))
            return write_plan(plan)
        if stage == "contract":
            found = JOIN.fullmatch(line)
            return write_plan(read_plan(line if found is None else f"JOIN {found['group']}"))
        return write_plan(_bargained(seen, line) or read_plan(line))

    return ActionSpec(TEXT, read)


def _bargained(seen: Observation, line: str) -> Any:
    """One of the four things that may be said; None for any other line."""
    word = re.sub(r"^[\W\d]+", "", line).lower()
    if word.startswith("end"):
        return Once(End())
    if word.startswith("accept"):
        return Once(Accept())
    if (found := BARGAIN.fullmatch(line)) is not None:
        names = [name.lower() for name in seen.kit.names]
        if found["name"].lower() not in names:
            raise BadPlan.told(WORDS.fault("no_plan", what=repr(found["name"])))
        share = int(found["ask"])
        return read_plan({"plan": "bargain", "seat": names.index(found["name"].lower()), "ask": share, "least": share})
    if (found := PROPOSE.fullmatch(line)) is not None:
        return read_plan({"plan": "once", "action": {"do": "propose", "share": int(found["share"])}})
    return None


def as_text(request: Request[Any, Any], action: Action) -> str:
    """An action as a model would answer it in this form, for the mock."""
    seen: Observation = request.observation
    plan = planning.as_plan(request, action)
    assert isinstance(plan, dict)
    label = {"contract": "Action", "negotiation": "Communication"}.get(seen.stage, "Plan")
    return f"Thoughts: As usual.\n{label}: {_line(seen, plan)}."


def _line(seen: Observation, plan: Mapping[str, Any]) -> str:
    match plan:
        case {"plan": "gather", "n": n, "resource": name}:
            return f"GATHER {n} {name.upper()}"
        case {"plan": "craft", "resource": name}:
            return f"CRAFT 1 {name.upper()}"
        case {"plan": "explore"}:
            return "EXPLORE MAP"
        case {"plan": "once", "action": {"do": "join", "group": group}}:
            return f"I join group {group}"
        case {"plan": "once", "action": {"do": "invite", "seat": seat, **rest}}:
            return f"I negotiate with {seen.kit.names[seat]} and propose to keep {rest.get('share') or 50}%"
        case {"plan": "once", "action": {"do": "propose", "share": share}}:
            return f"I propose to keep {share}%"
        case {"plan": "once", "action": {"do": "accept" | "end" as word}}:
            return str(word).upper()
        case {"plan": "once", "action": {"do": "move", "direction": way}} if way != "stay":
            row, column = divmod(seen.cell, seen.kit.width)
            down, right = STEPS[way]
            return f"GO {(row + down) % seen.kit.height} {(column + right) % seen.kit.width}"
        case {"plan": "once", "action": {"do": "pick", "resource": name}}:
            return f"GATHER 1 {name.upper()}"
        case {"plan": "once", "action": {"do": "dump", "resource": name}}:
            return f"DUMP {name.upper()}"
    return "STAY"


# --- the page -------------------------------------------------------------------------------------


def page(
    config: AdaSocietyConfig, teller: Teller, telling: PromptContext, files: PromptFiles, common: Iterable[str]
) -> dict[str, str]:
    """``system`` and ``user`` of a stage, in the form of the listings; ``common`` is what everybody is told of what
    exists, and of each role.
    """
    seen, kit = teller.seen, teller.seen.kit
    said = {name: text.replace("\\n", "\n") for name, text in files.lines(telling.language, "listing").items()}
    stage = seen.stage if seen.stage in ("contract", "negotiation") else "map"
    facts = {
        "height": kit.height, "width": kit.width, "name": kit.name, "most": GATHER_MAX,
        "explore": EXPLORE_STEPS, "least": SHARES[0], "shares_most": SHARES[-1], "last_group": config.group_count - 1,
        "persona": telling.persona,
        "others": ", ".join(name for name in kit.names if name != kit.name),
    }  # fmt: skip
    system = [
        *(said[name].format(**facts) for name in ("title", "game", "map")),
        *_things(kit, said),
        *(tuple(common) or (*teller.things(), *teller.recipes())),
        *(said[f"{name}_{stage}"].format(**facts) for name in ("you", "received", "answer")),
        said["examples"],
        *_examples(kit, stage, said),
    ]
    user = _state(config, teller, stage, said)
    if telling.memory:
        user.append(telling.memory)
    return {"system": "\n".join(line for line in system if line), "user": "\n".join(user)}


def _things(kit: Kit, said: Mapping[str, str]) -> Iterator[str]:
    """What is found and what is made, as far as the seat knows."""
    made = {name for event in kit.events if event is not None for name, _ in event.outputs}
    yield said["natural"].format(names=_listed(name for name in kit.resources if name and name not in made))
    yield said["tools"].format(names=_listed(name for name in kit.resources if name in made))


def _state(config: AdaSocietyConfig, teller: Teller, stage: str, said: Mapping[str, str]) -> list[str]:
    """The state under its headings."""
    seen = teller.seen
    lines = [said["step"].format(step=seen.step + 1, horizon=seen.horizon)]
    if stage == "contract":
        lines.append(said["round"].format(turn=seen.step // len(seen.order) + 1, turns=config.contract_rounds))
    lines += [said["social"], *teller.society()]
    if stage == "contract":
        return [*lines, said["turn"].format(name=seen.kit.name, order=teller.names(seen.order))]
    if stage == "negotiation":
        return [*lines, said["state"], teller.offers() or said["nobody"], said["log"], *teller.bargain()]
    return [*lines, said["physical"], *_around(seen, said), said["bag"], teller.bag(), *teller.messages()]


def _around(seen: Observation, said: Mapping[str, str]) -> Iterator[str]:
    """Names, distances and numbers of what is in sight, as three lists beside each other, the nearest first."""
    kit, cell = seen.kit, seen.cell
    piles: dict[str, tuple[int, int]] = {}
    grids: dict[str, int] = {}
    for at, (event, stack) in sorted(things(seen).items(), key=lambda one: (distance(kit, cell, one[0]), one[0])):
        far = distance(kit, cell, at)
        for kind, n in stack:
            near, units = piles.get(kit.resources[kind], (far, 0))
            piles[kit.resources[kind]] = near, units + n
        if event >= 0 and (known := kit.events[event]) is not None:
            grids.setdefault(known.name, far)
    others = sorted((distance(kit, cell, at), kit.names[seat]) for at, seat in people(seen).items())
    yield said["see_piles"].format(
        names=_listed(piles), far=_listed(far for far, _ in piles.values()), units=_listed(n for _, n in piles.values())
    )
    yield said["see_grids"].format(names=_listed(grids), far=_listed(grids.values()))
    yield said["see_people"].format(names=_listed(name for _, name in others), far=_listed(far for far, _ in others))
    yield said["stand"].format(place=place(kit, cell))


def _listed(items: Any) -> str:
    return f"[{', '.join(map(str, items))}]"


# --- worked examples ------------------------------------------------------------------------------


def _examples(kit: Kit, stage: str, said: Mapping[str, str]) -> Iterator[str]:
    """Three or more in the words of this seat's world: what its role can gather, make and put down."""
    other = next((name for n, name in enumerate(kit.names) if kit.roles[n] != kit.role), kit.names[kit.seat - 1])
    facts: dict[str, Any] = {"name": kit.name, "other": other, "units": SHOWN[0], "far": SHOWN[1], "held": SHOWN[2]}
    if stage != "map":
        yield from (said[f"example_{stage}_{number}"].format(**facts) for number in (1, 2, 3))
        return
    most = kit.capacity
    carried = [name for n, name in enumerate(kit.resources) if name and most[n] > SHOWN[0]]
    if carried:
        yield said["example_gather"].format(**facts, thing=carried[0], THING=carried[0].upper())
    for event in kit.events:
        if event is None or any(most[kit.index[name]] < n for name, n in event.inputs + event.outputs if name):
            continue
        made = event.outputs[0][0]
        both = ", ".join(f"{SHOWN[2]} {name}" for name, _ in event.inputs)
        facts |= {"inputs": both, "grid": event.name, "thing": made, "THING": made.upper()}
        yield said["example_craft"].format(**facts)
        if most[kit.index[made]] < SHOWN[0]:
            yield said["example_dump"].format(**facts)
        break
    yield said["example_explore"].format(**facts)
