"""The kinds of opponents that the nets, the opponent models and training know.

NET stands for a player like the searching one, whatever its evaluation is.
"""

NET, HEURISTIC, GREEDY, TWO_PLY = range(4)
KINDS = 4
