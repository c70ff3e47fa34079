"""Chance at this table: the system's own randomness, or numbers from a seed."""

import hashlib
import random

from souk.engine.state import State


def derived(seed: int, *parts: object) -> int:
    """A seed for one purpose, from a seed for everything.

    >>> derived(7, "dice", 1) == derived(7, "dice", 1) != derived(7, "dice", 2)
    True
    """
    text = " ".join(map(str, ("souk", seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


class Dice:
    """Draws chance outcomes.

    With a seed each draw depends on the seed and on how many actions came before it, and on
    nothing else: a game that was interrupted goes on as if it had not been.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def draw(self, state: State) -> int:
        """An outcome of the chance step that a state is at."""
        outcomes = state.chance_outcomes()
        source: random.Random = random.SystemRandom()
        if self.seed is not None:
            source = random.Random(derived(self.seed, "dice", len(state.history())))
        actions = [action for action, _ in outcomes]
        return source.choices(actions, [probability for _, probability in outcomes])[0]
