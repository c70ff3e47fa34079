"""The example game is a package that can be installed, and then is played everywhere."""

import importlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import souk
from souk import records, testing
from souk.engine.knobs import Flag, Integer
from souk.games import game_class, own_names
from tests.cli.run_souk import run
from tests.engine.test_c_source import COMPILER, compare_with_c
from tests.example_packages import ROOT, install
from tests.server.server_process import Person, Server, play_on

SMALL = "pig(players=2,target=20)"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The environment variable for processes that find the installed package."""
    return install("examples/pig", tmp_path_factory.mktemp("packages"))


@pytest.fixture
def pig(environment, monkeypatch):
    """The game in this process."""
    monkeypatch.syspath_prepend(environment["PYTHONPATH"].split(os.pathsep)[0])
    yield souk.load_game(SMALL)
    for name in ("pig", "pig.rules"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def record(environment, tmp_path_factory):
    """The record of a game between a person and a computer player in the terminal."""
    folder = tmp_path_factory.mktemp("play")
    file = folder / "game.souk"
    seats = ("--seat", "person", "--seat", "trader", "--nodes", "200", "--seed", "4")
    typed = "roll\nnonsense\nroll\nhold\n" * 40
    options = ("--target", "20", *seats, "--save", str(file))
    shown = run("play", "pig", *options, stdin=typed, data=folder, **environment)
    assert "rolls the die." in shown.stdout and "wins:" in shown.stdout
    return file


def position(pig, total, own, other):
    start = pig.new_initial_state().to_dict()
    return pig.state_from_dict({**start, "turn_total": total, "score": [own, other]})


@pytest.mark.usefixtures("pig")
def test_the_installed_game_is_listed_after_ours(environment):
    assert souk.games() == [*own_names(), "pig"]
    assert "\npig    default: pig(players=2)\n" in run("games", **environment).stdout
    assert souk.players("pig") == ["random", "novice", "greedy", "trader"]


def test_it_keeps_the_contract_of_games(environment):
    done = subprocess.run(
        [sys.executable, "-m", "souk.testing", "pig"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "All checks of pig passed." in done.stdout


def test_a_copy_by_the_recipe_is_a_game_of_its_own(tmp_path):
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## How to add a game")[1]
    copying, _ = recipe.split("```sh\n")[1].split("pip install")
    repository, package = tmp_path / "souk", tmp_path / "snail"
    shutil.copytree(ROOT / "examples", repository / "examples")
    subprocess.run(["sh", "-e", "-c", copying], cwd=repository, check=True)
    environment = install(str(package), tmp_path / "packages")
    assert "\nsnail    default: snail(players=2)\n" in run("games", **environment).stdout
    assert "pig" not in (package / "snail" / "__init__.py").read_text("utf-8").lower()


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.usefixtures("pig")
@pytest.mark.parametrize("players", [2, 4])
def test_c_plays_the_same_games(players, tmp_path):
    compare_with_c(f"pig(players={players},target=30)", tmp_path)


def test_it_is_played_by_its_rules(pig):
    state = pig.new_initial_state()
    for action in ("roll", "5", "roll", "3", "hold", "roll", "6", "roll", "1"):
        state.apply_action(state.string_to_action(action))
    assert state.scores() == [8, 0] and state.current_player() == 0
    assert [event.sentence(("Ada", "Ben")) for event in state.events()] == [
        "It shows 1: Ben loses 6 points."
    ]
    with pytest.raises(souk.IllegalAction, match="legal: roll"):
        state.apply_action(state.string_to_action("hold"))
    state = position(pig, total=12, own=8, other=19)
    state.apply_action(state.string_to_action("hold"))
    assert state.returns() == [1, 0] and state.ranking() == [[0], [1]]


@pytest.mark.parametrize("players", [5, 6])
def test_up_to_six_players_share_a_win_and_have_colours(pig, players):
    class Many(type(pig)):
        name = "many"
        knobs = (Integer("players", "how many play", 2, 6), *type(pig).knobs[1:])

    game = Many(players=players)
    position = {**game.new_initial_state().to_dict(), "phase": "over"}
    state = game.state_from_dict({**position, "score": [3] * players})
    assert state.returns() == [1 / players] * players
    assert len({game.seat_colour(seat) for seat in range(players)}) == players
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"][:players]
    shared = f"{', '.join(names[:-1])} and {names[-1]} share the win: "
    assert state.game.result_sentence(state, names).startswith(shared)
    colours = ("#B5382F", "#E2A92B", "#2B6C9E", "#D9651B", "#4E8A4B", "#7A4B8C")
    assert all(colour in state.svg(theme="light") for colour in colours[:players])


def test_flags_of_players_are_shown_as_yes_and_no(pig):
    class Passing(type(pig)):
        @property
        def position_fields(self):
            return (*super().position_fields[:-1], Flag("score", "whether a seat has passed"))

    position = Passing().new_initial_state().to_dict() | {"score": [True, False]}
    text = str(Passing().state_from_dict(position))
    assert "score yes" in text and "score no" in text


def test_a_position_that_makes_no_sense_is_refused(pig):
    good = pig.new_initial_state().to_dict()
    bad = {**good, "phase": "sleep", "to_move": 2, "score": [1], "turns": -1}
    with pytest.raises(souk.BadPosition) as refusal:
        pig.state_from_dict(bad)
    assert refusal.value.problems == [
        "phase: must be choose, roll or over, not 'sleep'",
        "to_move: must be a whole number from 0 to 1, not 2",
        "turns: must be a whole number from 0 to 1000000, not -1",
        "score: must be a list of 2 values, not of 1",
    ]


@pytest.mark.usefixtures("pig")
@pytest.mark.parametrize(
    ("total", "own", "other", "expected"),
    [
        (4, 0, 0, "roll"),  # little to lose
        (24, 60, 20, "hold"),  # much to lose, far ahead
        (24, 40, 96, "roll"),  # the other needs one more turn
        (7, 93, 95, "hold"),  # it wins
    ],
)
def test_the_trader_weighs_the_risk(total, own, other, expected):
    game = souk.load_game("pig")
    trader = souk.player("trader", game, seed=1)
    state = position(game, total, own, other)
    assert state.action_to_string(trader.choose(state)) == expected
    best, worst = trader.analyse(state)
    assert best.text == expected and best.shares[0] > worst.shares[0]
    assert sum(best.shares) == pytest.approx(1)


@pytest.mark.usefixtures("pig")
def test_the_trader_ends_the_game_if_random_games_show_no_difference():
    game = souk.load_game("pig")
    trader = souk.player("trader", game, seed=1)
    assert [one.text for one in trader.analyse(position(game, 7, 93, 0))] == ["hold", "roll"]


@pytest.mark.usefixtures("pig")
def test_every_player_plays_to_the_end():
    game = souk.load_game("pig(players=4,target=15)")
    players = [souk.player(name, game, nodes=50, seed=1) for name in souk.players("pig")]
    dice = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        seat = state.current_player()
        choose = players[seat].choose if seat >= 0 else lambda now: dice.choice(now.legal_actions())
        state.apply_action(choose(state))
    assert max(state.scores()) >= 15


@pytest.mark.usefixtures("pig")
def test_a_game_in_the_terminal_is_recorded_checked_shown_and_analysed(record, environment):
    assert records.read(record.read_text("utf-8")).replay().is_terminal()
    assert run("check", str(record), **environment).stdout
    assert "score" in run("show", str(record), "--at", "2", **environment).stdout
    shown = run("analyse", str(record), "--nodes", "50", **environment).stdout
    assert "luck" in shown and "trader" in shown
    assert "first to have 20 points" in run("rules", SMALL, **environment).stdout


def test_the_trader_beats_random_in_the_arena(environment, tmp_path):
    file = tmp_path / "standings.json"
    options = ("--nodes", "200", "--json", str(file), "--results", str(tmp_path / "games.jsonl"))
    run("arena", "-g", SMALL, "trader", "random", "-n", "60", *options, **environment)
    (share,) = json.loads(file.read_text("utf-8"))["shares"]
    assert share["low"] > 0.5


def test_its_environment_is_named_by_the_letters_of_its_title(tmp_path):
    environment = install("examples/pig", tmp_path)
    file = tmp_path / "pig" / "__init__.py"
    title = '    name = "pig"\n    title = "Pig: a race"\n'
    file.write_text(file.read_text("utf-8").replace('    name = "pig"\n', title), "utf-8")
    program = "import gymnasium, souk.envs; print(gymnasium.spec('souk/Pigarace-v0').kwargs)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.stdout == "{'game': 'pig'}\n", done.stderr


@pytest.mark.asyncio
async def test_a_server_hosts_it(environment, tmp_path):
    with Server(tmp_path / "souk.db", "--seconds", "0.05", "--no-limits", **environment) as server:
        ada = Person(server)
        view = {one["name"]: one for one in ada.http.get("/api/games").json()}["pig"]
        assert view["levels"] == ["random", "novice", "greedy", "trader"]
        assert ada.http.get("/api/games/pig/rules").json()["title"] == "Pig"
        seats = [{"kind": "me"}, {"kind": "computer", "level": "trader"}]
        table = ada.table(SMALL, seats=seats, hints=True, start=True)
        async with ada.connect(table) as line:
            await play_on(line, {0}, moves=1)
            await line.until(lambda line: line.position["mover"] == 0)
            hint = await line.ask("hint")
            assert (hint["level"], hint["options"][0]["action"]) in (
                ("trader", "roll"),
                ("trader", "hold"),
            )
            await play_on(line, {0}, choose=max)
        replay = ada.http.get(f"/api/tables/{table}/replay").json()
        assert replay["frames"][-1]["position"]["phase"] == "over"
        text = ada.record(table)
        assert ada.http.post("/api/verify", json={"record": text}).json()["fair"]
        for _ in range(600):
            analysis = ada.http.get(f"/api/tables/{table}/analysis").json()
            if analysis.get("analysis"):
                break
            time.sleep(0.1)
        assert analysis["analysis"]["over"]
        log = server.stop()
    assert "Traceback" not in log and "failed" not in log


@pytest.mark.parametrize(
    ("name", "line", "mistake", "reason"),
    [
        ("crowded", "MOST_LEGAL = 6", "MOST_LEGAL = 5", "6 actions are legal: MOST_LEGAL must be"),
        ("endless", "S[PHASE] = OVER", "S[PHASE] = CHOOSE", "more actions than max_game_length"),
        ("stuck", "return action == ROLL or", "return", "goes on, but no action is legal: {"),
        ("listed", "S[TURNS] += 1", "S[TURNS] += [1][0]", "is not in the kernel subset"),
    ],
)
def test_mistakes_are_named_before_compiled_code_meets_them(
    name, line, mistake, reason, tmp_path, monkeypatch
):
    """Compiled code would crash, or never return."""
    copy_of_pig(name, {line: mistake}, tmp_path, monkeypatch)
    with pytest.raises(AssertionError) as failure:
        testing.Check(testing.compiled_code_plays_the_same_games, f"{name}(players=2,target=7)")()
    assert reason in str(failure.value)


@pytest.mark.parametrize(
    ("name", "line", "mistake", "reason"),
    [
        ("crowded2", "MOST_LEGAL = 6", "MOST_LEGAL = 5", "6 actions are legal: MOST_LEGAL must be"),
        ("listed2", "S[TURNS] += 1", "S[TURNS] += [1][0]", "is not in the kernel subset"),
    ],
)
def test_a_mistake_that_all_checks_would_find_is_reported_once(
    name, line, mistake, reason, tmp_path, monkeypatch, capsys
):
    copy_of_pig(name, {line: mistake}, tmp_path, monkeypatch)
    assert testing.main([name]) == 1
    report = capsys.readouterr()
    assert report.err.count("FAILED") == len(report.out.splitlines()) == 1
    assert reason in report.err and "Traceback" not in report.err


SCORE_BEFORE_TURN_TOTAL = {
    "TURN_TOTAL = 4": "SCORE = 4",
    "SCORE = 5": "TURN_TOTAL = SCORE + PLAYERS",
    "SIZE = SCORE + PLAYERS": "SIZE = TURN_TOTAL + 1",
}


@pytest.mark.parametrize("is_own_name", [False, True])
def test_a_class_that_reads_the_slots_of_another_number_of_players_is_found(
    is_own_name, tmp_path, monkeypatch
):
    name = f"slots{is_own_name:d}"
    copy_of_pig(name, SCORE_BEFORE_TURN_TOTAL, tmp_path, monkeypatch)
    if is_own_name:
        file = tmp_path / name / "__init__.py"
        text = file.read_text("utf-8").replace("rules.TURN_TOTAL", "TURN_TOTAL")
        file.write_text(f"from {name}.rules import TURN_TOTAL\n{text}", "utf-8")
    rules = importlib.import_module(f"{name}.rules")
    check = testing.the_class_reads_constants_of_this_game_only
    check(f"{name}(players=2)")  # as in the file
    with pytest.raises(AssertionError, match=r"reads TURN_TOTAL .*, 6; in this game it is 7: "):
        check(f"{name}(players=3)")
    assert rules.TURN_TOTAL == 6


def copy_of_pig(name, changes, folder, monkeypatch):
    """Make a game of another name whose rules differ from Pig's."""
    shutil.copytree(ROOT / "examples" / "pig" / "pig", folder / name)
    rules, about = folder / name / "rules.py", folder / name / "__init__.py"
    text = rules.read_text("utf-8")
    for line, change in changes.items():
        assert line in text
        text = text.replace(line, change)
    rules.write_text(text, "utf-8")
    about.write_text(about.read_text("utf-8").replace("pig", name), "utf-8")
    add_entry_points(folder, {name: f"{name}:Pig"})
    monkeypatch.syspath_prepend(str(folder))


