"""Read, specialise and join the source text of kernel modules.

A kernel is one or more modules written in the kernel subset of Python (see `subset`) and read as
one. Specialising a kernel replaces the values of some top-level constants, such as PLAYERS.
"""

import ast
import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

Kernel = tuple[str, ...]  # module names
Constants = Mapping[str, int | tuple[int, ...]]  # the values that a specialisation sets


def module_path(module: str) -> Path:
    """Return the path of a module's source file."""
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin)


def join_modules(modules: Kernel, constants: Constants) -> dict[str, str]:
    """Return the specialised text of each module, ready to run in one shared namespace.

    Imports between the modules are removed: importing a constant would bring back the value that
    it had before it was specialised.
    """
    texts: dict[str, str] = {}
    defined_in: dict[str, str] = {}
    remaining = dict(constants)
    for module in modules:
        text = module_path(module).read_text("utf-8")
        body = ast.parse(text).body
        names = {name for node in body for name in _defined_names(node)}
        for name in names:
            if defined_in.setdefault(name, module) != module:
                raise LookupError(f"{defined_in[name]} and {module} both define {name}: rename one")
        own = {name: remaining.pop(name) for name in names & remaining.keys()}
        lines = specialise(text, own).splitlines(keepends=True)
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                    lines[line] = "\n"
        texts[module] = "".join(lines)
    if remaining:
        raise LookupError(f"the kernel has no top-level constant {', '.join(sorted(remaining))}")
    return texts


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
