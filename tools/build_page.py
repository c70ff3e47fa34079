"""Build the page: web/ becomes souk/page/, which the server serves.

`python -m tools.build_page` installs the npm packages if package-lock.json changed, and builds the
page if anything under web/ changed. `python -m tools.build_page install` only installs; `check`
runs the page's checks (types, lint, tests), and `test` only its tests. The build hook
(hatch_build.py) builds the page for wheels.
"""

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools import node

ROOT = Path(__file__).parents[1]
CHECKS = ("check", "lint", "test")  # npm scripts
IGNORED = {"node_modules"}


def build(root: Path = ROOT) -> bool:
    """Build the page unless it is up to date; return whether it was built."""
    if not has_source(root) or is_built(root):
        return False
    result = install(root)
    result.run(["run", "build"], root / "web")
    if not (root / "souk" / "page" / "index.html").is_file():
        raise RuntimeError("the build made no souk/page/index.html")
    _stamp(root).write_text(_source_digest(root), encoding="utf-8")
    return True


def install(root: Path = ROOT) -> node.Node:
    """Install the npm packages unless they are those of the lock file; return the node to use."""
    result = node.find()
    web = root / "web"
    done = web / "node_modules" / ".souk-installed"
    digest = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    if not (done.is_file() and done.read_text(encoding="utf-8") == digest):
        result.run(["ci", "--no-audit", "--no-fund"], web)
        done.parent.mkdir(exist_ok=True)
        done.write_text(digest, encoding="utf-8")
    return result


def check(root: Path = ROOT, scripts: Sequence[str] = CHECKS) -> None:
    """Run npm scripts that check the page: types, lint and tests."""
    if has_source(root):
        result = install(root)
        for script in scripts:
            result.run(["run", "--silent", script], root / "web")


def has_source(root: Path = ROOT) -> bool:
    """Return whether there is something to build."""
    return (root / "web" / "package.json").is_file()


def is_built(root: Path = ROOT) -> bool:
    """Return whether the page was built from web/ as it is now."""
    stamp = _stamp(root)
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _source_digest(root)


def _stamp(root: Path) -> Path:
    return root / "souk" / "page" / ".stamp"


def _source_digest(root: Path) -> str:
    """Return a digest of everything that the page is built from: web/ and the games' data."""
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
    """Build the page, or only install its packages, or check it."""
    try:
        if arguments in (["check"], ["test"]):
            check(scripts=CHECKS if arguments == ["check"] else arguments)
        elif arguments == ["install"]:
            if has_source():
                install()
        elif build():
            print("The page is built.")
    except (node.NoNode, subprocess.CalledProcessError, RuntimeError) as error:
        what = "checked" if arguments in (["check"], ["test"]) else "built"
        sys.exit(f"The page was not {what}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
