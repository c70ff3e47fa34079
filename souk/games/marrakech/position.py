"""Write and read positions of Marrakech as plain JSON.

Reading names every problem at once. It checks that the pieces make sense (names, adjacency of
halves, phase against the rest); rug counts against the board, sums of money and turn parity are
not checked, since house rules and puzzles differ.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from souk.engine.errors import brief
from souk.engine.json_reader import MISSING, PositionReader
from souk.engine.position_encoder import PositionPart, select_slots
from souk.games.marrakech.board import FACINGS, SIZE, SQUARES, numbers_of
from souk.games.marrakech.knobs import COLOURS, MOST_RUGS

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech
    from souk.games.marrakech.rules_protocol import MarrakechRules

MOST_DIRHAMS = 100_000_000  # of all players together
PHASES = ("draw", "turn", "roll", "lay", "turn_last", "over")  # in the kernel's order


UNKNOWN = -1  # as in the kernel: no rug known
# The texts that make up a position, by the kernel's numbers.
_TURNS = [
    [f'"phase":"{phase}","to_move":{seat},'.encode() for seat in range(4)] for phase in PHASES
]
_ASSAMS = [
    [f'"assam":{{"square":"{square}","facing":"{facing}"}}'.encode() for facing in FACINGS]
    for square in SQUARES
]

# Half a rug by colour, square and the rug's number.
_HALVES = [
    [
        [f'"{square}":{{"colour":"{colour}","rug":{rug}}}' for rug in range(len(SQUARES) + 1)]
        for square in SQUARES
    ]
    for colour in COLOURS
]


def parts(game: "Marrakech") -> tuple[PositionPart, ...]:
    """Return the parts that write a buffer as plain JSON."""
    k = game.rules
    return (
        PositionPart(select_slots((k.ASSAM, k.TURNS)), partial(_write_turn, k)),
        PositionPart(select_slots((k.BOARD, k.ASSAM)), partial(_write_squares, k)),
        PositionPart(select_slots((k.DIRHAMS, k.SIZE)), partial(_write_players, k, game.colours)),
    )


def _write_turn(k: "MarrakechRules", S: Sequence[int]) -> bytes:
    return _TURNS[S[k.PHASE]][S[k.TO_MOVE]] + _ASSAMS[S[k.ASSAM]][S[k.FACING]]


def _write_squares(k: "MarrakechRules", S: Sequence[int]) -> bytes:
    """Write what is visible from above; rugs are numbered in the order of their first square."""
    masks, along_rank, along_file = S[k.BOARD : k.PAIRS_RANK], S[k.PAIRS_RANK], S[k.PAIRS_FILE]
    first_halves = sum(masks) & ~(along_rank << 1 | along_file << SIZE)
    rugs = [0] * len(SQUARES)
    for rug, square in enumerate(numbers_of(first_halves), start=1):
        rugs[square] = rug
    for square in numbers_of(along_rank):
        rugs[square + 1] = rugs[square]
    for square in numbers_of(along_file):
        rugs[square + SIZE] = rugs[square]
    texts = [""] * len(SQUARES)
    for colour, mask in enumerate(masks):
        halves = _HALVES[colour]
        for square in numbers_of(mask):
            texts[square] = halves[square][rugs[square]]
    return f'"squares":{{{",".join(filter(None, texts))}}}'.encode()


def _write_players(
    k: "MarrakechRules", colours: Sequence[Sequence[str]], S: Sequence[int]
) -> bytes:
    rugs, texts = k.RUGS, []
    dirhams, out, following = k.DIRHAMS, k.OUT, k.NEXT
    for seat, own in enumerate(colours):
        end = rugs + len(own)
        left = tuple(S[rugs:end])
        texts.append(_player(own, S[dirhams + seat], left, S[following + seat], S[out + seat]))
        rugs = end
    return f'"players":[{",".join(texts)}]'.encode()


@lru_cache(maxsize=10_000)  # the common sums of money and numbers of rugs
def _player(
    colours: Sequence[str], dirhams: int, left: tuple[int, ...], following: int, out: int
) -> str:
    rugs = ",".join(f'"{one}":{count}' for one, count in zip(colours, left, strict=True))
    then = COLOURS[following] if following != UNKNOWN else None
    if len(colours) == 1 and left[0]:
        then = colours[0]
    next_text = "null" if then is None else f'"{then}"'
    order = f'true,"out_order":{out}' if out else "false"
    return f'{{"dirhams":{dirhams},"rugs":{{{rugs}}},"next":{next_text},"out":{order}}}'


def read(game: "Marrakech", position: object) -> list[int]:
    """Return a buffer from plain JSON; raise BadPosition with every problem."""
    return _Reader(game).read(game, position)


class _Reader(PositionReader):
    """Fills a buffer piece by piece and collects the problems."""

    k: "MarrakechRules"

    keys = ("phase", "to_move", "assam", "squares", "players")

    def __init__(self, game: "Marrakech") -> None:
        super().__init__(game)
        self.colours_of = game.colours_of

    def read_pieces(self, fields: Mapping[str, Any]) -> None:
        self.read_assam(fields["assam"])
        self.read_squares(fields["squares"])
        self.read_players(fields["players"])
        self.read_phase(fields["phase"], fields["to_move"])

    def square(self, where: str, value: object) -> int | None:
        if isinstance(value, str) and value in SQUARES:
            return SQUARES.index(value)
        if value is not MISSING:
            self.report(where, f"{brief(value)} is not a square; squares are a1 to g7")
        return None

    def read_assam(self, value: object) -> None:
        assam = self.read_fields("assam", value, ("square", "facing"))
        self.set_slot("ASSAM", self.square("assam.square", assam["square"]))
        self.set_slot("FACING", self.read_choice("assam.facing", assam["facing"], tuple(FACINGS)))

    def read_squares(self, value: object) -> None:
        in_play = COLOURS[: self.k.COLOURS]
        rugs: dict[tuple[int, int], list[int]] = {}
        for name, half in self.read_items("squares", value, "from squares to rugs"):
            square = self.square("squares", name)
            if square is None:
                continue
            fields = self.read_fields(f"squares.{name}", half, ("colour", "rug"))
            colour = self.read_choice(f"squares.{name}.colour", fields["colour"], in_play)
            number = self.read_int(f"squares.{name}.rug", fields["rug"], 0, 2**31)
            if colour is not None and number is not None:
                rugs.setdefault((colour, number), []).append(square)
        for (colour, number), squares in rugs.items():
            self.put_rug(colour, number, sorted(squares))

    def put_rug(self, colour: int, number: int, squares: list[int]) -> None:
        names = ", ".join(SQUARES[square] for square in squares)
        rug = f"{COLOURS[colour]} rug {number}"
        for square in squares:
            self.S[self.k.BOARD + colour] |= 1 << square
        if len(squares) > 2:
            self.report("squares", f"{rug} has more than two halves: {names}")
        elif len(squares) == 2:
            first, second = squares
            if second - first == SIZE:
                self.S[self.k.PAIRS_FILE] |= 1 << first
            elif second - first == 1 and second % SIZE:
                self.S[self.k.PAIRS_RANK] |= 1 << first
            else:
                both = " and ".join(SQUARES[square] for square in squares)
                self.report("squares", f"the halves of {rug}, {both}, do not touch")

    def read_players(self, value: object) -> None:
        for seat, player in enumerate(self.read_list("players", value, "players", self.seats)):
            self.read_player(seat, player)
        total = sum(self.get_slots("DIRHAMS", self.seats))
        if total > MOST_DIRHAMS:
            most = f"at most {MOST_DIRHAMS} can be played with"
            self.report("players", f"have {total} dirhams together; {most}")
        orders = sorted(order for order in self.get_slots("OUT", self.seats) if order)
        if orders != list(range(1, len(orders) + 1)):
            self.report("players", "out_order must count from 1, each number once")
        if len(orders) == self.seats:
            self.report("players", "at least one player must still be in")

    def read_player(self, seat: int, player: object) -> None:
        where = f"players[{seat}]"
        is_out = isinstance(player, Mapping) and player.get("out") is True
        order = ("out_order",) if is_out else ()
        fields = self.read_fields(where, player, ("dirhams", "rugs", "next", "out", *order))
        dirhams = self.read_int(f"{where}.dirhams", fields["dirhams"], 0, MOST_DIRHAMS)
        self.set_slot("DIRHAMS", dirhams, seat)
        self.read_bool(f"{where}.out", fields["out"])
        rugs = self.read_rugs(f"{where}.rugs", seat, fields["rugs"])
        self.read_next(f"{where}.next", seat, fields["next"], rugs)
        if is_out:
            order_of = self.read_int(f"{where}.out_order", fields["out_order"], 1, self.seats)
            self.set_slot("OUT", order_of, seat)
            if dirhams or any(rugs.values()) or fields["next"] not in (None, MISSING):
                self.report(where, "a player who is out has no dirhams, no rugs and no next rug")

    def read_rugs(self, where: str, seat: int, value: object) -> dict[str, int]:
        """Return the valid counts, by colour."""
        counts = {}
        for colour, given in self.read_fields(where, value, self.colours_of(seat)).items():
            count = self.read_int(f"{where}.{colour}", given, 0, MOST_RUGS)
            if count is not None:
                counts[colour] = count
                self.set_slot("RUGS", count, COLOURS.index(colour))
        return counts

    def read_next(self, where: str, seat: int, value: object, rugs: Mapping[str, int]) -> None:
        colours = self.colours_of(seat)
        number = None if value is None else self.read_choice(where, value, colours)
        if number is None:
            if value is None and len(colours) == 1 and rugs.get(colours[0]):
                self.report(where, f"must be {colours[0]} while rugs are left")
        elif rugs.get(colours[number], 1) == 0:
            self.report(where, f"there is no {colours[number]} rug left to lay")
        elif len(colours) == 2:
            self.set_slot("NEXT", COLOURS.index(colours[number]), seat)

    def read_phase(self, value: object, to_move: object) -> None:
        phase = self.read_choice("phase", value, PHASES)
        seat = self.read_seat("to_move", to_move)
        self.set_slot("PHASE", phase)
        self.set_slot("TO_MOVE", seat)
        if phase is not None:
            self.check_occurs(phase)
        if phase is not None and seat is not None and not self.problems:
            # The rest can be checked only against valid pieces.
            self.check_phase(phase, seat)
            if self.k.TWO_EACH and phase != self.k.OVER:
                self.check_piles(phase, seat)

    def check_occurs(self, phase: int) -> None:
        """Check that a game with these knobs has the phase at all."""
        turns_last = bool(self.S[self.k.TURN_LAST])
        if PHASES[phase] == ("turn" if turns_last else "turn_last"):
            when = "after laying" if turns_last else "before the roll"
            self.report("phase", f"{PHASES[phase]} does not occur: this game turns Assam {when}")
        if phase == self.k.DRAW and not self.k.TWO_EACH:
            self.report("phase", "draw does not occur: every player has one colour")

    def check_phase(self, phase: int, seat: int) -> None:
        k, S = self.k, self.S
        going_on = k.rugs_to_come(S) != 0
        if phase == k.OVER:
            if going_on:
                self.report("phase", "over, but players still in have rugs to lay")
            return
        if not going_on:
            name = PHASES[phase]
            self.report("phase", f"{name}, but the game is over: nobody has rugs, or one is left")
        if S[k.OUT + seat]:
            self.report("to_move", f"players[{seat}] is out")
        elif phase in (k.TURN, k.ROLL, k.LAY) and not k.rugs_left(S, seat):
            self.report("to_move", f"players[{seat}] has no rug to lay and would be skipped")

    def check_piles(self, phase: int, to_move: int) -> None:
        """Check that the next rug of two-colour piles is known exactly when the rules show it."""
        k, S = self.k, self.S
        pile = k.pile_to_draw(S)
        if phase == k.DRAW:
            if pile == k.UNKNOWN or (S[k.FACE_DOWN] and pile != to_move):
                self.report("phase", "draw, but there is no pile to draw from: next must be null")
            elif not all(self.get_slots("RUGS", 4)[2 * pile : 2 * pile + 2]):
                self.report(
                    "phase", f"draw, but the pile of players[{pile}] has one colour: next is known"
                )
        for seat in range(self.seats):
            known = S[k.NEXT + seat] != k.UNKNOWN
            where = f"players[{seat}].next"
            if S[k.FACE_DOWN]:
                holds = seat == to_move and phase in (k.TURN, k.ROLL, k.LAY)
                if known and not holds:
                    self.report(where, "must be null: this pile lies face down")
                elif holds and not known:
                    self.report(where, f"must be known in phase {PHASES[phase]}")
            elif not known and k.rugs_left(S, seat) and phase != k.DRAW:
                self.report(where, "must be known: this pile lies open")
