"""Parts that the SVG drawings of all games share.

`pen` has colours, ids and text that fits a width; `ornaments` has stars, tiles and the players'
fabrics; `svg_document` has the frame of a drawing, and `panel_parts` the cards of its side panel. A
drawing is a pure function from plain data to SVG.
"""
