"""`souk play` at a terminal: whole games, undo, Ctrl-C, kill, wrong input."""

from pathlib import Path

import pytest

import souk
from souk.records import Record, read
from tests.terminal.pseudo_terminal import CODES, Terminal, terminal

GAME = ("play", "--players", "2", "-k", "rugs=3", "--name", "Ada", "--seed", "11", "--fast")
MARKET = ("play", "marracash", "-p", "3", "--souvenirs", "--name", "Ada", "--seed", "11", "--fast")
FOUR = ("Abdelrahman-al-Fassi", "Bartholomew-Cuthbert", "Clementine-Augustina", "Dominique-Marie")


def the_file(data: Path) -> Path:
    (file,) = (data / "games").glob("*.souk")
    return file


def the_record(data: Path) -> Record:
    return read(the_file(data).read_text("utf-8"))


def choice(state: souk.State) -> str:
    """What the tests play: the legal action in the middle, or a small bid."""
    actions = state.legal_actions()
    return state.action_to_string(actions[min(len(actions) // 2, 8)])


def play(screen: Terminal, data: Path, choices: int = 1000) -> None:
    """Type a choice at every prompt, a number of times or until the program ends."""
    while choices and screen.asks():
        screen.type(choice(the_record(data).replay()))
        choices -= 1


@pytest.fixture(scope="module", params=[GAME, MARKET], ids=["marrakech", "marracash"])
def options(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """How a game of each kind is begun."""
    chosen: tuple[str, ...] = request.param
    return chosen


@pytest.fixture(scope="module")
def whole_game(options: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Record:
    """The game of this seed and these choices, played in one go."""
    data = tmp_path_factory.mktemp("whole")
    with terminal(*options, data=data) as screen:
        play(screen, data)
        assert screen.end() == 0
        assert "wins:" in screen.text or "share the win:" in screen.text
        assert f"The record is saved in {the_file(data)}" in screen.text
    return the_record(data)


def test_a_whole_game_is_played_by_typing(whole_game: Record) -> None:
    state = whole_game.replay()
    assert state.is_terminal()
    assert [seat.name for seat in whole_game.seats] == ["Ada", "Leila", "Karim"][
        : len(state.scores())
    ]
    assert whole_game.seed == 11


def test_the_choices_of_the_game_were_typed(options: tuple[str, ...], whole_game: Record) -> None:
    expected = {GAME: {"ahead"}, MARKET: {"auction", "bid", "pass", "move", "bring"}}
    movers = whole_game.replay().movers()
    texts = zip(whole_game.texts(), movers, strict=True)
    assert {text.split()[0] for text, mover in texts if mover == 0} >= expected[options]


def test_ctrl_c_loses_nothing_and_the_game_continues_exactly(
    options: tuple[str, ...], whole_game: Record, tmp_path: Path
) -> None:
    with terminal(*options, data=tmp_path) as screen:
        play(screen, tmp_path, 3)
        assert screen.asks()
        assert screen.interrupt() == 130
        assert f"souk play --resume {the_file(tmp_path)}" in screen.text
    before = the_record(tmp_path)
    assert 0 < len(before.actions) < len(whole_game.actions)
    with terminal("play", "--resume", "--fast", data=tmp_path) as screen:
        play(screen, tmp_path)
        assert screen.end() == 0
    assert the_record(tmp_path).texts() == whole_game.texts()


def test_a_killed_game_continues_where_it_was(
    options: tuple[str, ...], whole_game: Record, tmp_path: Path
) -> None:
    with terminal(*options, data=tmp_path) as screen:
        play(screen, tmp_path, 4)
        assert screen.asks()
        screen.kill()
    saved = the_record(tmp_path).texts()
    assert saved and saved == whole_game.texts()[: len(saved)]
    with terminal("play", "--resume", str(the_file(tmp_path)), "--fast", data=tmp_path) as screen:
        play(screen, tmp_path)
        assert screen.end() == 0
    assert the_record(tmp_path).texts() == whole_game.texts()


def test_ctrl_c_while_the_others_play(tmp_path: Path) -> None:
    slowly = tuple(word for word in GAME if word != "--fast")
    with terminal(*slowly, data=tmp_path) as screen:
        play(screen, tmp_path, 1)
        screen.until("(two squares, like c2c3).\n")  # a pause: the die has just fallen
        assert screen.interrupt() == 130
    assert len(the_record(tmp_path).actions) == 4  # two rugs drawn, a turn, a die


def test_any_key_skips_the_pauses(tmp_path: Path) -> None:
    slowly = tuple(word for word in GAME if word != "--fast")
    with terminal(*slowly, "--seat", "greedy", "--seat", "random", data=tmp_path) as screen:
        screen.until("is rolled.\n")
        screen.press(b" ")
        assert screen.end(8) == 0  # there are 22 pauses of most of a second
    assert the_record(tmp_path).replay().is_terminal()


def test_end_of_input_saves_the_game(tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path) as screen:
        play(screen, tmp_path, 2)
        assert screen.asks()
        screen.press(b"\x04")
        assert screen.end() == 0
        assert "Continue with: souk play --resume" in screen.text


def test_undo_reverts_a_choice_but_never_a_die(tmp_path: Path) -> None:
    two_people = ("--seat", "person", "--seat", "person", "--name", "Ada", "--name", "Ben")
    with terminal(
        "play", *two_people, "-k", "two_player=one-colour", "--seed", "5", "--fast", data=tmp_path
    ) as screen:
        screen.prompt()
        screen.type("u")
        assert "nothing to undo" in screen.prompt()
        screen.type("ahead")
        screen.prompt()
        screen.type("undo")
        assert "A chance outcome followed" in screen.prompt()
        laid = choice(the_record(tmp_path).replay())
        screen.type(laid)
        assert "Ben: turn Assam" in screen.prompt()
        screen.type("u")
        assert f"Undone: {laid}." in screen.prompt()
        assert the_record(tmp_path).texts()[0] == "ahead"
        assert len(the_record(tmp_path).actions) == 2


def test_a_turn_can_be_undone_before_the_computer_answers(tmp_path: Path) -> None:
    slowly = tuple(word for word in GAME if word != "--fast")
    end_of_turn = "u: undo > "
    with terminal(*slowly, data=tmp_path) as screen:
        play(screen, tmp_path, 1)
        screen.asks()
        before = the_record(tmp_path)
        laid = choice(before.replay())
        screen.type(laid)
        assert "Ada lays" in screen.until(end_of_turn)
        screen.type("what now")
        assert "Press Enter to continue" in screen.until(end_of_turn)
        screen.type("u")
        assert f"Undone: {laid}." in screen.prompt()
        assert the_record(tmp_path) == before
        screen.type(laid)
        screen.until(end_of_turn)
        screen.type("")
        assert screen.asks()
        assert len(the_record(tmp_path).actions) > len(before.actions) + 2


def test_wrong_input_says_what_is_accepted(tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path) as screen:
        screen.prompt()
        for slip in ("north", "c2c3", "\x7f", "1", "ü" * 50):
            screen.type(slip)
            shown = screen.prompt().replace("\n", " ")
            assert slip == "\x7f" or "Type left, ahead or right, or help." in shown
        assert len(the_record(tmp_path).actions) == 2
        screen.type("A")  # the first letters are enough
        assert "lay the" in screen.prompt()


def test_rugs_are_laid_by_naming_squares_in_many_ways(tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path) as screen:
        play(screen, tmp_path, 1)
        screen.prompt()
        place = choice(the_record(tmp_path).replay())
        screen.type(f"? {place[2:].upper()} - {place[:2]}")
        assert f"{place}: on bare ground" in screen.prompt()
        screen.type(f"{place[2:].upper()}-{place[:2]}")
        screen.prompt()
        assert place in the_record(tmp_path).texts()


def test_commands_answer_and_change_nothing(tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path, rows=60) as screen:
        screen.prompt()
        screen.type("help")
        assert "undo your last choice" in screen.until("Enter: back to the game ")
        screen.type("")
        screen.prompt()
        screen.type("rules")
        assert "Assam" in screen.until("q: back to the game ")
        screen.type("q")
        screen.prompt()
        screen.type("?")
        assert "left" in screen.until("Enter: back to the game ")
        screen.type("")
        screen.prompt()
        screen.type("s")
        assert the_file(tmp_path).name in screen.prompt().replace("\n", "")
        screen.type("history")
        assert "Ada's next rug" in screen.until("Enter: back to the game ")
        screen.type("")
        screen.prompt()
        screen.type("board")
        screen.prompt()
        screen.type("history all")
        assert "Ada's next rug" in screen.until("Enter: back to the game ")
        screen.type("")
        screen.prompt()
        assert len(the_record(tmp_path).actions) == 2
        screen.type("quit")
        assert screen.end() == 0


def test_a_single_q_does_not_stop_the_game(tmp_path: Path) -> None:
    with terminal(*MARKET, data=tmp_path) as screen:
        screen.prompt()
        screen.type("auction P3")
        screen.prompt()
        screen.type("? 125")  # opens no pager
        screen.prompt()
        screen.type("q")
        assert "Type q again to stop" in screen.prompt()
        screen.type("bid 125")
        screen.prompt()
        assert "bid 125" in the_record(tmp_path).texts()
        screen.type("q")
        screen.prompt()
        screen.type("q")
        assert screen.end() == 0


def test_a_few_questions_and_the_game_begins(tmp_path: Path) -> None:
    with terminal("play", data=tmp_path) as screen:
        screen.until("[marrakech] ")
        screen.type("")
        screen.until("[3] ")
        screen.type("7")
        screen.until("[3] ")
        assert "Please type 2, 3 or 4" in screen.text
        screen.type("2")
        screen.until("[greedy] ")
        screen.type("ran")
        screen.until("] ")
        screen.type("Ada")
        assert "Ada: turn Assam" in screen.prompt()
        seats = [(seat.name, seat.plays) for seat in the_record(tmp_path).seats]
        assert seats == [("Ada", "person"), ("Leila", "random")]


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_there_are_no_codes(variable: dict[str, str], tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path, environ=variable) as screen:
        play(screen, tmp_path)
        assert screen.end() == 0
        assert "\x1b" not in screen.seen


@pytest.mark.parametrize(("columns", "rows"), [(60, 24), (24, 10), (200, 60)])
def test_any_terminal_size_works(columns: int, rows: int, tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path, columns=columns, rows=rows) as screen:
        play(screen, tmp_path)
        assert screen.end() == 0
        assert "Traceback" not in screen.text


@pytest.mark.parametrize("game", souk.games())
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_every_frame_fits(game: str, columns: int, rows: int, tmp_path: Path) -> None:
    options = ("play", game, "--seed", "3", "--name", "Ada", "--fast")
    with terminal(*options, data=tmp_path, columns=columns, rows=rows) as screen:
        play(screen, tmp_path, 12)
        screen.asks()
        frames = screen.seen.split("\x1b[H")[1:]
        assert len(frames) >= 12
        for frame in frames:
            lines = CODES.sub("", frame.split("\x1b[J")[0]).split("\n")
            assert len(lines) <= rows - 1  # the last is empty: there stands the prompt
            assert max(len(line.rstrip("\r")) for line in lines) <= columns


def frame(screen: Terminal) -> list[str]:
    """The rows that stand on the screen."""
    return CODES.sub("", screen.seen.split("\x1b[H")[-1].split("\x1b[J")[0]).split("\n")


def four_long_names(*more: str) -> tuple[str, ...]:
    return ("play", "marracash", "--seed", "3", *(f"--name={name}" for name in FOUR), *more)


def test_all_events_are_shown_on_a_small_screen(tmp_path: Path) -> None:
    """With four long names, what does not fit under the board is shown before the prompt."""
    pager = "Enter: back to the game "
    with terminal(*four_long_names(), data=tmp_path) as screen:
        for typed in ("auction P3", "bid 100"):
            screen.prompt()
            screen.type(typed)
        shown = " ".join(screen.prompt().split())
        assert "Bartholomew-Cuthbert bids 125 for P3." in shown
        screen.type("pass")
        screen.more()  # the first pause; any key makes the computers hurry
        screen.press(b" ")
        screen.until(pager)
        record = the_record(tmp_path)
        shown = " ".join(" ".join(frame(screen)).split())
        state = record.replay(record.texts().index("pass"))
        for action in record.actions[len(state.history()) :]:
            state.apply_action(action)
            for event in state.events():
                assert event.sentence(FOUR) in shown
        screen.type("")
        screen.prompt()
        assert the_record(tmp_path) == record


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_gains_are_never_cropped(columns: int, rows: int, tmp_path: Path) -> None:
    options = four_long_names("--fast")
    with terminal(*options, data=tmp_path, columns=columns, rows=rows) as screen:
        while screen.asks() and "first step" not in screen.text.split("\n> ")[-2]:
            screen.type(choice(the_record(tmp_path).replay()))
        screen.type("?")
        pages: list[str] = []
        is_last = False
        while not is_last:
            screen.until("back to the game ")
            is_last = screen.text.endswith("Enter: back to the game ")
            pages += frame(screen)
            screen.type("")
        shown = " ".join(" ".join(pages).split())
        state = the_record(tmp_path).replay()
        for action in state.legal_actions():
            assert state.game.preview_sentence(state.preview(action), FOUR) in shown


def test_a_file_changed_by_another_program_is_not_overwritten(tmp_path: Path) -> None:
    with terminal(*GAME, data=tmp_path) as screen:
        screen.prompt()
        with the_file(tmp_path).open("a") as file:
            file.write("; a note\n")
        screen.type("ahead")
        assert "was changed by another program" in screen.prompt().replace("\n", " ")
        copy = tmp_path / "copy.souk"
        screen.type(f"save {copy}")
        assert "A copy is saved in" in screen.prompt()
        assert len(read(copy.read_text()).actions) == 2  # what was refused is not in it
    assert the_file(tmp_path).read_text().endswith("; a note\n")
