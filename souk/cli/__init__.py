"""The command `souk`: parse the command line and call `souk.terminal`.

`options.py` has the options that several commands share. Exit codes: 0 success; 1 invalid input, a
failed check or output that cannot be written (a full disk, a closed pipe); 2 wrong usage; 130
stopped with Ctrl-C. A command imports what it needs when it runs, so that help is fast.
"""

import os
import sys
from typing import Annotated

import typer

from souk.cli import arena, games, mcp, play, records, server, simulate, train
from souk.engine.errors import SoukError, raised_at

app = typer.Typer(
    name="souk",
    help="Play, study and research market games.",
    rich_markup_mode=None,  # Rich would take longer to load than everything else together
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for module in (play, simulate, arena, train, records, games, server, mcp):  # in the order of help
    app.add_typer(module.app)


def main() -> None:
    """Run the command line, and turn errors into messages and exit codes."""
    # A stream that was closed before we started is None.
    sys.stdout = sys.stdout or os.fdopen(_devnull(), "w")
    sys.stderr = sys.stderr or os.fdopen(_devnull(), "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # an invalid byte must not end a game
    try:
        code = app(standalone_mode=False) or 0
        sys.stdout.flush()
    except SoukError as error:
        code = _print_error(str(error))
    except typer.Abort:  # a question without an answer
        code = _print_error("nothing was changed: the question was not answered")
    except BrokenPipeError:  # typer, which may see it first, exits with 1 too
        code = 1
        _discard_output()
    except OSError as error:  # such as a full disk; errors of named files are FileErrors
        code = _print_error(f"cannot write the output: {error.strerror or error}".lower())
        _discard_output()
    except Exception as error:
        show = getattr(error, "show", None)  # wrong usage, which typer explains
        if show is not None:
            show()
            code = getattr(error, "exit_code", 2)
        elif os.environ.get("SOUK_TRACEBACK"):
            raise
        else:  # a fault of ours, or of a game of another package
            what = f"{type(error).__name__}: {error} ({raised_at(error)})"
            code = _print_error(f"this should not happen: {what}; SOUK_TRACEBACK=1 shows more")
    sys.exit(code)


def _print_error(message: str) -> int:
    from souk.terminal.files import say

    say(f"souk: {message}", sys.stderr)
    return 1


def _discard_output() -> None:
    """Discard what Python would still try to write at exit."""
    os.dup2(_devnull(), sys.stdout.fileno())


def _devnull() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def _version(is_given: bool) -> None:
    if is_given:
        import souk

        print(f"souk {souk.__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    epilog="`souk play` starts a game; `souk COMMAND --help` shows examples.",
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
