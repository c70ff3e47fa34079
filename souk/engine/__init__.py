"""The engine: kernels and their targets, random numbers, playouts, search, Game and State.

It imports no other part of the package and knows no game.
"""
