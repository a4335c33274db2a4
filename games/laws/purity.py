"""The law of purity, by reading the code: rules draw by key, keep nothing and know no clock.

What a run shows may hide for long that a rule leans on the process it runs in; the source shows it at once. Read are
all Python files of a game's folder but its tests, or the one file of a game without a folder.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from games.laws.case import Case
from games.laws.origins import origin_of, place_of

WORLDLY: Final = frozenset({
    "asyncio", "builtins", "concurrent", "ctypes", "datetime", "getpass", "glob", "http", "importlib", "locale",
    "multiprocessing", "os", "platform", "random", "requests", "secrets", "shutil", "signal", "socket", "sqlite3",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "zoneinfo",
})  # fmt: skip
"""Modules by which a rule would know of the machine, the time, or chance without a key."""
CALLS: Final = {
    "hash": "differs between processes",
    "id": "differs between processes",
    "open": "reads a file while a match is played",
    "input": "waits for a keyboard",
    "eval": "runs text",
    "exec": "runs text",
    "__import__": "imports unseen",
    "globals": "is the module's own memory",
}
CHANGES: Final = frozenset({
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "sort",
    "update", "__setitem__",
})  # fmt: skip
"""Methods that change a list, set or mapping."""
UNORDERED: Final = frozenset({"set", "frozenset"})
ORDERLY: Final = frozenset({"all", "any", "bool", "frozenset", "len", "max", "min", "set", "sorted", "sum"})
"""Calls for which the order of what they are given does not matter."""
IN_ORDER: Final = frozenset({
    "dict", "enumerate", "iter", "list", "next", "reversed", "tuple", "zip", "map", "filter",
})  # fmt: skip
"""Calls that pass the order on."""


def the_code_of_the_rules_is_pure(cases: Sequence[Case]) -> None:
    """No module of the game reads the clock, the disk, unkeyed chance, `hash` or the order of a set, or keeps a memory.

    What does so with a reason stands in `Exempt.impure`: a whole file, or one thing in it.
    """
    exempt = cases[0].pack.exempt.impure
    unused = dict(exempt)
    faults: list[str] = []
    for name, path in sources(cases[0]):
        for line, why in impurities(path.read_text("utf-8")):
            patterns = [by for by in exempt if fnmatch.fnmatch(name, by) or fnmatch.fnmatch(f"{name}: {why}", by)]
            for pattern in patterns:
                unused.pop(pattern, None)
            faults += () if patterns else (f"{name}:{line}: {why}",)
    assert not faults, "\n".join(faults)
    assert all(exempt.values()), "Exempt.impure gives no reason for a pattern"
    assert not unused, f"Exempt.impure: {sorted(unused)} names nothing impure"


def sources(case: Case) -> Iterator[tuple[str, Path]]:
    """The game's Python files by name within its folder, without tests."""
    place = place_of(case.origin or origin_of(case.pack))
    if place.is_file():
        yield place.name, place
        return
    for path in sorted(place.rglob("*.py")):
        name = path.relative_to(place)
        if "tests" not in name.parts and "__pycache__" not in name.parts:
            yield name.as_posix(), path


def impurities(text: str) -> list[tuple[int, str]]:
    """Each impure place of a module's source: its line and why, in order."""
    return sorted(set(_Reader(ast.parse(text)).faults))


