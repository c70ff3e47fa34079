"""Marrakech in text: the actions, and the board for people to read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.engine.errors import one_of
from souk.engine.state import State
from souk.engine.styled import Styled
from souk.games.marrakech.board import FILES, PLACES, SIZE, SQUARES
from souk.games.marrakech.editions import COLOURS

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech

# The text of every action, in the order of the kernel's numbers.
ACTIONS: tuple[str, ...] = (
    *("left", "ahead", "right"),
    *(SQUARES[first] + SQUARES[second] for first, second in PLACES),
    *("1", "2", "3", "4"),
    *COLOURS,
)

# A square is four characters wide; a colour is a letter and a pattern, so that it needs no colour.
_CLOTH = {"red": "<RR>", "yellow": "=YY=", "blue": "^BB^", "orange": "*OO*"}
_ASSAM = ("A^", "A>", "Av", "<A")  # by facing


def board(game: "Marrakech", state: State) -> Styled:
    """The board with the players at its side and what is to be done below."""
    rows = [*_grid(game, state.buffer)]
    for row, line in zip(rows[1:], _seats(game, state), strict=False):
        row += [("   ", ""), *line]
    pieces: Styled = []
    for row in rows:
        pieces += [*row, ("\n", "")]
    return [*pieces, (to_do(game, state), "strong")]


def _grid(game: "Marrakech", S: Sequence[int]) -> list[Styled]:
    heading: Styled = [("     " + "    ".join(FILES) + "   ", "dim")]
    rows = [heading]
    for rank in reversed(range(SIZE)):
        rows.append(_wall_above(game, S, rank))
        row: Styled = [(f" {rank + 1} ", "dim")]
        for file in range(SIZE):
            square = rank * SIZE + file
            joined = file > 0 and S[game.rules["PAIRS_RANK"]] >> square - 1 & 1
            row += [_wall(game, S, square, " ") if joined else ("|", "dim")]
            row += [_cell(game, S, square)]
        rows.append([*row, ("|", "dim")])
    rows.append(_wall_above(game, S, -1))
    return rows


def _wall_above(game: "Marrakech", S: Sequence[int], rank: int) -> Styled:
    row: Styled = [("   ", "")]
    for file in range(SIZE):
        square = rank * SIZE + file
        joined = 0 <= rank < SIZE - 1 and S[game.rules["PAIRS_FILE"]] >> square & 1
        row += [("+", "dim"), _wall(game, S, square, "    ") if joined else ("----", "dim")]
    return [*row, ("+", "dim")]


def _wall(game: "Marrakech", S: Sequence[int], square: int, gap: str) -> tuple[str, str]:
    """No wall: here one rug reaches across."""
    return (gap, _style(game, S, square))


def _cell(game: "Marrakech", S: Sequence[int], square: int) -> tuple[str, str]:
    colour = colour_at(game, S, square)
    cloth = _CLOTH[COLOURS[colour]] if colour is not None else "    "
    style = _style(game, S, square)
    if style == "neutral":
        cloth = cloth.lower()
    if square == S[game.rules["ASSAM"]]:
        cloth = cloth[1] + _ASSAM[S[game.rules["FACING"]]] + cloth[2]
    return (cloth, style)


def colour_at(game: "Marrakech", S: Sequence[int], square: int) -> int | None:
    """The number of the colour that a square shows, or None if it is empty."""
    for colour in range(game.rules["COLOURS"]):
        if S[game.rules["BOARD"] + colour] >> square & 1:
            return colour
    return None


def _style(game: "Marrakech", S: Sequence[int], square: int) -> str:
    colour = colour_at(game, S, square)
    if colour is None:
        return ""
    is_neutral = S[game.rules["OUT"] + game.rules["owner_of"](colour)] > 0
    return "neutral" if is_neutral else COLOURS[colour]


def _seats(game: "Marrakech", state: State) -> list[Styled]:
    """A few lines for every seat, to stand beside the board."""
    S, k = state.buffer, game.rules
    lines: list[Styled] = []
    for seat, name in enumerate(game.seat_names):
        mark = "> " if seat == S[k["TO_MOVE"]] and not state.is_terminal() else "  "
        lines.append([(mark, "strong"), (name, game.colours_of(seat)[0])])
        if S[k["OUT"] + seat]:
            lines += [[("  out, the rugs are neutral", "dim")], []]
            continue
        dirhams, squares = S[k["DIRHAMS"] + seat], k["visible"](S, seat)
        total = f"  {dirhams} dirhams + {squares} squares = {k['score'](S, seat)}"
        lines += [[(total, "")], [(f"  {_rugs(game, S, seat)}", "dim")]]
        if game.num_players() < 4:
            lines.append([])
    return lines


def _rugs(game: "Marrakech", S: Sequence[int], seat: int) -> str:
    k = game.rules
    counts = [(colour, S[k["RUGS"] + COLOURS.index(colour)]) for colour in game.colours_of(seat)]
    if len(counts) == 1:
        return f"{counts[0][1]} rugs left"
    left = " and ".join(f"{count} {colour}" for colour, count in counts)
    following = S[k["NEXT"] + seat]
    return f"{left} left" + (f", next {COLOURS[following]}" if following != k["UNKNOWN"] else "")


def to_do(game: "Marrakech", state: State, names: Sequence[str] | None = None) -> str:
    """Whose turn it is and what is expected, in one sentence."""
    S, k = state.buffer, game.rules
    who = list(names or game.seat_names)
    name, phase = who[S[k["TO_MOVE"]]], S[k["PHASE"]]
    if phase == k["OVER"]:
        return _result(state, who)
    if phase == k["DRAW"]:
        return f"A rug is drawn from the pile of {who[k['pile_to_draw'](S)]}."
    if phase == k["ROLL"]:
        return f"{name}: the die is rolled."
    if phase == k["LAY"]:
        colour = COLOURS[k["rug_in_hand"](S)]
        return f"{name}: lay the {colour} rug beside Assam (two squares, like c2c3)."
    choices = one_of(state.action_to_string(action) for action in state.legal_actions())
    when = " for the next player" if phase == k["LAST"] else ""
    return f"{name}: turn Assam{when} ({choices})."


def _result(state: State, names: Sequence[str]) -> str:
    shares = state.returns()
    winners = [names[seat] for seat, share in enumerate(shares) if share == max(shares)]
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, state.scores(), strict=True))
    if len(winners) == 1:
        return f"{winners[0]} wins: {scores}."
    if len(winners) == len(names) and len(state.ranking()[0]) < len(names):
        return f"A draw: {scores}."
    return f"{' and '.join(winners)} share the win: {scores}."
