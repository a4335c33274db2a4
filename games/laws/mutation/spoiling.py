"""What goes wrong in a whole method: a leak, a favour, a memory, a clock, a mutation, an option that is not there.

A method of the game is kept under another name and called by one that spoils what it gives. A declared stage has its
pays spoilt where it returns them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from games.laws.mutation.source import Mutant, Source

KEPT: Final = "_unspoilt"
RESOLVE: Final = (
    "def resolve(self, config, state, actions, rng):\n"
    "    from dataclasses import replace\n"
    f"    made = self.{KEPT}(config, state, actions, rng)\n"
    "    first = next(iter(actions), None)\n"
)
PAID: Final = (
    "    paid = {**made.payoffs, first: made.payoffs.get(first, 0) + %s}\n"
    "    return made if first is None else replace(made, payoffs=paid)"
)
SPOILT: Final[dict[str, dict[str, str]]] = {
    "resolve": {
        "seat 0 gets double": RESOLVE
        + "    paid = {seat: paid * (2 if seat == 0 else 1) for seat, paid in made.payoffs.items()}\n"
        "    return replace(made, payoffs=paid)",
        "who comes first gets more": RESOLVE + PAID % "1",
        "a payoff that is no number": RESOLVE + PAID % "float('nan')",
        "random": RESOLVE + "    import random\n" + PAID % "random.random()",
        "clock": RESOLVE + "    import time\n" + PAID % "time.time() % 1",
        "hash": RESOLVE + PAID % "hash(f'{first}') % 5",
        "a module's memory": RESOLVE
        + f"    type(self).calls = getattr(type(self), 'calls', 0) + 1\n{PAID % '(type(self).calls > 40)'}",
        "a mutated state": RESOLVE + "    for name in getattr(type(state), '__dataclass_fields__', ()):\n"
        "        object.__setattr__(state, name, getattr(made.state, name))\n"
        "    return made",
        "an event that is no JSON": RESOLVE
        + "    news = [replace(event, data={**event.data, 'what': object()}) for event in made.events]\n"
        "    return replace(made, events=news)",
        "a NaN in an event": RESOLVE
        + "    news = [replace(event, data={**event.data, 'what': float('nan')}) for event in made.events]\n"
        "    return replace(made, events=news)",
        "all news for everyone": RESOLVE
        + "    return replace(made, events=[replace(event, to=None) for event in made.events])",
    },
    "view": {
        "a leak in the view": "def view(self, config, state, eyes):\n"
        "    from games.core.game import All\n"
        f"    return self.{KEPT}(config, state, All())",
        "a leak to the public": "def view(self, config, state, eyes):\n"
        "    from games.core.game import All, Public\n"
        f"    return self.{KEPT}(config, state, All() if eyes == Public() else eyes)",
    },
    "observe": {
        "a leak in what is observed": "def observe(self, config, state, seat, past):\n"
        f"    return self.{KEPT}(config, state, 0, past)"
    },
    "actions": {
        "an option that is not listed": "def actions(self, config, state, seat):\n"
        "    from dataclasses import replace\n"
        f"    spec = self.{KEPT}(config, state, seat)\n"
        "    return spec if not spec.options else replace(spec, options=spec.options[:-1])"
    },
    "clean": {
        "cleaning lets all pass": "def clean(self, config, state, seat, action, rng):\n"
        f"    return self.{KEPT}(config, state, seat, action, rng) if action is None else (action, ())"
    },
    "turn": {
        "a run without an end": "def turn(self, config, state):\n"
        "    from games.core.game import Turn\n"
        f"    return self.{KEPT}(config, state) or Turn((('round', 1),), 'start', ())"
    },
}
"""By method and operator the method that is called in its place."""
PAYS: Final = {
    "seat 0 gets double": "[_p * (2 if _s == 0 else 1) for _s, _p in enumerate({0})]",
    "who comes first gets more": "[_p + (_s == 0) for _s, _p in enumerate({0})]",
    "random": "[_p + (__import__('random').random() < 0.5) for _p in {0}]",
    "clock": "[_p + int(__import__('time').time()) % 2 for _p in {0}]",
    "hash": "[_p + hash(str(_p)) % 2 for _p in {0}]",
    "wrong sign": "[-_p for _p in {0}]",
    "nothing is paid": "[0 * _p for _p in {0}]",
    "paid in another order": "[*{0}][::-1]",
    "one seat is not paid": "[*{0}][:-1]",
}
"""What a declared stage gives back in place of its pays."""
WIDER: Final = {"own": "all", "seats": "all"}
"""Who sees what a declared stage hides."""


def methods(source: Source) -> Iterator[Mutant]:
    """Mutants of the methods of a class that resolves steps."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        own = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
        if "resolve" not in own:
            continue
        for name, spoilt in SPOILT.items():
            for operator, text in spoilt.items() if name in own else ():
                mutant = source.inserted(operator, own[name], f"{text}\n", operator)
                if mutant is not None:
                    yield mutant._replace(before=name, text=_renamed(mutant.text, name))


def _renamed(text: str, name: str) -> str:
    """The second of two methods of one name, called otherwise."""
    begin = text.index(f"def {name}(", text.index(f"def {name}(") + 1)
    return f"{text[:begin]}def {KEPT}{text[begin + len(f'def {name}') :]}"


def stages(source: Source) -> Iterator[Mutant]:
    """Mutants of the stages of a declared game: what they pay, and who sees what."""
    for function in source.functions():
        calls = [by for by in function.decorator_list if isinstance(by, ast.Call) and _is_stage(by)]
        if not calls:
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                value = source.written(node.value)
                for operator, text in PAYS.items():
                    yield from _made(source, operator, node.value, text.format(value))
        for call in calls:
            yield from _declared(source, call)


def _declared(source: Source, call: ast.Call) -> Iterator[Mutant]:
    """What the declaration of a stage says otherwise: seen by more, given to oneself, without its condition."""
    for node in ast.walk(call):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            value = keyword.value
            if keyword.arg == "seen" and isinstance(value, ast.Constant) and value.value in WIDER:
                yield from _made(source, "seen by all", value, repr(WIDER[str(value.value)]))
            elif keyword.arg == "silence" and isinstance(value, ast.Constant) and isinstance(value.value, int):
                yield from _made(source, "silence does something else", value, repr(value.value + 1))
            elif keyword.arg in ("to", "when", "most", "least"):
                without = [other for other in node.keywords if other is not keyword]
                text = ast.unparse(ast.Call(node.func, node.args, without))
                yield from _made(source, f"without {keyword.arg}", node, text)


def _made(source: Source, operator: str, node: ast.expr, text: str) -> Iterator[Mutant]:
    mutant = source.mutant(operator, node, text)
    if mutant is not None:
        yield mutant


def _is_stage(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "stage"
