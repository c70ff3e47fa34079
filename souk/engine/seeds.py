"""Many seeds from one: a number for every purpose, each on its own."""

import hashlib


def derive_seed(seed: int, *parts: object) -> int:
    """A seed for one purpose, from a seed for everything.

    >>> derive_seed(7, "dice", 1) == derive_seed(7, "dice", 1) != derive_seed(7, "dice", 2)
    True
    """
    text = " ".join(map(str, ("souk", seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
