"""Derive independent seeds from one seed."""

import hashlib


def derive_seed(seed: int, *parts: object) -> int:
    """Return a seed for the purpose that the parts name.

    >>> derive_seed(7, "dice", 1) == derive_seed(7, "dice", 1) != derive_seed(7, "dice", 2)
    True
    """
    text = " ".join(map(str, ("souk", seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
