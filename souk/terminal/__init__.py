"""The terminal: how people play, watch and measure games on the command line.

Every module here works for any game through Game, State and the players; none knows a rule or
names a game. `souk.cli` parses the command line and calls in here. Nothing heavy (NumPy, Numba,
Rich) is loaded before it is needed, so that the first word appears at once.
"""
