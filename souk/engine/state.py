"""The state of a game: a position and the actions that led to it.

A state wraps the buffer of a kernel in plain Python, so nothing is compiled for it. All arguments
are checked before anything changes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from souk.engine import serialized_state
from souk.engine.errors import IllegalAction, SoukError, as_int, brief
from souk.engine.events import Event, Outcome, Preview
from souk.engine.ranges import condense
from souk.engine.styled_text import plain_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from souk.engine.game import Game

CHANCE = -1
TERMINAL = -4


class State:
    """A position of a game and the actions that led to it.

    The methods are those of OpenSpiel's states. Chance is an explicit step: a state holds no
    random numbers, and the caller draws an outcome and applies it like any other action.

    >>> import souk
    >>> state = souk.load_game("marrakech", players=3).new_initial_state()
    >>> state.apply_action(state.string_to_action("left"))
    >>> state.current_player() == souk.CHANCE
    True
    >>> [state.action_to_string(die) for die in state.legal_actions()]
    ['1', '2', '3', '4']
    """

    __slots__ = ("_history", "_past", "_rules", "buffer", "game")

    def __init__(self, game: "Game", buffer: list[int]) -> None:
        self.game = game
        self._rules = game.rules
        self.buffer = buffer  # read only, except for the kernel
        self._history: list[int] = []
        self._past: list[list[int]] = []  # the buffer before each action in the history

    # ---- players and legal actions ------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat that acts now, or CHANCE, or TERMINAL when the game is over."""
        return self._rules.mover(self.buffer)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._rules.mover(self.buffer) == TERMINAL

    def is_chance_node(self) -> bool:
        """Return whether chance acts now."""
        return self.current_player() == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions in ascending order; at a chance node, the outcomes.

        With `player`, return the legal actions of that seat: none unless it is to move.
        """
        rules = self._rules
        if player is not None and player != self.current_player():
            return []
        actions = [0] * rules.MOST_LEGAL
        count = rules.legal_actions(self.buffer, actions)
        del actions[count:]
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        total = self.chance_total()
        return [(action, weight / total) for action, weight in self.chance_weights()]

    def chance_weights(self) -> list[tuple[int, int]]:
        """Return the outcomes of a chance node with integer weights, which avoid rounding."""
        self.chance_total()
        buffer, weight = self.buffer, self._rules.chance_weight
        return [(action, weight(buffer, action)) for action in self.legal_actions()]

    def chance_total(self) -> int:
        """Return the number of equally likely cases at a chance node: the sum of the weights."""
        if self._rules.mover(self.buffer) != CHANCE:
            raise SoukError("chance outcomes are for chance steps; here a player acts, or no one")
        return self._rules.chance_total(self.buffer)

    def chance_outcome(self, case: int) -> int:
        """Return the outcome of an equally likely case, from 0 to `chance_total` - 1."""
        buffer, weight = self.buffer, self._rules.chance_weight
        for action in self.legal_actions():
            case -= weight(buffer, action)
            if case < 0:
                return action
        raise SoukError("there is no such case: they are numbered 0 to the total - 1")

    # ---- applying and undoing actions ---------------------------------------------------------

    def apply_action(self, action: int) -> None:
        """Apply an action in place.

        Raise IllegalAction, and change nothing, if the action is not legal.
        """
        buffer = self.buffer
        if action.__class__ is not int:
            action = _action_number(action)
        rules = self._rules
        if not (0 <= action < rules.ACTIONS and rules.is_legal(buffer, action)):
            raise IllegalAction(self.illegal_message(action))
        self._past.append(buffer[:])
        self._history.append(action)
        rules.apply(buffer, action)

    def undo_action(self) -> None:
        """Undo the last action, back to the start or to the position that was loaded."""
        if not self._history:
            raise SoukError("there is no action to undo")
        self._history.pop()
        # A copy, since clones share the buffers of the past.
        self.buffer = self._past.pop()[:]

    def clone(self) -> "State":
        """Return an independent copy, which can be undone like the original."""
        copy = State(self.game, self.buffer[:])
        copy._history = self._history[:]
        copy._past = self._past[:]
        return copy

    def history(self) -> list[int]:
        """Return the actions since the start, or since the position was loaded."""
        return self._history[:]

    # ---- results --------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Return the current score of every seat."""
        rules, buffer = self._rules, self.buffer
        return [rules.score(buffer, seat) for seat in range(rules.PLAYERS)]

    def returns(self) -> list[float]:
        """Return every seat's share of the win; zeros before the end of the game."""
        seats = range(self.game.num_players())
        if not self.is_terminal():
            return [0.0 for _ in seats]
        share = self._rules.win_in_sixtieths
        return [share(self.buffer, seat) / 60 for seat in seats]

    def ranking(self) -> list[list[int]]:
        """Return the seats in groups, best first; seats in a group are tied."""
        places: dict[int, list[int]] = {}
        for seat in range(self.game.num_players()):
            places.setdefault(self._rules.standing(self.buffer, seat), []).append(seat)
        return [places[standing] for standing in sorted(places, reverse=True)]

    # ---- texts and data -----------------------------------------------------------------------

    def action_to_string(self, action: int) -> str:
        """Return the text of an action."""
        return self.game.action_to_string(action)

    def string_to_action(self, text: str) -> int:
        """Return the action with a text, whether or not it is legal now.

        Raise SoukError if no action has this text.
        """
        return self.game.string_to_action(text)

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain data, which `Game.state_from_dict` reads."""
        return {"game": str(self.game), **self.game.position_dict(self.buffer)}

    def serialize(self) -> str:
        """Return the state with its history as a text, which `Game.deserialize_state` reads."""
        start = State(self.game, (self._past[0] if self._past else self.buffer)[:])
        return serialized_state.write(start, self._history)

    def legal_actions_mask(self) -> "NDArray[np.bool_]":
        """Return an array that is true for the legal actions of the player to move."""
        import numpy as np

        mask = np.zeros(self.game.num_distinct_actions(), np.bool_)
        if self.current_player() >= 0:
            mask[self.legal_actions()] = True
        return mask

    def observation_tensor(self, seat: int | None = None) -> "NDArray[np.float32]":
        """Return what a seat sees as numbers, by default the player to move.

        `Game.observation_layout` describes them. While no player acts, the default is the seat
        whose turn it is.
        """
        from souk.engine.observation import observation_tensor

        return observation_tensor(self, seat)

    def __str__(self) -> str:
        return plain_text(self.game.board_text(self))

    def __repr__(self) -> str:
        return f"{self.game!r}.state_from_dict({self.to_dict()!r})"

    def __eq__(self, other: object) -> bool:
        """Return whether game and position are equal; histories may differ.

        States are mutable, so they have no hash.
        """
        if not isinstance(other, State) or self.game != other.game:
            return False
        return self.to_dict() == other.to_dict()

    # ---- events, previews and drawings --------------------------------------------------------

    def events(self) -> list[Event]:
        """Return the events of the last action; none if the history is empty."""
        if not self._history:
            return []
        return self.game.events(self._past[-1], self._history[-1], self.buffer)

    def preview(self, action: int) -> Preview:
        """Return the events, chance outcomes and expected gains of an action."""
        after = self.clone()
        after.apply_action(action)
        outcomes = []
        if after.is_chance_node():
            for outcome, probability in after.chance_outcomes():
                then = after.clone()
                then.apply_action(outcome)
                text = self.game.action_to_string(outcome)
                outcomes.append(Outcome(outcome, text, probability, tuple(then.events())))
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
        """Return a drawing of the position as SVG.

        `theme` is light, dark or auto (the reader's colour scheme). With `options`, the legal
        actions are marked.
        """
        return self.game.draw(self, theme, self._names(names), options)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")

    # ---- the history step by step -------------------------------------------------------------

    def steps(self) -> list[tuple[Sequence[int], int, Sequence[int]]]:
        """Return the buffer before, the action and the buffer after, for every action."""
        buffers = [*self._past, self.buffer]
        history = enumerate(self._history)
        return [(buffers[number], action, buffers[number + 1]) for number, action in history]

    def movers(self) -> list[int]:
        """Return who took each action: a seat or CHANCE."""
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

    def illegal_message(self, action: int) -> str:
        """Return a sentence that an action is not legal, and which are."""
        if self.is_terminal():
            return "the game is over: no action is legal"
        texts = [self.game.action_to_string(legal) for legal in self.legal_actions()]
        if 0 <= action < len(self.game.action_texts):
            name = f"{self.game.action_to_string(action)!r} (action {action})"
        else:
            name = f"action {brief(action)}"
        return f"{name} is not legal now; legal: {', '.join(condense(texts))}"

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> "State":
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return (rebuild, (self.game, self.buffer, self._history, self._past))


def _action_number(action: object) -> int:
    number = as_int(action)
    if number is None:
        hint = "; string_to_action gives the number of a text" if isinstance(action, str) else ""
        raise IllegalAction(f"an action is a whole number, not {brief(action)}{hint}")
    return number


def rebuild(game: "Game", buffer: list[int], history: list[int], past: list[list[int]]) -> State:
    state = State(game, buffer)
    state._history = history
    state._past = past
    return state
