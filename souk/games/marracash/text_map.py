"""The board in characters: a map, or a list of streets where no map can be drawn.

A map needs a board with a grid on which every street has cells of its own and everything fits the
width of a terminal: `(F3)` is a fountain, `[F1]` a dark one, `R3` a shop, and `1:2` at a shop says
that seat 1, counted from 1, owns it and that it has two customers.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from souk.engine.styled_text import Styled, cell_width
from souk.games.marracash.board import Board, grid_of

WIDTH = 78  # columns
NARROWEST = 5  # columns of a cell; an odd number has a middle
LONGEST_MARK = 4  # 4:14

Cell = tuple[int, int]  # row and column


def shop_name(board: Board, shop: str) -> str:
    """Return a shop's name, with the letter of its colour if it does not start with it."""
    letter = board.colours[board.shops.index(shop)][0].upper()
    return shop if shop[0].upper() == letter else f"{shop}/{letter}"


def fountain_name(board: Board, fountain: str) -> str:
    return f"[{fountain}]" if fountain in board.gates else f"({fountain})"


# ---- the map -------------------------------------------------------------------------------------


def draw_map(
    board: Board, marks: Mapping[str, str], groups: Mapping[str, str]
) -> list[Styled] | None:
    """Return the map, or None if this board has none; marks are of shops, groups of fountains."""
    size = grid_of(board.layout)
    if size is None:
        return None
    fountains = {e["id"]: _cell(e["x"], e["y"], size) for e in board.layout["fountains"]}
    shops = {e["id"]: _cells_of_shop(e, size) for e in board.layout["shops"]}
    taken = [*fountains.values(), *(cell for row in shops.values() for cell in row)]
    links = _links(board, fountains, size) if len(set(taken)) == len(taken) else None
    if links is None or not _is_clear(links, fountains, taken):
        return None
    wide = _width(board, shops)
    if wide * size[1] > WIDTH:
        return None
    pieces: dict[Cell, tuple[str, str]] = {
        cell: (_street(link, wide), "dim") for cell, link in links.items()
    }
    for name, cell in fountains.items():
        link = links.get(cell, "")
        label = fountain_name(board, name)
        left = (wide - len(label)) // 2
        right = wide - len(label) - left
        text = ("-" if "W" in link else " ") * left + label + ("-" if "E" in link else " ") * right
        pieces[cell] = (text, "strong" if name in groups else "")
    for name, colour in zip(board.shops, board.colours, strict=True):
        for cell, text in _front(shops[name], shop_name(board, name), marks.get(name, ""), wide):
            pieces[cell] = (text, colour)
    blank = (" " * wide, "")
    rows, columns = size
    return [[pieces.get((row, col), blank) for col in range(columns)] for row in range(rows)]


def _cell(x: float, y: float, size: Cell) -> Cell:
    rows, columns = size
    return min(int(y * rows), rows - 1), min(int(x * columns), columns - 1)


def _cells_of_shop(entry: Mapping[str, Any], size: Cell) -> list[Cell]:
    given = entry.get("cells")
    if not given:
        return [_cell(entry["x"], entry["y"], size)]
    return sorted((row, col) for row, col in given)


def _links(board: Board, fountains: Mapping[str, Cell], size: Cell) -> dict[Cell, str] | None:
    """Return the directions of the streets in each of their cells; None if two share a cell."""
    links: dict[Cell, str] = {}
    for entry in board.layout["streets"]:
        ends = [fountains[entry["a"]], fountains[entry["b"]]]
        points = [_cell(x, y, size) for x, y in entry.get("polyline", [])[1:-1]]
        way = list(_steps([ends[0], *points, ends[1]]))
        if len(way) < 3 or any(cell in links or cell in ends for cell in way[1:-1]):
            return None
        for one, other in pairwise(way):
            there, back = _WAYS[other[0] - one[0], other[1] - one[1]]
            links[one] = links.get(one, "") + there
            links[other] = links.get(other, "") + back
    return links


# A step by rows and columns -> there and back.
_WAYS = {(-1, 0): ("N", "S"), (1, 0): ("S", "N"), (0, 1): ("E", "W"), (0, -1): ("W", "E")}


