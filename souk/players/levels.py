"""The levels that search: which evaluation each uses, and how many plies it looks ahead."""

from souk.players.searcher import Searcher


class Trader(Searcher):
    """Searches to the end of its own turn with the simplest evaluation."""

    name = "trader"
    uses_simplest = True


class Expert(Searcher):
    """Searches to the end of its own turn with the best evaluation."""

    name = "expert"
    takes_weights = True


class Master(Searcher):
    """Searches as many plies as it has time for with the best evaluation."""

    name = "master"
    takes_weights = True
    most_plies = 40
    least_nodes = 1_000  # with fewer it often sees no more than `expert`, and finds it faultless
