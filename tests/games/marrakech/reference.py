"""A second Marrakech, slow and obvious, written from the rules sheet and from nothing else.

It shares no line and no import with souk: squares are texts, the arcs are typed off the sheet, a
board is a dict. Whatever both agree on over thousands of games is either right or a mistake made
twice. It also counted perft.json, see `perft`.
"""

import copy
from fractions import Fraction

FILES = "abcdefg"
RANKS = "1234567"
SQUARES = [file + rank for rank in RANKS for file in FILES]

# (facing while leaving, from) -> (square, facing) on coming back, as the rules' table has them
ARCS = {
    ("N", "a7"): ("b7", "S"),
    ("N", "b7"): ("a7", "S"),
    ("N", "c7"): ("d7", "S"),
    ("N", "d7"): ("c7", "S"),
    ("N", "e7"): ("f7", "S"),
    ("N", "f7"): ("e7", "S"),
    ("N", "g7"): ("g7", "W"),
    ("E", "g7"): ("g7", "S"),
    ("E", "g6"): ("g5", "W"),
    ("E", "g5"): ("g6", "W"),
    ("E", "g4"): ("g3", "W"),
    ("E", "g3"): ("g4", "W"),
    ("E", "g2"): ("g1", "W"),
    ("E", "g1"): ("g2", "W"),
    ("S", "a1"): ("a1", "E"),
    ("S", "b1"): ("c1", "N"),
    ("S", "c1"): ("b1", "N"),
    ("S", "d1"): ("e1", "N"),
    ("S", "e1"): ("d1", "N"),
    ("S", "f1"): ("g1", "N"),
    ("S", "g1"): ("f1", "N"),
    ("W", "a7"): ("a6", "E"),
    ("W", "a6"): ("a7", "E"),
    ("W", "a5"): ("a4", "E"),
    ("W", "a4"): ("a5", "E"),
    ("W", "a3"): ("a2", "E"),
    ("W", "a2"): ("a3", "E"),
    ("W", "a1"): ("a1", "N"),
}
LEFT_OF = {"N": "W", "W": "S", "S": "E", "E": "N"}
RIGHT_OF = {"N": "E", "E": "S", "S": "W", "W": "N"}
FACES = [1, 2, 2, 3, 3, 4]
COLOURS = ["red", "yellow", "blue", "orange"]

EDITIONS = {
    "gigamic": {
        "rugs of two colours": 12,
        "pile": "open",
        "cannot_pay": "out",
        "full_tie": "shared",
        "start_facing": "S",
        "turn last": "must",
    },
    "gigamic-57": {
        "rugs of two colours": 12,
        "pile": "open",
        "cannot_pay": "plays-on",
        "full_tie": "shared",
        "start_facing": "S",
        "turn last": None,
    },
    "pergioco": {
        "rugs of two colours": 15,
        "pile": "face-down",
        "cannot_pay": "out",
        "full_tie": "draw",
        "start_facing": "E",
        "turn last": "may",
    },
}


def turnings_last(edition):
    """What `turn_last` accepts in an edition."""
    return [False, "must", "may"] + [True] * bool(EDITIONS[edition]["turn last"])


def neighbours(square):
    """The squares that share a side with `square`."""
    file, rank = FILES.index(square[0]), RANKS.index(square[1])
    around = [(file, rank + 1), (file + 1, rank), (file, rank - 1), (file - 1, rank)]
    return [FILES[f] + RANKS[r] for f, r in around if 0 <= f < 7 and 0 <= r < 7]


def one_step(square, facing):
    """Where one step ahead leads, and the facing after it."""
    if (facing, square) in ARCS:
        return ARCS[facing, square]
    file, rank = FILES.index(square[0]), RANKS.index(square[1])
    if facing == "N":
        rank += 1
    elif facing == "S":
        rank -= 1
    elif facing == "E":
        file += 1
    else:
        file -= 1
    return FILES[file] + RANKS[rank], facing


def walk(square, facing, steps):
    """Every square visited, and the facing at the end."""
    visited = []
    for _ in range(steps):
        square, facing = one_step(square, facing)
        visited.append(square)
    return visited, facing


