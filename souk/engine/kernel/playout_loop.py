"""The driver that plays many random games.

`targets` joins this module to a game's kernel and uses the kernel's names: SIZE, PLAYERS, TURNS,
deal, playout, score and win_in_sixtieths. It is written in the kernel subset.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import STREAM_SIZE, start_stream
from souk.engine.kernel.primitives import ints

ENTRIES = ("play_games",)
PER_ITEM = ("play_game",)
INLINE_ALL = True  # playouts run twice as fast

if TYPE_CHECKING:  # defined by the kernel
    PLAYERS = SIZE = TURNS = 0

    def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def score(S: MutableSequence[int], seat: int) -> int: ...
    def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int: ...


def play_games(
    start: MutableSequence[int],
    seed: int,
    first: int,
    games: int,
    from_deal: int,
    results: MutableSequence[int],
) -> None:
    """Play games number `first`, `first + 1` … from the buffer `start`."""
    for item in range(games):
        play_game(start, seed, first, from_deal, results, item)


def play_game(
    start: MutableSequence[int],
    seed: int,
    first: int,
    from_deal: int,
    results: MutableSequence[int],
    item: int,
) -> None:
    """Play game number `first + item`.

    With `from_deal` it gets a new setup. The results of each game are: its turns, a score per
    seat, and sixtieths of the win per seat.
    """
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    start_stream(R, seed, first + item)
    for slot in range(SIZE):
        S[slot] = start[slot]
    if from_deal:
        deal(S, R)
    playout(S, R)
    at = item * (1 + 2 * PLAYERS)
    results[at] = S[TURNS] - start[TURNS]
    for seat in range(PLAYERS):
        results[at + 1 + seat] = score(S, seat)
        results[at + 1 + PLAYERS + seat] = win_in_sixtieths(S, seat)
