"""Gambit's files read as data.

``.nfg`` is a table of pays; a small ``.efg``, a tree, becomes the table of its plans: each player chooses at once what
it does in each of its information sets, the strategy method, under which equilibria stay what they are. Numbers are
exact; chance is taken at its expected pay. Bounds hold before anything is built: bytes, players, choices, cells,
digits, depth.

Source: the format as Gambit's manual describes it; read here anew, without its code. `gambitwriting` is the way back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

BYTES_MAX: Final = 256 * 1024
PLAYERS_MAX: Final = 4
CHOICES_MAX: Final = 12
CELLS_MAX: Final = 1296
NODES_MAX: Final = 2000
DEPTH_MAX: Final = 60
NAME_MAX: Final = 120
COMMENT_MAX: Final = 600
DIGITS_MAX: Final = 12
NUMBER: Final = re.compile(
    rf"[+-]?(\d{{1,{DIGITS_MAX}}}(\.\d{{0,{DIGITS_MAX}}})?|\.\d{{1,{DIGITS_MAX}}})(/\d{{1,{DIGITS_MAX}}})?"
)
TOKEN: Final = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|[{},]|[^\s{},"]+')
PAY_MAX: Final = 10**9
ODD: Final = frozenset('{}<>|\\`$%#"')
"""Signs that templates, pages or code take for more than letters."""


class BadFile(ValueError):
    """A file that is no such game, or too large a one: its line, what is wrong, what would do."""


@dataclass(frozen=True, slots=True)
class Normal:
    """A game in normal form. ``choices`` by player, ``pays`` by what each chooses, by number from 0."""

    title: str
    players: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    pays: Mapping[tuple[int, ...], tuple[Fraction, ...]]
    about: str = ""


def read(text: bytes | str) -> Normal:
    """The game of a ``.nfg`` or ``.efg`` file. Raises `BadFile`."""
    words = _Words(text)
    kind = words.word("NFG or EFG")
    if kind not in ("NFG", "EFG"):
        raise words.bad(f"begins with {_short(kind)}; a file of Gambit begins with NFG or EFG")
    version, numbers = words.word("the version"), words.word("R or D")
    if numbers not in ("R", "D") or version not in ("1", "2"):
        raise words.bad(f"{kind} {_short(version)} {_short(numbers)}; {kind} {'1' if kind == 'NFG' else '2'} R is read")
    return _table(words) if kind == "NFG" else _Tree(words).normal()


# --- words ----------------------------------------------------------------------------------------


class _Words:
    """The words of a file, one after the other, with their lines."""

    def __init__(self, text: bytes | str) -> None:
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        if len(raw) > BYTES_MAX:
            raise BadFile(f"the file has {len(raw)} bytes; {BYTES_MAX} at most. Give a smaller game")
        try:
            self.text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise BadFile(
                f"line {line}: byte {raw[error.start]:#04x} is no UTF-8. Save the file as UTF-8 text"
            ) from None
        self.at, self.line = 0, 1
        self._next: str | None = None

    def bad(self, what: str) -> BadFile:
        return BadFile(f"line {self.line}: {what}")

    def peek(self) -> str:
        """The next word; "" at the end."""
        while self._next is None:
            if self.at >= len(self.text):
                return ""
            found = TOKEN.match(self.text, self.at)
            if found is None:
                raise self.bad("a quotation mark that is not closed. Close it")
            self.at = found.end()
            word = found.group()
            self.line += word.count("\n")
            self._next = word if word.strip() else None
        return self._next

    def word(self, wanted: str) -> str:
        found = self.peek()
        if not found:
            raise self.bad(f"the file ends where {wanted} is expected. Complete it")
        self._next = None
        return found

    def sign(self, wanted: str) -> None:
        found = self.word(wanted)
        if found != wanted:
            raise self.bad(f"{_short(found)} where {wanted} is expected")

    def name(self, what: str) -> str:
        """A name in quotation marks, of signs that pages, prompts and templates can hold."""
        found = self.word(what)
        if not found.startswith('"'):
            raise self.bad(f"{_short(found)} where {what} in quotation marks is expected")
        name = " ".join(re.sub(r"\\(.)", r"\1", found[1:-1]).split())
        if len(name) > NAME_MAX:
            raise self.bad(f"{what} of {len(name)} characters; {NAME_MAX} at most. Shorten it")
        odd = next((sign for sign in name if not sign.isprintable() or sign in ODD), "")
        if odd:
            raise self.bad(f"{what} holds {odd!r}. Name it with letters, digits, spaces and simple signs")
        return name

    def number(self, what: str) -> Fraction:
        while self.peek() == ",":
            self._next = None
        found = self.word(what)
        if not NUMBER.fullmatch(found):
            raise self.bad(
                f"{_short(found)} where {what} is expected: a number or a fraction of {DIGITS_MAX} digits at most"
            )
        above, _, below = found.partition("/")
        if below and not int(below):
            raise self.bad(f"{_short(found)}: nothing is divided by 0. Mend {what}")
        value = Fraction(above) / int(below or 1)
        if abs(value) > PAY_MAX:
            raise self.bad(f"{_short(found)}: {what} beyond {PAY_MAX}. Scale the game down")
        return value

    def whole(self, what: str, most: int) -> int:
        value = self.number(what)
        if value.denominator != 1 or not 0 <= value <= most:
            raise self.bad(f"{value}: {what} is a whole number from 0 to {most}")
        return int(value)

    def names(self, what: str, least: int, most: int) -> list[str]:
        """Names between braces."""
        self.sign("{")
        found: list[str] = []
        while self.peek() != "}":
            if len(found) == most:
                raise self.bad(f"more than {most} of {what}; {most} at most. Give a smaller game")
            found.append(self.name(what))
        self.sign("}")
        if len(found) < least:
            raise self.bad(f"{len(found)} of {what}; {least} at least")
        return found

    def comment(self) -> str:
        """What is said of the game, cut, without the signs that a name may not hold."""
        if not self.peek().startswith('"'):
            return ""
        text = re.sub(r"\\(.)", r"\1", self.word("a comment")[1:-1])
        text = "".join(sign if sign.isprintable() and sign not in ODD else " " for sign in text)
        return " ".join(text.split())[:COMMENT_MAX]

    def end(self) -> None:
        if self.peek():
            raise self.bad(f"{_short(self.peek())} after the end of the game. Remove what follows")


def _short(word: str) -> str:
    return repr(word if len(word) <= 20 else word[:20] + "…")


# --- a table --------------------------------------------------------------------------------------


def _table(words: _Words) -> Normal:
    title = words.name("a title")
    players = words.names("players", 2, PLAYERS_MAX)
    choices = _choices(words, len(players))
    many = prod(map(len, choices))
    if many > CELLS_MAX:
        raise words.bad(
            f"{' x '.join(str(len(one)) for one in choices)} = {many} cells; {CELLS_MAX} at most. Give fewer strategies"
        )
    about = words.comment()
    cells = [
        cell[::-1] for cell in product(*(range(len(one)) for one in reversed(choices)))
    ]  # the first player's fastest
    if words.peek() == "{":
        outcomes = _outcomes(words, len(players), many)
        pays = {cell: outcomes[words.whole("an outcome's number", len(outcomes) - 1)] for cell in cells}
    else:
        pays = {
            cell: tuple(words.number(f"a pay of cell {n + 1} of {many}") for _ in players)
            for n, cell in enumerate(cells)
        }
    words.end()
    return Normal(title, tuple(players), choices, pays, about)


def _choices(words: _Words, players: int) -> tuple[tuple[str, ...], ...]:
    """Strategies by name, or how many each player has."""
    words.sign("{")
    if words.peek() == "{":
        named = [words.names("strategies", 2, CHOICES_MAX) for _ in range(players)]
    else:
        counts = [words.whole("a number of strategies", CHOICES_MAX) for _ in range(players)]
        if min(counts) < 2:
            raise words.bad(
                f"{min(counts)} strategies; each player needs two to choose from. Leave out who has nothing to choose"
            )
        named = [[str(n + 1) for n in range(count)] for count in counts]
    words.sign("}")
    for one in named:
        unnamed = [name or str(n + 1) for n, name in enumerate(one)]
        one[:] = unnamed
        twice = next((name for name in one if one.count(name) > 1), None)
        if twice is not None:
            raise words.bad(f"two strategies of a player are called {twice!r}. Name them apart")
    return tuple(map(tuple, named))


def _outcomes(words: _Words, players: int, many: int) -> list[tuple[Fraction, ...]]:
    """Outcomes by number; number 0 pays nothing."""
    found: list[tuple[Fraction, ...]] = [(Fraction(),) * players]
    words.sign("{")
    while words.peek() == "{":
        if len(found) > many:
            raise words.bad(f"more than {many} outcomes, one for each cell. Remove what is not used")
        words.sign("{")
        words.name("an outcome's name")
        found.append(tuple(words.number("a pay") for _ in range(players)))
        words.sign("}")
    words.sign("}")
    return found


# --- a tree ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Node:
    """A node: who moves there (-1 chance, None nobody), in which set, by what chances, what is paid on reaching it."""

    player: int | None
    where: int = 0
    chances: tuple[Fraction, ...] = ()
    pays: tuple[Fraction, ...] = ()
    children: list[_Node] = field(default_factory=list)


class _Tree:
    """A tree as its file gives it, node by node, each before its children."""

    def __init__(self, words: _Words) -> None:
        self.words = words
        self.title = words.name("a title")
        self.players = words.names("players", 2, PLAYERS_MAX)
        self.about = words.comment()
        self.actions: dict[tuple[int, int], tuple[str, ...]] = {}
        self.chance: dict[int, tuple[Fraction, ...]] = {}
        self.outcomes: dict[int, tuple[Fraction, ...]] = {0: (Fraction(),) * len(self.players)}
        self.nodes = 0
        self.root = self.node(0)
        words.end()

    def node(self, depth: int) -> _Node:
        words = self.words
        self.nodes += 1
        if self.nodes > NODES_MAX or depth > DEPTH_MAX:
            raise words.bad(f"more than {NODES_MAX} nodes, or deeper than {DEPTH_MAX}. Give a smaller tree")
        kind = words.word("c, p or t")
        if kind not in ("c", "p", "t"):
            raise words.bad(f"{_short(kind)} where a node begins: c, p or t")
        words.name("a node's name")
        if kind == "t":
            return _Node(None, pays=self.outcome(required=True))
        player = -1 if kind == "c" else words.whole("a player's number", len(self.players)) - 1
        if kind == "p" and player < 0:
            raise words.bad("player 0 moves; players are numbered from 1")
        where = words.whole("the number of an information set", 10**6)
        chances = self.moves(player, where)
        made = _Node(player, where, chances, self.outcome(required=False))
        many = len(chances) if player < 0 else len(self.actions[player, where])
        made.children = [self.node(depth + 1) for _ in range(many)]
        return made

    def moves(self, player: int, where: int) -> tuple[Fraction, ...]:
        """The moves of an information set; they stand where it is first named. Of chance the chances are given back."""
        words = self.words
        if words.peek().startswith('"'):
            words.name("the name of an information set")
        known = where in self.chance if player < 0 else (player, where) in self.actions
        if words.peek() != "{":
            if not known:
                raise words.bad(f"information set {where} has no moves yet. List them where it is first named")
            return self.chance[where] if player < 0 else ()
        words.sign("{")
        names: list[str] = []
        chances: list[Fraction] = []
        while words.peek() != "}":
            if len(names) == CHOICES_MAX:
                raise words.bad(f"more than {CHOICES_MAX} moves in one information set; {CHOICES_MAX} at most")
            names.append(words.name("a move") or str(len(names) + 1))
            if player < 0:
                chances.append(words.number("a chance"))
        words.sign("}")
        if not names:
            raise words.bad(f"information set {where} has no moves. List one at least, or end the tree there")
        if player < 0:
            if sum(chances) != 1 or min(chances) < 0:
                raise words.bad(f"chances {', '.join(map(str, chances))}: none below 0, and together 1")
            if self.chance.setdefault(where, tuple(chances)) != tuple(chances):
                raise words.bad(f"chance has other chances in information set {where} than before")
            return tuple(chances)
        if len(set(names)) < len(names):
            raise words.bad(f"two moves of information set {where} have one name. Name them apart")
        if self.actions.setdefault((player, where), tuple(names)) != tuple(names):
            raise words.bad(f"information set {where} has other moves than where it was first named")
        return ()

    def outcome(self, required: bool) -> tuple[Fraction, ...]:
        words = self.words
        number = words.whole("an outcome's number", 10**6)
        if words.peek().startswith('"'):
            words.name("an outcome's name")
        if words.peek() == "{":
            words.sign("{")
            paid = tuple(words.number("a pay") for _ in self.players)
            while words.peek() == ",":
                words.sign(",")
            words.sign("}")
            if number and self.outcomes.setdefault(number, paid) != paid:
                raise words.bad(f"outcome {number} pays otherwise than where it was first named")
        if number not in self.outcomes:
            raise words.bad(f"outcome {number} is not paid anywhere. Give its pays in braces where it is first named")
        return self.outcomes[number]

    def normal(self) -> Normal:
        """The table of plans: a move for each information set of a player that its own plan leaves it to reach."""
        plans = []
        for player, name in enumerate(self.players):
            sets = sorted(where for who, where in self.actions if who == player)
            many = prod(len(self.actions[player, where]) for where in sets)
            if not 2 <= many <= CHOICES_MAX:
                raise self.words.bad(
                    f"player {name or player + 1} has {many} plans; 2 to {CHOICES_MAX} are played. Give a smaller tree"
                )
            plans.append(
                [
                    dict(zip(sets, row, strict=True))
                    for row in product(*(range(len(self.actions[player, w])) for w in sets))
                ]
            )
        many = prod(map(len, plans))
        if many > CELLS_MAX:
            raise self.words.bad(
                f"{' x '.join(str(len(one)) for one in plans)} = {many} cells; {CELLS_MAX} at most. Give a smaller tree"
            )
        pays = {
            cell: self.paid(self.root, [one[n] for one, n in zip(plans, cell, strict=True)])
            for cell in product(*(range(len(one)) for one in plans))
        }
        named = tuple(tuple(self.told(player, plan) for plan in one) for player, one in enumerate(plans))
        return Normal(self.title, tuple(self.players), named, pays, self.about)

    def told(self, player: int, plan: Mapping[int, int]) -> str:
        return ", ".join(self.actions[player, where][move] for where, move in plan.items())

    def paid(self, node: _Node, plans: Sequence[Mapping[int, int]]) -> tuple[Fraction, ...]:
        """What is expected from a node on, what is paid on the way included."""
        if node.player is None:
            return node.pays
        if node.player < 0:
            after = [
                (chance, self.paid(child, plans))
                for chance, child in zip(node.chances, node.children, strict=True)
                if chance
            ]
        else:
            after = [(Fraction(1), self.paid(node.children[plans[node.player][node.where]], plans))]
        return tuple(own + sum(chance * paid[n] for chance, paid in after) for n, own in enumerate(node.pays))
