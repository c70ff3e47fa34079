"""The Marrakech drawing: a position as one SVG for README, notebook, docs and page.

``draw`` is a pure function of plain data (a ``Scene``) and knows no rules; ``draw_state`` makes
the scene of a state. The rooms: `scene` (what is told), `palette` (its own colours), `court` (the
ground), `pieces` (rugs, Assam, marks), `panel` (the seats), `ornaments` (what is drawn once and
copied), `picture` (all of it put together), `examples` (small ones for the rulebook) and
`of_state`, the only one that knows the game.
"""

from souk.games.marrakech.drawing.of_state import draw_state, scene_of
from souk.games.marrakech.drawing.picture import draw
from souk.games.marrakech.drawing.scene import Option, Rug, Scene, Seat, Walk

__all__ = ["Option", "Rug", "Scene", "Seat", "Walk", "draw", "draw_state", "scene_of"]
