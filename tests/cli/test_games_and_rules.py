"""`souk rules`, `games`, `players` and `prepare`."""

import subprocess
import sys

import pytest

import souk
from souk.terminal.palette import ColourDepth
from souk.terminal.rules import rules_text
from tests.cli.run_souk import RunMain, run


def test_rules_are_plain_markdown_in_a_pipe() -> None:
    english = run("rules", "marrakech", LANG="en_GB.UTF-8", LC_ALL="").stdout
    assert english.startswith("# ") and "\x1b" not in english
    french = run("rules", LANG="fr_FR.UTF-8", LC_ALL="").stdout
    assert french == run("rules", "--language", "fr").stdout != english
    assert english == run("rules", LANG="fi_FI.UTF-8", LC_ALL="").stdout
    assert english != run("rules", "--edition", "pergioco", "-k", "players=2", "-l", "en").stdout


@pytest.mark.parametrize("game", souk.games())
def test_every_game_has_rules_in_seven_languages(game: str, run_main: RunMain) -> None:
    languages = ("de", "en", "es", "fr", "it", "nl", "pt")
    texts = [run_main("rules", game, "--language", language)[1] for language in languages]
    assert len(set(texts)) == 7 and all(text.startswith("# ") for text in texts)


def test_the_rules_are_those_of_the_game_that_is_played(run_main: RunMain) -> None:
    plain = run_main("rules", "marracash", "-l", "en")[1]
    assert plain != run_main("rules", "marracash", "-l", "en", "--souvenirs")[1]
    assert plain != run_main("rules", "marracash", "-l", "en", "-p", "3")[1]


@pytest.mark.parametrize("depth", ColourDepth)
def test_marks_are_in_the_text_of_a_terminal(depth: ColourDepth) -> None:
    text = " ".join(rules_text(souk.load_game("marrakech"), "en", depth, 60).split())
    assert "What is marked † is not on this edition’s rule sheet" in text
    assert "twice as often as a 1 or a 4.†" in text


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


def test_prepare_does_nothing_the_second_time() -> None:
    run("prepare", seconds=600)  # every kernel, if none was compiled before
    program = (
        "import sys\nsys.argv = ['souk', 'prepare']\nimport souk.cli\n"
        "try:\n    souk.cli.main()\nexcept SystemExit:\n    pass\n"
        "assert 'numba' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and "prepared" in done.stdout, done.stderr
    for name in souk.games():
        assert all(game.is_prepared() for game in type(souk.load_game(name)).common_games())
