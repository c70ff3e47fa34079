"""The loop that plays many random games: compiled together with a game's kernel.

`targets` puts this text behind the text of the kernel, whose names it uses: SIZE, PLAYERS, TURNS,
deal, playout, score and win_in_twelfths. Written in the compilable subset, like the kernel.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import STREAM_SIZE, start_stream
from souk.engine.kernel.primitives import room

ENTRIES = ("play_games",)
FUSED = True  # every step is the same few slots again: random games run twice as fast

if TYPE_CHECKING:  # the names a kernel brings
    PLAYERS = SIZE = TURNS = 0

    def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def score(S: MutableSequence[int], seat: int) -> int: ...
    def win_in_twelfths(S: MutableSequence[int], seat: int) -> int: ...


def play_games(
    start: MutableSequence[int],
    seed: int,
    first: int,
    games: int,
    from_deal: int,
    results: MutableSequence[int],
) -> None:
    """Play games `first`, `first + 1` … from the position `start`, each dealt anew if wanted.

    A game's results, one after the other: turns, a score per seat, twelfths of the win per seat.
    """
    S = room(SIZE)
    R = room(STREAM_SIZE)
    at = 0
    for game in range(first, first + games):
        start_stream(R, seed, game)
        for slot in range(SIZE):
            S[slot] = start[slot]
        if from_deal:
            deal(S, R)
        playout(S, R)
        results[at] = S[TURNS] - start[TURNS]
        for seat in range(PLAYERS):
            results[at + 1 + seat] = score(S, seat)
            results[at + 1 + PLAYERS + seat] = win_in_twelfths(S, seat)
        at += 1 + 2 * PLAYERS
