"""Translate a kernel to C, for compilers that Numba does not drive, such as CUDA's.

The kernel subset (see `subset`) translates directly: integers have 64 bits, floats have 32,
buffers are pointers, constants and tables are written out. Only the requested functions and those
they call are translated. `popcount` and `lowest_bit` become the compiler's own instructions.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from souk.engine.kernel.source import Constants, Kernel, is_table, parse_kernel

HEAD = """\
#ifdef __CUDACC__
#define KERNEL_FUNCTION static __device__ __forceinline__
#define KERNEL_TABLE static __device__ const
#define popcount(word) ((long long)__popcll(word))
#define lowest_bit(word) ((long long)__ffsll(word) - 1)
#else
#include <math.h>
#define KERNEL_FUNCTION static inline
#define KERNEL_TABLE static const
#define popcount(word) ((long long)__builtin_popcountll(word))
#define lowest_bit(word) ((long long)__builtin_ctzll(word))
#endif
#define least(a, b) ((a) < (b) ? (a) : (b))
#define most(a, b) ((a) > (b) ? (a) : (b))
"""
_INT, _FLOAT, _FLOATS = "long long", "float", "float *"
_TYPES = {
    "int": _INT,
    "bool": _INT,
    "float": _FLOAT,
    "MutableSequence[int]": "long long *",
    "MutableSequence[float]": _FLOATS,
    "None": "void",
}
_BUILTINS = {"min": "least", "max": "most", "sqrt": "sqrtf", "exp": "expf"}
_BUFFERS = {"ints": _INT, "floats": _FLOAT}
_FLOAT_CALLS = ("sqrt", "exp", "float")
_RESERVED_WORDS = frozenset(
    (
        *("and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const"),
        *("default", "delete", "do", "double", "enum", "explicit", "export", "extern", "false"),
        *("friend", "goto", "inline", "long", "mutable", "namespace", "new", "operator", "or"),
        *("private", "protected", "public", "register", "short", "signed", "sizeof", "static"),
        *("struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typename"),
        *("union", "unsigned", "using", "virtual", "void", "volatile", "xor"),
    )
)
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Invert: "~",
    ast.USub: "-",
    ast.Not: "!",
    ast.And: "&&",
    ast.Or: "||",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def c_source(modules: Kernel, constants: Constants, names: Sequence[str]) -> str:
    """Return C source of the named functions and of all functions and tables that they use."""
    kernel, trees = parse_kernel(modules, constants)
    values = vars(kernel)
    reached = _reachable(trees, names)
    nodes = [node for name in reached for node in ast.walk(trees[name])]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    tables = {name: values[name] for name in sorted(used) if is_table(name, values.get(name))}
    functions = [_Function(trees[name], trees, values) for name in reached]
    return "\n".join(
        [
            HEAD,
            *(_table(name, entries) for name, entries in tables.items()),
            *(f"{function.head()};" for function in functions),
            *(function.source() for function in functions),
        ]
    )


def _table(name: str, entries: Iterable[int]) -> str:
    return f"KERNEL_TABLE long long {name}[] = {{{', '.join(map(str, entries))}}};"


def _reachable(trees: Mapping[str, ast.FunctionDef], names: Sequence[str]) -> list[str]:
    """Return the names of functions and of all functions that they call, directly or not."""
    reached: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.append(name)
            calls = [node for node in ast.walk(trees[name]) if isinstance(node, ast.Call)]
            callees = [call.func.id for call in calls if isinstance(call.func, ast.Name)]
            waiting += [callee for callee in callees if callee in trees]
    return reached


class _Function:
    """The translation of one function."""

    def __init__(
        self,
        tree: ast.FunctionDef,
        trees: Mapping[str, ast.FunctionDef],
        values: Mapping[str, Any],
    ) -> None:
        self.tree = tree
        self.trees = trees
        self.values = values  # of the kernel's constants
        self.types = {one.arg: _c_type(one.annotation) for one in tree.args.args}
        self.parameters = list(self.types)
        self.buffers: dict[str, str] = {}  # declarations of local buffers
        self._infer_types()

    def head(self) -> str:
        """Return the declaration."""
        parameters = ", ".join(f"{self.types[name]} {_c_name(name)}" for name in self.parameters)
        result = _c_type(self.tree.returns)
        return f"KERNEL_FUNCTION {result} {_c_name(self.tree.name)}({parameters})"

    def source(self) -> str:
        """Return the definition."""
        known = {*self.parameters, *self.buffers}
        variables = [name for name in self.types if name not in known]
        declared = [f"  {self.types[name]} {_c_name(name)};" for name in variables]
        lines = [f"{self.head()} {{", *declared, *self.buffers.values()]
        return "\n".join([*lines, *self.block(self.tree.body, 1), "}"])

    # ---- types ------------------------------------------------------------------------------

    def _infer_types(self) -> None:
        """Find the variables that are ever assigned a float; repeat until nothing changes."""
        before: dict[str, str] | None = None
        while before != self.types:
            before = dict(self.types)
            for node in ast.walk(self.tree):
                self._infer_from(node)

    def _infer_from(self, node: ast.AST) -> None:
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            self.types.setdefault(node.target.id, _INT)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._assign(target.id, node.value)
                elif isinstance(target, ast.Tuple):
                    assert isinstance(node.value, ast.Tuple), ast.unparse(node)
                    for one, value in zip(target.elts, node.value.elts, strict=True):
                        assert isinstance(one, ast.Name), ast.unparse(node)
                        self._assign(one.id, value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._assign(node.target.id, node.value)

    def _assign(self, name: str, value: ast.expr) -> None:
        callee = _callee(value)
        if callee in _BUFFERS:
            assert isinstance(value, ast.Call)
            size = eval(ast.unparse(value.args[0]), dict(self.values))
            self.types[name] = f"{_BUFFERS[callee]} *"
            self.buffers[name] = f"  {_BUFFERS[callee]} {_c_name(name)}[{size}];"
        elif self.types.get(name) != _FLOAT:
            self.types[name] = _FLOAT if self.is_float(value) else _INT

    def is_float(self, node: ast.expr) -> bool:
        """Return whether the value of an expression is a float."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, float)
        if isinstance(node, ast.Name):
            return self.types.get(node.id) == _FLOAT or isinstance(self.values.get(node.id), float)
        if isinstance(node, ast.BinOp):
            is_division = isinstance(node.op, ast.Div)
            return is_division or self.is_float(node.left) or self.is_float(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.is_float(node.operand)
        if isinstance(node, ast.IfExp):
            return self.is_float(node.body) or self.is_float(node.orelse)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self.types.get(node.value.id) == _FLOATS
        callee = _callee(node)
        if callee is None or not isinstance(node, ast.Call):
            return False
        if callee in ("min", "max", "abs"):
            return any(map(self.is_float, node.args))
        if callee in self.trees:
            return _c_type(self.trees[callee].returns) == _FLOAT
        return callee in _FLOAT_CALLS

    # ---- statements -------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], depth: int) -> list[str]:
        """Return the lines of a block of statements."""
        return [line for node in body for line in self.statement(node, depth)]

    def statement(self, node: ast.stmt, depth: int) -> list[str]:
        """Return the lines of a statement."""
        pad = "  " * depth
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return []
            case ast.Break():
                return [f"{pad}break;"]
            case ast.Expr(value):
                return [f"{pad}{self.expr(value)};"]
            case ast.Return(None):
                return [f"{pad}return;"]
            case ast.Return(ast.expr() as value):
                return [f"{pad}return {self.expr(value)};"]
            case ast.Assign([ast.Name(name)], _) if name in self.buffers:
                return []
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                return [
                    f"{pad}{self.expr(target)} = {self.expr(value)};"
                    for target, value in zip(targets, values, strict=True)
                ]
            case ast.Assign(targets, value):
                left = " = ".join(map(self.expr, targets))
                return [f"{pad}{left} = {self.expr(value)};"]
            case ast.AugAssign(target, op, value):
                return [f"{pad}{self.expr(target)} {_symbol(op)}= {self.expr(value)};"]
            case ast.If(test, body, orelse):
                lines = [f"{pad}if ({self.expr(test)}) {{", *self.block(body, depth + 1)]
                if orelse:
                    lines += [f"{pad}}} else {{", *self.block(orelse, depth + 1)]
                return [*lines, f"{pad}}}"]
            case ast.While(test, body):
                head = f"{pad}while ({self.expr(test)}) {{"
                return [head, *self.block(body, depth + 1), f"{pad}}}"]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body):
                return [self.for_head(name, bounds, pad), *self.block(body, depth + 1), f"{pad}}}"]
        raise NotImplementedError(f"not translated to C: {ast.unparse(node)}")

    def for_head(self, name: str, bounds: Sequence[ast.expr], pad: str) -> str:
        """Return the head of a loop over a range."""
        start = ["0"] if len(bounds) == 1 else []
        first, end, step = (*start, *map(self.expr, bounds), "1LL")[:3]
        name = _c_name(name)
        return f"{pad}for ({name} = {first}; {name} < {end}; {name} += {step}) {{"

    # ---- expressions ------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> str:
        """Return an expression, in brackets where precedence differs in C."""
        match node:
            case ast.Constant(bool() as value):
                return str(int(value))
            case ast.Constant(float() as value):
                return f"{value!r}f"
            case ast.Constant(int() as value):
                return _c_int(value)
            case ast.Name(name):
                return self.name(name)
            case ast.Subscript(value, index):
                return f"{self.expr(value)}[{self.expr(index)}]"
            case ast.BinOp(left, ast.Div(), right):
                return f"((float){self.expr(left)} / (float){self.expr(right)})"
            case ast.BinOp(left, op, right):
                return f"({self.expr(left)} {_symbol(op)} {self.expr(right)})"
            case ast.UnaryOp(op, operand):
                return f"({_symbol(op)}{self.expr(operand)})"
            case ast.BoolOp(op, values):
                return "(" + f" {_symbol(op)} ".join(map(self.expr, values)) + ")"
            case ast.Compare(left, operators, others):
                pairs = zip([left, *others], operators, others, strict=False)
                parts = [
                    f"({self.expr(one)} {_symbol(op)} {self.expr(other)})"
                    for one, op, other in pairs
                ]
                return "(" + " && ".join(parts) + ")"
            case ast.IfExp(test, body, orelse):
                parts = [self.expr(one) for one in (test, body, orelse)]
                return f"({parts[0]} ? {parts[1]} : {parts[2]})"
            case ast.Call(ast.Name("int"), [value]):
                return f"((long long){self.expr(value)})"
            case ast.Call(ast.Name("float"), [value]):
                return f"((float){self.expr(value)})"
            case ast.Call(ast.Name(name), values):
                arguments = ", ".join(map(self.expr, values))
                return f"{_BUILTINS.get(name, _c_name(name))}({arguments})"
        raise NotImplementedError(f"not translated to C: {ast.unparse(node)}")

    def name(self, name: str) -> str:
        """Return a variable by its name, a constant by its value."""
        value = self.values.get(name)
        if name in self.types or not isinstance(value, int | float):
            return _c_name(name)
        return f"{value!r}f" if isinstance(value, float) else _c_int(int(value))


def _c_name(name: str) -> str:
    """Return a name that is not a reserved word of C or C++."""
    return f"{name}_" if name in _RESERVED_WORDS else name


def _symbol(operator: ast.AST) -> str:
    return _OPERATORS[type(operator)]


def _c_int(value: int) -> str:
    return f"{value}LL" if value >= 0 else f"({value}LL)"


def _callee(node: ast.expr) -> str | None:
    """Return the name of the function that an expression calls, if it is a call."""
    match node:
        case ast.Call(ast.Name(name)):
            return name
    return None


def _c_type(annotation: ast.expr | None) -> str:
    return _TYPES["None" if annotation is None else ast.unparse(annotation)]
