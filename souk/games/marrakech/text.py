"""Marrakech as text: actions, board and prompts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.engine.errors import one_of
from souk.engine.state import State
from souk.engine.styled_text import Styled
from souk.games.marrakech.board import FILES, MOST_PIPS, PLACES, SIZE, SQUARES
from souk.games.marrakech.knobs import COLOURS

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech

# The text of every action, in the order of the kernel's numbers.
ACTIONS: tuple[str, ...] = (
    *("left", "ahead", "right"),
    *(SQUARES[first] + SQUARES[second] for first, second in PLACES),
    *(str(pips) for pips in range(1, MOST_PIPS + 1)),
    *COLOURS,
)

# A square is four characters wide. A letter and a pattern identify a colour without colours.
_CLOTH = {"red": "<RR>", "yellow": "=YY=", "blue": "^BB^", "orange": "*OO*"}
_ASSAM = ("A^", "A>", "Av", "<A")  # by facing


def spellings(action: int) -> tuple[str, ...]:
    """Return the texts of an action: the squares of a rug in any order, apart or not."""
    text = ACTIONS[action]
    if not text[-1].isdigit() or len(text) == 1:
        return (text,)
    squares = text[:2], text[2:]
    return tuple(
        between.join(pair) for between in ("", "-", " ") for pair in (squares, squares[::-1])
    )


def board_lines(game: "Marrakech", S: Sequence[int]) -> list[Styled]:
    """Return the board, line by line."""
    heading: Styled = [("     " + "    ".join(FILES) + "   ", "dim")]
    rows = [heading]
    for rank in reversed(range(SIZE)):
        rows.append(_wall_above(game, S, rank))
        row: Styled = [(f" {rank + 1} ", "dim")]
        for file in range(SIZE):
            square = rank * SIZE + file
            joined = file > 0 and S[game.rules.PAIRS_RANK] >> square - 1 & 1
            row += [_wall(game, S, square, " ") if joined else ("|", "dim")]
            row += _cell(game, S, square)
        rows.append([*row, ("|", "dim")])
    rows.append(_wall_above(game, S, -1))
    return rows


def _wall_above(game: "Marrakech", S: Sequence[int], rank: int) -> Styled:
    row: Styled = [("   ", "")]
    for file in range(SIZE):
        square = rank * SIZE + file
        joined = 0 <= rank < SIZE - 1 and S[game.rules.PAIRS_FILE] >> square & 1
        row += [("+", "dim"), _wall(game, S, square, "    ") if joined else ("----", "dim")]
    return [*row, ("+", "dim")]


def _wall(game: "Marrakech", S: Sequence[int], square: int, gap: str) -> tuple[str, str]:
    """Return the gap where one rug lies across the line between two squares."""
    return (gap, _style(game, S, square))


def _cell(game: "Marrakech", S: Sequence[int], square: int) -> Styled:
    colour = colour_at(game, S, square)
    cloth = _CLOTH[COLOURS[colour]] if colour is not None else "    "
    style = _style(game, S, square)
    if style == "neutral":
        cloth = cloth.lower()
    if square == S[game.rules.ASSAM]:
        return [(cloth[1], style), (_ASSAM[S[game.rules.FACING]], "mark"), (cloth[2], style)]
    return [(cloth, style)]


def colour_at(game: "Marrakech", S: Sequence[int], square: int) -> int | None:
    """Return the number of the colour that a square shows, or None if it is empty."""
    k = game.rules
    for colour, shown in enumerate(S[k.BOARD : k.PAIRS_RANK]):
        if shown >> square & 1:
            return colour
    return None


def _style(game: "Marrakech", S: Sequence[int], square: int) -> str:
    colour = colour_at(game, S, square)
    if colour is None:
        return ""
    is_neutral = S[game.rules.OUT + game.rules.owner_of(colour)] > 0
    return "neutral" if is_neutral else COLOURS[colour]


def player_lines(
    game: "Marrakech", state: State, names: Sequence[str] | None = None
) -> list[list[Styled]]:
    """Return the name, the score and the rugs of every seat."""
    seats = range(game.num_players())
    return [[_who(game, state, seat, names), *_holds(game, state.buffer, seat)] for seat in seats]


def _who(game: "Marrakech", state: State, seat: int, names: Sequence[str] | None) -> Styled:
    """Return the name with a sample of the rug, which a name that is the colour does not need."""
    to_move = seat == state.buffer[game.rules.TO_MOVE] and not state.is_terminal()
    mark = ("> " if to_move else "  ", "strong")
    if names is None:
        return [mark, (game.seat_names[seat], game.colours_of(seat)[0])]
    is_out = state.buffer[game.rules.OUT + seat] > 0
    line: Styled = [mark, (names[seat], "strong")]
    for colour in game.colours_of(seat):
        cloth = _CLOTH[colour]
        line += [(" ", ""), (cloth.lower(), "neutral") if is_out else (cloth, colour)]
    return line


def _holds(game: "Marrakech", S: Sequence[int], seat: int) -> list[Styled]:
    k = game.rules
    if S[k.OUT + seat]:
        return [[("  out, the rugs are neutral", "dim")]]
    dirhams, squares = S[k.DIRHAMS + seat], k.visible(S, seat)
    total = f"  {_count(dirhams, 'dirham')} + {_count(squares, 'square')} = {k.score(S, seat)}"
    return [[(total, "")], [(f"  {_rugs(game, S, seat)}", "dim")]]


def _rugs(game: "Marrakech", S: Sequence[int], seat: int) -> str:
    k = game.rules
    counts = [(colour, S[k.RUGS + COLOURS.index(colour)]) for colour in game.colours_of(seat)]
    if len(counts) == 1:
        return f"{_count(counts[0][1], 'rug')} left"
    left = ", ".join(f"{count} {colour}" for colour, count in counts)
    following = S[k.NEXT + seat]
    return f"{left} left" + (f", next {COLOURS[following]}" if following != k.UNKNOWN else "")


def _count(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number} {thing}s"


def prompt(game: "Marrakech", state: State, names: Sequence[str] | None = None) -> str:
    """Return whose turn it is and what they have to do, in one sentence."""
    S, k = state.buffer, game.rules
    who = list(names or game.seat_names)
    name, phase = who[S[k.TO_MOVE]], S[k.PHASE]
    if phase == k.OVER:
        return game.result_sentence(state, who)
    if phase == k.DRAW:
        return f"A rug is drawn from the pile of {who[k.pile_to_draw(S)]}."
    if phase == k.ROLL:
        return f"{name}: the die is rolled."
    if phase == k.LAY:
        colour = COLOURS[k.rug_in_hand(S)]
        return f"{name}: lay the {colour} rug beside Assam (two squares, like c2c3)."
    choices = one_of(state.action_to_string(action) for action in state.legal_actions())
    when = " for the next player" if phase == k.LAST else ""
    return f"{name}: turn Assam{when} ({choices})."
