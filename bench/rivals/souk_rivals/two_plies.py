"""The heuristic, searched one ply deeper than the level that uses it."""

from souk.players.searcher import UNLIMITED, Searcher


class TwoPlies(Searcher):
    """Searches to the end of the next player's turn with the heuristic, without a limit."""

    name = "two-plies"
    uses_simplest = True
    most_plies = 2
    follows_all = True
    default_nodes = UNLIMITED
