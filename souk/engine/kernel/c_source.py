"""Translate a kernel to C, for compilers that Numba does not drive, such as CUDA's.

The kernel subset (see `subset`) translates directly: integers have 32 bits where that is enough
(see `value_ranges`), else 64; floats have 32; buffers are pointers, records are groups of
pointers, rows of a buffer have a stride; constants and tables are written out. Only the requested
functions and those they call are translated. The primitives become the compiler's own instructions.

By default all functions are inlined and short loops unrolled, which suits a small kernel. A large
one lists in CALLED the functions that it calls from several places; then these are not inlined, and
only innermost loops without calls are unrolled. That takes seconds to compile instead of minutes.
"""

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from souk.engine.kernel.source import Constants, Kernel, parse_kernel
from souk.engine.kernel.value_ranges import (
    BUFFER_TYPES,
    FLOAT,
    ROW_TYPES,
    Analysis,
    Range,
    Record,
    Slots,
    Variant,
    join,
)

HEAD = """\
#ifdef __CUDACC__
#define KERNEL_FUNCTION static __device__ __forceinline__
#define KERNEL_CALLED static __device__ __noinline__
#define KERNEL_TABLE static __device__ const
#define KERNEL_ALIGNED __align__(16)
#define popcount(word) __popc(word)
#define popcount64(word) __popcll(word)
#define lowest_bit(word) (__ffs(word) - 1)
#define lowest_bit64(word) (__ffsll(word) - 1)
#define high_word(a, b) __umulhi(a, b)
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("unroll 1")
#else
#include <math.h>
#define KERNEL_FUNCTION static inline
#define KERNEL_CALLED static
#define KERNEL_TABLE static const
#define KERNEL_ALIGNED
#define popcount(word) __builtin_popcount(word)
#define popcount64(word) __builtin_popcountll(word)
#define lowest_bit(word) __builtin_ctz(word)
#define lowest_bit64(word) __builtin_ctzll(word)
#define high_word(a, b) ((unsigned int)((unsigned long long)(a) * (b) >> 32))
#define UNROLL
#define NO_UNROLL
#endif
#define wrapping_product(a, b) ((long long)((unsigned long long)(a) * (unsigned long long)(b)))
#define least(a, b) ((a) < (b) ? (a) : (b))
#define most(a, b) ((a) > (b) ? (a) : (b))
""" + "".join(
    f"""\
typedef struct {{ {whole}first; long long rows; }} {row};
KERNEL_FUNCTION {row} {row}_of({whole}buffer, long long number, long long rows) {{
  {row} result = {{buffer + number, rows}};
  return result;
}}
"""
    for whole, row in ROW_TYPES.items()
)
LONGEST_UNROLLED = 64  # iterations
REGISTER_SLOTS = 8  # a larger group of slots is in memory, where its numbers take little room
_INT, _WORD, _LONG, _FLOAT = "int", "unsigned int", "long long", "float"
_C_TYPES = {"int": _LONG, "bool": _LONG, "float": _FLOAT, "None": "void"}
_INT_TYPES = {  # with their ranges, the smallest first
    "signed char": (-(2**7), 2**7 - 1),
    "unsigned char": (0, 2**8 - 1),
    "short": (-(2**15), 2**15 - 1),
    "unsigned short": (0, 2**16 - 1),
    _INT: (-(2**31), 2**31 - 1),
    _WORD: (0, 2**32 - 1),
    _LONG: (-(2**63), 2**63 - 1),
}
_BUILTINS = {"sqrt": "sqrtf", "exp": "expf", "log": "logf"}
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


