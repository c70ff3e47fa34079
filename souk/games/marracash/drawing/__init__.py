"""Draw a position of MarraCash as SVG, for README, notebook, docs and page.

`draw` is a pure function of plain data (a `Scene`) and knows no rules; `draw_state` makes the
scene of a state (`scene_from_state`) and draws it. `picture` puts the drawing together:

    scene       what a drawing shows
    description the same in words
    geometry    where things are
    palette     the colours
    board       the ground
    queue, fountains, shops, visitors, signs
                the pieces
    marks       what just happened and what may happen next
    panel       the players
    examples    the small drawings of the rulebook
    board_data  the board as JSON for clients that draw it themselves
"""

from souk.games.marracash.drawing.picture import draw
from souk.games.marracash.drawing.scene import Route, Scene, Seat, Shop, Walk
from souk.games.marracash.drawing.scene_from_state import draw_state

__all__ = ["Route", "Scene", "Seat", "Shop", "Walk", "draw", "draw_state"]

# Of the picture that messengers show: the height of the drawing, and the width of the board in it.
PREVIEW_SIZE = (647, 590)
