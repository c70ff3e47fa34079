"""Measure the wheel, and what pip installs with it, beside Numba alone."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.report import Figure

EXTRAS = ("", "[server]", "[all]")


def figures() -> list[Figure]:
    with TemporaryDirectory() as folder:
        _run("build", "--wheel", "--out-dir", folder)
        (wheel,) = Path(folder).glob("*.whl")
        numba = _installed("numba", Path(folder, "numba"))
        return [
            Figure("souk, the wheel", wheel.stat().st_size / 1e6, "MB"),
            Figure("numba, installed", numba, "MB"),
            *(
                Figure(
                    f"souk{extra}, installed",
                    _installed(f"{wheel}{extra}", Path(folder, f"souk{extra}")),
                    "MB",
                    "numba",
                    numba,
                )
                for extra in EXTRAS
            ),
        ]


def _installed(package: str, folder: Path) -> float:
    """Return the megabytes of a package with everything that it needs."""
    _run("pip", "install", "--target", str(folder), package)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _run(*arguments: str) -> None:
    uv = str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, *arguments, "--quiet"], check=True)
