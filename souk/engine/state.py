"""State: a position with the actions that led to it. The facade over a kernel's buffer.

It runs the plain Python target, so a first game waits for nothing, and checks everything before
it changes anything.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.errors import IllegalAction, SoukError, as_int, brief
from souk.engine.events import Event, Outcome, Preview
from souk.engine.ranges import condense
from souk.engine.styled_text import plain

if TYPE_CHECKING:
    from souk.engine.game import Game

CHANCE = -1
TERMINAL = -4


class State:
    """A position of a game. It holds no future: chance is drawn by whoever plays the game."""

    __slots__ = ("_history", "_past", "_rules", "buffer", "game")

    def __init__(self, game: "Game", buffer: list[int]) -> None:
        self.game = game
        self._rules = game.rules
        self.buffer = buffer  # the kernel's; to be read only by others
        self._history: list[int] = []
        self._past: list[list[int]] = []  # the buffer before each action of the history

    # ---- whose turn, and what may be done -----------------------------------------------------

    def current_player(self) -> int:
        """The seat that acts now, CHANCE or TERMINAL."""
        player: int = self._rules.mover(self.buffer)
        return player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self._rules.mover(self.buffer) == TERMINAL)

    def is_chance_node(self) -> bool:
        """Whether chance acts now."""
        return self.current_player() == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions in rising order; at a chance step its outcomes.

        With `player`, as OpenSpiel's algorithms ask: those of one seat, none if it is not to move.
        """
        rules = self._rules
        if player is not None and player != self.current_player():
            return []
        actions = [0] * rules.MOST_LEGAL
        count = rules.legal_actions(self.buffer, actions)
        del actions[count:]
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance step with their probabilities."""
        total = self._rules.chance_total(self.buffer)
        return [(action, weight / total) for action, weight in self.chance_weights()]

    def chance_weights(self) -> list[tuple[int, int]]:
        """The outcomes of a chance step with whole numbers that their probabilities go by."""
        buffer, rules = self.buffer, self._rules
        if rules.mover(buffer) != CHANCE:
            raise SoukError("chance outcomes are for chance steps; here a player acts, or no one")
        weight = rules.chance_weight
        return [(action, weight(buffer, action)) for action in self.legal_actions()]

    # ---- doing and undoing ----------------------------------------------------------------------

    def apply_action(self, action: int) -> None:
        """Carry out an action. An illegal one raises IllegalAction and changes nothing."""
        buffer = self.buffer
        if action.__class__ is not int:
            action = _action_number(action)
        rules = self._rules
        if not (0 <= action < rules.ACTIONS and rules.is_legal(buffer, action)):
            raise IllegalAction(self._refusal(action))
        self._past.append(buffer[:])
        self._history.append(action)
        rules.apply(buffer, action)

    def undo_action(self) -> None:
        """Take the last action back."""
        if not self._history:
            raise SoukError("there is no action to undo")
        self._history.pop()
        # A copy: clones share the buffers of the past.
        self.buffer = self._past.pop()[:]

    def clone(self) -> "State":
        """A copy that goes its own way; it can be undone like the original."""
        copy = State(self.game, self.buffer[:])
        copy._history = self._history[:]
        copy._past = self._past[:]
        return copy

    def history(self) -> list[int]:
        """The actions since the start, or since the position was loaded."""
        return self._history[:]

    # ---- results --------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """The score of every seat, as it stands now."""
        score = self._rules.score
        return [score(self.buffer, seat) for seat in range(self.game.num_players())]

    def returns(self) -> list[float]:
        """Every seat's share of the win; zeros before the end."""
        seats = range(self.game.num_players())
        if not self.is_terminal():
            return [0.0 for _ in seats]
        share = self._rules.win_in_twelfths
        return [share(self.buffer, seat) / 12 for seat in seats]

    def ranking(self) -> list[list[int]]:
        """The seats best first, ties grouped."""
        places: dict[int, list[int]] = {}
        for seat in range(self.game.num_players()):
            places.setdefault(self._rules.standing(self.buffer, seat), []).append(seat)
        return [places[standing] for standing in sorted(places, reverse=True)]

    # ---- texts ----------------------------------------------------------------------------------

    def action_to_string(self, action: int) -> str:
        """The text of an action."""
        return self.game.action_to_string(action)

    def string_to_action(self, text: str) -> int:
        """The action that has a text, whether or not it is legal now."""
        return self.game.string_to_action(text)

    def to_dict(self) -> dict[str, Any]:
        """The whole position as plain JSON; `game.state_from_dict` reads it back."""
        return {"game": str(self.game), **self.game.position_dict(self.buffer)}

    def __str__(self) -> str:
        return plain(self.game.board_text(self))

    def __repr__(self) -> str:
        return f"{self.game!r}.state_from_dict({self.to_dict()!r})"

    def __eq__(self, other: object) -> bool:
        """States are equal when games and positions are, however they came about.

        As a state changes, it has no hash.
        """
        if not isinstance(other, State) or self.game != other.game:
            return False
        return self.to_dict() == other.to_dict()

    # ---- the story ------------------------------------------------------------------------------

    def events(self) -> list[Event]:
        """What the last action caused; nothing at the start or after loading a position."""
        if not self._history:
            return []
        return self.game.events(self._past[-1], self._history[-1], self.buffer)

    def preview(self, action: int) -> Preview:
        """What an action would cause, what may follow by chance, and what that is worth to each."""
        after = self.clone()
        after.apply_action(action)
        outcomes = []
        if after.is_chance_node():
            for drawn, probability in after.chance_outcomes():
                then = after.clone()
                then.apply_action(drawn)
                text = self.game.action_to_string(drawn)
                outcomes.append(Outcome(drawn, text, probability, tuple(then.events())))
        text = self.game.action_to_string(action)
        return Preview(
            action,
            text,
            tuple(after.events()),
            tuple(outcomes),
            tuple(self.game.certain_events(after)),
            tuple(self.game.expected_gains(self, after)),
        )

    def svg(
        self, *, theme: str = "light", names: Sequence[str] | None = None, options: bool = False
    ) -> str:
        """A drawing of the position: light, dark or auto; `options` shows what may be reached."""
        return self.game.draw(self, theme, self._names(names), options)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")

    # ---- for the game's own rooms ---------------------------------------------------------------

    def steps(self) -> list[tuple[Sequence[int], int, Sequence[int]]]:
        """Every action of the history with the buffers before and after it."""
        afters = [*self._past, self.buffer][1:]
        return list(zip(self._past, self._history, afters, strict=True))

    def movers(self) -> list[int]:
        """Who took each action of the history: a seat or CHANCE."""
        mover = self._rules.mover
        return [mover(before) for before in self._past]

    def _names(self, names: Sequence[str] | None) -> Sequence[str]:
        if names is None:
            return self.game.seat_names
        seats = self.game.num_players()
        is_list = isinstance(names, Sequence) and not isinstance(names, str)
        if not is_list or len(names) != seats or not all(isinstance(n, str) for n in names):
            raise SoukError(f"{self.game} has {seats} seats, a name for each: not {brief(names)}")
        return names

    def _refusal(self, action: int) -> str:
        if self.is_terminal():
            return "the game is over: no action is legal"
        texts = [self.game.action_to_string(legal) for legal in self.legal_actions()]
        if 0 <= action < self.game.num_distinct_actions():
            name = f"{self.game.action_to_string(action)!r} (action {action})"
        else:
            name = f"action {brief(action)}"
        return f"{name} is not legal now; legal: {', '.join(condense(texts))}"

    __copy__ = clone

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.game, self.buffer, self._history, self._past))


def _action_number(action: object) -> int:
    number = as_int(action)
    if number is None:
        hint = "; string_to_action gives the number of a text" if isinstance(action, str) else ""
        raise IllegalAction(f"an action is a whole number, not {brief(action)}{hint}")
    return number


def _rebuild(game: "Game", buffer: list[int], history: list[int], past: list[list[int]]) -> State:
    state = State(game, buffer)
    state._history = history
    state._past = past
    return state
