"""Makes a specialised kernel straighter: constants filled in, loops unrolled, calls written out.

Once PLAYERS is known, `for seat in range(PLAYERS): if seat == mover: …` is a few plain lines and
half of the conditions are decided. Interpreted Python runs about twice as fast for it. (The
compiler does the same by itself, and better: it is given the kernel as it is.)

It relies on the compilable subset: no loop variable is used after its loop, an upper-case name is
a constant, functions change nothing but buffers. Where a called function is written out as an
expression, no argument may change a buffer: such calls stay calls. Line numbers stay, so errors and
debuggers still point into the kernel.
"""

import ast
import itertools
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

LONGEST = 8  # a loop with more rounds stays a loop

Node = TypeVar("Node")
Functions = Mapping[str, ast.FunctionDef]
Values = Mapping[str, ast.expr]


def unroll(
    names: Sequence[str], modules: Sequence[ast.Module], constants: Mapping[str, int]
) -> ast.Module:
    r"""Some functions of the modules and those they call, made straight, as a module of their own.

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
    straight = ast.Module([], [])
    wanted = list(names)
    for name in wanted:
        function = _copy(functions[name])
        function.body = _Straightener(values, functions, itertools.count()).block(function.body)
        straight.body.append(function)
        wanted += sorted(_called_in(function) & functions.keys() - set(wanted))
    return ast.fix_missing_locations(straight)


class _Straightener(ast.NodeTransformer):
    """Fills in the names whose values are known, and does what can be done then."""

    def __init__(self, values: Values, functions: Functions, fresh: Iterator[int]) -> None:
        self.values = values
        self.functions = functions
        self.fresh = fresh  # numbers that make names unique

    def within(self, values: Values) -> "_Straightener":
        return _Straightener({**self.values, **values}, self.functions, self.fresh)

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        straight: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            straight += result if isinstance(result, list) else [result]
        return straight

    # ---- names and expressions ------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.values:
            return node
        value = self.values[node.id]
        if isinstance(node.ctx, ast.Store):  # a variable that was given another name
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
        return _worked_out(node, [node.left, node.right])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _worked_out(node, [node.operand])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        return _worked_out(node, [node.left, *node.comparators])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Drops what cannot decide the condition, and what comes after a value that does."""
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
        """Writes out a function that is one expression, unless that would change what it does.

        Arguments are pasted where the function uses them: nowhere, twice or later than they stood.
        So one that has to be worked out must not be used twice, and where a function is called in
        an argument or in the expression, which might change a buffer, this call stays a call.
        """
        self.generic_visit(node)
        function = self.called(node)
        if function is None:
            return node
        result = _body(function)[0]
        if not isinstance(result, ast.Return) or result.value is None:
            return node
        given = {name.arg: value for name, value in zip(function.args.args, node.args, strict=True)}
        used = Counter(one.id for one in ast.walk(result.value) if isinstance(one, ast.Name))
        worked_out = [name for name, value in given.items() if not _is_simple(value)]
        if any(used[name] > 1 for name in worked_out):
            return node
        if worked_out and any(_called_in(part) for part in (*node.args, result.value)):
            return node
        inner = self.constants_only(given)
        written_out = inner.visit(_copy(result.value))
        assert isinstance(written_out, ast.expr)
        return written_out

    def called(self, call: ast.expr | None) -> ast.FunctionDef | None:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            return self.functions.get(call.func.id)
        return None

    def constants_only(self, values: Values) -> "_Straightener":
        """For the text of another function, which sees the constants but no local name."""
        constants = {name: value for name, value in self.values.items() if name.isupper()}
        return _Straightener({**constants, **values}, self.functions, self.fresh)

    # ---- statements -----------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.For | list[ast.stmt]:
        node.iter = self.visit(node.iter)
        rounds = _rounds(node)
        if rounds is None or not isinstance(node.target, ast.Name):
            node.target = self.visit(node.target)
            node.body = self.block(node.body) or [ast.Pass()]
            return node
        straight = []
        for value in rounds:
            inner = self.within({node.target.id: ast.Constant(value)})
            straight += inner.block(_copy(node.body))
        return straight

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
        """Writes out a procedure: a function called for its effect alone."""
        written_out = self.write_out(node.value, None)
        if written_out is None:
            self.generic_visit(node)
            return node
        return written_out

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | list[ast.stmt]:
        """Writes out a function whose result is given a name."""
        written_out = self.write_out(node.value, node)
        if written_out is None:
            self.generic_visit(node)
            return node
        return written_out

    def write_out(self, call: ast.expr, use: ast.Assign | None) -> list[ast.stmt] | None:
        """The statements of a called function, if it returns at its end or not at all."""
        function = self.called(call)
        if function is None:
            return None
        assert isinstance(call, ast.Call)
        body = _copy(_body(function))
        returns = [node for part in body for node in ast.walk(part) if isinstance(node, ast.Return)]
        last = body[-1]
        if returns and (use is None or returns != [last]):
            return None
        before, names = self.fresh_names(function, call)
        inner = self.constants_only(names)
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
        """New names for a function's variables, and statements that give it its arguments."""
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
                given = ast.Assign([ast.Name(name, ast.Store())], value)
                before.append(ast.fix_missing_locations(ast.copy_location(given, call)))
                names[parameter.arg] = ast.Name(name, ast.Load())
        return before, names


def _copy(node: Node) -> Node:
    """A deep copy, by way of pickle: four times as fast as copy.deepcopy."""
    copy: Node = pickle.loads(pickle.dumps(node, -1))
    return copy


def _is_simple(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant | ast.Name)


def _called_in(code: ast.AST) -> set[str]:
    """The functions that are called there; methods are those of numbers, which change nothing."""
    calls = (node.func for node in ast.walk(code) if isinstance(node, ast.Call))
    return {called.id for called in calls if isinstance(called, ast.Name)}


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function) else function.body


def _rounds(loop: ast.For) -> range | None:
    """The rounds of a loop that can be unrolled: few, known, and none of them cut short."""
    call = loop.iter
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    bounds = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    whole = [bound for bound in bounds if isinstance(bound, int)]
    if call.func.id != "range" or len(whole) < len(call.args):
        return None
    if any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(loop)):
        return None
    rounds = range(*whole)
    return rounds if len(rounds) <= LONGEST else None


def _worked_out(node: ast.expr, operands: Sequence[ast.expr]) -> ast.expr:
    """The value of an expression of constants; any other expression as it is."""
    if not all(isinstance(operand, ast.Constant) for operand in operands):
        return node
    expression = ast.fix_missing_locations(ast.Expression(_copy(node)))
    value = eval(compile(expression, "<constant>", "eval"), {})
    return ast.copy_location(ast.Constant(value), node)
