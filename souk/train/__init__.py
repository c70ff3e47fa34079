"""Train evaluations by self-play: what serves any game. A game's own trainer is in its `ai/`."""

from souk.train.trainer import Trainer, trainer_class

__all__ = ["Trainer", "trainer_class"]
