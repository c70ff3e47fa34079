"""Solve a small game for two players exactly: python examples/exact_value.py [GAME]

Every position is visited once: the value of a position is the best value after an action, or the
mean over the outcomes of chance, as a fraction.
"""

import sys
from fractions import Fraction

import souk

SMALL = "marrakech(players=2,two_player=one-colour,rugs=1,dirhams=3)"


def solve(game: souk.Game) -> tuple[Fraction, int]:
    """Return the first seat's share of the win if both play perfectly, and how many positions."""
    rules = game.rules
    values: dict[tuple[int, ...], Fraction] = {}

    def value(buffer: list[int]) -> Fraction:
        key = tuple(buffer)
        if key not in values:
            values[key] = computed(buffer)
        return values[key]

    def computed(buffer: list[int]) -> Fraction:
        mover = rules.mover(buffer)
        if mover == souk.TERMINAL:
            return Fraction(rules.win_in_sixtieths(buffer, 0), 60)
        actions = [0] * rules.MOST_LEGAL
        after = []
        for action in actions[: rules.legal_actions(buffer, actions)]:
            after.append(buffer[:])
            rules.apply(after[-1], action)
        if mover == souk.CHANCE:
            weights = [rules.chance_weight(buffer, action) for action in actions[: len(after)]]
            total = sum(weight * value(one) for weight, one in zip(weights, after, strict=True))
            return total / rules.chance_total(buffer)
        return max(map(value, after)) if mover == 0 else min(map(value, after))

    if game.num_players() != 2 or game.has_random_setup:
        raise souk.SoukError(f"{game} is not a game for two players with one setup")
    return value(game.new_initial_state(0).buffer), len(values)


if __name__ == "__main__":
    game = souk.load_game(sys.argv[1] if len(sys.argv) > 1 else SMALL)
    share, positions = solve(game)
    print(f"{game}\nThe first seat's share of the win: {share} = {float(share):.6f}")
    print(f"{positions:,} positions")