def _steps(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the cells of a path through `cells`, along the row first."""
    row, col = cells[0]
    yield row, col
    for to_row, to_col in cells[1:]:
        while (row, col) != (to_row, to_col):
            if col != to_col:
                col += 1 if to_col > col else -1
            else:
                row += 1 if to_row > row else -1
            yield row, col


def _is_clear(
    links: Mapping[Cell, str], fountains: Mapping[str, Cell], taken: Sequence[Cell]
) -> bool:
    """Return whether no street runs through a shop or a fountain that it does not lead to."""
    ends = set(fountains.values())
    return not any(cell in links and cell not in ends for cell in taken)


def _street(link: str, wide: int) -> str:
    middle = "|" if set(link) <= {*"NS"} else "-" if set(link) <= {*"EW"} else "+"
    left = wide // 2
    right = wide - left - 1
    return ("-" if "W" in link else " ") * left + middle + ("-" if "E" in link else " ") * right


def _width(board: Board, shops: Mapping[str, list[Cell]]) -> int:
    """Return the width of a cell that all names fit into."""
    need = NARROWEST
    for name in board.fountains:
        need = max(need, len(fountain_name(board, name)))
    for name, place in shops.items():
        rows = _rows(place)
        label = len(shop_name(board, name))
        if len(rows) == 1:
            needs = [(label + 1 + LONGEST_MARK, rows[0])]
        else:
            needs = [(label, rows[0]), (LONGEST_MARK, rows[1])]
        for text, row in needs:
            need = max(need, -(-(text + 1) // len(row)))
    return need | 1


def _rows(place: Sequence[Cell]) -> list[list[Cell]]:
    """Return the cells of a shop row by row, as far as they are side by side."""
    rows: list[list[Cell]] = []
    for cell in place:
        if rows and rows[-1][-1] == (cell[0], cell[1] - 1):
            rows[-1].append(cell)
        elif not rows or rows[-1][0][0] != cell[0]:
            rows.append([cell])
    return rows


def _front(place: Sequence[Cell], name: str, mark: str, wide: int) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of a shop with its name, and its mark beside or below it."""
    rows = _rows(place)
    lines = [f"{name} {mark}"] if len(rows) == 1 else [name, mark]
    for row, line in zip(rows, lines, strict=False):
        text = f" {line}".ljust(wide * len(row))
        for number, cell in enumerate(row):
            yield cell, text[number * wide : (number + 1) * wide]


# ---- the list ------------------------------------------------------------------------------------


def list_board(board: Board, marks: Mapping[str, str], groups: Mapping[str, str]) -> list[Styled]:
    """Return the board as a list: the streets of each fountain and their shops, then the shops."""
    names = {name: fountain_name(board, name) for name in board.fountains}
    hang = max(map(len, names.values())) + 1
    lines: list[Styled] = []
    for name, label in names.items():
        words: Styled = [(f"{groups[name]}  ", "strong")] if name in groups else []
        for street in board.streets:
            if street.start == name:
                first, *others = street.shops or ("-",)
                words += [(f"to {street.end}: {first} ", ""), *((f"{one} ", "") for one in others)]
                words[-1] = (words[-1][0] + " ", "")
        lines += wrap_words(label.ljust(hang), words, WIDTH)
    shops: Styled = [
        (f"{shop_name(board, shop)} {marks.get(shop, '-')}  ", colour)
        for shop, colour in zip(board.shops, board.colours, strict=True)
    ]
    return [*lines, *wrap_words("shops   ", shops, WIDTH)]


def wrap_words(label: str, words: Styled, width: int) -> list[Styled]:
    """Return words after a label, wrapped."""
    lines: list[Styled] = [[(label, "dim")]]
    space = width - len(label)
    for text, style in words or [("-", "")]:
        if cell_width(text.rstrip()) > space and len(lines[-1]) > 1:
            lines.append([(" " * len(label), "")])
            space = width - len(label)
        lines[-1].append((text, style))
        space -= cell_width(text)
    return lines