def c_source(
    modules: Kernel,
    constants: Constants,
    names: Sequence[str],
    fixed: Mapping[str, int] | None = None,
) -> str:
    """Return C source of the named functions and of all functions and tables that they use.

    The named functions take and return integers of 64 bits. `fixed` has the values of slots that
    never change, such as the knobs of a game: they become constants.
    """
    kernel, trees = parse_kernel(modules, constants)
    values = vars(kernel)
    analysis = Analysis(values, trees, names, fixed or {})
    functions = [_Function(one, analysis) for one in analysis.variants.values()]
    bodies = [one.source() for one in functions]
    tables = sorted({name for one in functions for name in one.tables})
    return "\n".join(
        [
            HEAD,
            *(_table(name, values[name]) for name in tables),
            *map(_struct, analysis.records.values()),
            *(f"{function.head()};" for function in functions),
            *bodies,
        ]
    )


def _table(name: str, entries: Sequence[int]) -> str:
    kind = _smallest((min(entries), max(entries)))
    return f"KERNEL_TABLE {kind} {name}[] = {{{', '.join(map(str, entries))}}};"


def _packed(entries: Sequence[int]) -> int | None:
    """Return a table of few small numbers as a word with four bits for each; else None."""
    if len(entries) > 8 or min(entries) < 0 or max(entries) > 15:
        return None
    return sum(entry << 4 * place for place, entry in enumerate(entries))


def _struct(record: Record) -> str:
    """Return the type of a record: a pointer to each group of its slots."""
    members = " ".join(f"{_slot_type(one)} *{c_name(one.name)};" for one in record.groups)
    return f"typedef struct {{ {members} }} {record.name};"


def _slot_type(group: Slots) -> str:
    return _smallest(group.range) if group.size > REGISTER_SLOTS else number_type(group.range)


def _smallest(range: Range) -> str:
    return next(
        kind for kind, (low, high) in _INT_TYPES.items() if low <= range[0] and range[1] <= high
    )


def number_type(range: Any) -> str:
    """Return the C type to compute with: at least 32 bits."""
    if range == FLOAT:
        return _FLOAT
    kind = _smallest(range)
    return kind if kind in (_WORD, _LONG) else _INT


