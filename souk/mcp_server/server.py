"""Serve the tools over standard input and output."""

import asyncio
import logging
import signal
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

import souk
from souk.engine.errors import SoukError, brief, one_of
from souk.mcp_server.tools import TOOLS, OpenGames, Tool
from souk.records import append_games

INSTRUCTIONS = """\
Play board games against computer players, or at a table of a Souk server. list_games shows what
there is, rules explains a game, start_game or join_table begins one. Then call act with a legal
action until the game is over; each answer shows what happened and what you can do next. result has
the result."""


def tool_description(name: str, kind: type[Tool]) -> types.Tool:
    """Return the description of a tool: its name, what it does, and the schema of its arguments."""
    schema = msgspec.json.schema_components([kind])[1][kind.__name__]
    description = schema.pop("description")
    return types.Tool(name=name, description=description, input_schema=schema)


async def call(games: OpenGames, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """Call a tool; a refusal says what is wrong and what is accepted."""
    try:
        text, is_error = await _answer(games, name, arguments), False
    except SoukError as error:
        text, is_error = str(error), True
    except Exception as error:  # of a third-party game, or a mistake of ours
        text, is_error = f"souk failed: {type(error).__name__}: {error}", True
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)


async def _answer(games: OpenGames, name: str, arguments: dict[str, Any]) -> str:
    if name not in TOOLS:
        raise SoukError(f"there is no tool {brief(name)}; the tools are {one_of(TOOLS)}")
    try:
        tool = msgspec.convert(arguments, TOOLS[name], strict=False)
    except msgspec.ValidationError as error:
        accepted = ", ".join(TOOLS[name].__struct_fields__) or "none"
        raise SoukError(f"{name}: {error}; its arguments are: {accepted}") from None
    return await tool.run(games)


async def serve(games: OpenGames) -> None:
    """Serve until standard input ends."""

    async def list_tools(*_: object) -> types.ListToolsResult:
        tools = [tool_description(name, kind) for name, kind in TOOLS.items()]
        return types.ListToolsResult(tools=tools)

    async def call_tool(_: object, request: types.CallToolRequestParams) -> types.CallToolResult:
        return await call(games, request.name, request.arguments or {})

    server = Server(
        "souk",
        version=souk.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (received, sent):
        with redirect_stdout(sys.stderr):  # what players print, which would be flushed at exit
            await server.run(received, sent, server.create_initialization_options())


def run(save: Path | None) -> int:
    """Serve until standard input ends; return the exit status."""
    if save is not None:
        append_games(save, ())  # complains now if it cannot be written
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # a client reads the same in the answers
    # A thread waits for input and could not be ended in another way.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(serve(OpenGames(save)))
    return 0
