"""Builds the page: web/ becomes souk/page/, from where the server gives it.

`python -m tools.page` installs what the page's tools need if package-lock.json changed, and builds
if anything under web/ did. `python -m tools.page install` does the first of these alone, and
`python -m tools.page check` runs the page's own checks: types, lint, tests. The build hook of the
package (hatch_build.py) builds it for wheels.
"""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools import node

ROOT = Path(__file__).parents[1]
CHECKS = ("check", "lint", "test")  # npm scripts
IGNORED = {"node_modules"}


def build(root: Path = ROOT) -> bool:
    """Build the page if it is not that of what lies in web/; whether it had to be built."""
    if not has_source(root) or is_built(root):
        return False
    found = install(root)
    found.run(["run", "build"], root / "web")
    if not (root / "souk" / "page" / "index.html").is_file():
        raise RuntimeError("the build made no souk/page/index.html")
    _stamp(root).write_text(_source_digest(root), encoding="utf-8")
    return True


def install(root: Path = ROOT) -> node.Node:
    """Install what the page's tools need, if it is not what the lock file says."""
    found = node.find()
    web = root / "web"
    done = web / "node_modules" / ".souk-installed"
    wanted = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    if not (done.is_file() and done.read_text(encoding="utf-8") == wanted):
        found.run(["ci", "--no-audit", "--no-fund"], web)
        done.parent.mkdir(exist_ok=True)
        done.write_text(wanted, encoding="utf-8")
    return found


def check(root: Path = ROOT) -> None:
    """Check the page's types, style and logic."""
    if has_source(root):
        found = install(root)
        for script in CHECKS:
            found.run(["run", "--silent", script], root / "web")


def has_source(root: Path = ROOT) -> bool:
    """Whether there is something to build."""
    return (root / "web" / "package.json").is_file()


def is_built(root: Path = ROOT) -> bool:
    """Whether the page is that of what lies in web/."""
    stamp = _stamp(root)
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _source_digest(root)


def _stamp(root: Path) -> Path:
    return root / "souk" / "page" / ".stamp"


def _source_digest(root: Path) -> str:
    """A digest of everything that the page is built from: web/, and the games' data."""
    digest = hashlib.sha256()
    for path in _sources(root):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    web = root / "web"
    for path in sorted(web.rglob("*")):
        parts = path.relative_to(web).parts
        is_cache = any(part in IGNORED or part.startswith(".") for part in parts)
        if path.is_file() and (not is_cache or path.name == ".npmrc") and parts[0] not in IGNORED:
            yield path
    yield from sorted((root / "souk" / "games").rglob("*.json"))


def main(arguments: list[str]) -> None:
    """Build, or install what that needs, or check."""
    try:
        if arguments == ["check"]:
            check()
        elif arguments == ["install"]:
            if has_source():
                install()
        elif build():
            print("The page is built.")
    except (node.NoNode, subprocess.CalledProcessError, RuntimeError) as error:
        what = "checked" if arguments == ["check"] else "built"
        sys.exit(f"The page was not {what}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