# ---- games that cannot be loaded -----------------------------------------------------------------

BROKEN = """
import nothing_of_this_name
"""
WRONG = """
import souk
import souk.games.marrakech
from souk.engine.game import DEFAULT_RULES
from souk.engine.knobs import Integer

number = 3

class Unfinished(souk.Game):
    name = "unfinished"

class Other(souk.Game):
    name = "another"
    kernel = (DEFAULT_RULES,)
    knobs = (Integer("players", "how many play", 2, 2),)
    action_texts = ("pass",)

class Incomplete(Other):
    name = "incomplete"

    def constants(self):
        return {}

class Alone(Other):
    name = "alone"
    knobs = (Integer("players", "how many play", 1, 2),)

class Crowded(Other):
    name = "crowded"
    knobs = (Integer("players", "how many play", 2, 7),)

class Nobody(Other):
    name = "nobody"
    knobs = ()

class Spaced(Other):
    name = "two words"

class Missing(Other):
    name = "missing"
    kernel = ("nowhere.rules",)

class Unwritten(souk.games.marrakech.game):
    name = "unwritten"
"""
EMPTY = """
import souk.games.marrakech

class Empty(souk.games.marrakech.game):
    name = "empty"
"""
NO_PLAYERS = "it has no knob `players`, an Integer within 2 and 6"
PROBLEMS = {
    "broken": ("broken_game:Broken", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
    "leaving": ("leaving_game:Leaving", "SystemExit: not on this machine"),
    "number": ("wrong_games:number", "wrong_games:number is no subclass of souk.Game"),
    "unfinished": ("wrong_games:Unfinished", "Unfinished does not define action_texts"),
    "other": ("wrong_games:Other", "Other.name is 'another'"),
    "incomplete": ("wrong_games:Incomplete", "the kernel of incomplete does not define PLAYERS"),
    "alone": ("wrong_games:Alone", NO_PLAYERS),
    "crowded": ("wrong_games:Crowded", NO_PLAYERS),
    "nobody": ("wrong_games:Nobody", NO_PLAYERS),
    "two words": ("wrong_games:Spaced", "'two words(players=2)' is not a game; write it like name"),
    "missing": ("wrong_games:Missing", "there is no kernel module 'nowhere.rules'"),
    "unwritten": ("wrong_games:Unwritten", "it has no rulebook/en.md"),
    "empty": ("empty_game:Empty", "en.md: expected the title, `# Title`, not ''"),
    "marrakech": ("wrong_games:Other", "there is another game of this name"),
}


@pytest.fixture
def broken_games(tmp_path):
    (tmp_path / "broken_game.py").write_text(BROKEN)
    (tmp_path / "leaving_game.py").write_text("raise SystemExit('not on this machine')")
    (tmp_path / "wrong_games.py").write_text(WRONG)
    (tmp_path / "empty_game" / "rulebook").mkdir(parents=True)
    (tmp_path / "empty_game" / "__init__.py").write_text(EMPTY)
    (tmp_path / "empty_game" / "rulebook" / "en.md").touch()
    add_entry_points(tmp_path, {name: value for name, (value, _) in PROBLEMS.items()})
    return tmp_path


def add_entry_points(folder, games):
    information = folder / "souk_broken-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: souk-broken\nVersion: 1.0\n"
    )
    lines = [f"{name} = {value}" for name, value in games.items()]
    (information / "entry_points.txt").write_text("\n".join(["[souk.games]", *lines, ""]))


