"""Read, specialise and join the source text of kernel modules.

A kernel is one or more modules written in the kernel subset of Python (see `subset`) and read as
one. Specialising a kernel replaces the values of some top-level constants, such as PLAYERS.
"""

import ast
import importlib.util
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from souk.engine.errors import SoukError

DEFAULT_RULES = "souk.engine.kernel.default_rules"  # any other module may replace its names
Kernel = tuple[str, ...]  # module names
Constants = Mapping[str, int | tuple[int, ...]]  # the values that a specialisation sets


def module_path(module: str) -> Path:
    """Return the path of a module's source file."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # of its package
        spec = None
    if spec is None or spec.origin is None:
        raise SoukError(f"there is no kernel module {module!r}")
    return Path(spec.origin)


def join_modules(modules: Kernel, constants: Constants) -> dict[str, str]:
    """Return the specialised text of each module, ready to run in one shared namespace.

    Imports between the modules are removed: importing a constant would bring back the value that
    it had before it was specialised. Defaults that another module replaces are removed, too.
    """
    texts: dict[str, str] = {}
    defined_in: dict[str, str] = {}
    remaining = dict(constants)
    for module in sorted(modules, key=DEFAULT_RULES.__eq__):  # the defaults last
        text = module_path(module).read_text("utf-8")
        body = ast.parse(text).body
        removed: list[ast.stmt] = [
            node for node in body if isinstance(node, ast.ImportFrom) and node.module in modules
        ]
        if module == DEFAULT_RULES:
            removed += [node for node in body if defined_in.keys() & {*_defined_names(node)}]
        names = {name for node in body if node not in removed for name in _defined_names(node)}
        for name in names:
            if defined_in.setdefault(name, module) != module:
                raise SoukError(f"{defined_in[name]} and {module} both define {name}: rename one")
        own = {name: remaining.pop(name) for name in names & remaining.keys()}
        lines = specialise(text, own).splitlines(keepends=True)
        for node in removed:
            for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[line] = "\n"
        texts[module] = "".join(lines) + _loops(body)
    if remaining:
        raise SoukError(f"the kernel has no top-level constant {', '.join(sorted(remaining))}")
    return {module: texts[module] for module in modules}


def _loops(body: Sequence[ast.stmt]) -> str:
    """Return the entries of a driver that are loops over functions for one item.

    For an entry `step_row_all`, that is `step_row`: its last parameter is the number of an item,
    in place of which the loop has `first` and `end`.
    """
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    entries: tuple[str, ...] = ()
    for node in body:
        if isinstance(node, ast.Assign) and _defined_names(node) == ["ENTRIES"]:
            entries = ast.literal_eval(node.value)
    text = ""
    for name in entries:
        if name not in functions and name.endswith("_all"):
            one = functions[name.removesuffix("_all")]
            *given, item = one.args.args
            parameters = ", ".join(map(ast.unparse, given))
            arguments = ", ".join(parameter.arg for parameter in one.args.args)
            text += f"""
def {name}({parameters}, first: int, end: int) -> None:
    for {item.arg} in range(first, end):
        {one.name}({arguments})
"""
    return text


def specialise(text: str, constants: Constants) -> str:
    r"""Return a module's text with new values for top-level constants; line numbers stay.

    >>> specialise("PLAYERS = 3  # how many\nSEATS = PLAYERS\n", {"PLAYERS": 4})
    'PLAYERS = 4\nSEATS = PLAYERS\n'
    """
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in constants:
                lines[node.lineno - 1] = f"{name} = {constants[name]!r}\n"
    return "".join(lines)


def log_writes(texts: dict[str, str]) -> dict[str, str]:
    r"""Return the texts of modules with `logged_write` in place of some writes to the buffer `S`.

    These are the writes to the slots that one of the modules names in LOGGED, if one does.

    >>> log_writes({"a": "def f(S): S[BID + 1] += 2", "b": "LOGGED = ('BID',)"})["a"]
    'def f(S):\n    logged_write(S, BID + 1, S[BID + 1] + 2)'
    """
    trees = {module: ast.parse(text) for module, text in texts.items()}
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.Assign) and "LOGGED" in _defined_names(node):
                logger = _WriteLogger(ast.literal_eval(node.value))
                return {module: ast.unparse(logger.visit(tree)) for module, tree in trees.items()}
    return texts


class _WriteLogger(ast.NodeTransformer):
    def __init__(self, slots: Collection[str]) -> None:
        self.slots = slots

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        return self._logged(node, node.targets[0], node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        return self._logged(node, node.target, ast.BinOp(node.target, node.op, node.value))

    def _logged(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> ast.stmt:
        match target:
            case ast.Subscript(ast.Name("S") as buffer, slot) if self._is_logged(slot):
                arguments = [buffer, slot, value]
                return ast.Expr(ast.Call(ast.Name("logged_write"), arguments, []))
        return node

    def _is_logged(self, slot: ast.expr) -> bool:
        while isinstance(slot, ast.BinOp):
            slot = slot.left
        return isinstance(slot, ast.Name) and slot.id in self.slots


def parse_kernel(
    modules: Kernel, constants: Constants
) -> tuple[ModuleType, dict[str, ast.FunctionDef]]:
    """Return a specialised kernel as a module object, and the syntax trees of its functions."""
    kernel = ModuleType(modules[0])
    functions: dict[str, ast.FunctionDef] = {}
    for name, text in join_modules(modules, constants).items():
        tree = ast.parse(text)
        exec(compile(tree, str(module_path(name)), "exec"), vars(kernel))
        functions |= {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return kernel, functions


@cache  # kernels share most of their modules
def strip_comments(text: str) -> str:
    """Return a module's text without comments and docstrings, which do not affect its code."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.FunctionDef() | ast.ClassDef() if ast.get_docstring(node):
                node.body[:1] = [ast.Pass()]
    return ast.unparse(tree)


def is_int_constant(name: str, value: object) -> bool:
    """Return whether a name of a kernel is an integer constant."""
    return name.isupper() and isinstance(value, int)


def is_table(name: str, value: object) -> bool:
    """Return whether a name of a kernel is a constant table of integers."""
    if not name.isupper() or not isinstance(value, tuple):
        return False
    return all(isinstance(entry, int) for entry in value)


def _defined_names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
        return [name.id for name in names if isinstance(name.ctx, ast.Store)]
    return []
