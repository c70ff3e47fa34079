"""Read the files of weights that `souk train` writes, whatever the game."""

import hashlib
import io
import json
import re
import stat
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from souk.engine.errors import SoukError, brief, reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_BYTES = 64 * 2**20  # of a file, and of what it unpacks to
DIGEST = re.compile(r"(?P<path>.+)@(?P<digest>[0-9a-f]{8})")


def read_weights_file(name: str | Path) -> bytes:
    """Return the content of a file of weights.

    After the name may come the beginning of its SHA-256, as `with_digest` writes it. Then a file
    with another content is refused.
    """
    path, digest = _split(name)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is not a plain file")
        if status.st_size > MOST_BYTES:
            raise OSError(f"weights take at most {MOST_BYTES:,} bytes, not {status.st_size:,}")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise SoukError(f"{path} cannot be read: {reason(error)}") from None
    if digest and _digest(data) != digest:
        raise SoukError(
            f"{path} has changed: its SHA-256 begins with {_digest(data)}, not {digest}"
        )
    return data


def read_net(data: bytes, file: str) -> "tuple[NDArray[np.float32], dict[str, Any]]":
    """Return the weights in the content of a file of a net, and how they were trained."""
    import numpy as np

    try:
        with ZipFile(io.BytesIO(data)) as packed:
            if sum(one.file_size for one in packed.infolist()) > MOST_BYTES:
                raise ValueError("it unpacks to too much")
        with np.load(io.BytesIO(data)) as saved:
            weights = np.asarray(saved["weights"], np.float32)
            about: dict[str, Any] = json.loads(str(saved["about"]))
            str(about["plan"]["game"])
    except (
        *(EOFError, KeyError, NotImplementedError, OSError, RuntimeError, TypeError, ValueError),
        *(BadZipFile, zlib.error),
    ):
        raise SoukError(f"{file} is not a net that souk has saved") from None
    if not np.isfinite(weights).all():
        raise SoukError(f"{file} has weights that are not finite numbers")
    return weights, about


def with_digest(name: str | Path) -> str:
    """Return the name of a file followed by the beginning of its SHA-256: `net.npz@1f3c9a02`."""
    return f"{_split(name)[0]}@{_digest(read_weights_file(name))}"


def file_state(name: str | Path) -> tuple[int, int]:
    """Return what changes when a file is written again: its time and its size; zeros if none is."""
    try:
        status = _split(name)[0].stat()
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _split(name: str | Path) -> tuple[Path, str]:
    if not isinstance(name, str | Path):
        raise SoukError(f"weights is the name of a file, not {brief(name)}")
    match = DIGEST.fullmatch(str(name))
    path, digest = match.group("path", "digest") if match else (str(name), "")
    try:
        return Path(path).expanduser(), digest
    except RuntimeError:  # the home folder of nobody
        return Path(path), digest


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]
