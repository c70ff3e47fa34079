"""`souk play`: set up a new game, or resume one, and play it."""

import datetime
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from souk.engine.dice import Dice
from souk.engine.errors import SoukError
from souk.engine.game import Game, check_seed
from souk.engine.styled_text import make_printable
from souk.players import default_player, players
from souk.records import Record, Seat
from souk.records.record import PERSON
from souk.terminal.display import is_interactive, open_display
from souk.terminal.files import INTERRUPTED, parse_record, read_text, say
from souk.terminal.game_choice import GameChoice
from souk.terminal.game_files import GameFile, new_file, newest_unfinished
from souk.terminal.game_loop import GameLoop, Quit
from souk.terminal.keyboard import edit_line
from souk.terminal.saved_game import SavedGame
from souk.terminal.seats import clean_name, computer_players, fill_seats, name_seats
from souk.terminal.setup_questions import ask_all

# A header line of the record: chance and computer players draw from the seed, also after the game
# is resumed.
CHANCE, FROM_SEED = "chance", "from the seed"


@dataclass(frozen=True)
class PlayOptions:
    """The options of `souk play`."""

    choice: GameChoice
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
    file: str | None = None  # the record to resume; the newest if None


def play(options: PlayOptions) -> int:
    """Play a game; return the exit code."""
    try:
        game, greeting = _resume_game(options) if options.resume else _new_game(options)
    except (EOFError, KeyboardInterrupt):
        print()
        return INTERRUPTED
    record = game.record
    display = open_display()
    loop = GameLoop(
        game,
        computer_players(record.game, record.seats, seconds=options.seconds, nodes=options.nodes),
        Dice(record.seed if record.extra.get(CHANCE) == FROM_SEED else None),
        display,
        pauses=is_interactive() and not options.fast,
        language=options.language,
        greeting=greeting,
    )
    try:
        if game.state.is_terminal():
            print("This game is over already.")
        loop.run()
    except KeyboardInterrupt:
        print()
        return _stop(game, INTERRUPTED)
    except (EOFError, Quit):
        return _stop(game, 0)
    except SoukError:  # such as a player that failed or a full disk
        _stop(game, 1)
        raise
    say(f"The record is saved in {game.file.path}")
    return 0


def _stop(game: SavedGame, code: int) -> int:
    game.save()
    path = game.file.path
    say(f"The game is saved in {path}")
    say(f"Continue with: souk play --resume {shlex.quote(str(path))}")
    return code


def _new_game(options: PlayOptions) -> tuple[SavedGame, str]:
    choice, kinds, names = options.choice, list(options.seats), list(options.names)
    opponent: str | None = None
    if options.questions and is_interactive():
        answers = ask_all(choice.text)
        choice = replace(choice, text=answers.game, players=answers.players)
        kinds, names, opponent = [PERSON], [answers.name], answers.opponent
    game = choice.game(len(kinds))
    others = [opponent or default_player(game.name)] * (game.num_players() - 1)
    seats = name_seats(fill_seats(game, kinds, [PERSON, *others], _accepted(game)), names)
    if options.seed is not None:
        check_seed(options.seed)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    now = datetime.datetime.now()
    record = Record(
        game,
        seed=seed,
        seats=seats,
        date=now.date(),
        extra={} if options.seed is None else {CHANCE: FROM_SEED},
    )
    path = options.save or new_file(game.name, now)
    if options.save is not None and path.exists() and not options.force:
        _ask_to_replace(path)
    computer_players(game, seats)  # refuses those that cannot be made, before anything is saved
    saved = SavedGame(record, GameFile(path))
    saved.save()
    return saved, f"{_seats_text(seats)} Type an option or its first letters, or help."


def _resume_game(options: PlayOptions) -> tuple[SavedGame, str]:
    path = Path(options.file) if options.file else newest_unfinished()
    text = read_text(str(path))
    record = parse_record(text, str(path))
    accepted = _accepted(record.game)
    seats = record.seats or tuple(Seat(name) for name in record.game.seat_names)
    seats = tuple(Seat(clean_name(seat.name), seat.plays) for seat in seats)
    if options.seats or options.names:
        kinds = fill_seats(record.game, options.seats, [seat.plays for seat in seats], accepted)
        seats = name_seats(kinds, options.names or [seat.name for seat in seats])
    record = replace(record, seats=seats)
    fill_seats(record.game, [seat.plays for seat in seats], [], accepted)  # refuses unknown kinds
    if options.seed is not None:
        raise SoukError("a resumed game keeps its own seed: --seed is for new games")
    greeting = f"{_seats_text(seats)} The game continues."
    if options.save is not None:
        if options.save.exists() and not options.force:
            _ask_to_replace(options.save)
        return SavedGame(record, GameFile(options.save)), greeting
    return SavedGame(record, GameFile(path, text)), greeting


def _accepted(game: Game) -> list[str]:
    """Return the kinds of players that may have a seat."""
    return [PERSON, *players(game.name)]


def _seats_text(seats: Sequence[Seat]) -> str:
    """Return who sits at the table."""
    names = [seat.name + ("" if seat.plays == PERSON else f" ({seat.plays})") for seat in seats]
    return f"At the table: {', '.join(names)}."


def _ask_to_replace(path: Path) -> None:
    if not is_interactive():
        raise SoukError(f"{path} exists already; --force replaces it, --resume continues it")
    question = make_printable(f"{path} exists already. Replace it? y or n [n] ")
    if edit_line(question).strip().casefold() != "y":
        raise SoukError(f"{path} was not changed; --resume continues a game")
