"""What every game's drawing shares: the pen, a few ornaments, the page and its cards.

The rooms: `pen` (paint, ids, text that fits), `ornaments` (stars, tiles, the players' cloth),
`page` (what is round a picture) and `card` (titles, cards and words in a side panel). A drawing
is a pure function from plain data to SVG text; nothing here knows a game.
"""
