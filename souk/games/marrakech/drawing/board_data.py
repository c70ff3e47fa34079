"""The board as plain JSON, for clients that draw it themselves."""

from typing import Any

from souk.games.marrakech.board import ARCS, FACINGS, SIZE, SQUARES


def board_data() -> dict[str, Any]:
    """Return the size of the board, the names of its squares and facings, and its arcs.

    An arc is one way round: the square and facing on leaving the board, and on coming back.

    >>> board_data()["arcs"][0]
    {'out': ['a7', 'N'], 'in': ['b7', 'S']}
    """
    return {
        "size": SIZE,
        "squares": list(SQUARES),
        "facings": list(FACINGS),
        "arcs": [
            {"out": [SQUARES[out], FACINGS[leaving]], "in": [SQUARES[back], FACINGS[entering]]}
            for (out, leaving), (back, entering) in ARCS.items()
        ],
    }
