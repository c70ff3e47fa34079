"""Classes of players enter the arena from Python, also where no worker can import them."""
# ruff: noqa: ARG002, ARG005  # players need not look at all that they are given

import functools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import souk
from souk.players import Player
from souk.players.greedy import Greedy

SMALL = "marrakech(players=2,rugs=2)"
ROOT = Path(souk.__file__).parents[1]
# What a person types: a class that uses another name of the session.
SESSION = """
import souk
from souk.players import Player
PLACE = -1
class Last(Player):
    def think(self, state, actions):
        return actions[PLACE]

standings = souk.arena("marrakech(players=2,rugs=2)", Last, "random", games=4, workers=1)
print(standings.share("Last", "random").games, standings.failures)
"""


class Chooser(Player):
    """Chooses by its place, which a function that makes it can set."""

    place = 0

    def __init__(self, game: souk.Game, place: int = 0, **limits: object) -> None:
        super().__init__(game, **limits)  # type: ignore[arg-type]
        self.place = place

    def think(self, state: souk.State, actions: list[int]) -> int:
        return actions[self.place]


def compete(*players: object, **options: object) -> "souk.arena.Standings":  # type: ignore[name-defined]
    """Play a few games."""
    settings = {"games": 4, "workers": 1, **options}
    return souk.arena(SMALL, *players, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("where", ["script", "interpreter"])
def test_a_class_that_no_process_can_import(where: str, tmp_path: Path) -> None:
    script = tmp_path / "session.py"
    script.write_text(SESSION)
    command = [str(script)] if where == "script" else ["-i", "-q"]
    done = subprocess.run(
        [sys.executable, *command],
        input=SESSION if where == "interpreter" else "",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "4 ()\n", done.stderr


def test_names_classes_and_functions_can_be_mixed() -> None:
    def first(game: souk.Game, **limits: object) -> Player:
        return Chooser(game, **limits)

    last = functools.partial(Chooser, place=-1)
    players = (Chooser, ("first:nodes=5", first), ("last", last), "random", Chooser)
    standings = compete(*players)
    names = ("Chooser", "first:nodes=5", "last", "random", "Chooser#2")
    assert standings.tournament.players == names and not standings.failures
    assert standings.share("Chooser", "first:nodes=5").share == 0.5, "they choose alike"


def test_a_class_with_the_name_of_another_player_is_refused() -> None:
    assert compete(Greedy, "random").tournament.players == ("greedy", "random")

    class Mine(Greedy):
        name = "greedy"

    class Better(Greedy):
        """A name that is inherited is not its own."""

    with pytest.raises(souk.SoukError, match="marrakech has another player 'greedy': give yours"):
        compete(Mine, "random")
    assert compete(Better, "greedy", "random").tournament.players[0] == "Better"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (int, "a player is given by its name, as a subclass of souk.players.Player"),
        (("mine", int), "a player is given by its name"),
        (lambda game: game, r"or as \('name', class or function that makes it\), not <function"),
        (Player, "the player 'Player' cannot be made: TypeError: Can't instantiate abstract"),
        (("mine", lambda game: None), "the player 'mine' cannot be made: TypeError"),
        (("mine", lambda game, **_: sys.exit(3)), "cannot be made: SystemExit: 3"),
        (("mine", lambda game, **_: 7), r"the player 'mine' is 7, not a souk.players.Player"),
        (("my, player", Chooser), "a player is written name, name:seconds=0.1"),
        (("a\nb", Chooser), "a player is written name"),
        (Chooser(souk.load_game(SMALL)), "give the class Chooser, not a player that exists"),
    ],
)
def test_what_is_no_player_is_refused(given: object, why: str) -> None:
    with pytest.raises(souk.SoukError, match=why):
        compete(given, "random")


def test_a_class_that_cannot_be_sent_is_refused() -> None:
    lock = threading.Lock()

    class Locked(Player):
        def think(self, state: souk.State, actions: list[int]) -> int:
            with lock:
                return actions[0]

    with pytest.raises(souk.SoukError, match="'Locked' cannot be sent to a worker process: TypeEr"):
        compete(Locked, "random")


class Raising(Player):
    def think(self, state: souk.State, actions: list[int]) -> int:
        return {}[0]  # type: ignore[no-any-return]


class Illegal(Player):
    def think(self, state: souk.State, actions: list[int]) -> int:
        return 9999


class Hanging(Player):
    def think(self, state: souk.State, actions: list[int]) -> int:
        time.sleep(60)
        return actions[0]


class Crashing(Player):
    def think(self, state: souk.State, actions: list[int]) -> int:
        os._exit(3)


def test_classes_that_fail_are_withdrawn_with_the_reason() -> None:
    standings = compete(Raising, Illegal, Crashing, "random", plan="ladder", workers=2)
    reasons = {failure.player: failure.reason for failure in standings.failures}
    assert "KeyError: 0 (test_player_classes.py, line " in reasons["Raising"]
    assert ", in think)" in reasons["Raising"]
    assert "chose 9999, which is not legal now" in reasons["Illegal"]
    assert reasons["Crashing"] == "its process ended with code 3"
    assert "Illegal was withdrawn: the player &#x27;Illegal&#x27; chose" in standings._repr_html_()


def test_a_class_that_gives_no_answer_is_withdrawn() -> None:
    standings = compete(Hanging, "random", plan="ladder", patience=4, workers=2)
    assert [one.player for one in standings.failures] == ["Hanging"]
    assert "gave no answer for" in standings.failures[0].reason


def test_ctrl_c_returns_the_standings_and_keeps_the_games(tmp_path: Path) -> None:
    class Interrupting(Player):
        """Presses Ctrl-C, once, in the process that called the arena."""

        def think(self, state: souk.State, actions: list[int]) -> int:
            if self.random.random() < 0.1 and not pressed.exists():
                pressed.touch()
                os.kill(parent, signal.SIGINT)
            return actions[0]

    parent = os.getpid()
    pressed, records = tmp_path / "pressed", tmp_path / "games.souk"
    standings = compete(Interrupting, "random", games=100_000, records=records)
    assert standings.is_interrupted and standings.games < 1000
    assert "Stopped by Ctrl-C before the end." in str(standings)
    games = standings.games + standings.incomplete
    assert records.read_text().count("game: ") == games


def test_standings_are_printed_as_tables() -> None:
    standings = compete(("<b>", Chooser), "random")
    text, html = repr(standings), standings._repr_html_()
    assert "player  against   wins" in text and "turns per game" in text
    assert html.count("<table>") == 4 and "<td" in html
    assert "&lt;b&gt;" in html and "<b>" not in html
