"""A game at a table of a server."""

import asyncio
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from souk.bot import Server, TableClient
from souk.engine.errors import SoukError
from souk.engine.state import State
from souk.mcp_server.open_game import OpenGame


class TableGame(TableClient, OpenGame):
    """A seat at a table of a server, for which the client chooses."""

    def __init__(self, server: Server, token: str) -> None:
        OpenGame.__init__(self)
        TableClient.__init__(self, server, token)
        self._turn: tuple[ClientConnection, int] | None = None  # if the client is to act
        self._playing = asyncio.create_task(self._run())

    @property
    def state(self) -> State | None:
        return self._state

    @property
    def names(self) -> list[str]:
        seats = self._table.get("seats", ())
        return [seat["name"] or f"free seat {seat['seat'] + 1}" for seat in seats]

    def result(self) -> dict[str, Any] | None:
        result = self._table.get("result")
        return result and {**result, "players": self.names, "text": f"{self._result()}."}

    def is_turn(self) -> bool:
        return self._turn is not None and super().is_turn()

    def prompt(self) -> str:
        if self._state is None:
            return f"The game has not started. At the table: {', '.join(self.names)}."
        paused = " The game is paused." if self._table.get("paused") is not None else ""
        return super().prompt() + paused

    async def _run(self) -> None:
        try:
            await self.play()
        except SoukError as error:
            self.failure = str(error)
        finally:
            self._notify()

    def _handle(self, message: dict[str, Any]) -> None:
        super()._handle(message)
        if self._position is not None:
            self._current_state()
        if message["type"] == "refused":
            self.notices.append(f"Refused: {message['message']}")
        if self._turn and (self._position or {}).get("version") != self._turn[1]:
            self._turn = None
        self._notify()

    async def _take_turn(self, socket: ClientConnection, version: int) -> None:
        self._turn = socket, version
        self._notify()

    async def _apply(self, state: State, action: int) -> None:
        if self._turn is None:
            raise SoukError("the table is not ready for an action; `read_position` waits for it")
        socket, version = self._turn
        self._turn = None
        try:
            await self._act(socket, version, state.action_to_string(action))
        except ConnectionClosed:
            raise SoukError(
                f"the connection to {self.server.base} broke and is made again; `read_position` "
                "says whether it is still your turn"
            ) from None
