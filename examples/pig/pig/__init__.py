"""The dice game Pig: roll as often as you dare, but a 1 loses all points of the turn."""

from collections.abc import Sequence

from pig import rules
from souk.engine.game import DEFAULT_RULES, Game
from souk.engine.knobs import Choice, Integer, Knob

MOST = 1_000_000  # points and turns in a position that is loaded


class Pig(Game):
    """Pig with its knobs set.

    >>> str(Pig(players=3))
    'pig(players=3)'
    """

    name = "pig"
    about = "Roll as often as you dare: a 1 loses all points of your turn."
    kernel = ("pig.rules", DEFAULT_RULES)
    knobs = (
        Integer("players", "how many play", 2, 4),
        Integer("target", "points to reach", 1, 1000, default=100),
    )
    seat_fields = ("score",)
    action_texts = ("roll", "hold", "1", "2", "3", "4", "5", "6")

    @property
    def position_fields(self) -> tuple[Knob, ...]:
        return (
            Choice("phase", "what happens next", ("choose", "roll", "over")),
            Integer("to_move", "the seat whose turn it is", 0, self.num_players() - 1),
            Integer("turns", "turns ended so far", 0, MOST),
            Integer("turn_total", "points rolled in this turn", 0, MOST),
            Integer("score", "points of each seat", 0, MOST),
        )

    def sentence(
        self, before: Sequence[int], action: int, after: Sequence[int], names: Sequence[str]
    ) -> str:
        seat = self.turn_of(before)
        if action == rules.ROLL:
            return f"{names[seat]} rolls the die."
        if action == rules.HOLD:
            points = after[self.slots["score"][seat]]
            return f"{names[seat]} holds and has {points} points."
        if action == rules.DIE:
            return f"It shows 1: {names[seat]} loses {before[rules.TURN_TOTAL]} points."
        return f"It shows {self.action_to_string(action)}: {after[rules.TURN_TOTAL]} this turn."
