"""The changes that are made to a module, one at a time."""

import ast
import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
WIDEST: Final = 70
"""A change is shown with what is around it, as long as that is not wider than this."""

LARGE: Final = 100
"""A number of this size doubles: one more would be a millisecond among many."""

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}

_UNTOUCHED_FIELDS: Final = frozenset({"annotation", "returns", "decorator_list", "bases", "keywords", "format_spec"})
"""Fields of what defines, names or formats something. Those of calls are called ``keywords`` too, and are visited."""
_UNTOUCHED_CALLS: Final = frozenset({"print", "words", "t", "N_", "plural", "assert_never", "NewType", "TypeVar"})
_UNTOUCHED_OWNERS: Final = frozenset({"log", "parser"})
_UNTOUCHED_KEYWORDS: Final = frozenset({"strict", "name"})
_CONDITION: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.NamedExpr)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Mutant(NamedTuple):
    """One change."""

    path: str
    """Of the module, in the repository."""
    number: int
    """Which of the changes to the module, from 0."""
    function: str
    """Where it is, such as "Table.rules"; empty: outside of every function and class."""
    line: int
    lines: range
    """Of the statement, or of the condition, that is changed."""
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


class _Change(NamedTuple):
    """*new* in the place of a node of a tree."""

    holder: ast.AST
    field: str
    index: int | None
    new: ast.AST
    shown: ast.AST
    """What is shown of it: something that contains the node, or the node."""
    around: ast.AST
    """The statement that holds the node; of one that holds others the part before them."""
    function: str
    line: int

    @contextmanager
    def made(self) -> Iterator[ast.AST]:
        """The tree is changed as long as this lasts. Gives what is to be shown then."""
        held = getattr(self.holder, self.field)
        old = held if self.index is None else held[self.index]
        self._put(self.new)
        yield self.new if self.shown is old else self.shown
        self._put(old)

    def _put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


def mutants(path: str) -> list[Mutant]:
    """Every change to the module at *path*, in the order of its lines."""
    return list(of_source(path, (ROOT / path).read_text("utf-8")))


def of_source(path: str, source: str) -> Iterator[Mutant]:
    """Every change to the module *source*, which is at *path*."""
    for number, change in enumerate(_Walk().changes(ast.parse(source))):
        before = _text(change.shown)
        with change.made() as shown:
            after = _text(shown)
        lines = range(change.around.lineno, change.around.end_lineno + 1)
        yield Mutant(path, number, change.function, change.line, lines, before, after)


def changed(source: str, number: int) -> ast.Module:
    """The module *source* with the change of that *number* made."""
    tree = ast.parse(source)
    for each, change in enumerate(_Walk().changes(tree)):
        if each == number:
            change._put(change.new)
            return ast.fix_missing_locations(tree)
    raise IndexError(number)


def _text(node: ast.AST) -> str:
    """*node* as one short line."""
    text = " ".join(ast.unparse(node).split())
    if isinstance(node, ast.Pass):
        return "(nothing)"
    return text if len(text) <= WIDEST + 20 else text[: WIDEST + 20] + " ..."


