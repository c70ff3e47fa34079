"""Marrakech: lay rugs where others must walk, and count squares and dirhams at the end."""

from souk.games.marrakech.game import Marrakech

game = Marrakech

__all__ = ["game"]
