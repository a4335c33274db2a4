"""One module's source as places that can be replaced, and a mutant as the module with one of them changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Mutant(NamedTuple):
    """A file with one change, of which ``text`` is the whole; ``before`` and ``after`` show what was changed."""

    operator: str
    file: str
    line: int
    before: str
    after: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.operator}: {self.before} -> {self.after}"


@dataclass(frozen=True, slots=True)
class Source:
    """A module's text with its tree."""

    file: str
    text: str
    tree: ast.Module
    starts: tuple[int, ...]
    """Where each line begins, in bytes."""

    @classmethod
    def of(cls, file: str, text: str) -> Source:
        starts = [0]
        for line in text.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return cls(file, text, ast.parse(text), tuple(starts))

    def written(self, node: ast.expr | ast.stmt) -> str:
        """What stands there, as it is written."""
        return self.text.encode()[slice(*self._span(node))].decode()

    def mutant(self, operator: str, node: ast.expr | ast.stmt, after: str) -> Mutant | None:
        """The module with a node written otherwise; None where it could then not be read."""
        begin, end = self._span(node)
        whole = self.text.encode()
        changed = (whole[:begin] + after.encode() + whole[end:]).decode()
        return self._if_read(operator, node.lineno, self.written(node), after, changed)

    def inserted(self, operator: str, before: ast.stmt, lines: str, after: str) -> Mutant | None:
        """The module with lines before a statement, indented as it is; ``after`` says what they do."""
        first = min([before.lineno, *(decorator.lineno for decorator in getattr(before, "decorator_list", ()))])
        at, margin = self.starts[first - 1], " " * before.col_offset
        whole = self.text.encode()
        block = "".join(f"{margin}{line}\n" if line else "\n" for line in lines.splitlines())
        changed = (whole[:at] + block.encode() + whole[at:]).decode()
        return self._if_read(operator, first, f"{getattr(before, 'name', 'the statement')}", after, changed)

    def _if_read(self, operator: str, line: int, before: str, after: str, text: str) -> Mutant | None:
        try:
            ast.parse(text)
        except SyntaxError:
            return None
        return Mutant(operator, self.file, line, short(before), short(after), text)

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[last - 1] + column

    def functions(self) -> Iterator[ast.FunctionDef]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                yield node


def short(text: str, length: int = 90) -> str:
    """The text in one line, cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else f"{flat[:length]}…"
