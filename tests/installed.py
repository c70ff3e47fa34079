"""Build packages, and install the wheel without its extras into an environment of its own."""

import os
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def build(kind: str, folder: Path) -> Path:
    """Build the `wheel` or the `sdist` in a folder and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (package,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return package


def metadata(wheel: Path) -> Distribution:
    (folder,) = (one for one in zipfile.Path(wheel).iterdir() if one.name.endswith(".dist-info"))
    return PathDistribution(folder)


def install_core(wheel: Path, folder: Path) -> Path:
    """Install a wheel with nothing but what it requires; return the environment's Python.

    What it requires is linked from the environment that runs the tests.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    command = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for package in _required(metadata(wheel)):
        for name in {file.parts[0] for file in package.files or () if file.parts[0] != ".."}:
            if not (site / name).exists():
                (site / name).symlink_to(os.fspath(package.locate_file(name)))
    return python


def _required(package: Distribution) -> list[Distribution]:
    """Return what a distribution requires, and what that requires in turn."""
    found: dict[str, Distribution] = {}
    waiting = [(package, "")]
    while waiting:
        needing, extra = waiting.pop()
        for requirement in map(Requirement, needing.requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                if requirement.name not in found:
                    found[requirement.name] = distribution(requirement.name)
                    waiting.append((found[requirement.name], ""))
                waiting += [(found[requirement.name], one) for one in requirement.extras]
    return list(found.values())
