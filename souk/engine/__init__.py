"""How rules run: kernels and their targets, random numbers, the playout driver, Game and State.

The ground floor of the house: it imports nothing else of souk and knows no game.
"""
