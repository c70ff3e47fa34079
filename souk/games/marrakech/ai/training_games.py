"""Batches of self-play games of Marrakech, with opponents of other kinds in some seats.

A turn is decided by evaluating every possible end of it: the best place for the rug wherever Assam
may stop, and the turning with the best expectation over the die. `training_targets` combines these
expectations with the results of the games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from souk.engine.kernel.source import DEFAULT_RULES, parse_kernel
from souk.games.marrakech.ai.opponent_kinds import GREEDY, KINDS, NET
from souk.games.marrakech.ai.self_play import ENDS, LIVE_END, NO_END, OVER_END, PLACES, RANDOM_BITS
from souk.games.marrakech.board import DIE_FACES, DIE_WEIGHTS
from souk.games.marrakech.game import AI, Marrakech
from souk.train.devices import Machine
from souk.train.net import Net

# The kernels of training.
START = ("souk.games.marrakech.rules", DEFAULT_RULES, f"{AI}.tax")
SELF_PLAY = (*START, f"{AI}.net", f"{AI}.self_play")
OPPONENTS = (*START, f"{AI}.heuristic", f"{AI}.two_ply", f"{AI}.training_opponents")
# The games to play, with how many parts of a round each gets, by players and colours each.
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
UNKNOWN_KIND = (0.4, 0.2, 0.2, 0.2)  # what the net is told of a player whose kind is hidden
DIE = tuple(weight / len(DIE_FACES) for weight in DIE_WEIGHTS)  # probabilities by pips - 1
MOST_ROWS = 1 << 20  # positions that are evaluated together
SCORE_UNIT = 30.0  # of final scores as training targets
TIE = 0.01  # leads that differ by less are equal


@dataclass
class Turn:
    """A turn of all games: arrays with an entry, or a row, for every game."""

    is_played: Any  # whether the game was not over before
    value: Any  # expected shares by seat before the turn
    luck: Any  # what the die was worth above that, by seat
    is_explored: Any  # whether another action than the best was taken
    end: Any  # the position after the turn
    status: Any  # of that position, as `expand` writes it
    result: Any  # shares by seat if the game is over


class SelfPlay:
    """A batch of games that are played side by side."""

    def __init__(
        self, machine: Machine, games: int, game: Marrakech, tie_noise: float = 0.0
    ) -> None:
        self.machine = machine
        self.tie_noise = tie_noise  # added to the shares by which players choose
        self.xp = xp = machine.xp
        self.games = games
        machine.load(SELF_PLAY, game.constants())
        machine.load(OPPONENTS, game.constants())
        self.k = game.rules
        self.size, self.seats = self.k.SIZE, game.num_players()
        self.net_names, _ = parse_kernel(SELF_PLAY, game.constants())
        self.inputs = self.net_names.INPUTS
        rows = games * ENDS
        self.G = xp.zeros((games, self.size), "i8")
        self.ends = xp.zeros((rows, self.size), "i8")
        self.status = xp.zeros((rows, 2), "i8")
        self.shares = xp.zeros((rows, self.seats), "f4")
        self.others = xp.zeros((rows, self.seats), "f4")  # values of the ends to opponents
        self._table_rows = min(rows, MOST_ROWS)
        self._table = self.empty_table(self._table_rows)
        self.kinds: Any = None  # of the seats, a row per game; None if all are NET
        self.dice_rows: Any = (
            None  # games with the same number have the same dice; None if all differ
        )
        self.opponent_inputs = xp.zeros((games, self.seats, KINDS - 1), "f4")
        self._seat = xp.arange(self.seats)
        self._game = xp.arange(games)

    def empty_table(self, rows: int) -> Any:
        """Return a table for the inputs of a number of positions."""
        size = (self.inputs, rows) if self.machine.in_columns else (rows, self.inputs)
        return self.xp.zeros(size, "f4")

    def start(self, starts: Any, rng: Any, kinds: Any = None, is_hidden: Any = False) -> None:
        """Begin new games, each from one of the positions in `starts`.

        `kinds` says who plays which seat, `is_hidden` where the net does not know it.
        """
        xp = self.xp
        self.G[:] = xp.asarray(starts)
        self.kinds = kinds
        known = xp.full((self.games, self.seats), NET) if kinds is None else kinds
        of_kind = known[:, :, None] == xp.arange(1, KINDS)
        hidden = xp.broadcast_to(xp.asarray(is_hidden), known.shape)[:, :, None]
        self.opponent_inputs[:] = xp.where(hidden, xp.asarray(UNKNOWN_KIND[1:], "f4"), of_kind)
        self._draw_rugs(rng)

    def _draw(self, rng: Any, below: int, *shape: int) -> Any:
        """Return random numbers for every game."""
        rows = self.games if self.dice_rows is None else int(self.dice_rows.max()) + 1
        numbers = rng.integers(0, below, (rows, *shape), dtype="i8")
        return numbers if self.dice_rows is None else numbers[self.dice_rows]

    def _random_words(self, rng: Any) -> Any:
        return self._draw(rng, 1 << RANDOM_BITS, 4)

    def _draw_rugs(self, rng: Any) -> None:
        self.machine.run("draw_rugs", self.games, self.G, self._random_words(rng))

    def encode(self, positions: Any, status: Any, games: Any, table: Any) -> Any:
        """Return the inputs of positions, a row for each; `games` says of which game each is."""
        rows = len(positions)
        table.fill(0)
        step = table.shape[1] if self.machine.in_columns else 1
        self.machine.run("write_inputs", rows, positions, status, table, step)
        inputs = table.T[:rows] if self.machine.in_columns else table[:rows]
        if self.net_names.OPPONENT_INPUTS:
            order = (status[:, 1:] + self._seat) % self.seats
            opponent_inputs = self.opponent_inputs[games[:, None], order]
            inputs[:, self.net_names.POSITION_INPUTS :] = opponent_inputs.reshape(rows, -1)
        return inputs

    def from_first(self, by_seat: Any, first: Any) -> Any:
        """Reorder columns by seat to begin with the seat whose turn it is."""
        return self.xp.take_along_axis(by_seat, (first[:, None] + self._seat) % self.seats, 1)

    def by_seat(self, from_first: Any, first: Any) -> Any:
        """Reverse `from_first`."""
        return self.xp.take_along_axis(from_first, (self._seat - first[:, None]) % self.seats, 1)

    def logits(self, positions: Any, first: Any) -> Any:
        """Return -1e9 for players who are out, beginning with the seat whose turn it is."""
        at = self.k.OUT
        is_out = self.from_first(positions[:, at : at + self.seats] > 0, first)
        return self.xp.where(is_out, self.xp.float32(-1e9), self.xp.float32(0))

    def turn(self, net: Net, rng: Any, exploration: float) -> Turn:
        """Play a turn in every game."""
        xp, games = self.xp, self.games
        rows = games * ENDS
        random_words = self._random_words(rng)
        self.machine.run("expand", rows, self.G, random_words, self.ends, self.status, self.shares)
        kind = self.status[:, 0]
        value = self._evaluate_ends(net).reshape(games, 3, 4, PLACES, self.seats)
        me = self.G[:, self.k.TO_MOVE]
        preferred = self._mine(value, me)
        if self.tie_noise:
            noise = self._draw(rng, 1 << RANDOM_BITS, 3, 4, PLACES) / (1 << RANDOM_BITS)
            preferred = preferred + self.tie_noise * noise.astype("f4")
        if self.kinds is not None:
            preferred = self._preferred_by_others(preferred, self.kinds[self._game, me], me, rng)
        is_end = (kind != NO_END).reshape(games, 3, 4, PLACES)
        preferred = xp.where(is_end, preferred, -1e9)
        turn_last = self.G[:, self.k.TURN_LAST] > 0
        best_turning, best_place = self._best(preferred, turn_last)
        dice = xp.arange(4)[None, :]
        chosen = value[self._game[:, None], best_turning, dice, best_place]
        expected = (chosen * xp.asarray(DIE, "f4")[None, :, None]).sum(1)
        die = xp.asarray(DIE_FACES)[self._draw(rng, len(DIE_FACES))] - 1
        luck = chosen[self._game, die] - expected
        turning, place = best_turning[self._game, die], best_place[self._game, die]
        turning, place, explored = self._explore(
            preferred, turning, place, die, turn_last, exploration, rng
        )
        row = ((self._game * 3 + turning) * 4 + die) * PLACES + place
        is_played = self.G[:, self.k.PHASE] != self.k.OVER
        end = xp.where(is_played[:, None], self.ends[row], self.G)
        self.G[:] = end
        self._draw_rugs(rng)
        return Turn(is_played, expected, luck, explored, end, self.status[row], self.shares[row])

    def _evaluate_ends(self, net: Net) -> Any:
        """Return the net's shares of every possible end, by seat; the result where it is over."""
        xp = self.xp
        value = self.shares.copy()
        live = xp.flatnonzero(self.status[:, 0] == LIVE_END)
        for at in range(0, len(live), self._table_rows):
            rows = live[at : at + self._table_rows]
            ends, status = self.ends[rows], self.status[rows]
            first = status[:, 1]
            inputs = self.encode(ends, status, rows // ENDS, self._table)
            shares = net.shares(inputs, self.logits(ends, first))
            value[rows] = self.by_seat(shares, first)
        return value

    def _preferred_by_others(self, preferred: Any, kinds: Any, me: Any, rng: Any) -> Any:
        """Return the values of the ends to the players in turn, whatever their kind is."""
        xp = self.xp
        rows, each = len(self.ends), ENDS
        self.machine.run("rate_end", rows, self.ends, self.status, kinds, each, self.others)
        is_result = (self.status[:, 0] == OVER_END) & xp.repeat(kinds != GREEDY, each)
        others = xp.where(is_result[:, None], self.shares, self.others)
        others = self._mine(others.reshape(self.games, 3, 4, PLACES, self.seats), me)
        is_greedy = (kinds == GREEDY)[:, None, None, None]  # ties are broken at random
        others = others + xp.where(is_greedy, TIE * rng.random(others.shape, "f4"), 0)
        return xp.where((kinds != NET)[:, None, None, None], others, preferred)

    def _mine(self, value: Any, me: Any) -> Any:
        return value[self._game, :, :, :, me]

    def _best(self, preferred: Any, turn_last: Any) -> tuple[Any, Any]:
        """Return the best turning and place by roll; only a last turning depends on the roll."""
        xp = self.xp
        place = preferred.argmax(3)
        value = preferred.max(3)
        before = (value * xp.asarray(DIE, "f4")).sum(2).argmax(1)
        turning = xp.where(turn_last[:, None], value.argmax(1), before[:, None])
        return turning, xp.take_along_axis(place, turning[:, None, :], 1)[:, 0]

    def _explore(
        self,
        preferred: Any,
        turning: Any,
        place: Any,
        die: Any,
        turn_last: Any,
        exploration: float,
        rng: Any,
    ) -> tuple[Any, Any, Any]:
        """Return turning and place with random ones now and then, and where they are random."""
        xp = self.xp
        if exploration <= 0:
            return turning, place, xp.zeros(self.games, bool)
        turns = (rng.random(self.games) < exploration) & ~turn_last
        turning = xp.where(turns, rng.integers(0, 3, self.games), turning)
        path = preferred[self._game, turning, die]
        place = xp.where(turns, path.argmax(1), place)
        lays = rng.random(self.games) < exploration
        any_place = xp.where(path > -1e8, rng.random(path.shape), -1.0).argmax(1)
        return turning, xp.where(lays, any_place, place), turns | lays

    def scores(self) -> Any:
        """Return the scores of games that are over, by seat."""
        xp, k = self.xp, self.k
        out = self.G[:, k.OUT : k.OUT + self.seats] > 0
        total = self.G[:, k.DIRHAMS : k.DIRHAMS + self.seats].astype("f4")
        bits = xp.arange(49)
        each = k.COLOURS // self.seats
        for colour in range(k.COLOURS):
            shown = (self.G[:, k.BOARD + colour, None] >> bits & 1).sum(1)
            total[:, colour // each] += shown
        return xp.where(out, 0, total).astype("f4")


def training_targets(xp: Any, turns: list[Turn], mix: float) -> tuple[Any, Any]:
    """Return the target of each position after a turn, and where the position is a sample.

    The target is the next turn's expectation mixed with that turn's own target, unless that turn
    was explored; where the game is over it is the result.
    """
    target = turns[-1].result
    targets, is_sample = [], []
    following: Turn | None = None
    for turn in reversed(turns):
        if following is not None:
            part = xp.where(following.is_explored, 0.0, mix)[:, None].astype("f4")
            target = (1 - part) * following.value + part * target
        is_over = (turn.status[:, 0] == OVER_END) & turn.is_played
        target = xp.where(is_over[:, None], turn.result, target)
        targets.append(target)
        is_sample.append(turn.is_played & (turn.status[:, 0] == LIVE_END))
        following = turn
    return xp.stack(targets[::-1]), xp.stack(is_sample[::-1])