class Reference:
    """One position and the rules it is played by. `knobs` are those of `souk.load_game`."""

    def __init__(self, **knobs):
        self.given = dict(knobs)
        self.players = knobs.get("players", 3)
        self.edition = knobs.get("edition", "gigamic")
        preset = EDITIONS[self.edition]
        self.two_colours = (
            self.players == 2 and knobs.get("two_player", "two-colour") == "two-colour"
        )
        if self.two_colours:
            self.colours_of = [["red", "yellow"], ["blue", "orange"]]
            usual_rugs = preset["rugs of two colours"]
        else:
            self.colours_of = [[colour] for colour in COLOURS[: self.players]]
            usual_rugs = 12 if self.players == 4 else 15
        self.defaults = {
            "dirhams": 30,
            "rugs": usual_rugs,
            "two_player": "two-colour",
            "pile": preset["pile"],
            "cannot_pay": preset["cannot_pay"],
            "full_tie": preset["full_tie"],
            "start_facing": preset["start_facing"],
            "first": 0,
            "turn_last": False,
            "cover_own": False,
        }
        self.knobs = {name: knobs.get(name, usual) for name, usual in self.defaults.items()}
        if self.knobs["turn_last"] == preset["turn last"]:
            self.knobs["turn_last"] = True
        self.turn_last = {False: None, True: preset["turn last"]}.get(
            self.knobs["turn_last"], self.knobs["turn_last"]
        )

        self.square = "d4"
        self.facing = self.knobs["start_facing"]
        self.board = {}  # square -> (colour, rug number)
        self.rugs_laid = 0
        self.dirhams = [self.knobs["dirhams"]] * self.players
        self.rugs = [dict.fromkeys(colours, self.knobs["rugs"]) for colours in self.colours_of]
        self.next = [None] * self.players
        self.out_order = []  # seats, the first out first
        self.to_move = self.knobs["first"]
        self.phase = None
        self.turns = 0  # ended so far
        if self.two_colours and self.knobs["pile"] == "face-down":
            self._start_turn()
        else:
            self._deal()

    # -- what can be asked ----------------------------------------------------------------

    def game_text(self):
        """What str(game) must be."""
        shown = [f"players={self.players}", f"edition={self.edition}"]
        for name, usual in self.defaults.items():
            if self.knobs[name] != usual:
                shown.append(f"{name}={self.knobs[name]}")
        return f"marrakech({','.join(shown)})"

    def is_terminal(self):
        return self.phase == "over"

    def is_chance(self):
        return self.phase in ("draw", "roll")

    def current_player(self):
        if self.is_terminal():
            return -4
        return -1 if self.is_chance() else self.to_move

    def owner(self, colour):
        for seat, colours in enumerate(self.colours_of):
            if colour in colours:
                return seat
        return None

    def rugs_left(self, seat):
        return sum(self.rugs[seat].values())

    def still_in(self):
        return [seat for seat in range(self.players) if seat not in self.out_order]

    def legal(self):
        """The texts of what may happen now, in no order that matters."""
        if self.phase == "draw":
            pile = self.rugs[self.pile_drawn_from()]
            return [colour for colour, left in pile.items() if left]
        if self.phase == "roll":
            return ["1", "2", "3", "4"]
        if self.phase == "turn":
            return ["left", "ahead", "right"]
        if self.phase == "turn_last":
            return ["left", "right"] if self.turn_last == "must" else ["left", "ahead", "right"]
        if self.phase == "lay":
            return self.places()
        return []

    def chance(self):
        """Text -> probability, where chance acts."""
        if self.phase == "roll":
            return {str(n): Fraction(FACES.count(n), 6) for n in (1, 2, 3, 4)}
        pile = self.rugs[self.pile_drawn_from()]
        total = sum(pile.values())
        return {colour: Fraction(left, total) for colour, left in pile.items() if left}

    def pile_drawn_from(self):
        """The first pile, in turn order from the one to move, with rugs and none shown."""
        for seat in self._turn_order():
            if self.rugs_left(seat) and self.next[seat] is None:
                return seat
        return None

    def places(self):
        """Every place for the next rug, as texts."""
        result = set()
        for near in neighbours(self.square):
            for other in neighbours(near):
                if other != self.square and not self._covers_a_whole_rug(near, other):
                    result.add(min(near, other) + max(near, other))
        return sorted(result)

    def area(self, square):
        """The connected squares that show the colour shown on `square`."""
        colour = self.board[square][0]
        result, waiting = set(), [square]
        while waiting:
            here = waiting.pop()
            if here in result or here not in self.board or self.board[here][0] != colour:
                continue
            result.add(here)
            waiting.extend(neighbours(here))
        return result

    def tax(self):
        """(owner, dirhams) due on Assam's square, or None."""
        if self.square not in self.board:
            return None
        owner = self.owner(self.board[self.square][0])
        if owner == self.to_move or owner not in self.still_in():
            return None
        return owner, len(self.area(self.square))

    def scores(self):
        points = [0] * self.players
        for seat in self.still_in():
            points[seat] = self.dirhams[seat]
        for colour, _ in self.board.values():
            owner = self.owner(colour)
            if owner in self.still_in():
                points[owner] += 1
        return points

    def ranking(self):
        points = self.scores()
        groups = {}
        for seat in self.still_in():
            groups.setdefault((points[seat], self.dirhams[seat]), []).append(seat)
        ranked = [sorted(groups[key]) for key in sorted(groups, reverse=True)]
        return ranked + [[seat] for seat in reversed(self.out_order)]

    def returns(self):
        """Shares of the win, as Fractions."""
        shares = [Fraction(0)] * self.players
        if not self.is_terminal():
            return shares
        best = self.ranking()[0]  # a draw is told without a winner, and pays them all the same
        for seat in best:
            shares[seat] = Fraction(1, len(best))
        return shares

    # -- what can be done -----------------------------------------------------------------

    def apply(self, text):
        assert text in self.legal(), (text, self.phase, self.legal())
        if self.phase == "draw":
            self._draw(text)
        elif self.phase == "turn":
            self._turn_assam(text)
            self.phase = "roll"
        elif self.phase == "roll":
            self._walk_and_pay(int(text))
        elif self.phase == "lay":
            self._lay(text[:2], text[2:])
        else:
            self._turn_assam(text)
            self._pass_on()

    def after(self, text):
        """The position after `text`; this one stays."""
        then = copy.copy(self)
        then.board = dict(self.board)
        then.dirhams = list(self.dirhams)
        then.rugs = [dict(pile) for pile in self.rugs]
        then.next = list(self.next)
        then.out_order = list(self.out_order)
        then.apply(text)
        return then

    def _turn_order(self):
        return [(self.to_move + k) % self.players for k in range(self.players)]

    def _show_if_known(self, seat):
        """A pile of one colour shows its next rug without any chance."""
        kinds = [colour for colour, left in self.rugs[seat].items() if left]
        if self.next[seat] is None and len(kinds) == 1:
            self.next[seat] = kinds[0]

    def _deal(self):
        """Everything that lies open at the start is seen before anything else happens."""
        for seat in self._turn_order():
            self._show_if_known(seat)
        if self.pile_drawn_from() is None:
            self._start_turn()
        else:
            self.phase = "draw"

    def _start_turn(self):
        self._show_if_known(self.to_move)
        if self.next[self.to_move] is None:
            self.phase = "draw"
        else:
            self._after_the_draw()

    def _after_the_draw(self):
        self.phase = "roll" if self.turn_last else "turn"

    def _draw(self, colour):
        seat = self.pile_drawn_from()
        self.next[seat] = colour
        if self.knobs["pile"] == "face-down" or seat != self.to_move:
            self._after_the_draw()  # drawn for this turn; or the deal's last pile
        elif self.pile_drawn_from() is not None:
            self._deal()  # it goes on
        else:
            self._after_the_lay()

    def _turn_assam(self, text):
        if text == "left":
            self.facing = LEFT_OF[self.facing]
        elif text == "right":
            self.facing = RIGHT_OF[self.facing]

    def _walk_and_pay(self, steps):
        visited, self.facing = walk(self.square, self.facing, steps)
        self.square = visited[-1]
        self.phase = "lay"
        if self.tax() is None:
            return
        owner, due = self.tax()
        paid = min(due, self.dirhams[self.to_move])
        self.dirhams[self.to_move] -= paid
        self.dirhams[owner] += paid
        if paid < due and self.knobs["cannot_pay"] == "out":
            self.out_order.append(self.to_move)
            self.rugs[self.to_move] = dict.fromkeys(self.rugs[self.to_move], 0)
            self.next[self.to_move] = None
            self._pass_on()

    def _covers_a_whole_rug(self, one, other):
        if one not in self.board or other not in self.board or self.board[one] != self.board[other]:
            return False
        own = self.owner(self.board[one][0]) == self.to_move
        return not (own and self.knobs["cover_own"])

    def _lay(self, one, other):
        colour = self.next[self.to_move]
        self.rugs_laid += 1
        self.board[one] = self.board[other] = (colour, f"laid {self.rugs_laid}")
        self.rugs[self.to_move][colour] -= 1
        self.next[self.to_move] = None
        if self._finished():  # without turning, in the variant too
            self._pass_on()
            return
        if not (self.two_colours and self.knobs["pile"] == "face-down"):
            self._show_if_known(self.to_move)
            if self.rugs_left(self.to_move) and self.next[self.to_move] is None:
                self.phase = "draw"
                return
        self._after_the_lay()

    def _after_the_lay(self):
        if self.turn_last:
            self.phase = "turn_last"
        else:
            self._pass_on()

    def _finished(self):
        still_in = self.still_in()
        return len(still_in) == 1 or not any(self.rugs_left(seat) for seat in still_in)

    def _pass_on(self):
        """End the turn: the next player still in with rugs begins theirs."""
        self.turns += 1
        if self._finished():
            self.phase = "over"
            return
        waiting = [*self._turn_order()[1:], self.to_move]
        self.to_move = next(seat for seat in waiting if self.rugs_left(seat))
        self._start_turn()

    # -- the position as JSON -------------------------------------------------------------

    def to_dict(self):
        numbers = {}
        for square in SQUARES:
            if square in self.board:
                numbers.setdefault(self.board[square], len(numbers) + 1)
        players = []
        for seat in range(self.players):
            player = {
                "dirhams": self.dirhams[seat],
                "rugs": dict(self.rugs[seat]),
                "next": self.next[seat],
                "out": seat in self.out_order,
            }
            if player["out"]:
                player["out_order"] = self.out_order.index(seat) + 1
            players.append(player)
        return {
            "game": self.game_text(),
            "phase": self.phase,
            "to_move": self.to_move,
            "assam": {"square": self.square, "facing": self.facing},
            "squares": {
                square: {"colour": self.board[square][0], "rug": numbers[self.board[square]]}
                for square in SQUARES
                if square in self.board
            },
            "players": players,
        }

    @classmethod
    def from_dict(cls, position, **knobs):
        """The position of a dict in the contract's form, under the knobs of its game."""
        it = cls(**knobs)
        it.phase, it.to_move = position["phase"], position["to_move"]
        it.square, it.facing = position["assam"]["square"], position["assam"]["facing"]
        it.board = {
            square: (shown["colour"], f"loaded {shown['rug']}")
            for square, shown in position["squares"].items()
        }
        it.dirhams = [player["dirhams"] for player in position["players"]]
        it.rugs = [dict(player["rugs"]) for player in position["players"]]
        it.next = [player["next"] for player in position["players"]]
        out = [seat for seat, player in enumerate(position["players"]) if player["out"]]
        it.out_order = sorted(out, key=lambda seat: position["players"][seat]["out_order"])
        return it


def normalised(position):
    """A position whose rugs are numbered by their first square, so that equal means equal."""
    numbers = {}
    squares = {}
    for square in SQUARES:
        if square in position["squares"]:
            shown = position["squares"][square]
            number = numbers.setdefault((shown["colour"], shown["rug"]), len(numbers) + 1)
            squares[square] = {"colour": shown["colour"], "rug": number}
    return {**position, "squares": squares}
