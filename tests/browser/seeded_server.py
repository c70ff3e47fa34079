"""Run `souk` with the same dice and the same computer players every time, for tests only.

`python -m tests.browser.seeded_server serve` is `souk serve` with the fixed secret `SECRET`: the
same game with the same words has the same dice. The package itself has no such option, since a
secret that can be chosen proves nothing.
"""

import zlib

from souk.cli import main
from souk.engine.state import State
from souk.games import load_game
from souk.players import player
from souk.records import fairness
from souk.server.live import automatic_actions, player_workers

SECRET = "50" * 32


def seed_of(game: str) -> int:
    """Return the setup seed of a game without added words."""
    loaded = load_game(game)
    return fairness.FairDice(SECRET, loaded, [""] * loaded.num_players()).seed()


def choose(game: str, start: list[int], actions: list[int], level: str, seconds: float) -> str:
    """Return a computer player's move, seeded by the position."""
    state = State(load_game(game), start)
    for action in actions:
        state.apply_action(action)
    seed = zlib.crc32(repr(state.buffer).encode())
    chooser = player(level, state.game, seconds=seconds, seed=seed)
    return state.action_to_string(chooser.choose(state))


if __name__ in ("__main__", "__mp_main__"):  # the server, or one of its computer players
    fairness.new_secret = lambda: SECRET
    player_workers._choose = choose
    automatic_actions.UNDO_MS = 0  # nobody undoes in most tests, and whole games should not wait
if __name__ == "__main__":
    main()