class _Walk:
    """Goes through a tree, and keeps where it is."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._above: list[ast.AST] = []
        self._assigned: list[set[str]] = [set()]
        """By function that the walk is in: the names that have a value already."""

    def changes(self, node: ast.AST) -> Iterator[_Change]:
        """The changes below *node*. The tree must not change while this goes on, but for ``_Change.made``."""
        named = isinstance(node, _Function | ast.ClassDef)
        if named:
            self._names.append(node.name)
            self._assigned.append(
                {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
                if isinstance(node, _Function)
                else set()
            )
        self._above.append(node)
        for field, value in ast.iter_fields(node):
            if field in _UNTOUCHED_FIELDS and not isinstance(node, ast.Call):
                continue
            nodes = value if isinstance(value, list) else [value]
            for index, child in enumerate(nodes):
                if isinstance(child, ast.AST) and not self._untouched(child):
                    for new in self._instead(child, field):
                        yield self._change(child, node, field, index if isinstance(value, list) else None, new)
                    yield from self.changes(child)
                    if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                        self._assigned[-1].add(child.id)
        self._above.pop()
        if named:
            self._names.pop()
            self._assigned.pop()

    def _untouched(self, node: ast.AST) -> bool:
        """Whether nothing in *node* is changed."""
        match node:
            case ast.Assert() | ast.FunctionDef(name="__repr__") | ast.ImportFrom() | ast.Import():
                return True
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return True
            case ast.Expr(value=ast.Constant()):
                return True
            case ast.Expr(value=call) | ast.Await(value=call) if isinstance(call, ast.Call | ast.Await):
                return self._untouched(call)
            case ast.Call(func=ast.Name(id=name)):
                return name in _UNTOUCHED_CALLS
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))):
                return owner in _UNTOUCHED_OWNERS
            case ast.keyword(arg=name):
                return name in _UNTOUCHED_KEYWORDS
            case ast.JoinedStr():
                return any(isinstance(above, ast.Raise) for above in self._above)
            case _:
                return False

    def _change(self, node: ast.AST, holder: ast.AST, field: str, index: int | None, new: ast.AST) -> _Change:
        """*new* for *node*, with what is shown of it: as much around it as is not too wide."""
        shown = around = node
        for above in reversed(self._above):
            if not isinstance(above, ast.expr | ast.stmt | ast.keyword | ast.comprehension):
                break
            if isinstance(node, ast.stmt) or (isinstance(above, ast.stmt) and hasattr(above, "body")):
                break
            if isinstance(above, ast.comprehension):
                continue
            around = above
            if len(ast.unparse(above)) <= WIDEST:
                shown = above
        return _Change(holder, field, index, new, shown, around, ".".join(self._names), node.lineno)

    def _instead(self, node: ast.AST, field: str) -> Iterator[ast.AST]:
        """What may stand in the place of *node*, which is in that *field*."""
        match node:
            case ast.Compare():
                for index, operator in enumerate(node.ops):
                    new = copy.deepcopy(node)
                    new.ops[index] = COMPARISONS[type(operator)]()
                    yield new
            case ast.BoolOp():
                new = copy.deepcopy(node)
                new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield new
                for index in range(len(node.values)):
                    rest = [copy.deepcopy(value) for at, value in enumerate(node.values) if at != index]
                    yield rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield copy.deepcopy(node.operand)
            case ast.Constant(value=bool()):
                yield ast.copy_location(ast.Constant(not node.value), node)
            case ast.Constant(value=int()) if not isinstance(self._above[-1], ast.UnaryOp):
                larger = node.value * 2 if node.value >= LARGE else node.value + 1
                yield ast.copy_location(ast.Constant(larger), node)
            case ast.Constant(value=float()):
                yield ast.copy_location(ast.Constant(node.value * 2 or 1.0), node)
            case ast.BinOp() if type(node.op) in ARITHMETIC and not _of_texts(node):
                new = copy.deepcopy(node)
                new.op = ARITHMETIC[type(node.op)]()
                yield new
            case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
                new = copy.deepcopy(node)
                new.func = ast.copy_location(ast.Name(FUNCTIONS[name], ast.Load()), node.func)
                yield new
            case ast.AugAssign() if type(node.op) in ARITHMETIC and not _of_texts(node):
                new = copy.deepcopy(node)
                new.op = ARITHMETIC[type(node.op)]()
                yield new
        if field in ("test", "ifs", "guard") and isinstance(node, _CONDITION):
            yield ast.copy_location(ast.UnaryOp(ast.Not(), copy.deepcopy(node)), node)
        if isinstance(node, ast.stmt) and self._is_missed(node):
            yield ast.copy_location(ast.Pass(), node)

    def _is_missed(self, node: ast.stmt) -> bool:
        """Whether the program may go on without the statement *node*, so that a test has to notice that it is gone."""
        inside = isinstance(self._above[-1], _Function)
        match node:
            case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()) | ast.Delete():
                return bool(self._names)
            case ast.AugAssign():
                return True
            case ast.Assign(targets=[ast.Name(id=name)]):
                return bool(self._names) and name in self._assigned[-1]
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                return bool(self._names) and self._names[-1] != "__init__"
            case ast.Return() | ast.Continue() | ast.Break() | ast.Raise():
                return bool(self._names) and not inside
            case _:
                return False


def _of_texts(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether *node* joins texts or tuples: nobody could miss that a sign in it is wrong."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    for side in sides:
        if isinstance(side, ast.JoinedStr | ast.Tuple | ast.List | ast.ListComp):
            return True
        if isinstance(side, ast.Constant) and isinstance(side.value, str | bytes):
            return True
        if isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id in ("tuple", "list", "str"):
            return True
    return False
