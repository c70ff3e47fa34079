"""Speed up a specialised kernel in plain Python: fold constants, unroll loops, inline calls.

With PLAYERS known, `for seat in range(PLAYERS): if seat == mover: …` becomes a few lines without
a loop, and half of the conditions are constant. Interpreted Python runs about twice as fast.
(Compilers do the same by themselves, so they get the kernel as it is.)

This relies on the kernel subset (see `subset`): no loop variable is used after its loop, an
upper-case name is a constant, functions change nothing but buffers. A call stays a call where
inlining could change the order of reading and writing a buffer. Line numbers stay the same, so
tracebacks and debuggers point into the kernel.
"""

import ast
import itertools
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from souk.engine.errors import SoukError

LONGEST = 8  # a loop with more iterations stays a loop

Node = TypeVar("Node")
Functions = Mapping[str, ast.FunctionDef]
Values = Mapping[str, ast.expr]


def unroll(
    names: Sequence[str], modules: Sequence[ast.Module], constants: Mapping[str, int]
) -> ast.Module:
    r"""Return a module with the named functions and those that they call, optimised.

    >>> text = "def f(S):\n    for i in range(N):\n        S[A + i] = i"
    >>> print(ast.unparse(unroll(["f"], [ast.parse(text)], {"N": 2, "A": 5})))
    def f(S):
        S[5] = 0
        S[6] = 1
    """
    functions = {
        node.name: node
        for module in modules
        for node in module.body
        if isinstance(node, ast.FunctionDef)
    }
    values: Values = {name: ast.Constant(value) for name, value in constants.items()}
    unrolled = ast.Module([], [])
    checked: set[str] = set()
    for name in names:
        _check_recursion(name, functions, (), checked)
    waiting = list(names)
    for name in waiting:
        function = _copy(functions[name])
        function.body = _Unroller(values, functions, itertools.count()).block(function.body)
        unrolled.body.append(function)
        waiting += sorted(_callees(function) & functions.keys() - set(waiting))
    return ast.fix_missing_locations(unrolled)


