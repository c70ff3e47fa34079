"""Draw chance outcomes while a game is played."""

import random

from souk.engine.seeds import derive_seed
from souk.engine.state import State


class Dice:
    """Draw chance outcomes from the system's randomness, or from a seed.

    With a seed, a draw depends only on the seed and the number of actions before it, so a game
    that was interrupted continues as if it had not been.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def draw(self, state: State) -> int:
        """Return an outcome of the chance step that a state is at."""
        outcomes = state.chance_outcomes()
        source: random.Random = random.SystemRandom()
        if self.seed is not None:
            source = random.Random(derive_seed(self.seed, "dice", len(state.history())))
        actions = [action for action, _ in outcomes]
        return source.choices(actions, [probability for _, probability in outcomes])[0]
