"""Find the values that the variables and expressions of a kernel can take, as ranges.

The C source of a kernel computes with 32 bits wherever that is enough, which halves the registers
on a GPU. Which values fit is proved by running the functions on ranges instead of numbers. What a
slot of a buffer may hold cannot be proved in this way, so kernels declare it: RANGES has the lowest
and the highest value of each slot, or group of slots, of a buffer `ints(SIZE)`, STREAM_RANGES those
of `ints(STREAM_SIZE)`. Tests check them in random games. Such a buffer is a record: its groups of
slots become arrays of their own. An index of a record begins with the name of its group, as in
`S[DIRHAMS + seat]`, or is the variable of a loop over all slots. Slots of a buffer without
declared ranges hold integers of 64 bits.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from souk.engine.errors import SoukError

Range = tuple[int, int]  # the lowest and the highest value
FLOAT = "float"  # stands for the range of floats
LOWEST, HIGHEST = -(2**63), 2**63 - 1
ANY: Range = (LOWEST, HIGHEST)
TRUTH: Range = (0, 1)
MOST_ITERATIONS = 64  # of a loop that is followed one by one
MOST_CONTEXTS = 24  # ranges of arguments that a function is run with; then with all at once
THRESHOLDS = (0, 2**15 - 1, 2**31 - 1, 2**32 - 1, HIGHEST)  # where a growing range may stop
BUFFERS = {"ints": "long long *", "floats": "float *"}
BUFFER_TYPES = {
    "MutableSequence[int]": "long long *",
    "MutableSequence[float]": "float *",
    "MutableSequence[bool]": "unsigned char *",
    "Int32s": "int *",
}
BUFFER_RANGES: dict[str, Any] = {
    "long long *": ANY,
    "float *": FLOAT,
    "unsigned char *": TRUTH,
    "int *": (-(2**31), 2**31 - 1),
}
ROW_TYPES = {  # of a row of a buffer
    "long long *": "long_row",
    "float *": "float_row",
    "unsigned char *": "byte_row",
    "int *": "int_row",
}
BUFFER_RANGES |= {row: BUFFER_RANGES[whole] for whole, row in ROW_TYPES.items()}


class Slots(NamedTuple):
    """A group of slots of a record."""

    name: str
    first: int
    size: int
    range: Range


@dataclass(frozen=True, eq=False)
class Record:
    """A buffer whose slots have declared ranges."""

    name: str
    groups: tuple[Slots, ...]

    def at(self, slot: int) -> Slots:
        """Return the group that a slot belongs to."""
        return next(one for one in reversed(self.groups) if one.first <= slot)


Kind = str | Record  # of a buffer: a C type or a record
Value = Range | Kind
Environment = dict[str, Any]  # the ranges and kinds of variables


@dataclass(eq=False)
class Variant:
    """A function as it is called with certain kinds of buffers, and what was found about it."""

    tree: ast.FunctionDef
    kinds: tuple[Kind | None, ...]  # of the parameters; None for a number
    number: int  # among the variants of the function
    variables: Environment = field(default_factory=dict)  # all values joined
    buffers: dict[str, int] = field(default_factory=dict)  # the sizes of those that it creates
    nodes: dict[ast.AST, Any] = field(default_factory=dict)  # the values of expressions
    callees: dict[ast.AST, "Variant"] = field(default_factory=dict)
    result: Any = None
    contexts: int = 0
    calls_itself: bool = False


@dataclass
class _Frame:
    """A run of a function."""

    variant: Variant
    result: Any = None
    breaks: list[list[Environment]] = field(default_factory=list)  # by loop
    groups: dict[str, Slots] = field(default_factory=dict)  # where a loop over slots is


class Analysis:
    """The functions that are reached from some entries, with the ranges of all values."""

    def __init__(
        self,
        values: Mapping[str, Any],
        trees: Mapping[str, ast.FunctionDef],
        entries: Sequence[str],
        fixed: Mapping[str, int],
    ) -> None:
        self.values = values
        self.trees = {name: _without_augmented(tree) for name, tree in trees.items()}
        self.records: dict[str, Record] = {}
        self.fixed = fixed  # the values of slots that never change
        self.variants: dict[tuple[Any, ...], Variant] = {}
        self._results: dict[tuple[Any, ...], Any] = {}
        self._running: set[tuple[Any, ...]] = set()
        self.entries = [self._entry(name) for name in entries]

    def _entry(self, name: str) -> Variant:
        given = [_annotated_range(one.annotation) for one in self.trees[name].args.args]
        return self.call(name, given)[0]

    def record(self, size: ast.expr) -> Record | None:
        """Return the record that `ints(size)` creates, if the ranges of its slots are declared."""
        name = size.id if isinstance(size, ast.Name) else ""
        ranges = self.values.get(name.removesuffix("SIZE") + "RANGES")
        if not name.endswith("SIZE") or ranges is None:
            return None
        if name not in self.records:
            fixed = {one: self.fixed[one] for one in ranges.keys() & self.fixed}
            ranges = ranges | {one: (value, value) for one, value in fixed.items()}
            starts = sorted((self.values[one], one) for one in ranges)
            ends = [*(start for start, _ in starts[1:]), self.values[name]]
            self.records[name] = Record(
                f"{name.lower().replace('size', '')}record",
                tuple(
                    Slots(one, start, end - start, ranges[one])
                    for (start, one), end in zip(starts, ends, strict=True)
                    if end > start
                ),
            )
        return self.records[name]

    # ---- functions ------------------------------------------------------------------------------

    def call(self, name: str, given: Sequence[Any]) -> tuple[Variant, Any]:
        """Run a function on ranges; return its variant and the range of its results."""
        tree = self.trees[name]
        kinds = tuple(None if _is_number(one) else one for one in given)
        same = [one for (other, _), one in self.variants.items() if other == name]
        variant = self.variants.setdefault((name, kinds), Variant(tree, kinds, len(same)))
        parameters = [one.arg for one in tree.args.args]
        if variant.contexts > MOST_CONTEXTS:
            given = [
                widened(variant.variables[parameter], join(variant.variables[parameter], one))
                for parameter, one in zip(parameters, given, strict=True)
            ]
        context = (name, *given)
        if context in self._running:
            variant.calls_itself = True
            return variant, _annotated_range(tree.returns)
        if context not in self._results:
            self._running.add(context)
            variant.contexts += 1
            frame = _Frame(variant)
            environment = dict(zip(parameters, given, strict=True))
            for parameter, one in environment.items():
                variant.variables[parameter] = join(variant.variables.get(parameter), one)
            self.block(tree.body, environment, frame)
            self._running.remove(context)
            self._results[context] = frame.result
            variant.result = join(variant.result, frame.result)
        return variant, self._results[context]

    # ---- statements -----------------------------------------------------------------------------

    def block(
        self, body: Sequence[ast.stmt], before: Environment, frame: _Frame
    ) -> Environment | None:
        """Return the variables after a block of statements; None if it never ends."""
        environment: Environment | None = before
        for node in body:
            if environment is None:
                return None
            environment = self.statement(node, environment, frame)
        return environment

    def statement(self, node: ast.stmt, before: Environment, frame: _Frame) -> Environment | None:
        """Return the variables after a statement."""
        frame.variant.nodes[node] = True
        match node:
            case ast.Return(value):
                if value is not None:
                    frame.result = join(frame.result, self.expr(value, before, frame))
                return None
            case ast.Break():
                frame.breaks[-1].append(before)
                return None
            case ast.Expr(ast.Call() as call):
                self.expr(call, before, frame)
                return before
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                for target, value in zip(targets, values, strict=True):
                    before = self.assign(target, value, before, frame)
                return before
            case ast.Assign([target], value):
                return self.assign(target, value, before, frame)
            case ast.If(test, body, orelse):
                truth = self.expr(test, before, frame)
                then = None
                if truth != (0, 0):
                    then = self.block(body, self.limited(test, before, frame), frame)
                if not _may_be_false(truth):
                    return then
                return _joined(then, self.block(orelse, dict(before), frame))
            case ast.While(test, body):
                return self.loop(body, before, frame, test)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body):
                return self.for_loop(node, name, bounds, body, before, frame)
        return before

    def assign(
        self, target: ast.expr, value: ast.expr, before: Environment, frame: _Frame
    ) -> Environment:
        variant = frame.variant
        match target, value:
            case ast.Name(name), ast.Call(ast.Name("ints" | "floats" as kind), [size]):
                record = self.record(size) if kind == "ints" else None
                variant.buffers[name] = self.constant(size)
                variant.variables[name] = record or BUFFERS[kind]
                return {**before, name: variant.variables[name]}
            case ast.Name(name), _:
                new = self.expr(value, before, frame)
                variant.variables[name] = join(variant.variables.get(name), new)
                variant.nodes[target] = variant.variables[name]
                return {**before, name: new}
        self.expr(target, before, frame)
        self.expr(value, before, frame)
        return before

    def constant(self, node: ast.expr) -> int:
        """Return the value of a constant expression."""
        return int(eval(ast.unparse(node), dict(self.values)))

    def for_loop(
        self,
        node: ast.For,
        name: str,
        bounds: Sequence[ast.expr],
        body: Sequence[ast.stmt],
        before: Environment,
        frame: _Frame,
    ) -> Environment | None:
        ranges = [self.expr(one, before, frame) for one in bounds]
        first = ranges[0] if len(ranges) > 1 else (0, 0)
        end = ranges[0] if len(ranges) == 1 else ranges[1]
        each = (first[0], max(first[0], end[1] - 1))
        variables = frame.variant.variables
        variables[name] = join(variables.get(name), (first[0], max(first[0], end[1])))
        record = self.looped_record(node, before)
        if record:
            for group in record.groups:
                inside = _Frame(frame.variant, groups={**frame.groups, name: group})
                extent = (group.first, group.first + group.size - 1)
                before = self.loop(body, {**before, name: extent}, inside, None) or before
            return before
        inner = {**before, name: each}
        is_constant = first[0] == first[1] and end[0] == end[1] and len(ranges) < 3
        count = end[1] - first[0]
        if is_constant and count <= 0:
            return before
        if not is_constant or count > MOST_ITERATIONS:
            return self.loop(body, inner, frame, None)
        frame.breaks.append([])
        after: Environment | None = inner
        for _ in range(count):
            if after is not None:
                after = self.block(body, {**after, name: each}, frame)
        for one in frame.breaks.pop():
            after = _joined(after, one)
        return after

    def looped_record(self, node: ast.For, variables: Environment) -> Record | None:
        """Return the record over whose slots a loop runs, if it does."""
        assert isinstance(node.target, ast.Name)
        for one in ast.walk(node):
            match one:
                case ast.Subscript(ast.Name(buffer), ast.Name(index)) if index == node.target.id:
                    kind = variables.get(buffer)
                    if isinstance(kind, Record):
                        return kind
        return None

    def loop(
        self,
        body: Sequence[ast.stmt],
        before: Environment,
        frame: _Frame,
        test: ast.expr | None,
    ) -> Environment | None:
        """Run a loop until its variables change no more."""
        frame.breaks.append([])
        now = before
        rounds = 0
        ends = True
        while True:
            truth = self.expr(test, now, frame) if test else TRUTH
            ends = _may_be_false(truth)
            inside = self.limited(test, now, frame) if test else dict(now)
            after = None if truth == (0, 0) else self.block(body, inside, frame)
            joined = _joined(now, after)
            assert joined is not None
            if rounds > 2:
                joined = {name: widened(now.get(name), one) for name, one in joined.items()}
            if joined == now:
                break
            now = joined
            rounds += 1
        result: Environment | None = now if ends else None
        for one in frame.breaks.pop():
            result = _joined(result, one)
        return result

    def limited(self, test: ast.expr, variables: Environment, frame: _Frame) -> Environment:
        """Return the variables where a condition holds: `x < 5` limits x."""
        variables = dict(variables)
        match test:
            case ast.BoolOp(ast.And(), tests):
                for one in tests:
                    variables = self.limited(one, variables, frame)
            case ast.Compare(ast.Name(name), [op], [bound]) if _is_range(variables.get(name)):
                low, high = variables[name]
                limit = self.expr(bound, variables, frame)
                if limit != FLOAT and isinstance(op, ast.Lt | ast.LtE):
                    high = min(high, limit[1] - isinstance(op, ast.Lt))
                elif limit != FLOAT and isinstance(op, ast.Gt | ast.GtE):
                    low = max(low, limit[0] + isinstance(op, ast.Gt))
                if low <= high:
                    variables[name] = (low, high)
        return variables

    # ---- expressions ----------------------------------------------------------------------------

    def expr(self, node: ast.expr, variables: Environment, frame: _Frame) -> Any:
        """Return the range of an expression, or the kind of a buffer."""
        value = self.evaluate(node, variables, frame)
        if _is_range(value) and not _fits(value):
            value = ANY
        frame.variant.nodes[node] = join(frame.variant.nodes.get(node), value)
        return value

    def evaluate(self, node: ast.expr, variables: Environment, frame: _Frame) -> Any:
        def value(one: ast.expr) -> Any:
            return self.expr(one, variables, frame)

        match node:
            case ast.Constant(number):
                return _range_of(number)
            case ast.Name(name):
                if name in variables:
                    return variables[name]
                return _range_of(self.values.get(name))
            case ast.Subscript(ast.Name(name), index):
                return self.slot(name, index, variables, frame)
            case ast.BinOp(left, op, right):
                return binary(op, value(left), value(right))
            case ast.UnaryOp(ast.Not(), operand):
                truth = value(operand)
                return (1, 1) if truth == (0, 0) else TRUTH if _may_be_false(truth) else (0, 0)
            case ast.UnaryOp(op, operand):
                one = value(operand)
                if one == FLOAT:
                    return one
                return (-one[1], -one[0]) if isinstance(op, ast.USub) else (~one[1], ~one[0])
            case ast.BoolOp(op, operands):
                return self.bool_op(op, operands, value)
            case ast.Compare(left, operators, others):
                return _compare([value(left), *map(value, others)], operators)
            case ast.IfExp(test, body, orelse):
                truth = value(test)
                then = None if truth == (0, 0) else value(body)
                return join(then, value(orelse)) if _may_be_false(truth) else then
            case ast.Call(ast.Name(name), arguments):
                given = [value(one) for one in arguments]
                if name == "row_of":
                    return ROW_TYPES[given[0]]
                if name in self.trees and name not in ("popcount", "lowest_bit"):
                    callee, result = self.call(name, given)
                    frame.variant.callees[node] = callee
                    return result
                return _primitive(name, given)
        raise NotImplementedError(f"not translated to C: {ast.unparse(node)}")

    def slot(self, name: str, index: ast.expr, variables: Environment, frame: _Frame) -> Any:
        """Return the range of a slot of a buffer or an entry of a table; of a slice, the kind."""
        if isinstance(index, ast.Slice):
            for bound in filter(None, (index.lower, index.upper)):
                self.expr(bound, variables, frame)
            return variables[name]
        self.expr(index, variables, frame)
        kind = variables.get(name)
        if kind is None:
            table = self.values[name]
            return (min(table), max(table))
        if isinstance(kind, Record):
            return self.group(kind, index, frame.groups).range
        return BUFFER_RANGES[kind]

    def group(self, record: Record, index: ast.expr, groups: Mapping[str, Slots]) -> Slots:
        """Return the group of slots that an index of a record stays in."""
        if isinstance(index, ast.Name) and index.id in groups:
            return groups[index.id]
        base = index
        while isinstance(base, ast.BinOp):
            base = base.left
        match base:
            case ast.Name(name) if isinstance(self.values.get(name), int):
                return record.at(self.values[name])
            case ast.Constant(int() as slot):
                return record.at(slot)
        raise SoukError(f"S[{ast.unparse(index)}] does not begin with the name of a slot")

    def bool_op(
        self, op: ast.boolop, operands: Sequence[ast.expr], value: Callable[[ast.expr], Any]
    ) -> Range:
        decisive = isinstance(op, ast.Or)
        is_open = False
        for operand in operands:
            truth = value(operand)
            if truth != (0, 0) and not _may_be_false(truth):
                known: bool | None = True
            else:
                known = False if truth == (0, 0) else None
            if known == decisive:
                return TRUTH if is_open else (int(decisive), int(decisive))
            is_open = is_open or known is None
        return TRUTH if is_open else (int(not decisive), int(not decisive))


def unwritten_slots(values: Mapping[str, Any], trees: Mapping[str, ast.FunctionDef]) -> list[str]:
    """Return the slots of a position that no function writes, except in a loop over all slots."""
    written: set[str] = set()
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        match node:
            case ast.Subscript(ast.Name(), index, ast.Store()):
                written |= {one.id for one in ast.walk(index) if isinstance(one, ast.Name)}
    starts = sorted((values[name], name) for name in values.get("RANGES", {}))
    ends = [start for start, _ in starts[1:]] + [values["SIZE"]]
    single = [name for (start, name), end in zip(starts, ends, strict=True) if end == start + 1]
    return [name for name in single if name not in written]


def _annotated_range(annotation: ast.expr | None) -> Any:
    """Return all that a value with an annotation may be; None for no value."""
    text = str(annotation and ast.unparse(annotation))
    if text == "None":
        return None
    return FLOAT if text == "float" else BUFFER_TYPES.get(text, ANY)


def join(one: Any, other: Any) -> Any:
    """Return the smallest range that holds two; a buffer's kind stays what it is."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    if FLOAT in (one, other):
        return FLOAT
    if not (isinstance(one, tuple) and isinstance(other, tuple)):
        raise SoukError(f"a variable holds {one} and {other}")
    return (min(one[0], other[0]), max(one[1], other[1]))