class _Unroller(ast.NodeTransformer):
    """Replaces names with known values, and simplifies what becomes constant."""

    def __init__(self, values: Values, functions: Functions, fresh: Iterator[int]) -> None:
        self.values = values
        self.functions = functions
        self.fresh = fresh  # numbers that make names unique

    def with_values(self, values: Values) -> "_Unroller":
        """Return an unroller that knows more values."""
        return _Unroller({**self.values, **values}, self.functions, self.fresh)

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Return the optimised statements of a block."""
        block: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            block += result if isinstance(result, list) else [result]
        return block

    # ---- names and expressions ------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.values:
            return node
        value = self.values[node.id]
        if isinstance(node.ctx, ast.Store):  # a renamed variable
            assert isinstance(value, ast.Name)
            return ast.copy_location(ast.Name(value.id, ast.Store()), node)
        return ast.copy_location(_copy(value), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _fold(node, [node.left, node.right])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _fold(node, [node.operand])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        return _fold(node, [node.left, *node.comparators])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Drop operands that cannot decide the condition, and those after one that does."""
        self.generic_visit(node)
        deciding = isinstance(node.op, ast.Or)
        left: list[ast.expr] = []
        for value in node.values:
            if not isinstance(value, ast.Constant):
                left.append(value)
            elif bool(value.value) == deciding:
                left.append(value)
                break
        node.values = left
        if not left:
            return ast.copy_location(ast.Constant(not deciding), node)
        return left[0] if len(left) == 1 else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Inline a function that is one expression, unless that could change the result.

        Inlining moves an argument to where the function uses it: nowhere, once or several times.
        So an argument that is computed must not be used twice, and there must be no calls, which
        might change a buffer, in the arguments or in the expression.
        """
        self.generic_visit(node)
        function = self.callee(node)
        if function is None:
            return node
        result = _body(function)[0]
        if not isinstance(result, ast.Return) or result.value is None:
            return node
        arguments = {
            name.arg: value for name, value in zip(function.args.args, node.args, strict=True)
        }
        used = Counter(one.id for one in ast.walk(result.value) if isinstance(one, ast.Name))
        computed = [name for name, value in arguments.items() if not _is_simple(value)]
        if any(used[name] > 1 for name in computed):
            return node
        if computed and any(_callees(part) for part in (*node.args, result.value)):
            return node
        inner = self.with_constants_and(arguments)
        inlined = inner.visit(_copy(result.value))
        assert isinstance(inlined, ast.expr)
        return inlined

    def callee(self, call: ast.expr | None) -> ast.FunctionDef | None:
        """Return the kernel function that an expression calls, if it is a call."""
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            return self.functions.get(call.func.id)
        return None

    def with_constants_and(self, values: Values) -> "_Unroller":
        """Return an unroller for another function: it knows the constants and some values."""
        constants = {name: value for name, value in self.values.items() if name.isupper()}
        return _Unroller({**constants, **values}, self.functions, self.fresh)

    # ---- statements -----------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.For | list[ast.stmt]:
        node.iter = self.visit(node.iter)
        iterations = _iterations(node)
        if iterations is None or not isinstance(node.target, ast.Name):
            node.target = self.visit(node.target)
            node.body = self.block(node.body) or [ast.Pass()]
            return node
        block = []
        for value in iterations:
            inner = self.with_values({node.target.id: ast.Constant(value)})
            block += inner.block(_copy(node.body))
        return block

    def visit_While(self, node: ast.While) -> ast.While:
        node.test = self.visit(node.test)
        node.body = self.block(node.body) or [ast.Pass()]
        return node

    def visit_If(self, node: ast.If) -> ast.If | list[ast.stmt]:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            return self.block(node.body if node.test.value else node.orelse)
        node.body = self.block(node.body) or [ast.Pass()]
        node.orelse = self.block(node.orelse)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | list[ast.stmt]:
        """Inline a call without a result."""
        inlined = self.inline(node.value, None)
        if inlined is None:
            self.generic_visit(node)
            return node
        return inlined

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | list[ast.stmt]:
        """Inline a call whose result is assigned."""
        inlined = self.inline(node.value, node)
        if inlined is None:
            self.generic_visit(node)
            return node
        return inlined

    def inline(self, call: ast.expr, use: ast.Assign | None) -> list[ast.stmt] | None:
        """Return the statements of a called function, if it returns only at its end."""
        function = self.callee(call)
        if function is None:
            return None
        assert isinstance(call, ast.Call)
        body = _copy(_body(function))
        returns = [node for part in body for node in ast.walk(part) if isinstance(node, ast.Return)]
        last = body[-1]
        if returns and (use is None or returns != [last]):
            return None
        before, names = self.fresh_names(function, call)
        inner = self.with_constants_and(names)
        if use is None:
            return before + inner.block(body)
        assert isinstance(last, ast.Return) and last.value is not None
        result = ast.Assign([self.visit(_copy(target)) for target in use.targets], last.value)
        statements = before + inner.block(body[:-1])
        result.value = inner.visit(result.value)
        return [*statements, ast.copy_location(result, last)]

    def fresh_names(
        self, function: ast.FunctionDef, call: ast.Call
    ) -> tuple[list[ast.stmt], dict[str, ast.expr]]:
        """Return statements that assign a call's arguments, and unique names of variables."""
        number = next(self.fresh)
        stored = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        names: dict[str, ast.expr] = {
            name: ast.Name(f"{name}_{number}", ast.Load()) for name in stored
        }
        before: list[ast.stmt] = []
        for parameter, argument in zip(function.args.args, call.args, strict=True):
            value = self.visit(_copy(argument))
            if isinstance(value, ast.Constant | ast.Name) and parameter.arg not in stored:
                names[parameter.arg] = value
            else:
                name = f"{parameter.arg}_{number}"
                assignment = ast.Assign([ast.Name(name, ast.Store())], value)
                before.append(ast.fix_missing_locations(ast.copy_location(assignment, call)))
                names[parameter.arg] = ast.Name(name, ast.Load())
        return before, names


def _copy(node: Node) -> Node:
    """Return a deep copy. Pickle is four times as fast as copy.deepcopy."""
    copy: Node = pickle.loads(pickle.dumps(node, -1))
    return copy


def _is_simple(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant | ast.Name)


def _callees(code: ast.AST) -> set[str]:
    """Return the functions that are called; methods of numbers change nothing."""
    calls = (node.func for node in ast.walk(code) if isinstance(node, ast.Call))
    return {callee.id for callee in calls if isinstance(callee, ast.Name)}


def _check_recursion(
    name: str, functions: Functions, callers: tuple[str, ...], checked: set[str]
) -> None:
    """Raise SoukError if a function calls itself, directly or not: it could not be inlined."""
    if name in callers:
        way = " calls ".join((*callers[callers.index(name) :], name))
        raise SoukError(f"rules must not call themselves, but {way}: use a loop")
    for callee in sorted(_callees(functions[name]) & functions.keys() - checked):
        _check_recursion(callee, functions, (*callers, name), checked)
    checked.add(name)


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    return (function.body[1:] if ast.get_docstring(function) else function.body) or [ast.Pass()]


def _iterations(loop: ast.For) -> range | None:
    """Return the range of a loop that can be unrolled: short, constant and without break."""
    call = loop.iter
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    bounds = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    integers = [bound for bound in bounds if isinstance(bound, int)]
    if call.func.id != "range" or len(integers) < len(call.args):
        return None
    if any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(loop)):
        return None
    iterations = range(*integers)
    return iterations if len(iterations) <= LONGEST else None


def _fold(node: ast.expr, operands: Sequence[ast.expr]) -> ast.expr:
    """Return the value of an expression of constants; any other expression unchanged."""
    if not all(isinstance(operand, ast.Constant) for operand in operands):
        return node
    expression = ast.fix_missing_locations(ast.Expression(_copy(node)))
    value = eval(compile(expression, "<constant>", "eval"), {})
    return ast.copy_location(ast.Constant(value), node)
