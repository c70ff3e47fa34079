"""The command `souk mcp`."""

from pathlib import Path
from typing import Annotated

import typer

from souk.engine.extras import needs_extra

app = typer.Typer()


@app.command(
    epilog="""\b
The client starts it. Its configuration often looks like this:
  {"mcpServers": {"souk": {"command": "souk", "args": ["mcp"]}}}
"""
)
def mcp(
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Add the records of finished games against computer players to a file.",
        ),
    ] = None,
) -> int:
    """Let a language model play: serve tools over the Model Context Protocol.

    Standard input and output carry the protocol. The tools list games and rules, start games
    against computer players or join a table of a server, show positions and act.
    docs/language-models.md describes them.
    """
    with needs_extra("mcp", "souk mcp"):
        from souk.mcp_server.server import run
    return run(save)
