"""The judgement made by hand, looking farther than the level that has it."""

from souk.players.searcher import NEVER, Searcher


class TwoPlies(Searcher):
    """The judgement made by hand, at the end of the next player's turn, whatever that takes."""

    name = "two-plies"
    judges_by_hand = True
    most_plies = 2
    widths = ()
    usual_nodes = NEVER
