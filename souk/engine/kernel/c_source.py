"""A kernel as C text: for compilers that Numba does not drive, like CUDA's own.

The subset that kernels are written in has a plain reading in C: whole numbers are 64 bits wide,
`float` is 32, buffers are pointers, constants and tables are spelled out. Only functions that the
wanted ones reach are written. `popcount` and `lowest` become the compiler's own.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from souk.engine.kernel import targets

HEAD = """\
#ifdef __CUDACC__
#define KERNEL_FUNCTION static __device__ __forceinline__
#define KERNEL_TABLE static __device__ const
#define popcount(word) ((long long)__popcll(word))
#define lowest(word) ((long long)__ffsll(word) - 1)
#else
#include <math.h>
#define KERNEL_FUNCTION static inline
#define KERNEL_TABLE static const
#define popcount(word) ((long long)__builtin_popcountll(word))
#define lowest(word) ((long long)__builtin_ctzll(word))
#endif
#define least(a, b) ((a) < (b) ? (a) : (b))
#define most(a, b) ((a) > (b) ? (a) : (b))
"""
WHOLE, REAL, WHOLES, REALS, NOTHING = "long long", "float", "long long *", "float *", "void"
_KINDS = {
    "int": WHOLE,
    "bool": WHOLE,
    "float": REAL,
    "MutableSequence[int]": WHOLES,
    "MutableSequence[float]": REALS,
    "None": NOTHING,
}
_BUILT_IN = {"min": "least", "max": "most", "sqrt": "sqrtf", "exp": "expf"}
_ROOMS = {"room": WHOLE, "reals": REAL}
_REAL_CALLS = ("sqrt", "exp", "float")
# Words of C and C++ that nothing else may have for a name.
_TAKEN = frozenset(
    (
        *("and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const"),
        *("default", "delete", "do", "double", "enum", "explicit", "export", "extern", "false"),
        *("friend", "goto", "inline", "long", "mutable", "namespace", "new", "operator", "or"),
        *("private", "protected", "public", "register", "short", "signed", "sizeof", "static"),
        *("struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typename"),
        *("union", "unsigned", "using", "virtual", "void", "volatile", "xor"),
    )
)
_SIGNS: dict[type[ast.AST], str] = {
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


def c_text(modules: targets.Kernel, constants: targets.Constants, wanted: Sequence[str]) -> str:
    """The functions that are wanted, and whatever they need, in C."""
    specialised, functions = targets.sources(modules, constants)
    names = vars(specialised)
    found = _reached(functions, wanted)
    nodes = [node for one in found for node in ast.walk(functions[one])]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    tables = {one: names[one] for one in sorted(used) if targets.is_table(one, names.get(one))}
    texts = [_Function(functions[one], functions, names) for one in found]
    return "\n".join(
        [
            HEAD,
            *(_table(name, values) for name, values in tables.items()),
            *(f"{one.head()};" for one in texts),
            *(one.text() for one in texts),
        ]
    )


def _table(name: str, values: Iterable[int]) -> str:
    written = ", ".join(map(str, values))
    return f"KERNEL_TABLE long long {name}[] = {{{written}}};"


def _reached(functions: Mapping[str, ast.FunctionDef], wanted: Sequence[str]) -> list[str]:
    """The names of the functions that the wanted ones call, however far away, and their own."""
    found: list[str] = []
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            calls = [node for node in ast.walk(functions[name]) if isinstance(node, ast.Call)]
            called = [call.func.id for call in calls if isinstance(call.func, ast.Name)]
            waiting += [one for one in called if one in functions]
    return found


class _Function:
    """One function on its way to C."""

    def __init__(
        self,
        node: ast.FunctionDef,
        functions: Mapping[str, ast.FunctionDef],
        names: Mapping[str, Any],
    ) -> None:
        self.node = node
        self.functions = functions
        self.names = names
        self.kinds = {one.arg: _kind(one.annotation) for one in node.args.args}
        self.takes = list(self.kinds)
        self.rooms: dict[str, str] = {}  # buffers of its own, as they are declared
        self._find_kinds()

    def head(self) -> str:
        takes = ", ".join(f"{self.kinds[name]} {_own(name)}" for name in self.takes)
        return f"KERNEL_FUNCTION {_kind(self.node.returns)} {_own(self.node.name)}({takes})"

    def text(self) -> str:
        own = [name for name in self.kinds if name not in self.takes and name not in self.rooms]
        declared = [f"  {self.kinds[name]} {_own(name)};" for name in own]
        lines = [f"{self.head()} {{", *declared, *self.rooms.values()]
        return "\n".join([*lines, *self.block(self.node.body, 1), "}"])

    # ---- what is a fraction and what a whole number -----------------------------------------

    def _find_kinds(self) -> None:
        """A variable that is ever given a fraction holds one; look until nothing changes."""
        before: dict[str, str] | None = None
        while before != self.kinds:
            before = dict(self.kinds)
            for node in ast.walk(self.node):
                self._note(node)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            self.kinds.setdefault(node.target.id, WHOLE)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._give(target.id, node.value)
                elif isinstance(target, ast.Tuple):
                    assert isinstance(node.value, ast.Tuple), ast.unparse(node)
                    for one, value in zip(target.elts, node.value.elts, strict=True):
                        assert isinstance(one, ast.Name), ast.unparse(node)
                        self._give(one.id, value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._give(node.target.id, node.value)

    def _give(self, name: str, value: ast.expr) -> None:
        kind = _called(value)
        if kind in _ROOMS:
            assert isinstance(value, ast.Call)
            size = eval(ast.unparse(value.args[0]), dict(self.names))
            self.kinds[name] = f"{_ROOMS[kind]} *"
            self.rooms[name] = f"  {_ROOMS[kind]} {_own(name)}[{size}];"
        elif self.kinds.get(name) != REAL:
            self.kinds[name] = REAL if self.is_real(value) else WHOLE

    def is_real(self, node: ast.expr) -> bool:
        """Whether an expression is a fraction."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, float)
        if isinstance(node, ast.Name):
            return self.kinds.get(node.id) == REAL or isinstance(self.names.get(node.id), float)
        if isinstance(node, ast.BinOp):
            is_parted = isinstance(node.op, ast.Div)
            return is_parted or self.is_real(node.left) or self.is_real(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.is_real(node.operand)
        if isinstance(node, ast.IfExp):
            return self.is_real(node.body) or self.is_real(node.orelse)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self.kinds.get(node.value.id) == REALS
        called = _called(node)
        if called is None or not isinstance(node, ast.Call):
            return False
        if called in ("min", "max", "abs"):
            return any(map(self.is_real, node.args))
        if called in self.functions:
            return _kind(self.functions[called].returns) == REAL
        return called in _REAL_CALLS

    # ---- statements -------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], depth: int) -> list[str]:
        """Statements, a line each, indented."""
        return [line for node in body for line in self.statement(node, depth)]

    def statement(self, node: ast.stmt, depth: int) -> list[str]:
        pad = "  " * depth
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return []
            case ast.Expr(value):
                return [f"{pad}{self.write(value)};"]
            case ast.Return(None):
                return [f"{pad}return;"]
            case ast.Return(ast.expr() as value):
                return [f"{pad}return {self.write(value)};"]
            case ast.Assign([ast.Name(name)], _) if name in self.rooms:
                return []
            case ast.Assign([ast.Tuple(targets_)], ast.Tuple(values)):
                return [
                    f"{pad}{self.write(target)} = {self.write(value)};"
                    for target, value in zip(targets_, values, strict=True)
                ]
            case ast.Assign(several, value):
                given = " = ".join(map(self.write, several))
                return [f"{pad}{given} = {self.write(value)};"]
            case ast.AugAssign(target, sign, value):
                return [f"{pad}{self.write(target)} {_SIGNS[type(sign)]}= {self.write(value)};"]
            case ast.If(test, body, orelse):
                lines = [f"{pad}if ({self.write(test)}) {{", *self.block(body, depth + 1)]
                if orelse:
                    lines += [f"{pad}}} else {{", *self.block(orelse, depth + 1)]
                return [*lines, f"{pad}}}"]
            case ast.While(test, body):
                head = f"{pad}while ({self.write(test)}) {{"
                return [head, *self.block(body, depth + 1), f"{pad}}}"]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body):
                return [self.counting(name, bounds, pad), *self.block(body, depth + 1), f"{pad}}}"]
        raise NotImplementedError(f"C text of: {ast.unparse(node)}")

    def counting(self, name: str, bounds: Sequence[ast.expr], pad: str) -> str:
        first, end = ("0", bounds[0]) if len(bounds) == 1 else (self.write(bounds[0]), bounds[1])
        name = _own(name)
        return f"{pad}for ({name} = {first}; {name} < {self.write(end)}; {name}++) {{"

    # ---- expressions ------------------------------------------------------------------------

    def write(self, node: ast.expr) -> str:
        """An expression, in brackets where C might read it otherwise."""
        match node:
            case ast.Constant(bool() as value):
                return str(int(value))
            case ast.Constant(float() as value):
                return f"{value!r}f"
            case ast.Constant(int() as value):
                return _whole(value)
            case ast.Name(name):
                return self.name(name)
            case ast.Subscript(value, index):
                return f"{self.write(value)}[{self.write(index)}]"
            case ast.BinOp(left, ast.Div(), right):
                return f"((float){self.write(left)} / (float){self.write(right)})"
            case ast.BinOp(left, sign, right):
                return f"({self.write(left)} {_SIGNS[type(sign)]} {self.write(right)})"
            case ast.UnaryOp(sign, operand):
                return f"({_SIGNS[type(sign)]}{self.write(operand)})"
            case ast.BoolOp(sign, values):
                return "(" + f" {_SIGNS[type(sign)]} ".join(map(self.write, values)) + ")"
            case ast.Compare(left, signs, others):
                pairs = zip([left, *others], signs, others, strict=False)
                parts = [
                    f"({self.write(one)} {_SIGNS[type(sign)]} {self.write(other)})"
                    for one, sign, other in pairs
                ]
                return "(" + " && ".join(parts) + ")"
            case ast.IfExp(test, body, orelse):
                parts = [self.write(one) for one in (test, body, orelse)]
                return f"({parts[0]} ? {parts[1]} : {parts[2]})"
            case ast.Call(ast.Name("int"), [value]):
                return f"((long long){self.write(value)})"
            case ast.Call(ast.Name("float"), [value]):
                return f"((float){self.write(value)})"
            case ast.Call(ast.Name(name), values):
                takes = ", ".join(map(self.write, values))
                return f"{_BUILT_IN.get(name, _own(name))}({takes})"
        raise NotImplementedError(f"C text of: {ast.unparse(node)}")

    def name(self, name: str) -> str:
        """A variable as it is; a constant by its value."""
        value = self.names.get(name)
        if name in self.kinds or not isinstance(value, int | float):
            return _own(name)
        return f"{value!r}f" if isinstance(value, float) else _whole(int(value))


def _own(name: str) -> str:
    """A name as it can stand in C."""
    return f"{name}_" if name in _TAKEN else name


def _whole(value: int) -> str:
    return f"{value}LL" if value >= 0 else f"({value}LL)"


def _called(node: ast.expr) -> str | None:
    """The name of the function that an expression calls, if it is a call."""
    match node:
        case ast.Call(ast.Name(name)):
            return name
    return None


def _kind(annotation: ast.expr | None) -> str:
    return _KINDS["None" if annotation is None else ast.unparse(annotation)]
