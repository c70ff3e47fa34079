"""The pictures of the README: a fixed random game of Marrakech, by day and by night.

.venv/bin/python docs/make_pictures.py [FOLDER]
"""

import random
import sys
from pathlib import Path

import souk

SEED, STEPS = 208, 90  # a lively moment: round an arc, taxed, and a rug laid
NAMES = ("Leila", "Yusuf", "Nour")

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
chance = random.Random(SEED)
state = souk.load_game("marrakech", players=len(NAMES)).new_initial_state()
for _ in range(STEPS):
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])
    else:
        state.apply_action(chance.choice(state.legal_actions()))

folder.mkdir(parents=True, exist_ok=True)
for theme in ("light", "dark"):
    picture = state.svg(theme=theme, names=NAMES)
    (folder / f"marrakech-{theme}.svg").write_text(picture, encoding="utf-8", newline="\n")