def widened(before: Any, now: Any) -> Any:
    """Return a range that grew, grown on to the next threshold."""
    if before is None or before == now or not (_is_range(before) and _is_range(now)):
        return now
    low, high = now
    if low < before[0]:
        low = max(-one - 1 for one in THRESHOLDS if -one - 1 <= low)
    if high > before[1]:
        high = min(one for one in THRESHOLDS if high <= one)
    return (low, high)


def binary(op: ast.operator, left: Any, right: Any) -> Any:
    """Return the range of an operation."""
    if FLOAT in (left, right) or isinstance(op, ast.Div):
        return FLOAT
    (a, b), (c, d) = left, right
    match op:
        case ast.Add():
            corners = [a + c, b + d]
        case ast.Sub():
            corners = [a - d, b - c]
        case ast.Mult():
            corners = [a * c, a * d, b * c, b * d]
        case ast.FloorDiv():
            corners = [a // max(c, 1), a // max(d, 1), b // max(c, 1), b // max(d, 1)]
        case ast.Mod():
            corners = [0 if a >= 0 else 1 - d, min(b, d - 1) if a >= 0 else d - 1]
        case ast.LShift():
            if d > 63:
                return ANY
            corners = [a << max(c, 0), a << d, b << max(c, 0), b << d]
        case ast.RShift():
            corners = [a >> max(c, 0), a >> min(d, 63), b >> max(c, 0), b >> min(d, 63)]
        case ast.BitAnd():
            positive = [high for low, high in (left, right) if low >= 0]
            bits = max(map(int.bit_length, (a, b, c, d)))
            corners = [0, min(positive)] if positive else [-(1 << bits), max(b, d, 0)]
        case _:  # | and ^
            bits = max(map(int.bit_length, (a, b, c, d)))
            corners = [0 if a >= 0 and c >= 0 else -(1 << bits), (1 << bits) - 1]
    return (min(corners), max(corners)) if _fits(corners) else ANY


def _fits(corners: Sequence[int]) -> bool:
    return min(corners) >= LOWEST and max(corners) <= HIGHEST


def _compare(ranges: Sequence[Any], operators: Sequence[ast.cmpop]) -> Range:
    """Return the range of a comparison: certain if all its parts are."""
    result: Range = (1, 1)
    for index, op in enumerate(operators):
        left, right = ranges[index], ranges[index + 1]
        one = TRUTH
        if FLOAT not in (left, right):
            one = _compare_two(op, left, right)
        result = (result[0] & one[0], result[1] & one[1])
    return result


def _compare_two(op: ast.cmpop, left: Range, right: Range) -> Range:
    (a, b), (c, d) = left, right
    match op:
        case ast.Lt():
            always, never = b < c, a >= d
        case ast.LtE():
            always, never = b <= c, a > d
        case ast.Gt():
            always, never = a > d, b <= c
        case ast.GtE():
            always, never = a >= d, b < c
        case ast.Eq():
            always, never = a == b == c == d, b < c or d < a
        case _:
            always, never = b < c or d < a, a == b == c == d
    return (int(always), int(not never))


def _primitive(name: str, given: Sequence[Any]) -> Any:
    if name in ("popcount", "lowest_bit"):
        low, high = given[0]
        bits = 64 if low < 0 else high.bit_length()
        return (0, bits if name == "popcount" else max(bits - 1, 0))
    if name == "wrapping_product":
        return ANY
    if name in ("min", "max"):
        if FLOAT in given:
            return FLOAT
        pick = min if name == "min" else max
        return (pick(one[0] for one in given), pick(one[1] for one in given))
    if name == "abs":
        return FLOAT if given[0] == FLOAT else (0, max(abs(given[0][0]), abs(given[0][1])))
    if name == "int":
        return ANY if given[0] == FLOAT else given[0]
    if name in ("float", "sqrt", "exp", "log"):
        return FLOAT
    raise NotImplementedError(f"not translated to C: {name}()")


def _range_of(value: Any) -> Any:
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, int):
        return (int(value), int(value))
    raise NotImplementedError(f"not translated to C: {value!r}")


def _is_range(value: Any) -> bool:
    return isinstance(value, tuple)


def _is_number(value: Any) -> bool:
    return _is_range(value) or value == FLOAT


def _may_be_false(truth: Any) -> bool:
    return not _is_range(truth) or truth[0] <= 0 <= truth[1]


def _joined(one: Environment | None, other: Environment | None) -> Environment | None:
    if one is None or other is None:
        return one if other is None else other
    return {name: join(one.get(name), other.get(name)) for name in {**one, **other}}


def _without_augmented(tree: ast.FunctionDef) -> ast.FunctionDef:
    """Return a copy of a function with `x = x + …` in place of `x += …`."""
    copy = ast.parse(ast.unparse(tree)).body[0]
    assert isinstance(copy, ast.FunctionDef)
    result = _Augmented().visit(copy)
    assert isinstance(result, ast.FunctionDef)
    return result


class _Augmented(ast.NodeTransformer):
    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        if any(isinstance(one, ast.Call) for one in ast.walk(read)):
            raise NotImplementedError(f"not translated to C: {ast.unparse(node)}")
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))
