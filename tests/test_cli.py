"""The command line, run as people run it."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import souk
from souk.cli import main
from souk.records import Record, Seat, read, write

GREEDY = ("--seat", "greedy", "--seat", "random")
SMALL = "marrakech(players=2,rugs=3)"


def run(
    *arguments: str,
    data: Path | None = None,
    stdin: str | bytes = b"",
    code: int = 0,
    seconds: float = 60,
    **environ: str,
) -> "subprocess.CompletedProcess[str]":
    """Run `souk`; the exit code is checked, and that nobody sees a traceback."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "souk", *arguments],
        input=given,
        capture_output=True,
        timeout=seconds,
        env={
            **os.environ,
            "SOUK_DATA_DIR": str(data or "/nonexistent"),
            "COLUMNS": "80",
            **environ,
        },
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err, err
    assert done.returncode == code, f"{done.returncode}\n{out}\n{err}"
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


Inside = Callable[..., tuple[object, str, str]]


@pytest.fixture
def inside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Inside:
    """Runs `souk` in this process, which is quicker: exit code, output, errors."""

    def run_inside(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["souk", *arguments])
        monkeypatch.setenv("SOUK_DATA_DIR", str(tmp_path))
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return end.value.code, said.out, said.err

    return run_inside


def played(moves: int | None = None, seed: int = 1, text: str = SMALL) -> Record:
    """A game of random choices, a small one by default."""
    game = souk.load_game(text)
    state = game.new_initial_state(seed)
    player = souk.player("random", game, seed=seed)
    while not state.is_terminal() and (moves is None or len(state.history()) < moves):
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(player.choose(state))
    others = [Seat(name, "random") for name in ("Leila", "Karim", "Zineb")]
    seats = [Seat("Ada"), *others][: game.num_players()]
    return Record.of(state, seed=seed, seats=seats)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.souk"
    file.write_text(write(played()), "utf-8")
    return file


# ---- the command itself --------------------------------------------------------------------------


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys, souk.cli\n"
        "sys.argv = ['souk', '--help']\n"
        "try:\n    souk.cli.main()\n"
        "except SystemExit as end:\n    assert not end.code\n"
        "heavy = {'numpy', 'numba', 'rich', 'pydantic', 'multiprocessing'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "simulate" in done.stdout


def test_version_and_help(inside: Inside) -> None:
    assert run("--version").stdout == f"souk {souk.__version__}\n"
    assert run().stdout == run("--help").stdout
    for command in ("play", "simulate", "show", "check", "rules", "games", "players", "prepare"):
        code, out, _ = inside(command, "--help")
        assert code == 0 and "Usage: " in out and "[[" not in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("dance",),
        ("simulate", "-n", "many"),
        ("show",),
        ("play", "--nope"),
        ("simulate", "-n", "0"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...], inside: Inside) -> None:
    code, _, said = inside(*arguments)
    assert code == 2 and said.startswith("Usage:")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "chess"), "there is no game 'chess'"),
        (("play", "--players", "9"), "players accepts a whole number from 2 to 4, not 9"),
        (("play", "--edition", "x"), "edition accepts gigamic, gigamic-57 or pergioco"),
        (("play", "--edition"), "edition accepts gigamic, gigamic-57 or pergioco, not ''"),
        (("play", "marracash", "--edition=x"), "marracash has no knob 'edition'; it has players,"),
        (("play", "--edition", "gigamic", "-k", "edition=gigamic"), "edition is set twice"),
        (("simulate", "marracash", "--commission", "x"), "commission accepts per-customer or"),
        (("simulate", "marracash", "--layout", "3"), "'3' cannot be read"),
        (("play", "-k", "rugs"), "a knob is written name=value"),
        (("play", "-k", "colour=red"), "marrakech has no knob 'colour'"),
        (
            ("play", "--seat", "god"),
            "a seat is person, random, novice, greedy, trader, expert or master, not 'god'",
        ),
        (("play", "--seed", "-1"), "a seed is a whole number"),
        (("play", "--name", "A", "--name", "a"), "two seats have the same name"),
        (("play", *["--seat", "greedy"] * 5), "players accepts"),
        (("play", "--players", "2", *["--seat", "greedy"] * 3), "has 2 seats, but 3"),
        (
            ("simulate", "--seat", "person"),
            "a seat is random, novice, greedy, trader, expert or master, not 'person'",
        ),
        (
            ("simulate", "--seat", "nobody"),
            "a seat is random, novice, greedy, trader, expert or master, not 'nobody'",
        ),
        (("simulate", "--csv", "-", "--json", "-"), "only one of"),
        (("simulate", "--csv", "/nonexistent/x.csv"), "cannot write /nonexistent/x.csv"),
        (("simulate", "--seat", "greedy", "--seconds", "-1"), "seconds is a number over 0"),
        (("rules", "--language", "tlh"), "no rulebook in language 'tlh'"),
        (("rules", "marrakech", "--knob", "pile=tall"), "pile accepts open or face-down"),
        (("players", "chess"), "there is no game 'chess'"),
        (("prepare", "chess"), "there is no game 'chess'"),
    ],
)
def test_bad_input_is_one_clear_sentence(
    arguments: tuple[str, ...],
    sentence: str,
    inside: Inside,
) -> None:
    code, _, said = inside(*arguments)
    assert code == 1
    assert sentence in said
    assert said.startswith("souk: ") and said.count("\n") == 1


