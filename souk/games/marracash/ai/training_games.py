"""Batches of self-play games of MarraCash, and their positions as samples to learn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from souk.engine.kernel.source import DEFAULT_RULES, parse_kernel
from souk.games.marracash.ai.self_play import SAMPLES
from souk.games.marracash.game import AI, MarraCash
from souk.train.devices import Machine

SELF_PLAY = (
    *(f"souk.games.marracash.{part}" for part in ("rules", "setup")),
    DEFAULT_RULES,
    *(f"{AI}.{part}" for part in ("heuristic", "net", "self_play")),
)
# The variants to play, with how many parts of a round each gets, by board.
MIXES: dict[str, Sequence[tuple[int, dict[str, Any]]]] = {
    "classic1996": (
        (5, {}),
        (2, {"souvenirs": True}),
        (1, {"commission": "per-group", "souvenirs": True, "pull_in": True}),
        (1, {"commission": "once"}),
        (1, {"pull_in": True}),
    ),
    "medina": (
        (3, {}),
        (1, {"souvenirs": True, "commission": "once"}),
        (1, {"commission": "per-group", "pull_in": True}),
    ),
}
STEPS_AT_ONCE = 8  # before looking whether all games are over
MOST_STEPS = 1_500  # of a game; auctions included
SCORE_UNIT = 1_000.0  # of final leads as training targets


@dataclass
class Samples:
    """Games that were played: arrays with a row for each of the positions that were stored."""

    positions: Any
    ahead: Any  # shares by seat after the best action
    results: Any  # shares by seat at the end of the game
    leads: Any  # final money over the mean, by seat
    by_game: Any  # the results, with a row for each game


class SelfPlay:
    """A batch of games on a board that are played side by side."""

    def __init__(self, machine: Machine, players: int, layout: str) -> None:
        self.machine = machine
        self.xp = machine.xp
        self.players = players
        self.layout = layout
        game = MarraCash(players=players, layout=layout)
        machine.load(SELF_PLAY, game.constants())
        self.names, _ = parse_kernel(SELF_PLAY, game.constants())

    def starts(self, games: int) -> Any:
        """Return the first positions of some games: every variant has its part."""
        variants = [settings for part, settings in MIXES[self.layout] for _ in range(part)]
        rows = [
            MarraCash(players=self.players, layout=self.layout, **settings).initial_buffer()
            for settings in variants
        ]
        return self.xp.asarray(rows, "i8")[self.xp.arange(games) % len(rows)]

    def play(
        self,
        starts: Any,
        tables: Any,
        players: Any,
        *,
        seed: int,
        to_end_of_turn: bool,
        random_percent: int = 0,
        noise: int = 0,
    ) -> Samples:
        """Play games to their end; `players` says for every seat which table of weights it uses."""
        xp, run, k = self.xp, self.machine.run, self.names
        games, seats = len(starts), self.players
        G = xp.array(starts)
        shares = xp.zeros((games * k.OPTIONS, seats), "f4")
        rows = xp.zeros((games * SAMPLES, k.SIZE), "i8")
        values = xp.zeros((games * SAMPLES, seats), "f4")
        seen = xp.zeros(games, "i8")
        results = xp.zeros((games, seats), "f4")
        ahead = int(to_end_of_turn)
        run("deal_game", games, G, seed)
        for step in range(MOST_STEPS):
            if step % STEPS_AT_ONCE == 0 and bool((G[:, k.PHASE] == k.OVER).all()):
                break
            run("rate_option", games * k.OPTIONS, G, tables, players, ahead, shares)
            run(
                *("advance", games, G, shares, seed, step, random_percent, noise),
                *(rows, values, seen, results),
            )
        money = G[:, k.DIRHAMS : k.DIRHAMS + seats].astype("f4")
        leads = (money - money.mean(axis=1, keepdims=True)) / SCORE_UNIT
        place = xp.arange(games * SAMPLES)
        stored = xp.flatnonzero(place % SAMPLES < xp.minimum(seen, SAMPLES)[place // SAMPLES])
        own = stored // SAMPLES
        return Samples(rows[stored], values[stored], results[own], leads[own], results)

    def encode(self, positions: Any, weights: Any) -> tuple[Any, Any, Any]:
        """Return inputs, the heuristic's logits, and the seats that move next, which come first."""
        xp, count = self.xp, len(positions)
        inputs = xp.zeros((count, self.names.INPUTS), "f4")
        logits = xp.zeros((count, self.players), "f4")
        first = xp.zeros(count, "i8")
        self.machine.run("write_inputs", count, positions, weights, inputs, logits, first)
        return inputs, self.from_first(logits, first), first

    def from_first(self, by_seat: Any, first: Any) -> Any:
        """Reorder columns by seat to begin with the seat that moves next."""
        order = (first[:, None] + self.xp.arange(self.players)) % self.players
        return self.xp.take_along_axis(by_seat, order, 1)
