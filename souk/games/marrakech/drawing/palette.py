"""The colours of this drawing, in addition to those of every drawing."""

from souk.engine.drawing import pen

PALETTE = {
    **pen.PALETTE,
    "square": ("#F5EAD7", "#2A3049"),
    "square_odd": ("#EFE1C8", "#262B43"),
    "square_name": ("#75603C", "#A9A08F"),
    "base": ("#FBF6EC", "#EFE3CC"),  # what Assam stands on
    "fringe": ("#A88B5C", "#AFA48D"),
}