def test_a_closed_pipe_is_no_trouble(record: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m souk show {record} --moves | head -1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == "" and done.stdout.count("\n") == 1


@pytest.mark.parametrize("arguments", ["show {} --moves", "rules", "simulate -n 9000 --csv -"])
def test_a_reader_that_has_gone_is_exit_code_1(arguments: str, record: Path) -> None:
    command = f"{sys.executable} -m souk {arguments.format(record)}"
    done = subprocess.run(
        ["bash", "-c", f"({command}; echo $? >&2) | true"], capture_output=True, text=True
    )
    assert done.stderr == "1\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "show {} --moves > /dev/full",
        "--help > /dev/full",
        "simulate -n 9000 --csv - > /dev/full",
        "simulate -n 9000 --csv /dev/full",
        "simulate -n 9 --json /dev/full",
        "play --seed 1 --save {}.new > /dev/full",
    ],
)
def test_a_full_disk_is_a_sentence(arguments: str, record: Path) -> None:
    command = f"{sys.executable} -m souk {arguments.format(record)}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, stdin=-3)
    assert done.returncode == 1
    assert done.stderr == "souk: cannot write the output: no space left on device\n"


def test_closed_streams_are_no_trouble(tmp_path: Path) -> None:
    for closing in ("<&-", ">&-", "2>&-"):
        done = subprocess.run(
            f"{sys.executable} -m souk play --seed 1 {closing}",
            shell=True,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "SOUK_DATA_DIR": str(tmp_path)},
        )
        assert "Traceback" not in done.stderr, done.stderr


# ---- knobs by name -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "game"),
    [
        (("--edition", "pergioco", "-p", "2"), "marrakech(players=2,edition=pergioco)"),
        (("--edition=gigamic-57", "--rugs", "3"), "marrakech(players=3,edition=gigamic-57,rugs=3)"),
        (
            ("marracash", "--souvenirs", "--pull-in"),
            "marracash(players=4,souvenirs=True,pull_in=True)",
        ),
        (("marracash", "--souvenirs", "true", "-p3"), "marracash(players=3,souvenirs=True)"),
        (("marracash", "--no-souvenirs", "--pull_in=False"), "marracash(players=4)"),
        (("marracash", "--commission", "per-group"), "marracash(players=4,commission=per-group)"),
    ],
)
def test_every_knob_of_a_game_is_an_option(
    arguments: tuple[str, ...], game: str, inside: Inside
) -> None:
    code, said, _ = inside("simulate", "-n", "1", *arguments)
    assert code == 0 and said.startswith(f"{game}, seed 1: 1 game")


def test_seats_that_are_left_go_to_the_last_player(inside: Inside) -> None:
    for game, players in (("marracash", 4), ("marrakech", 2)):
        code, said, _ = inside("simulate", game, "-n", "1", "--seat", "random", "--seat", "greedy")
        assert code == 0 and said.startswith(f"{game}(players={players}")
        assert said.count("random") == 1 and said.count("greedy") == players - 1