class _Function:
    """The translation of one variant of a function."""

    def __init__(self, variant: Variant, analysis: Analysis) -> None:
        self.variant = variant
        self.analysis = analysis
        self.parameters = [one.arg for one in variant.tree.args.args]
        self.tables: set[str] = set()
        self.groups: dict[str, Slots] = {}  # where a loop over the slots of a record is

    def head(self) -> str:
        """Return the declaration."""
        parameters = ", ".join(f"{self.type_of(name)} {c_name(name)}" for name in self.parameters)
        is_called = self.variant.tree.name in self.analysis.values.get("CALLED", ())
        is_called = is_called or self.variant.calls_itself  # which cannot be inlined
        kind = "KERNEL_CALLED" if is_called else "KERNEL_FUNCTION"
        return f"{kind} {self.result_type()} {_function_name(self.variant)}({parameters})"

    def result_type(self) -> str:
        """Return the type of the result: for an entry, that of its annotation."""
        annotated = c_type(self.variant.tree.returns)
        if annotated == "void" or self.variant in self.analysis.entries:
            return annotated
        return number_type(self.variant.result)

    def type_of(self, name: str) -> str:
        """Return the C type of a variable."""
        value = self.variant.variables[name]
        if isinstance(value, Record):
            return value.name
        return value if isinstance(value, str) else number_type(value)

    def source(self) -> str:
        """Return the definition."""
        lines = [f"{self.head()} {{"]
        for name in self.variant.variables:
            if name in self.variant.buffers:
                lines += self.buffer(name)
            elif name not in self.parameters:
                lines.append(f"  {self.type_of(name)} {c_name(name)};")
        return "\n".join([*lines, *self.block(self.variant.tree.body, 1), "}"])

    def buffer(self, name: str) -> list[str]:
        """Return the declaration of a local buffer."""
        kind, size = self.variant.variables[name], self.variant.buffers[name]
        if not isinstance(kind, Record):
            return [f"  {kind.removesuffix(' *')} {c_name(name)}[{size}];"]
        arrays = {f"{name}_{one.name}": one for one in kind.groups}
        lines = [
            f"  KERNEL_ALIGNED {_slot_type(one)} {array}[{one.size}];"
            for array, one in arrays.items()
        ]
        return [*lines, f"  const {kind.name} {c_name(name)} = {{{', '.join(arrays)}}};"]

    # ---- statements -------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], depth: int) -> list[str]:
        """Return the lines of a block of statements, without those that are never reached."""
        reached = [node for node in body if node in self.variant.nodes]
        return [line for node in reached for line in self.statement(node, depth)]

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
            case ast.Assign([ast.Name(name)], _) if name in self.variant.buffers:
                return []
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                return [
                    f"{pad}{self.expr(target)} = {self.expr(value)};"
                    for target, value in zip(targets, values, strict=True)
                ]
            case ast.Assign([target], value):
                return [f"{pad}{self.expr(target)} = {self.expr(value)};"]
            case ast.If(test, body, orelse):
                lines = [f"{pad}if ({self.expr(test)}) {{", *self.block(body, depth + 1)]
                if orelse:
                    lines += [f"{pad}}} else {{", *self.block(orelse, depth + 1)]
                return [*lines, f"{pad}}}"]
            case ast.While(test, body):
                head = f"{pad}while ({self.expr(test)}) {{"
                return [head, *self.block(body, depth + 1), f"{pad}}}"]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body):
                record = self.analysis.looped_record(node, self.variant.variables)
                if record:
                    return self.slots_loop(record, name, body, depth)
                start = ["0"] if len(bounds) == 1 else []
                first, end, step = (*start, *map(self.expr, bounds), "1")[:3]
                lines = [self.for_head(c_name(name), first, end, step, pad)]
                return [
                    *self.unroll(bounds, body, pad),
                    *lines,
                    *self.block(body, depth + 1),
                    f"{pad}}}",
                ]
        raise NotImplementedError(f"not translated to C: {ast.unparse(node)}")

    def slots_loop(
        self, record: Record, name: str, body: Sequence[ast.stmt], depth: int
    ) -> list[str]:
        """Return a loop over the slots of a record: one for each group."""
        pad = "  " * depth
        lines = []
        for group in record.groups:
            self.groups[name] = group
            end = str(group.first + group.size)
            lines += [f"{pad}UNROLL"] if group.size <= REGISTER_SLOTS else []
            lines.append(self.for_head(c_name(name), str(group.first), end, "1", pad))
            lines += [*self.block(body, depth + 1), f"{pad}}}"]
        del self.groups[name]
        return lines

    def for_head(self, name: str, first: str, end: str, step: str, pad: str) -> str:
        """Return the head of a loop over a range."""
        return f"{pad}for ({name} = {first}; {name} < {end}; {name} += {step}) {{"

    def unroll(self, bounds: Sequence[ast.expr], body: Sequence[ast.stmt], pad: str) -> list[str]:
        """Return a request to unroll a loop with few iterations, or not to unroll one.

        The threads of a GPU that run together would take different ways through an unrolled loop
        whose number of iterations varies.
        """
        ranges = [self.variant.nodes[one] for one in bounds]
        is_long = "CALLED" in self.analysis.values and self.has_inner_code(body)
        if is_long or any(low != high for low, high in ranges):
            return [f"{pad}NO_UNROLL"]
        count = len(range(*(low for low, _ in ranges)))
        return [f"{pad}UNROLL"] if count <= LONGEST_UNROLLED else []

    def has_inner_code(self, body: Sequence[ast.stmt]) -> bool:
        """Return whether the body of a loop has loops of its own or calls functions."""
        inner = [part for node in body for part in ast.walk(node)]
        loops = any(isinstance(one, ast.For | ast.While) for one in inner)
        return loops or any(one in self.variant.callees for one in inner)

    # ---- expressions ------------------------------------------------------------------------

    def typed(self, node: ast.expr) -> tuple[str, str]:
        """Return an expression and its C type."""
        match node:
            case ast.Constant(value):
                return _literal(value)
            case ast.Name(name) if name not in self.variant.variables:
                return _literal(self.analysis.values[name])
            case ast.Name(name):
                return self.variable(node, name)
            case ast.Subscript(ast.Name(name), ast.Slice(lower)):
                start = f" + {self.expr(lower)}" if lower else ""
                return f"({c_name(name)}{start})", self.type_of(name)
            case ast.Subscript(ast.Name(name), index):
                value = self.variant.nodes[node]
                if isinstance(node.ctx, ast.Load) and value != FLOAT and value[0] == value[1]:
                    return _literal(value[0])
                return self.slot(name, index), number_type(value)
            case ast.BinOp(left, op, right):
                return self.operation(node, left, op, right)
            case ast.UnaryOp(ast.Not(), operand):
                return f"(!{self.expr(operand)})", _INT
            case ast.UnaryOp(op, operand):
                kind = self.common_type(node, operand)
                return f"({_symbol(op)}{self.cast(operand, kind)})", kind
            case ast.BoolOp(op, values):
                reached = [one for one in values if one in self.variant.nodes]
                return "(" + f" {_symbol(op)} ".join(map(self.expr, reached)) + ")", _INT
            case ast.Compare(left, operators, others):
                pairs = zip([left, *others], operators, others, strict=False)
                return "(" + " && ".join(self.comparison(*pair) for pair in pairs) + ")", _INT
            case ast.IfExp(test, body, orelse):
                kind = number_type(self.variant.nodes[node])
                parts = [one for one in (body, orelse) if one in self.variant.nodes]
                if len(parts) == 1:
                    return self.cast(parts[0], kind), kind
                then, otherwise = (self.cast(one, kind) for one in parts)
                return f"({self.expr(test)} ? {then} : {otherwise})", kind
            case ast.Call(ast.Name(name), arguments):
                return self.call(node, name, arguments)
        raise NotImplementedError(f"not translated to C: {ast.unparse(node)}")

    def variable(self, node: ast.Name, name: str) -> tuple[str, str]:
        """Return a variable, narrowed where it holds less than elsewhere."""
        kind = self.type_of(name)
        if kind != _LONG or isinstance(node.ctx, ast.Store):
            return c_name(name), kind
        narrow = number_type(self.variant.nodes[node])
        return (c_name(name) if narrow == kind else f"(({narrow}){c_name(name)})"), narrow

    def expr(self, node: ast.expr) -> str:
        """Return an expression."""
        return self.typed(node)[0]

    def cast(self, node: ast.expr, kind: str) -> str:
        """Return an expression as a value of a C type that holds it."""
        text, own = self.typed(node)
        return text if own == kind else f"({kind}){text}"

    def common_type(self, *nodes: ast.expr) -> str:
        """Return a C type that holds the values of all of some expressions."""
        values = None
        for node in nodes:
            values = join(values, self.variant.nodes[node])
        return number_type(values)

    def operation(
        self, node: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr
    ) -> tuple[str, str]:
        match left, op:
            case ast.BinOp(one, ast.Mult(), other), ast.RShift() if self.is_high_word(
                one, other, right
            ):
                return f"high_word({self.cast(one, _WORD)}, {self.cast(other, _WORD)})", _WORD
        if isinstance(op, ast.BitAnd) and self.variant.nodes[right] == (2**32 - 1,) * 2:
            return f"((unsigned int){self.expr(left)})", _WORD
        if isinstance(op, ast.LShift | ast.RShift):
            kind = self.common_type(node, left)
            if self.variant.nodes[right][1] > 31:  # C shifts no further than a number's width
                kind = _LONG
            if isinstance(op, ast.LShift) and kind == _LONG:  # C leaves a changed sign undefined
                word = f"(unsigned long long){self.cast(left, kind)}"
                return f"((long long)({word} << {self.expr(right)}))", kind
            return f"({self.cast(left, kind)} {_symbol(op)} {self.expr(right)})", kind
        kind = self.common_type(node, left, right)
        return f"({self.cast(left, kind)} {_symbol(op)} {self.cast(right, kind)})", kind

    def is_high_word(self, one: ast.expr, other: ast.expr, shift: ast.expr) -> bool:
        """Return whether `one * other >> shift` is the upper half of a product of two words."""
        ranges = [self.variant.nodes[one], self.variant.nodes[other]]
        return self.variant.nodes[shift] == (32, 32) and all(
            low >= 0 and high < 2**32 for low, high in ranges
        )

    def comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        kind = self.common_type(left, right)
        return f"({self.cast(left, kind)} {_symbol(op)} {self.cast(right, kind)})"

    def slot(self, name: str, index: ast.expr) -> str:
        kind = self.variant.variables.get(name)
        if kind is None:
            packed = _packed(self.analysis.values[name])
            if packed is not None:
                return f"({packed}u >> 4 * {self.expr(index)} & 15)"
            self.tables.add(name)
        if kind in ROW_TYPES.values():
            return f"{c_name(name)}.first[{self.expr(index)} * {c_name(name)}.rows]"
        if not isinstance(kind, Record):
            return f"{c_name(name)}[{self.expr(index)}]"
        group = self.analysis.group(kind, index, self.groups)
        match index:
            case ast.Name(base) if base == group.name:
                place = "0"
            case ast.BinOp(ast.Name(base), ast.Add(), offset) if base == group.name:
                place = self.expr(offset)
            case _:
                place = f"{self.expr(index)} - {group.first}"
        return f"{c_name(name)}.{c_name(group.name)}[{place}]"

    def call(self, node: ast.expr, name: str, values: Sequence[ast.expr]) -> tuple[str, str]:
        value = self.variant.nodes[node]
        if name == "row_of":
            buffer, row, _, rows = map(self.expr, values)
            return f"{value}_of({buffer}, {row}, {rows})", value
        kind = number_type(value) if value else "void"
        if node in self.variant.callees:
            callee = self.variant.callees[node]
            kind = _Function(callee, self.analysis).result_type()
            return f"{_function_name(callee)}({', '.join(map(self.expr, values))})", kind
        if name in ("popcount", "lowest_bit"):
            low, high = self.variant.nodes[values[0]]
            width = "" if low >= 0 and high < 2**32 else "64"
            return f"{name}{width}({self.expr(values[0])})", _INT
        if name in ("min", "max"):
            kind = self.common_type(*values)
            text = self.cast(values[0], kind)
            for one in values[1:]:
                text = f"{'least' if name == 'min' else 'most'}({text}, {self.cast(one, kind)})"
            return text, kind
        if name in ("int", "float"):
            return f"(({kind}){self.expr(values[0])})", kind
        if name == "abs":
            kind = self.common_type(node, values[0])
            text = self.cast(values[0], kind)
            return f"(({text}) < 0 ? -({text}) : ({text}))", kind
        return f"{_BUILTINS.get(name, name)}({', '.join(map(self.expr, values))})", kind


def _function_name(variant: Variant) -> str:
    name = c_name(variant.tree.name)
    return f"{name}_{variant.number}" if variant.number else name


def c_name(name: str) -> str:
    """Return a name that is not a reserved word of C or C++."""
    return f"{name}_" if name in _RESERVED_WORDS else name


def _symbol(operator: ast.AST) -> str:
    return _OPERATORS[type(operator)]


def _literal(value: Any) -> tuple[str, str]:
    """Return a number in C and its type."""
    if isinstance(value, float):
        return f"{value!r}f", _FLOAT
    value = int(value)
    kind = number_type((value, value))
    suffix = {_INT: "", _WORD: "u", _LONG: "LL"}[kind]
    return (f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"), kind


def c_type(annotation: ast.expr | None) -> str:
    """Return the C type of an entry's parameter or result."""
    text = "None" if annotation is None else ast.unparse(annotation)
    return BUFFER_TYPES.get(text) or _C_TYPES[text]
