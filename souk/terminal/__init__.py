"""The terminal: play, watch and measure games on the command line.

Every module works for any game through Game, State and the players; none names a game or knows a
rule. `souk.cli` parses the command line and calls these modules. Heavy libraries (NumPy, Numba,
Rich) are imported only when needed, so that the first output appears quickly.
"""
