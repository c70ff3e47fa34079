"""Games that nobody played: their winners drawn from strengths that are known."""

import random
from collections.abc import Mapping

import souk
from souk.arena.game_runner import Played
from souk.arena.tournament import Ledger, Tournament


def decided_by(
    strengths: Mapping[str, float], seats: tuple[str, ...], setup: int, pick: random.Random
) -> Played:
    """A game that is won in proportion to strength."""
    winner = pick.choices(range(len(seats)), [strengths[player] for player in seats])[0]
    return Played(
        setup=setup,
        seats=seats,
        scores=tuple(int(seat == winner) for seat in range(len(seats))),
        shares=tuple(float(seat == winner) for seat in range(len(seats))),
        places=tuple(1 if seat == winner else 2 for seat in range(len(seats))),
        turns=1,
        seconds=((0.0,),) * len(seats),
    )


def cup(players: int, seats: int, **settings: object) -> Tournament:
    """A tournament of players called random, random#2 and so on."""
    return Tournament.of(
        souk.load_game("marrakech", players=seats),
        ["random"] * players,
        **settings,  # type: ignore[arg-type]
    )


def played(tournament: Tournament, strengths: Mapping[str, float], seed: int) -> Ledger:
    """The ledger of a tournament whose games are all decided by strength."""
    ledger = Ledger(tournament)
    pick = random.Random(seed)
    for setup in range(tournament.setups):
        for pairing in tournament.pairings:
            for seats in pairing.rotations(setup):
                if ledger.is_open(pairing):
                    ledger.add(decided_by(strengths, seats, setup, pick))
    return ledger
