"""A game in this process, with computer players in the other seats."""

import asyncio
import datetime
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from souk.engine.dice import Dice
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.seeds import derive_seed
from souk.engine.state import State
from souk.mcp_server.open_game import OpenGame
from souk.players import default_player, player
from souk.players.named_player import NamedPlayer
from souk.records import Record, append_games
from souk.records.record import PERSON
from souk.terminal.seats import name_seats

ME = "me"  # a seat of the client


class LocalGame(OpenGame):
    """A game in this process, which draws chance and asks the computer players."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str] | None,
        *,
        name: str = "Model",
        seed: int | None = None,
        save: Path | None = None,
    ) -> None:
        super().__init__()
        count = game.num_players()
        chosen = seats or [ME, *[default_player(game.name)] * (count - 1)]
        if len(chosen) != count or ME not in chosen:
            raise SoukError(
                f"seats are {count} for {game}: {ME!r} for at least one that you play, and "
                f"computer players such as 'greedy', not {', '.join(map(repr, chosen))}"
            )
        named = {seat: NamedPlayer.parse(text) for seat, text in enumerate(chosen) if text != ME}
        if any(one.weights is not None for one in named.values()):
            raise SoukError("players with a file of weights cannot be named here")
        self._players = {
            seat: player(
                str(one), game, seed=None if seed is None else derive_seed(seed, "player", seat)
            )
            for seat, one in named.items()
        }
        kinds = [named[seat].name if seat in named else PERSON for seat in range(count)]
        mine = range(1, kinds.count(PERSON) + 1)
        self._seats = name_seats(kinds, [f"{name} {i}" if i > 1 else name for i in mine])
        self._seed = secrets.randbits(31) if seed is None else seed
        self._dice = Dice(seed)
        self._state = game.new_initial_state(self._seed)
        self._save = save
        self._playing = asyncio.create_task(self._play_on())

    @property
    def state(self) -> State:
        return self._state

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self._seats]

    def seats(self) -> list[int]:
        return [number for number in range(len(self._seats)) if number not in self._players]

    def result(self) -> dict[str, Any] | None:
        state = self._state
        if not state.is_terminal():
            return None
        return {
            "text": state.game.result_sentence(state, self.names),
            "players": self.names,
            "scores": state.scores(),
            "returns": state.returns(),
            "ranking": state.ranking(),
        }

    def players(self) -> str:
        """Return who plays, seat by seat."""
        kinds = ["you" if seat.plays == PERSON else seat.plays for seat in self._seats]
        return ", ".join(f"{n} ({kind})" for n, kind in zip(self.names, kinds, strict=True))

    async def _apply(self, state: State, action: int) -> None:
        state.apply_action(action)
        self._playing = asyncio.create_task(self._play_on())

    async def _play_on(self) -> None:
        """Draw chance and ask the computer players until the client is to act."""
        state = self._state
        try:
            while not state.is_terminal() and not self.is_turn():
                if state.is_chance_node():
                    state.apply_action(self._dice.draw(state))
                else:
                    player = self._players[state.current_player()]
                    state.apply_action(await asyncio.to_thread(player.choose, state))
            if state.is_terminal() and self._save is not None:
                today = datetime.date.today()
                record = Record.from_state(state, seed=self._seed, seats=self._seats, date=today)
                await asyncio.to_thread(append_games, self._save, [record])
        except SoukError as error:  # of a player that failed, or a full disk
            if state.is_terminal():
                self.notices.append(f"The record was not saved: {error}.")
            else:
                self.failure = str(error)
        finally:
            self._notify()
