"""The command `souk mcp`."""

from pathlib import Path
from typing import Annotated

import typer

from souk.engine.extras import needs_extra

app = typer.Typer()


@app.command(
    epilog="""\b
A client starts it by itself. Its configuration often looks like this:
  {"mcpServers": {"souk": {"command": "souk", "args": ["mcp"]}}}
"""
)
def mcp(
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add the records of finished games to a file."),
    ] = None,
) -> int:
    """Let a language model play: serve tools by the Model Context Protocol.

    Standard input and output carry the protocol. The tools list games and rules, start games
    against computer players or join a table of a server, show positions and act.
    docs/language-models.md explains how to count results.
    """
    with needs_extra("mcp", "souk mcp"):
        from souk.mcp_server.server import run
    return run(save)
