"""The colours of this drawing, in addition to those of every drawing."""

from souk.engine.drawing import pen

PALETTE = {
    **pen.PALETTE,
    "block": ("#DFC9A2", "#262B42"),  # plaster between the streets
    "block_line": ("#C9AE80", "#343B58"),
    "street": ("#F7EFE0", "#3D4566"),  # pale ways
    "street_dot": ("#D3BE99", "#5B648A"),
    "wall": ("#B98A58", "#5A4638"),
    "wall_edge": ("#7D5B36", "#8A6C4C"),
    "stone": ("#FBF6EC", "#C9BFAB"),  # the rim of a fountain
    "glaze": ("#5F93A8", "#3F7085"),  # its tiles
    "water": ("#A9CBD6", "#2C5365"),
    "ripple": ("#D6E7EC", "#47788C"),
    "deep": ("#1F2A55", "#10142A"),  # the water of a dark one
    "leaf": ("#6F8F5B", "#4B6A4A"),  # gardens
    "shop_red": ("#F4D9CF", "#4A2A32"),
    "shop_yellow": ("#FBEBC0", "#4A3D20"),
    "shop_blue": ("#D5E5EF", "#233B55"),
    "shop_green": ("#DAE8D3", "#2A4235"),
    "shop_purple": ("#E7DAED", "#40304F"),
    "edge_red": ("#B5382F", "#D9695E"),
    "edge_yellow": ("#A87612", "#E2A92B"),
    "edge_blue": ("#2B6C9E", "#669FCB"),
    "edge_green": ("#457B42", "#78AF74"),
    "edge_purple": ("#7A4B8C", "#AF86C1"),
}
