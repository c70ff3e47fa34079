"""Many games of Marrakech at once, played by a net against itself and against others.

A turn is decided by looking at every possible end of it: the best place for the rug wherever Assam
may stop, and the turning with the best expectation over the die. What a position was worth is that
expectation, and in the end the result: `lessons` makes a target of both for every position.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from souk.engine.kernel.source import parse_kernel
from souk.games.marrakech.ai.opponent_models import BELIEFS
from souk.games.marrakech.ai.self_play import ENDS, LIVE_END, LUCK_BITS, NO_END, OVER_END, PLACES
from souk.games.marrakech.ai.training_opponents import GREEDY, KINDS
from souk.games.marrakech.game import Marrakech
from souk.train.devices import Machine
from souk.train.network import Net

RULES = "souk.games.marrakech.rules"
PRACTICE = (RULES, "souk.games.marrakech.ai.net", "souk.games.marrakech.ai.self_play")
FARTHER = ("souk.games.marrakech.ai.position_values", "souk.games.marrakech.ai.two_ply")
OPPONENTS = (RULES, *FARTHER, "souk.games.marrakech.ai.training_opponents")
# The rules that practice games go by, with how many parts of the games do.
MIXES: dict[tuple[int, int], Sequence[tuple[int, str]]] = {
    (2, 2): (
        (10, "marrakech(players=2)"),
        (4, "marrakech(players=2,edition=pergioco)"),
        (1, "marrakech(players=2,edition=gigamic-57)"),
        (2, "marrakech(players=2,turn_last=True)"),
        (1, "marrakech(players=2,edition=pergioco,turn_last=True)"),
        (1, "marrakech(players=2,cover_own=True)"),
        (1, "marrakech(players=2,rugs=8,dirhams=20)"),
    ),
    (2, 1): (
        (10, "marrakech(players=2,two_player=one-colour)"),
        (3, "marrakech(players=2,edition=pergioco,two_player=one-colour)"),
        (2, "marrakech(players=2,edition=gigamic-57,two_player=one-colour)"),
        (2, "marrakech(players=2,two_player=one-colour,turn_last=True)"),
        (1, "marrakech(players=2,edition=pergioco,two_player=one-colour,turn_last=True)"),
        (1, "marrakech(players=2,two_player=one-colour,cover_own=True)"),
        (1, "marrakech(players=2,two_player=one-colour,rugs=24)"),
    ),
    **{
        (players, 1): (
            (13, f"marrakech(players={players})"),
            (2, f"marrakech(players={players},edition=pergioco)"),
            (2, f"marrakech(players={players},edition=gigamic-57)"),
            (1, f"marrakech(players={players},turn_last=True)"),
            (1, f"marrakech(players={players},cover_own=True)"),
            (1, f"marrakech(players={players},rugs=8,dirhams=20)"),
        )
        for players in (3, 4)
    },
}
DIE = (1 / 6, 2 / 6, 2 / 6, 1 / 6)
MOST_ROWS = 1 << 20  # positions that are looked at together
A_SCORE = 30.0  # the unit of final scores
A_TIE = 0.01  # leads that lie no farther apart are equal


@dataclass
class Turn:
    """A turn of all games: arrays with an entry, or a row, for every game."""

    is_played: Any  # by those games that were not over
    worth: Any  # shares by seat that were expected before it
    is_tried: Any  # whether something else than the best was done, to see what comes of it
    end: Any  # the position afterwards
    known: Any  # of that position, as `spread` says it
    result: Any  # shares by seat if it is over


class Practice:
    """So many games side by side."""

    def __init__(self, machine: Machine, games: int, game: Marrakech) -> None:
        self.machine = machine
        self.xp = xp = machine.xp
        self.games = games
        machine.load(PRACTICE, game.constants())
        machine.load(OPPONENTS, game.constants())
        self.k = game.rules
        self.size, self.seats = self.k.SIZE, game.num_players()
        self.shape, _ = parse_kernel(PRACTICE, game.constants())
        self.inputs = self.shape.ROWS
        rows = games * ENDS
        self.G = xp.zeros((games, self.size), "i8")
        self.ends = xp.zeros((rows, self.size), "i8")
        self.known = xp.zeros((rows, 2), "i8")
        self.shares = xp.zeros((rows, self.seats), "f4")
        self.others = xp.zeros((rows, self.seats), "f4")  # what opponents think of the ends
        self._table_rows = min(rows, MOST_ROWS)
        self._table = self.empty_table(self._table_rows)
        self.kinds: Any = None  # who plays which seat, a row for each game; None if all are the net
        self.told = xp.zeros((games, self.seats, KINDS - 1), "f4")  # what the net hears of that
        self._seat = xp.arange(self.seats)
        self._game = xp.arange(games)

    def empty_table(self, rows: int) -> Any:
        """Room for the inputs of so many positions."""
        size = (self.inputs, rows) if self.machine.in_columns else (rows, self.inputs)
        return self.xp.zeros(size, "f4")

    def start(self, starts: Any, draw: Any, kinds: Any = None, is_hidden: Any = False) -> None:
        """Begin new games, each from one of the positions in `starts`.

        `kinds` says who plays which seat, `is_hidden` where the net does not hear of it.
        """
        xp = self.xp
        self.G[:] = xp.asarray(starts)
        self.kinds = kinds
        known = xp.zeros((self.games, self.seats), "i8") if kinds is None else kinds
        of_kind = known[:, :, None] == xp.arange(1, KINDS)
        hidden = xp.broadcast_to(xp.asarray(is_hidden), known.shape)[:, :, None]
        self.told[:] = xp.where(hidden, xp.asarray(BELIEFS[1:], "f4"), of_kind)
        self._settle(draw)

    def _luck(self, draw: Any) -> Any:
        return draw.integers(0, 1 << LUCK_BITS, (self.games, 4), dtype="i8")

    def _settle(self, draw: Any) -> None:
        self.machine.run("settle", self.games, self.G, self._luck(draw))

    def look(self, positions: Any, known: Any, games: Any, table: Any) -> Any:
        """The inputs of some positions, each of one of the games: a row for each."""
        rows = len(positions)
        table.fill(0)
        step = table.shape[1] if self.machine.in_columns else 1
        self.machine.run("look", rows, positions, known, table, step)
        inputs = table.T[:rows] if self.machine.in_columns else table[:rows]
        if self.shape.TOLD:
            order = (known[:, 1:] + self._seat) % self.seats
            told = self.told[games[:, None], order]
            inputs[:, self.shape.INPUTS :] = told.reshape(rows, -1)
        return inputs

    def from_first(self, by_seat: Any, first: Any) -> Any:
        """Columns by seat, reordered to begin with the seat whose turn it is."""
        return self.xp.take_along_axis(by_seat, (first[:, None] + self._seat) % self.seats, 1)

    def by_seat(self, from_first: Any, first: Any) -> Any:
        """The reverse."""
        return self.xp.take_along_axis(from_first, (self._seat - first[:, None]) % self.seats, 1)

    def is_out(self, positions: Any, first: Any) -> Any:
        """Who is out, beginning with the seat whose turn it is."""
        at = self.k.OUT
        return self.from_first(positions[:, at : at + self.seats] > 0, first)

    def turn(self, net: Net, draw: Any, trying: float) -> Turn:
        """Play a turn in every game."""
        xp, games = self.xp, self.games
        rows = games * ENDS
        luck = self._luck(draw)
        self.machine.run("spread", rows, self.G, luck, self.ends, self.known, self.shares)
        kind = self.known[:, 0]
        worth = self._judged(net).reshape(games, 3, 4, PLACES, self.seats)
        me = self.G[:, self.k.TO_MOVE]
        wanted = self._mine(worth, me)
        if self.kinds is not None:
            wanted = self._wanted_by_others(wanted, self.kinds[self._game, me], me, draw)
        is_end = (kind != NO_END).reshape(games, 3, 4, PLACES)
        wanted = xp.where(is_end, wanted, -1e9)
        turn_last = self.G[:, self.k.TURN_LAST] > 0
        best_turning, best_place = self._best(wanted, turn_last)
        dice = xp.arange(4)[None, :]
        chosen = worth[self._game[:, None], best_turning, dice, best_place]
        expected = (chosen * xp.asarray(DIE, "f4")[None, :, None]).sum(1)
        die = (draw.integers(0, 6, games) + 1) >> 1
        turning, place = best_turning[self._game, die], best_place[self._game, die]
        turning, place, tried = self._tried(wanted, turning, place, die, turn_last, trying, draw)
        row = ((self._game * 3 + turning) * 4 + die) * PLACES + place
        is_played = self.G[:, self.k.PHASE] != self.k.OVER
        end = xp.where(is_played[:, None], self.ends[row], self.G)
        self.G[:] = end
        self._settle(draw)
        return Turn(is_played, expected, tried, end, self.known[row], self.shares[row])

    def _judged(self, net: Net) -> Any:
        """What the net expects of every possible end, by seat; the result where it is over."""
        xp = self.xp
        worth = self.shares.copy()
        live = xp.flatnonzero(self.known[:, 0] == LIVE_END)
        for at in range(0, len(live), self._table_rows):
            rows = live[at : at + self._table_rows]
            ends, known = self.ends[rows], self.known[rows]
            first = known[:, 1]
            inputs = self.look(ends, known, rows // ENDS, self._table)
            said = net.shares(inputs, self.is_out(ends, first))
            worth[rows] = self.by_seat(said, first)
        return worth

    def _wanted_by_others(self, wanted: Any, kinds: Any, me: Any, draw: Any) -> Any:
        """What the ends are worth to the players in turn where these are not the net."""
        xp = self.xp
        rows, each = len(self.ends), ENDS
        self.machine.run("weigh", rows, self.ends, self.known, kinds, each, self.others)
        is_result = (self.known[:, 0] == OVER_END) & xp.repeat(kinds != GREEDY, each)
        others = xp.where(is_result[:, None], self.shares, self.others)
        others = self._mine(others.reshape(self.games, 3, 4, PLACES, self.seats), me)
        is_greedy = (kinds == GREEDY)[:, None, None, None]  # whose ties are broken at random
        others = others + xp.where(is_greedy, A_TIE * draw.random(others.shape, "f4"), 0)
        return xp.where((kinds > 0)[:, None, None, None], others, wanted)

    def _mine(self, worth: Any, me: Any) -> Any:
        return worth[self._game, :, :, :, me]

    def _best(self, wanted: Any, turn_last: Any) -> tuple[Any, Any]:
        """For every roll the turning, which is the same for all unless it comes last; the place."""
        xp = self.xp
        place = wanted.argmax(3)
        value = wanted.max(3)
        before = (value * xp.asarray(DIE, "f4")).sum(2).argmax(1)
        turning = xp.where(turn_last[:, None], value.argmax(1), before[:, None])
        return turning, xp.take_along_axis(place, turning[:, None, :], 1)[:, 0]

    def _tried(
        self,
        wanted: Any,
        turning: Any,
        place: Any,
        die: Any,
        turn_last: Any,
        often: float,
        draw: Any,
    ) -> tuple[Any, Any, Any]:
        """Something else now and then."""
        xp = self.xp
        if often <= 0:
            return turning, place, xp.zeros(self.games, bool)
        turns = (draw.random(self.games) < often) & ~turn_last
        turning = xp.where(turns, draw.integers(0, 3, self.games), turning)
        path = wanted[self._game, turning, die]
        place = xp.where(turns, path.argmax(1), place)
        lays = draw.random(self.games) < often
        any_place = xp.where(path > -1e8, draw.random(path.shape), -1.0).argmax(1)
        return turning, xp.where(lays, any_place, place), turns | lays

    def scores(self) -> Any:
        """The scores of games that are over, by seat."""
        xp, k = self.xp, self.k
        out = self.G[:, k.OUT : k.OUT + self.seats] > 0
        total = self.G[:, k.DIRHAMS : k.DIRHAMS + self.seats].astype("f4")
        bits = xp.arange(49)
        each = k.COLOURS // self.seats
        for colour in range(k.COLOURS):
            shown = (self.G[:, k.BOARD + colour, None] >> bits & 1).sum(1)
            total[:, colour // each] += shown
        return xp.where(out, 0, total).astype("f4")


def lessons(xp: Any, turns: list[Turn], mix: float) -> tuple[Any, Any]:
    """What each position after a turn was worth, from what was expected and what came of it.

    It is the next turn's expectation mixed with that turn's own lesson, as far as that turn was
    played as well as could be; the result where the game was over. And where there is a lesson.
    """
    lesson = turns[-1].result
    targets, is_lesson = [], []
    following: Turn | None = None
    for turn in reversed(turns):
        if following is not None:
            part = xp.where(following.is_tried, 0.0, mix)[:, None].astype("f4")
            lesson = (1 - part) * following.worth + part * lesson
        is_over = (turn.known[:, 0] == OVER_END) & turn.is_played
        lesson = xp.where(is_over[:, None], turn.result, lesson)
        targets.append(lesson)
        is_lesson.append(turn.is_played & (turn.known[:, 0] == LIVE_END))
        following = turn
    return xp.stack(targets[::-1]), xp.stack(is_lesson[::-1])
