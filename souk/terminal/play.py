"""`souk play`: sets the table up, or finds the one that was left, and plays."""

import datetime
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.game import Game, check_seed
from souk.engine.styled_text import make_printable
from souk.players import friendly, players
from souk.records import Record, Seat
from souk.records.record import PERSON
from souk.terminal.display import is_interactive, open_display
from souk.terminal.files import (
    INTERRUPTED,
    Save,
    new_file,
    newest_unfinished,
    read_text,
    record_of,
    say,
)
from souk.terminal.host import Host, Quit
from souk.terminal.keys import edit_line
from souk.terminal.seats import Wish, ask_all, computers, fill, seat, tidy
from souk.terminal.table import Dice, Table

# A header line of the record: whatever is drawn while playing, by chance or by computer players,
# comes from the seed, also when the game is resumed.
CHANCE, FROM_SEED = "chance", "from the seed"


@dataclass(frozen=True)
class Sitting:
    """What the command line says about a game to be played."""

    wish: Wish
    seats: Sequence[str] = ()
    names: Sequence[str] = ()
    seed: int | None = None
    save: Path | None = None
    force: bool = False
    fast: bool = False
    questions: bool = False  # whether to ask, if a person is there to answer
    seconds: float | None = None
    nodes: int | None = None
    language: str | None = None
    resume: bool = False
    file: str | None = None  # the record to go on with; the newest if None


def play(sitting: Sitting) -> int:
    """Play a game; returns the exit code."""
    try:
        table, greeting = _resumed(sitting) if sitting.resume else _laid(sitting)
    except (EOFError, KeyboardInterrupt):
        print()
        return INTERRUPTED
    record = table.record
    display = open_display()
    host = Host(
        table,
        computers(record.game, record.seats, seconds=sitting.seconds, nodes=sitting.nodes),
        Dice(record.seed if record.extra.get(CHANCE) == FROM_SEED else None),
        display,
        pauses=is_interactive() and not sitting.fast,
        language=sitting.language,
        greeting=greeting,
    )
    try:
        if table.state.is_terminal():
            print("This game is over already.")
        host.to_the_end()
    except KeyboardInterrupt:
        print()
        return _stopped(table, INTERRUPTED)
    except (EOFError, Quit):
        return _stopped(table, 0)
    except SoukError:  # a player that failed, a full disk
        _stopped(table, 1)
        raise
    say(f"The record is in {table.save.path}")
    return 0


def _stopped(table: Table, code: int) -> int:
    table.keep()
    path = table.save.path
    say(f"The game is kept in {path}")
    say(f"Go on with: souk play --resume {shlex.quote(str(path))}")
    return code


def _laid(sitting: Sitting) -> tuple[Table, str]:
    """A table for a new game."""
    wish, kinds, names = sitting.wish, list(sitting.seats), list(sitting.names)
    rest: list[str] | None = None
    if sitting.questions and is_interactive():
        answers = ask_all(wish.text)
        wish = replace(wish, text=answers.game, players=answers.players)
        kinds, names, rest = [PERSON], [answers.name], [answers.opponent]
    game = wish.game(len(kinds))
    others = (rest or [friendly(game.name)]) * (game.num_players() - 1)
    seats = seat(fill(game, kinds, [PERSON, *others], _known(game)), names)
    if sitting.seed is not None:
        check_seed(sitting.seed)
    setup = secrets.randbits(31) if sitting.seed is None else sitting.seed
    today = datetime.datetime.now()
    record = Record(
        game,
        seed=setup,
        seats=seats,
        date=today.date(),
        extra={} if sitting.seed is None else {CHANCE: FROM_SEED},
    )
    path = sitting.save or new_file(game.name, today)
    if sitting.save is not None and path.exists() and not sitting.force:
        _ask_to_replace(path)
    table = Table(record, Save(path))
    table.keep()
    return table, f"{_company(seats)} Type an option or its first letters; help tells more."


def _resumed(sitting: Sitting) -> tuple[Table, str]:
    """The table of a game that was left."""
    path = Path(sitting.file) if sitting.file else newest_unfinished()
    text = read_text(str(path))
    record = record_of(text, str(path))
    known = _known(record.game)
    seats = record.seats or tuple(Seat(name) for name in record.game.seat_names)
    seats = tuple(Seat(tidy(place.name), place.plays) for place in seats)
    if sitting.seats or sitting.names:
        kinds = fill(record.game, sitting.seats, [place.plays for place in seats], known)
        names = sitting.names or [place.name for place in seats]
        seats = seat(kinds, names)
    record = replace(record, seats=seats)
    fill(record.game, [place.plays for place in seats], [], known)  # all of them known here
    if sitting.seed is not None:
        raise SoukError("a resumed game keeps its own seed: --seed is for new games")
    if sitting.save is not None:
        if sitting.save.exists() and not sitting.force:
            _ask_to_replace(sitting.save)
        return Table(record, Save(sitting.save)), f"{_company(seats)} The game goes on."
    return Table(record, Save(path, text)), f"{_company(seats)} The game goes on."


def _known(game: Game) -> list[str]:
    """Who may sit at a table."""
    return [PERSON, *players(game.name)]


def _company(seats: Sequence[Seat]) -> str:
    """Who sits at the table, in a sentence."""
    told = [place.name + ("" if place.plays == PERSON else f" ({place.plays})") for place in seats]
    return f"At the table: {', '.join(told)}."


def _ask_to_replace(path: Path) -> None:
    if not is_interactive():
        raise SoukError(f"{path} exists already; --force replaces it, --resume goes on with it")
    question = make_printable(f"{path} exists already. Replace it? y or n [n] ")
    if edit_line(question).strip().casefold() != "y":
        raise SoukError(f"{path} was left as it is; --resume goes on with a game")
