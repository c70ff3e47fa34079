"""Check that a kernel module is written in the kernel subset of Python.

Kernels run in plain Python, compiled with Numba, and translated to C. The subset is what all of
these run with the same result:

Module level
    `from … import` with full names, functions, and constants with upper-case names. A constant is
    evaluated once, in Python, so its expression is unrestricted; functions can use it if it is a
    number or a tuple of numbers. `if TYPE_CHECKING:` declares the names that modules joined to this
    one define.
Functions
    Positional parameters of type `int`, `float`, `bool`, or a buffer: `MutableSequence[int]`,
    `MutableSequence[float]`, `MutableSequence[bool]` or `Int32s`; a result of type `int`, `float`,
    `bool` or `None`.
    A function changes nothing but buffers. The rules of a game do not call themselves in turn.
Statements
    Assignment (also augmented) to a variable or a slot of a buffer; a tuple of variables assigned a
    tuple of as many values; `if`, `while`, `for … in range(…)`, `break`, `return`, `pass`; a call.
    Ranges ascend. A loop variable is neither assigned in its loop nor used after it.
Expressions
    Numbers, `True` and `False`; variables, constants and slots; `+ - * / // % << >> & | ^ ~`,
    comparisons, `and`, `or`, `not`, `… if … else …`; calls with positional arguments of kernel
    functions, of the primitives (see `primitives`), and of `abs`, `exp`, `float`, `int`, `len`,
    `log`, `max`, `min` and `sqrt`. `//` and `%` are for non-negative numbers: in C they round to
    zero.
Buffers
    `x = ints(SIZE)` and `x = floats(SIZE)` create one of constant size. Its slots hold anything
    until they are assigned, and it must not be returned. A slice is for reading only, as it is a
    copy in plain Python. C has no `len`.

    Where a kernel declares RANGES (see `value_ranges`), an index of a position's buffer begins with
    the name of a slot and stays among the slots up to the next name.

The rules of a game and the playout loop compute with integers only.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from souk.engine.kernel.source import module_path

_PARAMETER_TYPES = (
    *("int", "float", "bool", "MutableSequence[int]", "MutableSequence[float]"),
    *("MutableSequence[bool]", "Int32s"),
)
_RESULT_TYPES = ("int", "float", "bool", "None")
_BUFFERS = ("ints", "floats")
_BUILTINS = ("abs", "float", "int", "len", "max", "min")
_FLOAT_CALLS = ("exp", "float", "floats", "log", "sqrt")
_LIBRARY = {"math": ("exp", "log", "sqrt")}  # what may be called from modules that are not kernels
_NOT_CALLED = ("collections.abc", "typing")  # imported for annotations

_OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift),
    *(ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert, ast.USub, ast.Not),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
)
# What the messages call a construct, and what to use instead.
_INSTEAD: dict[type[ast.AST], tuple[str, str]] = {
    ast.AnnAssign: ("an annotated variable", "assign without an annotation"),
    ast.Assert: ("assert", "check in a test or in the Game class"),
    ast.Attribute: ("attribute access", "use a constant, a buffer or a kernel function"),
    ast.ClassDef: ("a class", "use slots of a buffer"),
    ast.Continue: ("continue", "use if"),
    ast.Delete: ("del", "remove it"),
    ast.Dict: ("a dict", "use a constant table or a buffer"),
    ast.DictComp: ("a comprehension", "use a for loop and a buffer"),
    ast.FunctionDef: ("a nested function", "define it at the top level"),
    ast.AsyncFunctionDef: ("an async function", "use def"),
    ast.GeneratorExp: ("a comprehension", "use a for loop and a buffer"),
    ast.Global: ("global", "use a slot of a buffer"),
    ast.Import: ("import", "use from … import at the top level"),
    ast.ImportFrom: ("an import in a function", "import at the top level"),
    ast.In: ("in", "use comparisons, or a for loop over a table"),
    ast.NotIn: ("not in", "use comparisons, or a for loop over a table"),
    ast.Is: ("is", "use =="),
    ast.IsNot: ("is not", "use !="),
    ast.JoinedStr: ("a string", "use an integer constant"),
    ast.Lambda: ("lambda", "use a function at the top level"),
    ast.List: ("a list", "use a buffer: x = ints(SIZE)"),
    ast.ListComp: ("a comprehension", "use a for loop and a buffer"),
    ast.Match: ("match", "use if and elif"),
    ast.MatMult: ("@", "use a for loop"),
    ast.NamedExpr: (":=", "assign in a statement of its own"),
    ast.Nonlocal: ("nonlocal", "use a slot of a buffer"),
    ast.Pow: ("**", "use << or a multiplication"),
    ast.Raise: ("raise", "return a number that says so"),
    ast.Set: ("a set", "use the bits of an integer"),
    ast.SetComp: ("a comprehension", "use a for loop and a buffer"),
    ast.Starred: ("*", "pass every argument"),
    ast.Try: ("try", "check before"),
    ast.Tuple: ("a tuple", "use a constant table or several variables"),
    ast.UAdd: ("unary +", "leave it out"),
    ast.With: ("with", "remove it"),
    ast.Yield: ("yield", "fill a buffer and return the count"),
    ast.YieldFrom: ("yield", "fill a buffer and return the count"),
}


def check_module(module: str, *, ints_only: bool = False) -> list[str]:
    """Return what in a module is outside the subset: `path:line: … is not in the kernel subset`."""
    return check_file(module_path(module), ints_only=ints_only)


def check_file(path: Path, *, ints_only: bool = False) -> list[str]:
    """Return what in a file is outside the subset; with `ints_only`, floats too."""
    checker = _Checker(ast.parse(path.read_text("utf-8")), ints_only)
    return [
        f"{path}:{line}: {construct} is not in the kernel subset: {instead}"
        for line, construct, instead in sorted(checker.problems)
    ]


class _Checker:
    """Collects the problems of a module."""

    def __init__(self, tree: ast.Module, ints_only: bool) -> None:
        self.ints_only = ints_only
        self.problems: list[tuple[int, str, str]] = []
        self.constants: set[str] = set()
        self.functions: set[str] = set(_BUILTINS)
        self.variables: set[str] = set()  # of the function being checked
        self.declare(tree.body)
        for node in tree.body:
            self.module_level(node)

    def report(self, node: ast.AST, construct: str, instead: str) -> None:
        self.problems.append((getattr(node, "lineno", 0), construct, instead))

    def reject(self, node: ast.AST, at: ast.AST | None = None) -> None:
        """Report a node of a kind that the subset does not have."""
        name = type(node).__name__
        construct, instead = _INSTEAD.get(type(node), (name, "see souk/engine/kernel/subset.py"))
        self.report(at or node, construct, instead)

    # ---- module level -----------------------------------------------------------------------

    def declare(self, body: list[ast.stmt]) -> None:
        """Collect the constants and functions that the module defines, imports or declares."""
        for node in body:
            match node:
                case ast.FunctionDef(name):
                    self.functions.add(name)
                case ast.Assign(targets):
                    self.constants |= {name for one in targets for name in _names(one)}
                case ast.If(_, inner):
                    self.declare(inner)
                case ast.ImportFrom(module, aliases) if module not in _NOT_CALLED:
                    names = {alias.asname or alias.name for alias in aliases}
                    allowed = _LIBRARY.get(module or "", names)
                    self.functions |= {name for name in names & {*allowed} if not name.isupper()}
                    self.constants |= {name for name in names if name.isupper()}

    def module_level(self, node: ast.stmt) -> None:
        match node:
            case ast.ImportFrom(level=level) if level:
                self.report(node, "a relative import", "import from the full name of the module")
            case ast.Expr(ast.Constant(str())) | ast.ImportFrom():
                pass
            case ast.FunctionDef():
                self.function(node)
            case ast.Assign(targets):
                for name in (name for target in targets for name in _names(target)):
                    if not name.isupper():
                        self.report(node, f"{name} = …", "constants have upper-case names")
            case ast.If(ast.Name("TYPE_CHECKING")):
                pass
            case ast.If(ast.Compare(ast.Constant(str()), [ast.NotIn()], [ast.Call()])):
                pass  # if "NAME" not in globals()
            case ast.If(ast.BoolOp(ast.Or(), [ast.Name("TYPE_CHECKING"), ast.Compare()])):
                pass
            case _:
                self.reject(node)

    # ---- functions --------------------------------------------------------------------------

    def function(self, node: ast.FunctionDef) -> None:
        arguments = node.args
        for decorator in node.decorator_list:
            self.report(decorator, "a decorator", "remove it")
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.report(default, "a default argument", "pass every argument")
        for other in (*arguments.kwonlyargs, *filter(None, (arguments.vararg, arguments.kwarg))):
            self.report(other, f"parameter {other.arg}", "use positional parameters")
        for parameter in arguments.args:
            self.annotation(parameter, parameter.arg, parameter.annotation, _PARAMETER_TYPES)
        self.annotation(node, "the result", node.returns, _RESULT_TYPES)
        body = node.body[1:] if ast.get_docstring(node) else node.body
        inner = [part for statement in body for part in ast.walk(statement)]
        stored = [one for one in inner if _is_stored(one)]
        self.variables = {parameter.arg for parameter in arguments.args}
        self.variables |= {one.id for one in stored if isinstance(one, ast.Name)}
        for one in stored:
            assert isinstance(one, ast.Name)
            if one.id.isupper() and len(one.id) > 1:
                self.report(one, f"{one.id} = …", "variables have lower-case names")
        self.loop_variables(inner)
        self.block(body)

    def annotation(
        self, node: ast.AST, name: str, annotation: ast.expr | None, allowed: tuple[str, ...]
    ) -> None:
        text = "" if annotation is None else ast.unparse(annotation)
        if text not in allowed:
            construct = f"{name}: {text}" if text else f"{name} without an annotation"
            self.report(annotation or node, construct, f"use {', '.join(allowed)}")

    def loop_variables(self, nodes: list[ast.AST]) -> None:
        """Report loop variables that are assigned in their loop or used after it."""
        loops = [node for node in nodes if isinstance(node, ast.For)]
        for loop in loops:
            if isinstance(loop.target, ast.Name):
                name = loop.target.id
                body = [part for statement in loop.body for part in ast.walk(statement)]
                for node in body:
                    if _is_stored(node) and isinstance(node, ast.Name) and node.id == name:
                        self.report(node, f"assignment to loop variable {name}", "use another")
        by_name: dict[str, list[ast.For]] = {}
        for loop in loops:
            if isinstance(loop.target, ast.Name):
                by_name.setdefault(loop.target.id, []).append(loop)
        for name, own in by_name.items():
            inside = {id(part) for loop in own for part in ast.walk(loop)}
            uses = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
            outside = [node for node in uses if id(node) not in inside]
            if not any(map(_is_stored, outside)):
                for node in outside:
                    self.report(node, f"loop variable {name} after its loop", "use another")

    # ---- statements -------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> None:
        for node in body:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Break():
                pass
            case ast.Expr(ast.Call() as call):
                self.expression(call)
            case ast.Return(value):
                if value is not None:
                    self.expression(value)
            case ast.Assign([ast.Name()], ast.Call(ast.Name(name)) as call) if name in _BUFFERS:
                self.buffer(call)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
                self.tuple_assignment(targets, values)
            case ast.Assign([ast.Tuple() as target], _):
                self.report(target, "unpacking", "assign one variable at a time")
            case ast.Assign([target], value) | ast.AugAssign(target, _, value):
                if isinstance(node, ast.AugAssign):
                    self.operator(node.op, node)
                self.target(target)
                self.expression(value)
            case ast.Assign():
                self.report(node, "a = b = …", "assign one variable at a time")
            case ast.If(test, body, orelse):
                self.expression(test)
                self.block([*body, *orelse])
            case ast.While(test, body, orelse):
                self.expression(test)
                self.block(body)
                self.no_else(orelse)
            case ast.For(ast.Name(), ast.Call(ast.Name("range"), bounds, []), body, orelse):
                for bound in bounds:
                    self.expression(bound)
                self.block(body)
                self.no_else(orelse)
            case ast.For():
                self.report(node, f"for … in {ast.unparse(node.iter)}", "loop over a range")
            case ast.Expr(value):
                self.expression(value)
            case _:
                self.reject(node)

    def no_else(self, orelse: list[ast.stmt]) -> None:
        if orelse:
            self.report(orelse[0], "else after a loop", "use if")

    def buffer(self, call: ast.Call) -> None:
        self.expression(call.func)
        for node in (part for size in call.args for part in ast.walk(size)):
            if isinstance(node, ast.Name) and node.id in self.variables:
                self.report(node, "a buffer of variable size", "use a constant size")

    def tuple_assignment(self, targets: list[ast.expr], values: list[ast.expr]) -> None:
        assigned: set[str] = set()
        for target, value in zip(targets, values, strict=True):
            if not isinstance(target, ast.Name):
                self.report(target, "a slot in a tuple assignment", "assign one at a time")
            read = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            for name in sorted(read & assigned):  # C assigns one after the other
                self.report(value, f"reading {name} as it is assigned", "use another variable")
            assigned |= {target.id} if isinstance(target, ast.Name) else set()
            self.expression(value)

    def target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            self.report(node, "assignment to a slice", "use a for loop")
        elif isinstance(node, ast.Name | ast.Subscript):
            self.expression(node)
        else:
            self.reject(node)

    # ---- expressions ------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> None:
        match node:
            case ast.Constant(value):
                self.constant(node, value)
            case ast.Name(name):
                if name not in self.variables | self.constants | self.functions:
                    self.report(node, f"the name {name}", "use a constant, variable or function")
            case ast.Subscript(ast.Name() as buffer, index):
                self.expression(buffer)
                bounds = (
                    (index.lower, index.upper, index.step)
                    if isinstance(index, ast.Slice)
                    else (index,)
                )
                for bound in filter(None, bounds):
                    self.expression(bound)
            case ast.Subscript():
                self.report(node, "a slot of an expression", "give the buffer a name")
            case ast.Call(ast.Name(name), arguments):
                self.call(node, name)
                for argument in arguments:
                    self.expression(argument)
            case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare() | ast.IfExp():
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.expression(child)
                    else:
                        self.operator(child, node)
            case ast.Call():
                self.reject(node.func)
            case _:
                self.reject(node)

    def constant(self, node: ast.Constant, value: object) -> None:
        if isinstance(value, str | bytes):
            self.report(node, "a string", "use an integer constant")
        elif not isinstance(value, int | float):
            self.report(node, str(value), "use a number")
        elif self.ints_only and isinstance(value, float):
            self.report(node, f"{value} in rules", "use integers")

    def operator(self, node: ast.AST, at: ast.AST) -> None:
        if isinstance(node, ast.And | ast.Or | ast.operator | ast.unaryop | ast.cmpop):
            if not isinstance(node, (*_OPERATORS, ast.And, ast.Or)):
                self.reject(node, at)
            elif self.ints_only and isinstance(node, ast.Div):
                self.report(at, "/ in rules", "use //")

    def call(self, node: ast.Call, name: str) -> None:
        if name in _BUFFERS:
            self.report(node, f"{name}(…) in an expression", f"use x = {name}(SIZE)")
        elif name not in self.functions:
            self.report(node, f"{name}(…)", "call a kernel function or a primitive")
        if self.ints_only and name in _FLOAT_CALLS:
            self.report(node, f"{name}(…) in rules", "use integers")
        for keyword in node.keywords:
            self.report(keyword, "a keyword argument", "use positional arguments")


def _names(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