def test_no_option_of_a_command_is_named_like_a_knob() -> None:
    """Else the knob could not be given by its name; the number of players is both on purpose."""
    knobs = {knob.name for name in souk.games() for knob in type(souk.load_game(name)).knobs}
    for command in ("play", "simulate", "rules"):
        text = run(command, "--help").stdout
        taken = {name for name in knobs if f"--{name.replace('_', '-')} " in text}
        assert taken == {"players"}


# ---- play through a pipe -------------------------------------------------------------------------


def test_a_game_through_a_pipe_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "pipe.souk"
    answers = ""
    options = (
        "play",
        "marrakech(rugs=1)",
        "--seat",
        "person",
        "--seat",
        "greedy",
        "--seed",
        "4",
        "--name",
        "Ada",
    )
    for _ in range(40):
        done = run(*options, "--save", str(file), "--force", stdin=answers)
        state = read(file.read_text("utf-8")).replay()
        assert "\x1b" not in done.stdout
        if state.is_terminal():
            break
        assert f"The game is kept in {file}" in done.stdout
        answers += state.action_to_string(state.legal_actions()[-1]) + "\n"
    assert state.is_terminal()
    assert " win" in done.stdout and f"The record is in {file}" in done.stdout
    assert run("check", str(file)).stdout.startswith(f"{file}: ok, ")


def test_a_player_that_fails_is_one_sentence_and_the_game_is_kept(tmp_path: Path) -> None:
    others = package(
        tmp_path,
        "class Lazy(Player):\n    name = 'lazy'\n    def think(self, state, actions):\n"
        "        raise KeyError('oh')\n",
        lazy="theirs:Lazy",
    )
    file = tmp_path / "kept.souk"
    seats = ("--seat", "lazy", "--seat", "greedy")
    done = run("play", "--seed", "1", *seats, "--save", str(file), code=1, PYTHONPATH=others)
    assert done.stderr == "souk: the player 'lazy' failed: KeyError: 'oh'\n"
    assert f"The game is kept in {file}" in done.stdout
    assert run("check", str(file)).stdout
    for threads in ("1", "2"):
        many = ("simulate", SMALL, "-n", "5", *seats, "--threads", threads)
        done = run(*many, code=1, PYTHONPATH=others)
        assert done.stderr == "souk: the player 'lazy' failed: KeyError: 'oh'\n"


def package(folder: Path, code: str, **players: str) -> str:
    """A package of others with players, as installing it would leave it; its PYTHONPATH."""
    about = folder / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in players.items()]
    (about / "entry_points.txt").write_text("[souk.players]\n" + "".join(lines))
    (folder / "theirs.py").write_text(f"from souk.players import Player\n{code}")
    return f"{folder}{os.pathsep}{Path(souk.__file__).parents[1]}"


def test_a_broken_player_of_others_is_in_nobodys_way(tmp_path: Path) -> None:
    others = package(
        tmp_path,
        "class Last(Player):\n    name = 'last'\n    def think(self, state, actions):\n"
        "        return actions[-1]\n",
        broken="nosuchmodule:X",
        nothing="os:path",
        last="theirs:Last",
        greedy="nosuchmodule:Y",  # ours stays ours
    )
    names = run("players", PYTHONPATH=others).stdout.split()
    ours = souk.players("marrakech")
    assert names[: len(ours)] == ours and set(names[len(ours) :]) == {"broken", "nothing", "last"}
    small = ("simulate", SMALL, "-n", "2")
    for seat, why in (("broken", "No module named 'nosuchmodule'"), ("nothing", "no subclass of")):
        done = run(*small, "--seat", seat, code=1, PYTHONPATH=others)
        assert f"the player '{seat}' of package theirs cannot be loaded: " in done.stderr
        assert why in done.stderr and done.stderr.count("\n") == 1
    assert "2 games" in run(*small, "--seat", "last", PYTHONPATH=others).stdout
    done = run("play", "--seed", "1", "--name", "Ada", data=tmp_path, PYTHONPATH=others)
    assert "(greedy)" in done.stdout and "(last)" not in done.stdout


