"""Draw the pictures of the README: one position of each game, light and dark.

.venv/bin/python docs/make_pictures.py [FOLDER]
"""

import random
import sys
from pathlib import Path

import souk

# Game, players, seed and steps. They show Assam on an arc, a tax and a rug; customers in MarraCash.
PICTURES = (("marrakech", 3, 208, 90), ("marracash", 4, 15, 151))
NAMES = ("Leila", "Yusuf", "Nour", "Omar")


def position_after(name: str, players: int, seed: int, steps: int) -> souk.State:
    """Return the state after some steps of a random game."""
    chance = random.Random(seed)
    game = souk.load_game(name, players=players)
    state = game.new_initial_state(seed=seed)
    for _ in range(steps):
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(game.random_action(state, chance))
    return state


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, players, seed, steps in PICTURES:
        state = position_after(name, players, seed, steps)
        for theme in ("light", "dark"):
            picture = state.svg(theme=theme, names=NAMES[:players])
            (folder / f"{name}-{theme}.svg").write_text(picture, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
