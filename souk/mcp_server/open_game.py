"""A game in which the client of the MCP server has seats."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.ranges import condense
from souk.engine.state import State
from souk.engine.styled_text import plain_text


class OpenGame(ABC):
    """A game in which the client has seats."""

    def __init__(self) -> None:
        self.failure = ""  # why it cannot go on
        self.notices: list[str] = []  # for the next reading
        self._changed = asyncio.Event()  # a new one after each change
        self._playing: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def state(self) -> State | None:
        """The current state; None before the game starts."""

    @property
    @abstractmethod
    def names(self) -> list[str]:
        """The names of the seats."""

    @abstractmethod
    def seats(self) -> list[int]:
        """Return the seats of the client."""

    @abstractmethod
    def result(self) -> dict[str, Any] | None:
        """Return the result; None before the end."""

    @abstractmethod
    async def _apply(self, state: State, action: int) -> None:
        """Carry out a legal action of the client."""

    def close(self) -> None:
        """Stop playing: the client has started too many other games."""
        self.failure = "it was dropped: too many other games were started after it"
        if self._playing is not None:
            self._playing.cancel()

    def is_turn(self) -> bool:
        """Return whether the client is to act."""
        return self.result() is None and self._mover() in self.seats()

    async def wait(self, is_enough: Callable[[], bool], seconds: float) -> None:
        """Wait until a condition holds, the game cannot go on, or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (is_enough() or self.failure):
                    await self._changed.wait()

    async def act(self, text: str, player: str | None) -> None:
        """Carry out the action with a text; refuse any that is not legal now."""
        asked = self._asked_seats(player)
        self._check()
        if self.result() is not None:
            raise SoukError(f"the game is over: {self.prompt()} `result` has the result")
        state = self.state
        if state is None:
            raise SoukError(f"{self.prompt()} `read_position` waits for it")
        if self._mover() not in asked:
            who = one_of(self.names[seat] for seat in asked)
            raise SoukError(f"{who} cannot act now. {self.prompt()} `read_position` waits for it")
        action = -1
        with suppress(SoukError):  # no action at all has this text
            action = state.string_to_action(text.strip())
        if action not in state.legal_actions():
            raise SoukError(f"{brief(text)} is not legal now; legal: {', '.join(_texts(state))}")
        await self._apply(state, action)

    def read(self, player: str | None, form: str, *, lists_actions: bool) -> str:
        """Return what happened since the client's last action, and the position."""
        seats = self._asked_seats(player)
        self._check()
        state, notices = self.state, self.notices
        self.notices = []
        reading: dict[str, Any] = {
            "status": "waiting" if state is None else "playing" if not self.result() else "over",
            "you": [self.names[seat] for seat in seats],
            "your_turn": self.is_turn() and self._mover() in seats,
            "news": [*([] if state is None else self._news(state, seats)), *notices],
            "prompt": self.prompt(),
        }
        if state is not None and form != "none":
            board = plain_text(state.game.board_text(state, self.names))
            reading["position"] = state.to_dict() if form == "json" else board
        if state is not None and lists_actions and reading["your_turn"]:
            reading["legal_actions"] = _texts(state)
        return json.dumps(reading, ensure_ascii=False) if form == "json" else _as_text(reading)

    def _asked_seats(self, player: str | None) -> list[int]:
        """Return the seats of the client, or that of one of its players."""
        mine = self.seats()
        if player is None:
            return mine
        seats = [seat for seat in mine if self.names[seat] == player]
        if not seats:
            names = one_of(self.names[seat] for seat in mine) or "nobody yet"
            raise SoukError(f"you do not play {brief(player)}; you play {names}")
        return seats

    def _check(self) -> None:
        if self.failure:
            raise SoukError(f"this game cannot go on: {self.failure}")

    def _mover(self) -> int | None:
        return None if self.state is None else self.state.current_player()

    def prompt(self) -> str:
        """Return a sentence that says who must do what, or the result."""
        result, state = self.result(), self.state
        if result is not None:
            return str(result["text"])
        if state is None:
            return "The game has not started."
        return state.game.prompt(state, self.names)

    def _news(self, state: State, seats: Sequence[int]) -> list[str]:
        """Return what happened from the last action of some seats on, as sentences."""
        movers = state.movers()
        since = max((at for at, mover in enumerate(movers) if mover in seats), default=0)
        steps = state.steps()[since:]
        events = (event for step in steps for event in state.game.events(*step))
        return [event.sentence(self.names) for event in events]

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _texts(state: State) -> list[str]:
    return condense([state.action_to_string(action) for action in state.legal_actions()])


def _as_text(reading: dict[str, Any]) -> str:
    """Return a reading for people and language models."""
    parts = []
    if reading["news"]:
        parts.append("\n".join(["Since your last action:", *reading["news"]]))
    parts.append(reading.get("position") or reading["prompt"])
    turn = "It is your turn." if reading["your_turn"] else "It is not your turn."
    turn = {"over": "The game is over.", "waiting": ""}.get(reading["status"], turn)
    parts.append(f"You are {' and '.join(reading['you'])}. {turn}".strip())
    if "legal_actions" in reading:
        parts.append(f"Legal actions: {', '.join(reading['legal_actions'])}")
    return "\n\n".join(parts)
