"""Find nginx for the tests, or unpack Debian's into the virtual environment.

`python -m tools.nginx` prints its path. Nothing is installed on the machine and no service starts.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PLACES = ("/usr/sbin", "/usr/local/sbin", f"{sys.prefix}/nginx/usr/sbin")


def find() -> str | None:
    """Return the path of nginx, which SOUK_NGINX overrides; None if there is none."""
    override = os.environ.get("SOUK_NGINX")
    return override or shutil.which("nginx") or shutil.which("nginx", path=os.pathsep.join(PLACES))


def install() -> str:
    """Return the path of nginx; unpack it first if there is none."""
    result = find()
    if result is not None:
        return result
    apt, dpkg = shutil.which("apt-get"), shutil.which("dpkg-deb")
    if apt is None or dpkg is None:
        sys.exit(
            "The tests of a proxy need nginx, and it cannot be downloaded here: install it as"
            " `nginx`, or say where it is: SOUK_NGINX=/path/to/nginx make test"
        )
    package = _download(apt)
    subprocess.run([dpkg, "--extract", package, f"{sys.prefix}/nginx"], check=True)
    result = find()
    assert result is not None, "the package has usr/sbin/nginx"
    return result


def _download(apt: str) -> Path:
    """Download Debian's package; return its path."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    update = [*([] if is_root else ["sudo"]), apt, "update"]
    folder = Path(sys.prefix) / "nginx"
    folder.mkdir(exist_ok=True)
    for step in ((), update):
        if step and shutil.which(step[0]):
            subprocess.run(step)
        if subprocess.run([apt, "download", "nginx"], cwd=folder).returncode == 0:
            return next(folder.glob("nginx_*.deb"))
    sys.exit("nginx could not be downloaded: see what apt-get says above.")


if __name__ == "__main__":
    print(install())
