"""What goes wrong in one expression: a sign, a constant, a bound, a condition, an order, who hears, a draw."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from games.laws.mutation.source import Mutant, Source

SWAPPED: Final[dict[type[ast.AST], str]] = {
    ast.Add: "-", ast.Sub: "+", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
BOUNDARIES: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
SETTINGS: Final = frozenset({"Field", "setting", "lru_cache", "cache", "replace", "field"})
"""Calls whose numbers are settings or no part of the rules."""
DRAWS: Final = {
    "below": "__import__('random').randrange({0})",
    "chance": "(__import__('random').random() < {0})",
    "unit": "__import__('random').random()",
}
"""How a draw is made without a key."""
UNKEYED: Final = "draw without a key"


def expressions(source: Source, left_out: frozenset[str] = frozenset()) -> Iterator[Mutant]:
    """Every mutant of the module that changes one expression, but for functions that are ``left_out`` by name."""
    reader = _Reader(source, left_out)
    reader.visit(source.tree)
    yield from reader.mutants


class _Reader(ast.NodeVisitor):
    """Visits what rules are made of; leaves out docstrings, annotations, settings and imports."""

    def __init__(self, source: Source, left_out: frozenset[str]) -> None:
        self.source, self.left_out, self.mutants = source, left_out, list[Mutant]()
        self._function = 0

    def _change(self, operator: str, node: ast.expr | ast.stmt, after: str) -> None:
        mutant = self.source.mutant(operator, node, after)
        if mutant is not None:
            self.mutants.append(mutant)

    def _text(self, node: ast.expr) -> str:
        text = self.source.written(node)
        return text if isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute) else f"({text})"

    # --- what is gone through ---

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in self.left_out or any(_named(decorator) == "policy" for decorator in node.decorator_list):
            return
        self._function += 1
        for statement in node.body:
            self.visit(statement)
        self._function -= 1

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                self.visit(statement)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Says what holds anyway."""

    def visit_Import(self, node: ast.Import) -> None: ...

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...

    # --- what is changed ---

    def visit_BinOp(self, node: ast.BinOp) -> None:
        left, right = self._text(node.left), self._text(node.right)
        if not any(map(_is_no_number, (node.left, node.right))):
            if isinstance(node.op, ast.Add | ast.Sub):
                self._change("wrong sign", node, f"({left} {SWAPPED[type(node.op)]} {right})")
            elif isinstance(node.op, ast.Div | ast.FloorDiv):
                self._change("dropped division", node, left)
            elif isinstance(node.op, ast.Mult):
                self._change("dropped factor", node, left)
            elif isinstance(node.op, ast.Mod):
                self._change("dropped remainder", node, left)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self._change("wrong sign", node, self._text(node.operand))
        elif isinstance(node.op, ast.Not):
            self._change("negated condition", node, self._text(node.operand))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Add | ast.Sub):
            target, value = self.source.written(node.target), self.source.written(node.value)
            self._change("wrong sign", node, f"{target} {SWAPPED[type(node.op)]}= {value}")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            operator = "off by one" if isinstance(node.ops[0], BOUNDARIES) else "negated condition"
            other = f"{self._text(node.left)} {SWAPPED[type(node.ops[0])]} {self._text(node.comparators[0])}"
            self._change(operator, node, f"({other})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._change("dropped condition", node.test, "False")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._change("dropped condition", node, self._text(node.orelse))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._change("dropped condition", node, self._text(node.values[-1]))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if self._function and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            self._change("wrong constant", node, repr(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        name = _named(node)
        if name not in SETTINGS:
            for change in (_bound, _unordered, _unrounded, _told_to_all, _unkeyed, _of_one_key, _set_for_tuple):
                for operator, after in change(node, name, self._text):
                    self._change(operator, node, after)
            self.generic_visit(node)


Changes = Iterator[tuple[str, str]]
Text = Callable[[ast.expr], str]


def _bound(node: ast.Call, name: str, text: Text) -> Changes:
    """One side of max or min alone: what lets negative amounts, or too large ones, through."""
    if name in ("max", "min") and len(node.args) == 2:
        for arg in node.args:
            if not isinstance(arg, ast.Constant | ast.Starred):
                yield "dropped bound", text(arg)


def _unordered(node: ast.Call, name: str, text: Text) -> Changes:
    if name == "sorted" and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        yield "order of arrival", f"list({text(node.args[0])})"


def _unrounded(node: ast.Call, name: str, text: Text) -> Changes:
    if name == "round" and node.args:
        yield "not rounded", text(node.args[0])


def _told_to_all(node: ast.Call, name: str, text: Text) -> Changes:
    if name == "Event" and (len(node.args) == 3 or any(keyword.arg == "to" for keyword in node.keywords)):
        yield "told to everyone", f"Event({', '.join(map(text, node.args[:2]))})"


def _unkeyed(node: ast.Call, name: str, text: Text) -> Changes:
    if name in DRAWS and _draws(node):
        yield UNKEYED, DRAWS[name].format(*map(text, node.args))


def _of_one_key(node: ast.Call, name: str, text: Text) -> Changes:
    """The same luck for all: the numbers of a draw's name are left out."""
    label = 1 if name in ("below", "chance", "shuffled", "choice") else 0
    if name in ("below", "chance", "shuffled", "choice", "unit", "at") and _draws(node) and len(node.args) > label + 1:
        yield "one key for all", f"{text(node.func)}({', '.join(map(text, node.args[: label + 1]))})"


def _set_for_tuple(node: ast.Call, name: str, text: Text) -> Changes:
    if name == "tuple" and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp):
        yield "a set for a tuple", f"set({text(node.args[0])})"


def _draws(node: ast.Call) -> bool:
    return (
        isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and "rng" in node.func.value.id
    )


def _is_no_number(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, ast.Tuple | ast.List | ast.JoinedStr)


def _named(node: ast.expr) -> str:
    """The last name of what is called, or of a decorator."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
