"""Draw a position of Marrakech as SVG, for README, notebook, docs and page.

`draw` is a pure function of plain data (a `Scene`) and knows no rules; `draw_state` makes the
scene of a state (`scene_from_state`) and draws it. `picture` puts the drawing together:

    scene       what a drawing shows
    description the same in words
    geometry    where things are
    palette     the colours
    board       the ground
    pieces      rugs and Assam
    ornaments   what is defined once and copied
    marks       what just happened and what may happen next
    panel       the players
    examples    the small drawings of the rulebook
    board_data  the board as JSON for clients that draw it themselves
"""

from souk.games.marrakech.drawing.picture import draw
from souk.games.marrakech.drawing.scene import Option, Rug, Scene, Seat, Walk
from souk.games.marrakech.drawing.scene_from_state import draw_state

__all__ = ["Option", "Rug", "Scene", "Seat", "Walk", "draw", "draw_state"]

# Of the picture that messengers show: the height of the drawing, and the width of the board in it.
PREVIEW_SIZE = (573, 516)
