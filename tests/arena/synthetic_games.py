"""Make games whose winners are drawn from known strengths."""

import random
from collections.abc import Mapping

import souk
from souk.arena.game_runner import GameResult
from souk.arena.tournament import Tournament
from souk.arena.tournament_progress import TournamentProgress


def make_result(
    strengths: Mapping[str, float], players: tuple[str, ...], setup: int, pick: random.Random
) -> GameResult:
    """Return a game that is won in proportion to strength."""
    winner = pick.choices(range(len(players)), [strengths[player] for player in players])[0]
    return GameResult(
        setup=setup,
        players=players,
        scores=tuple(int(seat == winner) for seat in range(len(players))),
        returns=tuple(float(seat == winner) for seat in range(len(players))),
        places=tuple(1 if seat == winner else 2 for seat in range(len(players))),
        turns=1,
        move_seconds=((0.0,),) * len(players),
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
    tournament: Tournament, strengths: Mapping[str, float], seed: int
) -> TournamentProgress:
    """Play a tournament whose games are all decided by strength."""
    progress = TournamentProgress(tournament)
    pick = random.Random(seed)
    for setup in range(tournament.setups):
        for pairing in tournament.pairings:
            for seating in pairing.rotations(setup):
                if progress.is_open(pairing):
                    progress.add(make_result(strengths, seating, setup, pick))
    return progress
