"""The levels between `greedy` and the strongest: how they judge, and how far they look."""

from souk.players.searcher import Searcher


class Trader(Searcher):
    """Looks to the end of its own turn and judges what it sees by simple rules."""

    name = "trader"
    judges_by_hand = True


class Expert(Searcher):
    """Looks to the end of its own turn, with the best judgement there is."""

    name = "expert"


class Master(Searcher):
    """Looks as many turns ahead as it has time for, with the best judgement there is."""

    name = "master"
    most_plies = 40
