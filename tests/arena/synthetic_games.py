"""Make games whose winners are drawn from known strengths, and of which dice decide a part."""

import random
from collections.abc import Mapping

import souk
from souk.arena.game_runner import GameResult
from souk.arena.tournament import Tournament
from souk.arena.tournament_progress import TournamentProgress

STEPS = 40  # chance steps of a game in which dice are thrown


def make_result(
    strengths: Mapping[str, float],
    players: tuple[str, ...],
    setup: int,
    pick: random.Random,
    evaluation: float = 0.0,
) -> GameResult:
    """Return a game that is won in proportion to strength.

    With an evaluation, dice move the chances to win back and forth before, and it measures that
    luck: 1 is right, a negative number takes good luck for bad.
    """
    chances = [strengths[player] for player in players]
    luck = [0.0] * len(players)
    for _ in range(STEPS if evaluation else 0):
        one, other = pick.sample(range(len(players)), 2)
        change = pick.choice((-0.7, 0.7)) * min(chances[one], chances[other])
        for seat, sign in ((one, 1), (other, -1)):
            chances[seat] += sign * change
            luck[seat] += sign * evaluation * change / sum(strengths[name] for name in players)
    winner = pick.choices(range(len(players)), chances)[0]
    return GameResult(
        setup=setup,
        players=players,
        scores=tuple(int(seat == winner) for seat in range(len(players))),
        returns=tuple(float(seat == winner) for seat in range(len(players))),
        places=tuple(1 if seat == winner else 2 for seat in range(len(players))),
        turns=1,
        move_seconds=((0.0,),) * len(players),
        luck=tuple(luck),
        actions=(),
        date="2026-11-15",
    )


def make_tournament(players: int, seats: int, **settings: object) -> Tournament:
    """Return a tournament of players called random, random#2 and so on."""
    return Tournament.of(
        souk.load_game("marrakech", players=seats),
        ["random"] * players,
        **settings,  # type: ignore[arg-type]
    )


def play_synthetic(
    tournament: Tournament, strengths: Mapping[str, float], seed: int, evaluation: float = 0.0
) -> TournamentProgress:
    """Play a tournament whose games are all decided by strength, and by dice with an evaluation."""
    progress = TournamentProgress(tournament)
    pick = random.Random(seed)
    for setup in range(tournament.setups):
        for pairing in tournament.pairings:
            for seating in pairing.rotations(setup):
                if progress.is_open(pairing):
                    progress.add(make_result(strengths, seating, setup, pick, evaluation))
    return progress