class _Reader(ast.NodeVisitor):
    """Walks a module once and notes what is impure, with its line."""

    def __init__(self, tree: ast.Module) -> None:
        self.faults: list[tuple[int, str]] = []
        self._memory = _bound(tree.body, _is_mutable)
        self._classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        self._sets: list[set[str]] = [_bound(tree.body, _is_set)]
        self._inside: list[ast.AST] = []
        self.visit(tree)

    def _fault(self, node: ast.AST, why: str) -> None:
        self.faults.append((getattr(node, "lineno", 0), why))

    # --- where we are ---

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside.append(node)
        self.generic_visit(node)
        self._inside.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        own = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg) and _names_a_set(arg.annotation)}
        self._sets.append(own | _bound(list(ast.walk(node)), _is_set))
        self._inside.append(node)
        self.generic_visit(node)
        self._inside.pop()
        self._sets.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast asks for

    def _in_function(self) -> bool:
        return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in self._inside)

    def _in_rules(self) -> bool:
        """Inside a method of a class that resolves steps; what it is made with is no memory."""
        in_game = any(isinstance(node, ast.ClassDef) and "resolve" in _methods(node) for node in self._inside)
        names = [node.name for node in self._inside if isinstance(node, ast.FunctionDef)]
        return in_game and bool(names) and names[0] != "__init__"

    # --- the world outside ---

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._imported(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if not node.level:
            self._imported(node, node.module or "")

    def _imported(self, node: ast.AST, module: str) -> None:
        if module.partition(".")[0] in WORLDLY or module.startswith("numpy.random"):
            self._fault(node, f"imports {module}: rules know neither clock, disk nor chance without a key")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr == "random" and isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy"):
            self._fault(node, "draws by numpy.random: a draw has a key, rng.below(n, label)")
        self.generic_visit(node)

    # --- memory ---

    def visit_Global(self, node: ast.Global) -> None:
        self._fault(node, f"writes the module's {', '.join(node.names)}: a game keeps nothing between calls")

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._written(target)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._written(node.target)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._written(node.target)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._written(target)

    def _written(self, target: ast.expr) -> None:
        if not self._in_function() or not isinstance(target, ast.Attribute | ast.Subscript):
            return
        owner = target.value
        if isinstance(owner, ast.Name) and (owner.id in self._memory or owner.id in self._classes):
            self._fault(target, f"writes to {owner.id}: a module's own memory is no part of the state")
        elif isinstance(target, ast.Attribute) and self._in_rules() and _is_self(owner):
            self._fault(target, f"keeps self.{target.attr}: a game is a value, its memory is the state")

    # --- calls and order ---

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Name):
            if called.id in CALLS:
                self._fault(node, f"calls {called.id}(), which {CALLS[called.id]}")
            if called.id == "next" and node.args and self._is_kept(node.args[0]):
                self._fault(node, "counts on with next(): a module's own memory is no part of the state")
            if called.id in IN_ORDER:
                for arg in node.args:
                    self._ordered(arg, f"{called.id}()")
        elif isinstance(called, ast.Attribute):
            if called.attr in CHANGES and self._in_function() and self._is_kept(called.value):
                self._fault(node, f"{called.attr}() changes what all runs share: a game keeps nothing between calls")
            if called.attr == "join":
                for arg in node.args:
                    self._ordered(arg, "join()")
            if called.attr == "pop" and not node.args and self._unordered(called.value):
                self._fault(node, "pop() of a set takes any of it: sort it first")
        if not (isinstance(called, ast.Name) and called.id in ORDERLY):
            for part in ast.iter_child_nodes(node):
                self.visit(part)
            return
        for arg in (*node.args, *(keyword.value for keyword in node.keywords)):
            if isinstance(arg, ast.GeneratorExp):  # its order does not matter here
                for part in ast.walk(arg.elt):
                    if isinstance(part, ast.Call):
                        self.visit(part)
                self._conditions(arg.generators)
            else:
                self.visit(arg)

    def _is_kept(self, value: ast.expr) -> bool:
        """Whether the value outlives the call: a module's mutable, a class's, or the game's own."""
        if isinstance(value, ast.Name):
            return value.id in self._memory and not self._is_local(value.id)
        if isinstance(value, ast.Attribute):
            owner = value.value
            return (isinstance(owner, ast.Name) and owner.id in self._classes) or (_is_self(owner) and self._in_rules())
        return False

    def _is_local(self, name: str) -> bool:
        inner = [node for node in self._inside if isinstance(node, ast.FunctionDef)]
        return any(name in _assigned(node) for node in inner)

    def _conditions(self, generators: Sequence[ast.comprehension]) -> None:
        for generator in generators:
            self.visit(generator.iter)
            for condition in generator.ifs:
                self.visit(condition)

    def visit_For(self, node: ast.For) -> None:
        self._ordered(node.iter, "for")
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> None:
        for generator in node.generators:
            self._ordered(generator.iter, "a comprehension")
        self.generic_visit(node)

    visit_GeneratorExp = visit_DictComp = visit_ListComp  # noqa: N815 - the names that ast asks for

    def visit_Starred(self, node: ast.Starred) -> None:
        if isinstance(node.ctx, ast.Load):
            self._ordered(node.value, "*")
        self.generic_visit(node)

    def _ordered(self, value: ast.expr, by: str) -> None:
        if self._unordered(value):
            self._fault(value, f"{by} goes through a set, whose order is nobody's: sorted(...)")

    def _unordered(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Name):
            return any(value.id in names for names in self._sets)
        return _is_set(value) or (
            isinstance(value, ast.BinOp)
            and isinstance(value.op, ast.BitAnd | ast.BitOr | ast.Sub | ast.BitXor)
            and (self._unordered(value.left) or self._unordered(value.right))
        )


# --- what a piece of source is --------------------------------------------------------------------


def _bound(nodes: Sequence[ast.AST], is_of_kind: Callable[[ast.expr], bool]) -> set[str]:
    """The names that are bound to a value of a kind, and to no other kind, among these statements."""
    values: dict[str, list[bool]] = {}
    for node in nodes:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                values.setdefault(target.id, []).append(is_of_kind(value))
    return {name for name, each in values.items() if all(each)}


def _assigned(function: ast.FunctionDef) -> set[str]:
    """Names that a function binds itself, its arguments among them."""
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bound | {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}


def _methods(node: ast.ClassDef) -> set[str]:
    return {method.name for method in node.body if isinstance(method, ast.FunctionDef)}


def _is_self(value: ast.expr) -> bool:
    """``self``, ``cls`` or ``type(self)``."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "type"
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def _is_set(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        called = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        return isinstance(called, ast.Name) and called.id in UNORDERED
    return isinstance(value, ast.Set | ast.SetComp)


def _is_mutable(value: ast.expr) -> bool:
    """A list, set or mapping, or a counter."""
    if isinstance(value, ast.Call):
        called = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        return name in (
            "list",
            "dict",
            "set",
            "defaultdict",
            "deque",
            "Counter",
            "OrderedDict",
            "count",
            "cycle",
            "iter",
        )
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def _names_a_set(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return isinstance(annotation, ast.Name) and annotation.id in ("set", "frozenset", "Set", "AbstractSet", "FrozenSet")
