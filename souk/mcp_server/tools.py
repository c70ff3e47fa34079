"""The tools of the MCP server: their arguments and what they do."""

import asyncio
import itertools
import json
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from souk.bot import Server
from souk.engine.errors import SoukError, brief, one_of
from souk.games import load_game, names
from souk.mcp_server.local_game import LocalGame
from souk.mcp_server.open_game import OpenGame
from souk.mcp_server.table_game import TableGame
from souk.players import players
from souk.terminal.game_choice import GameChoice
from souk.terminal.game_lists import games_text

MOST_GAMES = 100  # older ones are forgotten
WAIT = 20.0  # seconds; clients often give up after a minute

Text = Annotated[str, Meta(max_length=1000)]
GameText = Annotated[
    Text, Meta(description="A name, or with settings in brackets: name(players=3)")
]
GameId = Annotated[Text, Meta(description="As start_game or join_table returned it")]
Name = Annotated[str, Meta(description="Your name", max_length=20, pattern=r"\w")]


class OpenGames:
    """The games of the client, by their ids."""

    def __init__(self, save: Path | None = None) -> None:
        self.save = save  # the file for the records of finished games
        self._games: dict[str, OpenGame] = {}
        self._numbers = itertools.count(1)

    def add(self, kind: str, game: OpenGame) -> str:
        """Add a game; return its id."""
        game_id = f"{kind}-{next(self._numbers)}"
        self._games[game_id] = game
        if len(self._games) > MOST_GAMES:
            self._games.pop(next(iter(self._games))).close()
        return game_id

    def get(self, game_id: str) -> OpenGame:
        """Return a game by its id."""
        if game_id not in self._games:
            known = f"choose {one_of(self._games)}" if self._games else "start or join one first"
            raise SoukError(f"there is no game {brief(game_id)}; {known}")
        return self._games[game_id]


class Tool(Struct, forbid_unknown_fields=True, kw_only=True):
    """A call of a tool; the fields are its arguments."""

    async def run(self, games: OpenGames) -> str:
        """Return the answer; raise SoukError to refuse."""
        raise NotImplementedError


class ListGames(Tool):
    """List the games with their settings and the computer players that you can meet."""

    async def run(self, _: OpenGames) -> str:
        levels = [
            f"Players of {name}, weakest first: {', '.join(players(name))}" for name in names()
        ]
        return "\n\n".join([games_text(), *levels])


class Rules(Tool):
    """Return the rules of a game and how its actions are written."""

    game: GameText
    language: Annotated[Text, Meta(description="A language code, such as en")] = "en"

    async def run(self, _: OpenGames) -> str:
        game = load_game(self.game)
        return f"{game.rulebook(self.language).markdown()}\n\nIn `act`, {game.action_help}."


class StartGame(Tool):
    """Start a game against computer players. Dice are rolled for you; you only act."""

    game: GameText
    seats: Annotated[
        list[Text] | None,
        Meta(
            description="Who plays each seat: 'me' for yours, one or more, or a computer player "
            "such as 'greedy' or 'master:seconds=0.5'; by default you and easy players",
        ),
    ] = None
    name: Name = "Model"
    seed: Annotated[int | None, Meta(description="For the same setup and dice again")] = None

    async def run(self, games: OpenGames) -> str:
        game = GameChoice(self.game).game(len(self.seats or ()))
        local = LocalGame(game, self.seats, name=self.name, seed=self.seed, save=games.save)
        game_id = games.add(game.name, local)
        reading = await ReadPosition(game_id=game_id).run(games)
        return f"game_id: {game_id}\n{game}: {local.players()}\n\n{reading}"


class JoinTable(Tool):
    """Take a free seat at a table of a Souk server, by the link to the table."""

    link: Annotated[Text, Meta(description="Such as http://host/t/ID")]
    name: Name = "Model"
    token: Annotated[
        Text | None, Meta(description="Token of an identity that you had there before")
    ] = None

    async def run(self, games: OpenGames) -> str:
        server = Server(self.link)
        token = self.token
        if token is None:
            token = await asyncio.to_thread(server.create_bot, self.name)
        table = TableGame(server, token)
        await table.wait(lambda: bool(table.seats()), WAIT)
        game_id = games.add("table", table)
        reading = await ReadPosition(game_id=game_id, wait=0).run(games)
        return f"game_id: {game_id}\ntoken, to come back after a restart: {token}\n\n{reading}"


class ReadPosition(Tool):
    """Wait for your turn; return what happened since your last action, and the position."""

    game_id: GameId
    player: Annotated[Text | None, Meta(description="One of your players, if you play several")] = (
        None
    )
    format: Annotated[
        Literal["text", "json", "none"], Meta(description="Of the position; none leaves it out")
    ] = "text"
    legal_actions: Annotated[
        bool,
        Meta(description="List them; `bid 25, 50 … 125` stands for all bids in steps of 25"),
    ] = True
    wait: Annotated[float, Meta(description="Seconds to wait for others at most", ge=0, le=600)] = (
        WAIT
    )

    async def run(self, games: OpenGames) -> str:
        game = games.get(self.game_id)
        await game.wait(lambda: game.is_turn() or game.result() is not None, self.wait)
        return game.read(self.player, self.format, lists_actions=self.legal_actions)


class Act(ReadPosition, kw_only=True):
    """Take one of the legal actions, wait for your next turn, and read the position."""

    action: Annotated[Text, Meta(description="The text of a legal action")]

    async def run(self, games: OpenGames) -> str:
        await games.get(self.game_id).act(self.action, self.player)
        return await super().run(games)


class Result(Tool):
    """Return the result of a finished game as JSON: scores, and each player's share of the win."""

    game_id: GameId

    async def run(self, games: OpenGames) -> str:
        game = games.get(self.game_id)
        result = game.result()
        if result is None:
            raise SoukError(f"the game is not over. {game.failure or game.prompt()}")
        return json.dumps(result, ensure_ascii=False)


TOOLS: dict[str, type[Tool]] = {
    "list_games": ListGames,
    "rules": Rules,
    "start_game": StartGame,
    "join_table": JoinTable,
    "read_position": ReadPosition,
    "act": Act,
    "result": Result,
}