def test_a_broken_game_is_one_sentence_and_disturbs_no_other(broken_games, monkeypatch, caplog):
    monkeypatch.syspath_prepend(str(broken_games))
    assert souk.games() == own_names()
    for name, (_, reason) in PROBLEMS.items():
        sentence = f"the game '{name}' of package souk-broken cannot be loaded: "
        (message,) = [text for text in caplog.messages if sentence in text]
        assert reason in message and "\n" not in message
        if name not in (*own_names(), "two words"):
            with pytest.raises(souk.BadKnob, match="cannot be loaded") as refusal:
                souk.load_game(name)
            assert reason in str(refusal.value)
    assert souk.load_game("marrakech").new_initial_state().legal_actions()


def test_an_interrupt_ends_loading(tmp_path, monkeypatch):
    (tmp_path / "slow_game.py").write_text("raise KeyboardInterrupt")
    add_entry_points(tmp_path, {"slow": "slow_game:Slow"})
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        souk.games()


def test_commands_and_servers_go_on_without_broken_games(broken_games, tmp_path):
    path = f"{broken_games}{os.pathsep}{ROOT}"
    listed = run("games", PYTHONPATH=path)
    assert "marrakech    default" in listed.stdout
    assert len(listed.stderr.splitlines()) == len(PROBLEMS)
    for command in (["play", "number", "--target", "20"], ["prepare", "number"]):
        (line,) = run(*command, code=1, PYTHONPATH=path).stderr.splitlines()
        assert line.startswith("souk: the game 'number' of package souk-broken cannot be loaded: ")
    assert run("rules", "marrakech", "--rugs", "3", PYTHONPATH=path).stderr == ""
    checked = subprocess.run(
        [sys.executable, "-m", "souk.testing", "empty"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    (line,) = checked.stderr.splitlines()
    assert line.startswith("souk: the game 'empty' of package souk-broken cannot be loaded: ")
    with Server(tmp_path / "souk.db", PYTHONPATH=path) as server:
        names = [one["name"] for one in Person(server).http.get("/api/games").json()]
        assert names == own_names()


CLUMSY = """
import souk.games.marrakech

class Clumsy(souk.games.marrakech.game):
    name = "clumsy"

    def draw(self, state, theme, names, options):
        raise (ZeroDivisionError if theme == "light" else SystemExit)
"""


def test_a_game_whose_drawing_fails_disturbs_no_other(tmp_path):
    books = Path(souk.games.__path__[0]) / "marrakech" / "rulebook"
    (tmp_path / "clumsy_game").mkdir()
    shutil.copytree(books, tmp_path / "clumsy_game" / "rulebook")
    (tmp_path / "clumsy_game" / "__init__.py").write_text(CLUMSY)
    add_entry_points(tmp_path, {"clumsy": "clumsy_game:Clumsy"})
    position = souk.load_game("marrakech").new_initial_state(0).to_dict()
    with Server(tmp_path / "souk.db", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}") as server:
        http = Person(server).http
        for theme in ("light", "dark"):
            for name, status in (("clumsy", 500), ("marrakech", 200)):
                game = position["game"].replace("marrakech", name)
                body = {"position": {**position, "game": game}, "theme": theme}
                answer = http.post("/api/description", json=body)
                assert answer.status_code == status, answer.text
                if status == 500:
                    assert "Something went wrong on the server" in answer.text


def test_slots_that_nothing_describes_are_named(pig):
    """Else the field before them would take them, unchecked."""

    def without(name, knobs=pig.knobs):
        fields = tuple(field for field in pig.position_fields if field.name != name)
        return type("Other", (type(pig),), {"position_fields": fields, "knobs": knobs})(players=2)

    with pytest.raises(souk.SoukError, match=r"the slot TARGET of pig reaches from 0 to .* at 2"):
        without("phase").new_initial_state()
    with pytest.raises(souk.SoukError, match="describes the slots from 0 on"):
        without("", knobs=pig.knobs[:1]).new_initial_state().to_dict()


def test_a_field_with_the_name_of_a_knob_is_refused(pig):
    fields = (*pig.position_fields, Integer("target", "a second one", 0, 9))
    other = type("Other", (type(pig),), {"position_fields": fields})
    with pytest.raises(souk.SoukError, match="pig describes target twice"):
        other(players=2).new_initial_state()


@pytest.mark.usefixtures("pig")
def test_a_colour_that_drawings_do_not_know_is_named(monkeypatch):
    kind = game_class("pig")
    monkeypatch.setattr(kind, "seat_colour", lambda *_: "pink")
    with pytest.raises(AssertionError, match=r"seat_colour\(0\) is 'pink', not red, .* or purple"):
        testing.every_drawing_is_well_formed(SMALL)
