"""MarraCash as text: actions, board and prompts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.errors import all_of
from souk.engine.state import State
from souk.engine.styled_text import Styled, block_width
from souk.games.marracash import text_map
from souk.games.marracash.amounts import DECK, FROM_THE_BANK, LEAST_BID, START_DIRHAMS, STEP
from souk.games.marracash.board import COLOURS, Board

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash

ENDS = ("head", "tail")


def actions(board: Board, players: int) -> tuple[str, ...]:
    """Return the text of every action, by its number."""
    values = sorted({value for _, value in DECK})
    most = START_DIRHAMS * players + FROM_THE_BANK
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
        *(f"{colour} {value}" for colour, value in DECK),
    )


def letters(group: Mapping[str, int]) -> str:
    """Return a group as the first letters of its colours.

    >>> letters({"red": 1, "blue": 2})
    'RBB'
    """
    return "".join(colour[0].upper() * count for colour, count in group.items())


def people(group: Mapping[str, int]) -> str:
    """Return a group in words.

    >>> people({"red": 1, "blue": 2, "green": 1})
    '1 red, 2 blue and 1 green'
    """
    return all_of(f"{count} {colour}" for colour, count in group.items())


def board_lines(game: "MarraCash", state: State) -> list[Styled]:
    """Return the board: map, groups, walkers, queue and open cards."""
    position = game.position_dict(state.buffer)
    groups = {fountain: letters(group) for fountain, group in position["groups"].items()}
    marks = {
        shop: f"{sold['owner'] + 1}:{sold['customers']}" for shop, sold in position["shops"].items()
    }
    rows = text_map.draw_map(game.board, marks, groups)
    if rows is None:
        rows = [*text_map.list_board(game.board, marks, groups), []]
    else:
        words: Styled = [(f"{fountain} {group}  ", "") for fountain, group in groups.items()]
        rows = [*rows, [], *text_map.wrap_words("groups  ", words, max(block_width(rows), 40))]
    if "walk" in position:
        rows.append([("walk    ", "dim"), (_walkers(position["walk"]), "strong")])
    rows += _queue(position["queue"])
    if position["cards"]:
        cards = ", ".join(f"{colour} {value}" for colour, value in position["cards"]["open"])
        rows.append([("cards   ", "dim"), (cards or "none open", "")])
    return rows


def _walkers(walk: Mapping[str, Any]) -> str:
    """Return who is walking, where they are and where they go."""
    at, *ahead = walk["shops"]
    words = f"{letters(walk['group']) or 'nobody else'}, at {at}"
    if ahead:
        words += f", then {' '.join(ahead)}"
    return f"{words}, to {walk['to']}" if walk["to"] else words


def _queue(queue: Sequence[str]) -> list[Styled]:
    """Return the queue as a U on its side, the head above the tail."""
    if not queue:
        return [[("queue   ", "dim"), ("empty", "")]]
    half = (len(queue) + 1) // 2
    lower = [*reversed(queue[half:]), *["-"] * (2 * half - len(queue))]
    lines: list[Styled] = []
    for label, arm, bend in (("queue   head ", queue[:half], "\\"), ("        tail ", lower, "/")):
        visitors = [(f"{one[0].upper()} ", one if one in COLOURS else "dim") for one in arm]
        lines.append([(label, "dim"), *visitors, (bend, "dim")])
    return lines


def player_lines(
    game: "MarraCash", state: State, names: Sequence[str] | None = None
) -> list[list[Styled]]:
    """Return the name, the last bid, the money and the shops of every seat."""
    S, k = state.buffer, game.rules
    who = list(names or game.seat_names)
    auction = game.position_dict(S)["auction"]
    blocks = []
    for seat in range(game.num_players()):
        is_asked = seat == S[k.TO_MOVE] and not state.is_terminal()
        name: Styled = [("> " if is_asked else "  ", "strong"), (who[seat], game.seat_colour(seat))]
        owned = [
            f"{shop} {S[k.CUSTOMERS + number]}"
            for number, shop in enumerate(game.board.shops)
            if S[k.OWNER + number] == seat
        ]
        signs = S[k.SIGNS_LEFT + seat]
        blocks.append(
            [
                [*name, (f" ({seat + 1})", "dim"), (f"  {in_auction(auction, seat)}".rstrip(), "")],
                [(f"  {S[k.DIRHAMS + seat]} dirhams, {_signs(signs)} left", "")],
                [("  " + (", ".join(owned) or "no shop yet"), "dim")],
            ]
        )
    return blocks


def in_auction(auction: Mapping[str, Any] | None, seat: int) -> str:
    """Return what a seat did in the current auction, or an empty text."""
    if auction and seat in auction["passed"]:
        return "passed"
    if auction and seat == auction["bidder"]:
        return f"bids {auction['bid']}"
    return ""


def _signs(number: int) -> str:
    return "1 sign" if number == 1 else f"{number} signs"


def prompt(game: "MarraCash", state: State, names: Sequence[str] | None = None) -> str:
    """Return whose turn it is and what they have to do, in one sentence."""
    S, k = state.buffer, game.rules
    who = list(names or game.seat_names)
    name, phase = who[S[k.TO_MOVE]], S[k.PHASE]
    if phase == k.OVER:
        return game.result_sentence(state, who)
    if phase == k.REVEAL:
        return f"A new souvenir card is turned up{_rest(game, S)}."
    if phase == k.BIDDING:
        shop = game.board.shops[S[k.LOT]]
        if not S[k.BID]:
            return f"{name}: open the auction of {shop} with a bid of at least {LEAST_BID}."
        high = f"{who[S[k.BIDDER]]} bids {S[k.BID]}"
        return f"{name}: {high} for {shop}; bid more or pass."
    if phase == k.BRING:
        return f"{name}: bring new visitors to an empty gate, from the head or the tail."
    if phase == k.CARD:
        shop = game.board.shops[S[k.AHEAD]]
        customer = S[k.CUSTOMERS + S[k.AHEAD]]
        return f"{name}: choose the souvenir for customer {customer} of {shop}{_rest(game, S)}."
    if S[k.ROUND] == 1:
        return f"{name}: name a shop to auction."
    step = "first" if S[k.TURN_STEP] == 1 else "second"
    legal = {state.action_to_string(action).split()[0] for action in state.legal_actions()}
    if legal == {"pass"}:
        return f"{name}: neither a move nor an auction is possible; pass."
    what = {"move": "move a group", "auction": "auction a shop"}
    choice = " or ".join(text for word, text in what.items() if word in legal)
    last = " in the last turn" if S[k.LAST_TURNS] != k.NEVER else ""
    return f"{name}: {choice}, the {step} step{last}."


def _rest(game: "MarraCash", S: Sequence[int]) -> str:
    """Return who is still walking, in the middle of a walk."""
    group = game.group(S[game.rules.WALK_GROUP])
    return f"; still on the way: {people(group)}" if group else ""
