"""`souk` with the same luck and the same computer players every time, for tests alone.

`python -m tests.browser.seeded serve` is `souk serve` whose secret is always `SECRET`: games of the
same name and words roll the same dice. Nothing of this is in the package, where a secret that
somebody could choose would be worth nothing.
"""

import zlib

from souk.cli import main
from souk.engine.state import State
from souk.games import load_game
from souk.players import player
from souk.records import fairness
from souk.server.live import player_workers

SECRET = "50" * 32


def seed_of(game: str) -> int:
    """The seed of a game that nobody added words to."""
    made = load_game(game)
    return fairness.FairDice(SECRET, made, [""] * made.num_players()).seed()


def choose(game: str, start: list[int], actions: list[int], level: str, seconds: float) -> str:
    """A computer player's move, which follows from the position."""
    state = State(load_game(game), start)
    for action in actions:
        state.apply_action(action)
    seed = zlib.crc32(repr(state.buffer).encode())
    found = player(level, state.game, seconds=seconds, seed=seed)
    return state.action_to_string(found.choose(state))


if __name__ in ("__main__", "__mp_main__"):  # the server, or one of its computer players
    fairness.new_secret = lambda: SECRET
    player_workers._choose = choose
if __name__ == "__main__":
    main()