def test_an_existing_file_is_not_replaced_unasked(record: Path) -> None:
    before = record.read_text()
    done = run("play", "--seed", "1", "--save", str(record), code=1)
    assert "exists already; --force replaces it" in done.stderr
    assert record.read_text() == before


def test_what_is_no_plain_file_is_not_replaced() -> None:
    done = run("play", "--seed", "1", "--save", "/dev/null", "--force", code=1)
    assert "not a plain file" in done.stderr
    assert not Path("/dev/null").is_file()


def test_a_private_record_stays_private(tmp_path: Path) -> None:
    file = tmp_path / "mine.souk"
    file.write_text(write(played(5)), "utf-8")
    file.chmod(0o600)
    run("play", "--resume", str(file), stdin="left\n")
    assert file.stat().st_mode & 0o777 == 0o600


def test_resume_takes_the_newest_unfinished_game(tmp_path: Path) -> None:
    assert "no unfinished game" in run("play", "--resume", data=tmp_path, code=1).stderr
    folder = tmp_path / "games"
    folder.mkdir()
    for number, text in enumerate(
        [write(played(9)), write(played(5)), write(played()), "no record"]
    ):
        file = folder / f"{number}.souk"
        file.write_text(text)
        os.utime(file, (number, number))
    done = run("play", "--resume", data=tmp_path, stdin="")
    assert f"The game is kept in {folder / '1.souk'}" in done.stdout


def test_resume_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.souk"
    bad.write_text(write(played()).replace("deal: red", "deal: green"))
    assert "move 1" in run("play", "--resume", str(bad), code=1).stderr
    missing = tmp_path / "none.souk"
    assert "no such file" in run("play", "--resume", str(missing), code=1).stderr
    foreign = tmp_path / "foreign.souk"
    foreign.write_text(write(played(5)).replace("Leila, random", "Leila, oracle"))
    assert "not 'oracle'" in run("play", "--resume", str(foreign), code=1).stderr


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert "cannot write" in run("play", "--seed", "1", data=blocked, code=1).stderr


# ---- simulate ------------------------------------------------------------------------------------


def games_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_same_games_for_any_number_of_threads() -> None:
    tables = [
        run("simulate", SMALL, "-n", "6", *GREEDY, "--threads", threads, "--csv", "-").stdout
        for threads in ("1", "3")
    ]
    assert tables[0] == tables[1]
    rows = games_of(tables[0])
    assert [int(row["game"]) for row in rows] == list(range(6))
    assert len({row["score_0"] for row in rows}) > 1
    longer = run("simulate", SMALL, "-n", "8", *GREEDY, "--csv", "-").stdout
    assert longer.startswith(tables[0])


@pytest.mark.parametrize("game", souk.games())
def test_random_games_are_those_of_playouts(game: str, tmp_path: Path) -> None:
    table, summary = tmp_path / "games.csv", tmp_path / "summary.json"
    files = ("--csv", str(table), "--json", str(summary))
    done = run("simulate", game, "-n", "300", "--seed", "9", *files)
    result = souk.playouts(souk.load_game(game), games=300, seed=9)
    players = result.scores.shape[1]
    rows = games_of(table.read_text())
    for seat in range(players):
        assert [int(row[f"score_{seat}"]) for row in rows] == result.scores[:, seat].tolist()
    assert [int(row["turns"]) for row in rows] == result.turns.tolist()
    report = json.loads(summary.read_text())
    assert report["games"] == 300 and report["settings"]["players"] == ["random"] * players
    wins = [seat["wins"] for seat in report["seats"]]
    assert wins == pytest.approx(result.returns.mean(axis=0).tolist())
    assert "300 games" in done.stdout and "turns a game" in done.stdout


def test_json_has_standard_output_for_itself() -> None:
    done = run("simulate", SMALL, "-n", "2", *GREEDY, "--json", "-")
    assert json.loads(done.stdout)["games"] == 2
    assert "2 games" in done.stderr


# ---- show and check ------------------------------------------------------------------------------


