"""`souk play`: sets the table up, or finds the one that was left, and plays."""

import datetime
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.game import check_seed
from souk.records import Record, Seat, read
from souk.records.record import PERSON
from souk.terminal import questions
from souk.terminal.choosing import Wish
from souk.terminal.dice import Dice
from souk.terminal.display import is_interactive, open_display
from souk.terminal.files import read_text
from souk.terminal.keys import edit_line
from souk.terminal.playing import Play, Quit
from souk.terminal.saves import Save, new_file, newest_unfinished
from souk.terminal.seats import computers, fill, seat, strongest, tidy
from souk.terminal.table import Table

# A header line of the record: the dice come from the seed, also when the game is resumed.
DICE, FROM_SEED = "dice", "from the seed"
INTERRUPTED = 130


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
    file: str | None = field(default=None)  # the record to go on with; the newest if None


def play(sitting: Sitting) -> int:
    """Play a game; returns the exit code."""
    try:
        table, greeting = _resumed(sitting) if sitting.resume else _laid(sitting)
    except (EOFError, KeyboardInterrupt):
        print()
        return INTERRUPTED
    record = table.record
    display = open_display()
    game = Play(
        table,
        computers(record.game, record.seats, seconds=sitting.seconds, nodes=sitting.nodes),
        Dice(record.seed if record.extra.get(DICE) == FROM_SEED else None),
        display,
        pauses=is_interactive() and not sitting.fast,
        language=sitting.language,
        greeting=greeting,
    )
    try:
        if table.state.is_terminal():
            print("This game is over already.")
        game.to_the_end()
    except KeyboardInterrupt:
        print()
        return _stopped(table, INTERRUPTED)
    except (EOFError, Quit):
        return _stopped(table, 0)
    print(f"The record is in {table.save.path}")
    return 0


def _stopped(table: Table, code: int) -> int:
    table.keep()
    path = table.save.path
    print(f"The game is kept in {path}")
    print(f"Go on with: souk play --resume {shlex.quote(str(path))}")
    return code


def _laid(sitting: Sitting) -> tuple[Table, str]:
    """A table for a new game."""
    wish, kinds, names = sitting.wish, list(sitting.seats), list(sitting.names)
    rest: list[str] | None = None
    if sitting.questions and is_interactive():
        answers = questions.ask_all(wish.text)
        wish = replace(wish, text=answers.game, players=answers.players)
        kinds, names, rest = [PERSON], [answers.name], [answers.opponent]
    game = wish.game(len(kinds))
    others = (rest or [strongest(game.name)]) * (game.num_players() - 1)
    seats = seat(fill(game, kinds, [PERSON, *others]), names)
    if sitting.seed is not None:
        check_seed(sitting.seed)
    setup = secrets.randbits(31) if sitting.seed is None else sitting.seed
    today = datetime.datetime.now()
    record = Record(
        game,
        seed=setup,
        seats=seats,
        date=today.date(),
        extra={} if sitting.seed is None else {DICE: FROM_SEED},
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
    record = read(text)
    seats = record.seats or tuple(Seat(name) for name in record.game.seat_names)
    seats = tuple(Seat(tidy(place.name), place.plays) for place in seats)
    if sitting.seats or sitting.names:
        kinds = fill(record.game, sitting.seats, [place.plays for place in seats])
        names = sitting.names or [place.name for place in seats]
        seats = seat(kinds, names)
    record = replace(record, seats=seats)
    fill(record.game, [place.plays for place in seats], [])  # all of them known here
    if sitting.seed is not None:
        raise SoukError("a resumed game keeps its own dice: --seed is for new games")
    if sitting.save is not None:
        if sitting.save.exists() and not sitting.force:
            _ask_to_replace(sitting.save)
        return Table(record, Save(sitting.save)), f"{_company(seats)} The game goes on."
    return Table(record, Save(path, text)), f"{_company(seats)} The game goes on."


def _company(seats: Sequence[Seat]) -> str:
    """Who sits at the table, in a sentence."""
    told = [place.name + ("" if place.plays == PERSON else f" ({place.plays})") for place in seats]
    return f"At the table: {', '.join(told)}."


def _ask_to_replace(path: Path) -> None:
    if not is_interactive():
        raise SoukError(f"{path} exists already; --force replaces it, --resume goes on with it")
    if edit_line(f"{path} exists already. Replace it? y or n [n] ").strip().casefold() != "y":
        raise SoukError(f"{path} was left as it is; --resume goes on with a game")
