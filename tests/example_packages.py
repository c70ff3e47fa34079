"""Install packages of this repository for a test, without any network."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def install(package: str, folder: Path) -> dict[str, str]:
    """Install a package, named by its path in the repository, into a folder of its own.

    Return the environment variable with which Python finds it there.
    """
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet", "--offline"]
    options = ["--no-deps", "--no-build-isolation", "--target", str(folder)]
    done = subprocess.run([*uv, *options, str(ROOT / package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
