"""The MarraCash drawing: a position as one SVG for README, notebook, docs and page.

``draw`` is a pure function of plain data (a ``Scene``) and knows no rules. The rooms: `scene`
(what is told) and `words` (the same for those who hear it), `plan` (where a board's things are)
and `data` (the same for other clients), `palette` (its own colours), `town` (the ground), `queue`,
`fountains`, `shops`, `visitors` and `signs` (what stands on it), `marks` (what happened and what
may), `panel` (the seats), `picture` (all of it put together) and `examples` (small ones for the
rulebook).
"""

from souk.games.marracash.drawing.picture import draw
from souk.games.marracash.drawing.scene import Route, Scene, Seat, Shop, Walk

__all__ = ["Route", "Scene", "Seat", "Shop", "Walk", "draw"]
