"""Marrakech: lay rugs where others must walk, and count squares and dirhams at the end."""

from souk.games.marrakech.game import Marrakech as game

__all__ = ["game"]
