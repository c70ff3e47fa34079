"""MarraCash in text: the actions, and the town for people to read."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.state import State
from souk.engine.styled import Styled
from souk.games.marracash.board import CARDS, COLOURS, Board
from souk.games.marracash.knobs import DIRHAMS, FROM_THE_BANK, LEAST_BID, STEP

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash

ENDS = ("head", "tail")
SIGN_COLOURS = ("red", "yellow", "blue", "orange")  # of the seats
_COLUMNS, _ROWS = 13, 10  # of a board that has no grid of its own
_WIDTH = 6  # characters of a cell


def actions(board: Board, players: int) -> tuple[str, ...]:
    """The text of every action, in the order of the kernel's numbers."""
    values = sorted({value for cards in CARDS.values() for value in cards})
    most = DIRHAMS * players + FROM_THE_BANK
    return (
        *(f"move {street.start}>{street.end}" for street in board.streets),
        *(f"auction {shop}" for shop in board.shops),
        "pass",
        *(
            f"bring {gate} {end} {size}"
            for gate in board.gates
            for end in ENDS
            for size in (2, 3, 4)
        ),
        *(f"card {value}" for value in values),
        *(f"bid {amount}" for amount in range(LEAST_BID, most + 1, STEP)),
        *(f"{colour} {value}" for colour in COLOURS for value in CARDS[colour]),
    )


def letters(group: Mapping[str, int]) -> str:
    """A group by the first letters of its colours.

    >>> letters({"red": 1, "blue": 2})
    'RBB'
    """
    return "".join(colour[0].upper() * count for colour, count in group.items())


def grid(game: "MarraCash", state: State) -> list[Styled]:
    """The map of the town, who stands where, and the queue."""
    position = game.position(state.buffer)
    rows = [*_map(game, position), []]
    groups = [f"{fountain} {letters(group)}" for fountain, group in position["groups"].items()]
    rows += _wrapped("groups  ", groups)
    queue = "".join(colour[0].upper() for colour in position["queue"])
    rows.append([("queue   ", "dim"), ("head ", "dim"), (queue or "-", ""), (" tail", "dim")])
    if position["cards"]:
        cards = ", ".join(f"{colour} {value}" for colour, value in position["cards"]["open"])
        rows.append([("cards   ", "dim"), (cards or "none open", "")])
    return rows


def _wrapped(label: str, words: Sequence[str]) -> list[Styled]:
    lines: list[Styled] = []
    line = ""
    for word in words:
        if len(line) + len(word) > _COLUMNS * _WIDTH - 8:
            lines.append([(label if not lines else " " * 8, "dim"), (line, "")])
            line = ""
        line += word + "  "
    return [*lines, [(label if not lines else " " * 8, "dim"), (line.rstrip() or "-", "")]]


def _map(game: "MarraCash", position: Mapping[str, Any]) -> list[Styled]:
    """The town on a grid: (F3) a fountain, [F1] a dark one, R3 a shop, R3al2 with two customers."""
    layout = game.town.layout
    columns, rows = _size(layout)
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    for entry in layout["fountains"]:
        name = entry["id"]
        is_dark = name in game.town.gates
        mark = f"[{name}]" if is_dark else f"({name})"
        cells[_place(entry, columns, rows)] = (mark, "strong" if name in position["groups"] else "")
    for entry, colour in zip(layout["shops"], game.town.colours, strict=True):
        shop = position["shops"].get(entry["id"])
        sold = f"{game.seat_names[shop['owner']][:2].lower()}{shop['customers']}" if shop else ""
        cells[_place(entry, columns, rows)] = (entry["id"] + sold, colour)
    lines: list[Styled] = []
    for row in range(rows):
        line: Styled = []
        for column in range(columns):
            text, style = cells.get((row, column), ("", ""))
            line += [(text[:_WIDTH], style), (" " * max(0, _WIDTH - len(text)), "")]
        lines.append(line)
    return lines


def _size(layout: Mapping[str, Any]) -> tuple[int, int]:
    size = layout.get("grid")
    if isinstance(size, Mapping):
        columns, rows = size.get("cols"), size.get("rows")
        if type(columns) is int and type(rows) is int and 3 <= columns <= 26 and 3 <= rows <= 26:
            return columns, rows
    return _COLUMNS, _ROWS


def _place(entry: Mapping[str, Any], columns: int, rows: int) -> tuple[int, int]:
    return (min(int(entry["y"] * rows), rows - 1), min(int(entry["x"] * columns), columns - 1))


def standings(
    game: "MarraCash", state: State, names: Sequence[str] | None = None
) -> list[list[Styled]]:
    """The name, the money and the shops of every seat."""
    S, k = state.buffer, game.rules
    who = list(names or game.seat_names)
    blocks = []
    for seat in range(game.num_players()):
        is_asked = seat == S[k["TO_MOVE"]] and not state.is_terminal()
        sign = game.seat_names[seat][:2].lower()
        name: Styled = [("> " if is_asked else "  ", "strong"), (who[seat], SIGN_COLOURS[seat])]
        owned = [
            f"{shop} {S[k['CUSTOMERS'] + number]}"
            for number, shop in enumerate(game.town.shops)
            if S[k["OWNER"] + number] == seat
        ]
        signs = S[k["SIGNS_LEFT"] + seat]
        blocks.append(
            [
                [*name, (f" ({sign})", "dim")],
                [(f"  {S[k['DIRHAMS'] + seat]} dirhams, {_signs(signs)} left", "")],
                [("  " + (", ".join(owned) or "no shop yet"), "dim")],
            ]
        )
    return blocks


def _signs(number: int) -> str:
    return "1 sign" if number == 1 else f"{number} signs"


def to_do(game: "MarraCash", state: State, names: Sequence[str] | None = None) -> str:
    """Whose turn it is and what is expected, in one sentence."""
    S, k = state.buffer, game.rules
    who = list(names or game.seat_names)
    name, phase = who[S[k["TO_MOVE"]]], S[k["PHASE"]]
    if phase == k["OVER"]:
        return _result(state, who)
    if phase == k["REVEAL"]:
        return "A new souvenir card is turned up."
    if phase == k["BIDDING"]:
        shop = game.town.shops[S[k["LOT"]]]
        if not S[k["BID"]]:
            return f"{name}: open the auction of {shop} with a bid of at least {LEAST_BID}."
        high = f"{who[S[k['BIDDER']]]} bids {S[k['BID']]}"
        return f"{name}: {high} for {shop}; bid more or pass."
    if phase == k["BRING"]:
        return f"{name}: bring new visitors to an empty gate, from the head or the tail."
    if phase == k["CARD"]:
        return f"{name}: choose which souvenir the customer buys."
    if S[k["ROUND"]] == 1:
        return f"{name}: name a shop to auction."
    step = "first" if S[k["TURN_STEP"]] == 1 else "second"
    legal = {state.action_to_string(action).split()[0] for action in state.legal_actions()}
    if legal == {"pass"}:
        return f"{name}: neither a move nor an auction is possible; pass."
    what = {"move": "move a group", "auction": "auction a shop"}
    choice = " or ".join(text for word, text in what.items() if word in legal)
    last = " in the last turn" if S[k["LAST_TURNS"]] != k["NEVER"] else ""
    return f"{name}: {choice}, the {step} step{last}."


def _result(state: State, names: Sequence[str]) -> str:
    best = [names[seat] for seat in state.ranking()[0]]
    money = ", ".join(f"{name} {score}" for name, score in zip(names, state.scores(), strict=True))
    return f"{' and '.join(best)} {'wins' if len(best) == 1 else 'share the win'}: {money}."
