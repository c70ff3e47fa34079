"""The computer gives no advice on a game that people are playing, by whatever record of it."""

import contextlib
import random
import re

import pytest

from souk import load_game, records
from souk.records import Record
from tests.server.server_process import Everybody, Person, Server

pytestmark = pytest.mark.asyncio

GAMES = ["marrakech(players=2,rugs=4)", "marracash(players=3)"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("running")
    with Server(folder / "souk.db", "--seconds", "0.05", "--no-limits") as server:
        yield server


def code(person, record):
    answer = person.http.post("/api/analysis", json={"record": record})
    return answer.json().get("code") if answer.status_code >= 400 else None


def played_out(record):
    """Return a record that goes on at random to the end of the game."""
    state, pick = record.replay(), random.Random(1)
    while not state.is_terminal():
        state.apply_action(state.game.random_action(state, pick))
    actions = (*record.actions, *state.history()[len(record.actions) :])
    return records.write(Record(record.game, actions, record.seed))


def from_position(record):
    """Return a record that begins with the last position."""
    state = record.replay()
    return records.write(Record(record.game, (), None, start=state.to_dict()))


def altered(record):
    """Return a record that begins with the last position, but other sums and other knobs."""
    position = record.replay().to_dict()
    for player in position["players"]:
        player["dirhams"] += 25
    knob = {"marrakech": "full_tie=draw", "marracash": "pull_in=False"}[record.game.name]
    game = load_game(f"{str(record.game)[:-1]},{knob})")
    return records.write(Record(game, (), None, start=position | {"game": str(game)}))


def disguises(text):
    """Return records of the same game that look different."""
    record = records.read(text)
    bare = records.write(Record(record.game, record.actions, record.seed))
    return {
        "as it is": text,
        "without headers": bare,
        "without commitment": re.sub("^commitment: .*\n", "", text, flags=re.MULTILINE),
        "shortened": records.write(Record(record.game, record.actions[:-2], record.seed)),
        "played out": played_out(record),
        "from the position": from_position(record),
        "altered": altered(record),
    }


@contextlib.asynccontextmanager
async def play(server, game, moves=16, **options):
    """Let two people play some moves; return them and the table."""
    people = [Person(server, name) for name in ("Ada", "Ben", "Cleo")]
    people = people[: int(game[game.index("=") + 1])]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (len(people) - 1)]
    table = people[0].table(game, seats=seats, **options)
    async with Everybody(people, table) as lines:
        for number, line in enumerate(lines[1:], 1):
            await line.ask("sit", seat=number)
        await lines[0].ask("start")
        for _ in range(moves):
            position = lines[0].position
            mover, version = lines[position["mover"]], position["version"]
            await mover.until(
                lambda line, v=version: line.position and line.position["version"] == v
            )
            await mover.act(mover.position["legal"][0])
            await lines[0].until(lambda line, v=version: line.position["version"] > v)
        yield people[0], table, lines


@pytest.mark.parametrize("game", GAMES)
async def test_a_running_game_between_people_is_not_analysed_in_any_disguise(server, game):
    stranger = Person(server, "Stranger")
    async with play(server, game) as (ada, table, lines):
        text = ada.record(table)
        codes = {name: code(stranger, one) for name, one in disguises(text).items()}
        assert set(codes.values()) == {"not-over"}, codes
        for line in lines[:-1]:
            seat = lines.index(line)
            await line.ask("resign", seat=seat)
        assert code(stranger, text) is None, "the game is over"


async def test_where_hints_are_allowed_the_analysis_is_too(server):
    async with play(server, GAMES[0], hints=True) as (ada, table, _):
        assert code(ada, ada.record(table)) is None


async def test_a_game_that_nobody_watches_is_not_analysed_either(tmp_path):
    with Server(tmp_path / "souk.db", "--no-limits") as server:
        async with play(server, GAMES[0], absent="never") as (ada, table, _):
            text = ada.record(table)
        server.kill()
        server.restart()  # it is in memory no more: the computer never takes over
        stranger = Person(server, "Stranger")
        codes = {name: code(stranger, one) for name, one in disguises(text).items()}
        assert set(codes.values()) == {"not-over"}, codes
        shorter = records.read(text)
        other = Record(shorter.game, shorter.actions[:3], shorter.seed)
        assert code(stranger, records.write(other)) is None, "any game may begin like this"
