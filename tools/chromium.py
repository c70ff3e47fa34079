"""Find Chromium for the browser tests, or install Debian's.

`python -m tools.chromium` prints its path. Tests start it with `FLAGS`.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def find() -> str | None:
    """Return the path of Chromium, which SOUK_CHROMIUM overrides; None if there is none."""
    override = os.environ.get("SOUK_CHROMIUM")
    return override or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> str:
    """Return the path of Chromium; install it first if there is none."""
    result = find()
    if result is not None:
        return result
    apt = shutil.which("apt-get")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    sudo = [] if is_root else [shutil.which("sudo")]
    if apt is None or None in sudo:
        sys.exit(
            "The tests in a browser need Chromium, and it cannot be installed here: install it as"
            " `chromium`, or say where it is: SOUK_CHROMIUM=/path/to/chromium make test"
        )
    command = [*filter(None, sudo), apt]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install_chromium = [*command, "install", "--yes", "--no-install-recommends", "chromium"]
    is_done = False
    for steps in ([install_chromium], [[*command, "update"], install_chromium]):
        is_done = all(subprocess.run(step, env=quiet).returncode == 0 for step in steps)
        if is_done:
            break
    result = find()
    if not is_done or result is None:
        sys.exit("Chromium could not be installed: see what apt-get says above.")
    return result


if __name__ == "__main__":
    print(install())