def test_show_a_position(record: Path) -> None:
    count = len(played().actions)
    end = run("show", str(record)).stdout
    assert f"after move {count} of {count}" in end and "wins:" in end and "\x1b" not in end
    assert end == run("show", "-", stdin=record.read_bytes()).stdout
    assert end == run("show", str(record), "--at", "-1").stdout
    start = run("show", str(record), "--at", "0").stdout
    assert start == run("show", str(record), "--at", str(-count - 1)).stdout
    assert "Ada <RR> =YY=" in start
    assert "not 999" in run("show", str(record), "--at", "999", code=1).stderr


def test_show_the_moves(record: Path) -> None:
    lines = run("show", str(record), "--moves").stdout.splitlines()
    assert len(lines) == len(played().actions)
    assert lines[0].lstrip().startswith("1. ") and "Ada's next rug is" in lines[0]


def test_show_draws(record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    done = run("show", str(record), "--at", "5", "--svg", str(picture), "--theme", "dark")
    assert done.stdout == f"The drawing is in {picture}\n"  # and no board beside it
    assert "<svg" in picture.read_text() and "Ada" in picture.read_text()
    assert "<svg" in run("show", str(record), "--svg", "-").stdout
    assert "a theme is" in run("show", str(record), "--svg", "-", "--theme", "x", code=1).stderr


def test_show_what_comes_before_an_error(record: Path) -> None:
    text = record.read_text()
    record.write_text(text.replace("\n3. ", "\n3. Ada: jump, "))
    done = run("show", str(record), code=1)
    assert "jump" in done.stderr and "after move" in done.stdout


def test_names_in_a_file_cannot_steer_the_terminal(record: Path, tmp_path: Path) -> None:
    evil = record.read_text().replace("Ada", "A\x1b[2Jda\x9b31m")
    record.write_text(evil)
    for command in (("check",), ("show", "--moves"), ("show",), ("show", "--svg", "-")):
        done = run(command[0], str(record), *command[1:])
        assert "da" in done.stdout
        assert "\x1b" not in done.stdout + done.stderr and "\x9b" not in done.stdout + done.stderr
    record.write_text(evil.replace("\n3. ", "\n3. \x1b]0;x\a"))
    assert "\x1b" not in run("check", str(record), code=1).stderr
    assert "\x1b" not in run("play", "\x1b[31mchess", code=1).stderr
    done = run("play", "--seed", "1", data=tmp_path, stdin="\x1b[2Jboo\n")
    assert "boo" in done.stdout and "\x1b" not in done.stdout


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """A whole game of MarraCash with everything in it."""
    file = tmp_path / "market.souk"
    game = "marracash(players=3,souvenirs=True,pull_in=True,layout=medina)"
    file.write_text(write(played(text=game)), "utf-8")
    return file


def test_marracash_is_shown_listed_drawn_and_checked(market: Path) -> None:
    record = read(market.read_text("utf-8"))
    count, names = len(record.actions), ["Ada", "Leila", "Karim"]
    assert record.names() == names
    end = run("show", str(market)).stdout
    assert f"after move {count} of {count}" in end and "dirhams" in end
    assert all(
        f"{name} {score}" in end
        for name, score in zip(names, record.replay().scores(), strict=True)
    )
    moves = run("show", str(market), "--moves").stdout.splitlines()
    assert len(moves) == count and "Ada puts the" in moves[0]
    assert "<svg" in run("show", str(market), "--svg", "-", "--at", "40").stdout
    assert run("check", str(market)).stdout.startswith(f"{market}: ok, {count} moves, ")


def test_a_dealt_game_without_its_seed_is_refused(market: Path) -> None:
    text = market.read_text("utf-8")
    market.write_text(text.replace("seed: 1\n", ""), "utf-8")
    for command in ("check", "show"):
        done = run(command, str(market), code=1)
        assert "line 1: " in done.stderr and "needs the seed that dealt its setup" in done.stderr


def test_a_board_lies_beside_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played in one folder, then shown, checked and resumed from another."""
    shipped = Path(souk.__file__).parent / "games" / "marracash" / "boards" / "medina.json"
    home = tmp_path / "evening"
    home.mkdir()
    (home / "it's ours.json").write_text(shipped.read_text("utf-8"), "utf-8")
    file = home / "game.souk"
    program = str(Path(souk.__file__).parents[1])
    monkeypatch.chdir(home)
    new = ("play", "marracash", "--layout", "it's ours.json", "--save", "game.souk")
    run(*new, stdin="auction P3\nquit\n", PYTHONPATH=program)
    header = file.read_text("utf-8").splitlines()[0]
    assert header == 'game: marracash(players=4,layout="it\'s ours.json")'
    monkeypatch.chdir("/")
    assert "ok, 1 move" in run("check", str(file), PYTHONPATH=program).stdout
    assert "after move 1 of 1" in run("show", str(file), PYTHONPATH=program).stdout
    run("play", "--resume", str(file), stdin="bid 100\nquit\n", PYTHONPATH=program)
    assert file.read_text("utf-8").splitlines()[0] == header
    assert "bid 100" in file.read_text("utf-8")


def test_check(record: Path, tmp_path: Path) -> None:
    good = run("check", str(record)).stdout
    count = len(played().actions)
    assert good.startswith(f"{record}: ok, {count} moves, ") and good.count("\n") == 1
    files = {
        "broken": write(played()).replace("\n1. Ada: ", "\n1. Ada: fly, ").encode(),
        "result": write(played()).replace("scores: ", "scores: 9").encode(),
        "empty": b"",
        "binary": bytes(range(256)),
        "nul": b"game: marrakech\n\x00\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    paths = [str(tmp_path / name) for name in (*files, "missing")] + [str(tmp_path)]
    done = run("check", str(record), *paths, code=1)
    assert done.stdout == good
    complaints = done.stderr.splitlines()
    assert len(complaints) == len(paths)
    assert "line" in complaints[0] and "move 3" in complaints[0] and "fly" in complaints[0]
    assert "the header says scores" in complaints[1]
    assert "the header needs a line like" in complaints[2]
    assert complaints[3].endswith("is not a text file")
    assert complaints[5].endswith("no such file or directory")
    assert complaints[6].endswith("is a directory")


# ---- rules, games, players, prepare --------------------------------------------------------------


def test_rules_are_plain_markdown_in_a_pipe() -> None:
    english = run("rules", "marrakech", LANG="en_GB.UTF-8", LC_ALL="").stdout
    assert english.startswith("# ") and "\x1b" not in english
    french = run("rules", LANG="fr_FR.UTF-8", LC_ALL="").stdout
    assert french == run("rules", "--language", "fr").stdout != english
    assert english == run("rules", LANG="fi_FI.UTF-8", LC_ALL="").stdout
    assert english != run("rules", "--edition", "pergioco", "-k", "players=2", "-l", "en").stdout


@pytest.mark.parametrize("game", souk.games())
def test_the_rules_of_every_game_are_told_in_seven_languages(game: str, inside: Inside) -> None:
    languages = ("de", "en", "es", "fr", "it", "nl", "pt")
    told = [inside("rules", game, "--language", language)[1] for language in languages]
    assert len(set(told)) == 7 and all(text.startswith("# ") for text in told)


def test_the_rules_are_those_of_the_game_that_is_played(inside: Inside) -> None:
    plain = inside("rules", "marracash", "-l", "en")[1]
    assert plain != inside("rules", "marracash", "-l", "en", "--souvenirs")[1]
    assert plain != inside("rules", "marracash", "-l", "en", "-p", "3")[1]


def test_games_lists_every_knob() -> None:
    text = run("games").stdout
    for name in souk.games():
        assert name in text
        for knob in type(souk.load_game(name)).knobs:
            assert knob.name in text and knob.about.split()[-1] in text
    assert max(map(len, text.splitlines())) <= 100


def test_players_are_listed_weakest_first() -> None:
    assert run("players").stdout.split() == souk.players("marrakech")
    assert run("players", "marrakech(players=2)").stdout == run("players", "marrakech").stdout


def test_prepare_is_nothing_the_second_time() -> None:
    run("prepare", seconds=600)  # every kernel, if none was compiled before
    program = (
        "import sys\nsys.argv = ['souk', 'prepare']\nimport souk.cli\n"
        "try:\n    souk.cli.main()\nexcept SystemExit:\n    pass\n"
        "assert 'numba' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and "prepared" in done.stdout, done.stderr
    for name in souk.games():
        assert all(game.is_prepared() for game in type(souk.load_game(name)).standard())
