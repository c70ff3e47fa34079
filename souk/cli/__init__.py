"""The command `souk`: reads the command line and calls the terminal's rooms.

A file for each kind of command, and `options.py` for what they share. Exit codes: 0 fine, 1
something given cannot be used, a check failed or the output cannot be written (a full disk, a
reader that has gone), 2 wrong usage, 130 stopped with Ctrl-C. What a command needs is loaded when
it runs, so that help is instant.
"""

import os
import sys
from typing import Annotated

import typer

from souk.cli import catalogue, hosting, playing, records, research
from souk.engine.errors import SoukError

app = typer.Typer(
    name="souk",
    help="Play, study and research market games.",
    rich_markup_mode=None,  # Rich would take longer to load than everything else together
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for room in (playing, research, records, catalogue, hosting):  # as help lists them
    app.add_typer(room.app)


def main() -> None:
    """Run the command line; the one place where errors become sentences and exit codes."""
    # A stream that was closed before we started is None.
    sys.stdout = sys.stdout or os.fdopen(_nowhere(), "w")
    sys.stderr = sys.stderr or os.fdopen(_nowhere(), "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a strange byte must not end a game
    try:
        code = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except SoukError as error:
        code = _complain(str(error))
    except BrokenPipeError:  # a reader that has gone; typer, which may see it first, agrees on 1
        code = 1
        _let_go()
    except OSError as error:  # what is written to files is FileError's: this is a full disk
        code = _complain(f"cannot write the output: {error.strerror or error}".lower())
        _let_go()
    except Exception as error:
        show = getattr(error, "show", None)  # wrong usage, which typer words
        if show is None:
            raise
        show()
        code = getattr(error, "exit_code", 2)
    sys.exit(code)


def _complain(sentence: str) -> int:
    from souk.terminal.files import say

    say(f"souk: {sentence}", sys.stderr)
    return 1


def _let_go() -> None:
    """Let Python's last attempt to write what is left lead nowhere."""
    os.dup2(_nowhere(), sys.stdout.fileno())


def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def _version(wanted: bool) -> None:
    if wanted:
        import souk

        print(f"souk {souk.__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog="`souk play` starts a game at once; `souk COMMAND --help` has examples.",
)
def souk_command(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Play, study and research market games."""
    if context.invoked_subcommand is None:
        print(context.get_help())
