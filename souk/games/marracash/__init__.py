"""MarraCash: buy shops at auction, and move visitors through the town to them."""

from souk.games.marracash.game import MarraCash

game = MarraCash

__all__ = ["game"]
