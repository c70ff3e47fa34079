"""Measure how many games the arena saves by subtracting luck, and what measuring the luck takes.

The figures are the games that an interval of ± 2 points takes, by the wins and by the wins
less luck. They come from a few hundred games and vary by some tenths.
"""

import time
from collections.abc import Iterator

from bench.report import Figure
from souk.arena import Entrant, Tournament, TournamentRunner
from souk.arena.game_runner import GameResult, Job, play_game, setup_seed
from souk.arena.luck import LuckMeter
from souk.engine.game import Game
from souk.games import load_game

ERROR = 0.02
TABLES = (  # the players, the games to play, and how many times fewer games we promise
    ("marrakech(players=2,two_player=one-colour)", "expert", "trader", 400, 5.0),
    ("marrakech(players=2)", "expert", "trader", 400, 5.0),
    ("marrakech(players=2)", "trader", "greedy", 400, None),
    ("marrakech(players=3)", "expert", "trader", 600, 3.0),
    ("marrakech(players=3)", "trader", "greedy", 600, 3.0),
    ("marrakech(players=4)", "expert", "trader", 600, 2.5),
    ("marrakech(players=3)", "master:nodes=1000", "trader", 150, None),
    ("marrakech(players=4)", "master:nodes=1000", "trader", 160, None),
    ("marracash(players=3,souvenirs=True)", "trader", "greedy", 150, None),
    ("marracash(players=4,souvenirs=True)", "trader", "greedy", 160, None),
)
TIMED = ("marrakech(players=2)", "marrakech(players=3)", "marrakech(players=4)")
TIMED_GAMES = 12


def figures() -> Iterator[Figure]:
    """Yield the games by wins beside those luck-adjusted, then the times of games and of luck."""
    for text, player, opponent, games, promise in TABLES:
        tournament = Tournament.of(load_game(text), [player, opponent], games=games)
        with TournamentRunner(tournament) as runner:
            for _ in runner.play():
                pass
            share = runner.standings().shares[0]
        assert share.adjusted is not None
        plain = share.games * ((share.high - share.low) / 2 / ERROR) ** 2
        adjusted = share.games * (share.adjusted.error / ERROR) ** 2
        what = f"{text}, {player} v {opponent}"
        yield Figure(what, plain, "games", "luck-adjusted", adjusted, at_least=promise)
    for text in TIMED:
        game = load_game(text)
        entrants = [Entrant("expert")] * game.num_players()
        seats = tuple(map(str, entrants))
        play_game(game, Job(text, 1, TIMED_GAMES, seats), entrants)  # loads what is compiled
        began = time.process_time()
        jobs = [Job(text, 1, setup, seats) for setup in range(TIMED_GAMES)]
        results = [play_game(game, job, entrants) for job in jobs]
        total = 1000 * (time.process_time() - began) / TIMED_GAMES
        luck = sum(luck_milliseconds(game, entrants, one) for one in results) / TIMED_GAMES
        yield Figure(f"{text}, expert: playing", total - luck, "ms a game", "measuring luck", luck)


def luck_milliseconds(game: Game, entrants: list[Entrant], result: GameResult) -> float:
    """Return the processor time of measuring the luck in a game again."""
    total = 0.0
    state = game.new_initial_state(setup_seed(1, result.setup))
    meter = LuckMeter(game, entrants)
    for action in result.actions:
        if state.is_chance_node():
            began = time.process_time()
            meter.add(state, action)
            total += time.process_time() - began
        state.apply_action(action)
    return 1000 * total
