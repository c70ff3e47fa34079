"""Whatever parses input from outside takes time in proportion to its length.

Times are compared with each other, never with a clock: an input four times as long may take some
six times as long, where a quadratic parser takes sixteen times.
"""

import asyncio
import contextlib
import ipaddress
import itertools
import json
import random
import time

import msgspec
import pydantic
import pytest

import souk
from souk import records
from souk.engine.errors import SoukError
from souk.engine.knobs import parse_game
from souk.records import fairness
from souk.server import bans, origins, rate_limits, settings
from souk.server.bans import Bans
from souk.server.http import replays, request_bodies, routes, studies
from souk.server.http.static_page import File
from souk.server.identities import Identities
from souk.server.live import sockets
from souk.server.store import store_at
from souk.server.store.people import People
from souk.server.tables import commands, hosted_games, names
from souk.server.tables.commands import Refusal
from souk.server.tables.table_request import NewTable

SIZE = 24_000  # characters
TRIES = 150  # inputs for each parser
NEGLIGIBLE = 0.006  # seconds of CPU: a quadratic parser takes far more for SIZE characters
MOST = 8.0  # times as long for an input four times as long; 16 is quadratic

SIMPLE_UNITS = (*' \t\na0:,;.("\\=-é', "a ", " a", ", ", "a:", "1.")
UNITS = [
    *" \t\n\r\v\f:;,.=()[]{}\"'\\/-_*!?&%#@|+<>aZ09é️\u0301\u202e\u2028\x1f",
    *("seat 0", "seat 1: Ada, person\n", "game: marrakech", "game: marracash\n", "deal:", "1. A:"),
    *("(1. A: left", "left)\n", "\n\n", "\n; "),
    *(
        "left,",
        "left, 3,",
        "pass, ",
        "bid 25,",
        "position: ",
        '{"a":',
        "[1,",
        "true",
        "1e9",
        "\\u0",
    ),
    *("marrakech(", "players=2,", "rugs=", '"\\', "ended: ", "seed: ", "words: [", "souk=", "; "),
    *("gzip;q=1, ", 'W/"', "127.0.0.1, ", "::1", "https://", "a.b", "%25", "&after=", "Bearer "),
]

page = File(b"body", "text/html", "no-cache", {"gzip": b"gz", "br": b"br"})
people = People(store_at(":memory:"))
identities = Identities(people.store, people, Bans(people))
banned = Bans(people)
banned._networks = [(ipaddress.ip_network("10.0.0.0/8"), None)]
game = souk.load_game("marrakech(players=2,rugs=1000,dirhams=1000000)")


def identify(**headers):
    identities._key = b"key"
    assert asyncio.run(identities.identify(headers, 1)) is None


PARSERS = {
    "record": lambda text: records.read(text, load=hosted_games.hosted_game),
    "record with a game": lambda text: replays.record_in(f"game: marrakech\n{text}"),
    "record with a position": lambda text: replays.record_in(f"game: marracash\nposition: {text}"),
    "record with moves": lambda text: replays.record_in(f"game: marrakech\n1. Ada: left, {text}"),
    "record with the end of an old game": lambda text: replays.record_in(
        f"game: marrakech\nseat 0: Ada\nended: {text.replace(chr(10), ' ')}"
    ),
    "record with words": lambda text: replays.verify(
        f"game: marrakech\ncommitment: a\nsecret: {'0' * 64}\nwords: {text}", None, None, []
    ),
    "record with a signature": lambda text: replays.verify(
        f"game: marrakech\ncommitment: {'0' * 64}\nsecret: {'0' * 64}\nwords: []\n"
        f"history: {text[:9]}\nsigned: {text}\nsignature: {text}\nkey: {text}",
        text,
        text,
        [text],
    ),
    "commitment": lambda text: fairness.verify(records.Record(game), text),
    "game": parse_game,
    "game that is hosted": hosted_games.hosted_game,
    "knobs": lambda text: hosted_games.hosted_game(f"marrakech({text})"),
    "action": game.string_to_action,
    "command": commands.decode,
    "command with a text": lambda text: commands.decode(json.dumps({"type": "say", "text": text})),
    "query": lambda text: sockets._after({"query_string": text.encode()}),
    "origin": lambda text: origins.refusal_of_origin({"origin": text, "host": text}, ""),
    "origin in the settings": settings._origin,
    "address": rate_limits.network,
    "cookie": lambda text: identify(cookie=text),
    "token": lambda text: identify(authorization=f"Bearer {text}"),
    "table id": lambda text: asyncio.run(routes._table_id(text)),
    "name": names.checked_name,
    "names that look alike": names.skeleton,
    "banned address": lambda text: banned.of_address(text, 1),
    "target of a ban": bans.ban_target,
    "report": lambda text: request_bodies.ReportBody.model_validate_json(text),
    "accepted encodings": lambda text: page.response({"accept-encoding": text}),
    "cached version": lambda text: page.response({"if-none-match": text}),
    "new table": lambda text: NewTable.model_validate_json(text),
    "new table with a game": lambda text: NewTable(game=text),
    "study": lambda text: request_bodies.StudyBody.model_validate_json(text),
    "position of a study": lambda text: studies.state_at(
        msgspec.json.encode({"game": "marrakech", "phase": text, "squares": {text: text}})
    ),
    "actions of a study": lambda text: studies.study("marrakech", None, text.split(",")),
    "body": lambda text: request_bodies.VerifyBody.model_validate_json(text),
}

REFUSED = (SoukError, Refusal, msgspec.DecodeError, pydantic.ValidationError, RecursionError)


def cpu_seconds(parse, text):
    started = time.thread_time()
    with contextlib.suppress(*REFUSED):  # anything else is a fault of the parser
        parse(text)
    return time.thread_time() - started


def assert_linear(parse, build):
    """Assert that parsing `build(size)` takes time in proportion to the size."""
    if cpu_seconds(parse, build(SIZE)) < NEGLIGIBLE:
        return
    long = min(cpu_seconds(parse, build(SIZE)) for _ in range(3))
    short = min(cpu_seconds(parse, build(SIZE // 4)) for _ in range(3))
    assert long < MOST * short + NEGLIGIBLE, (build(40), short, long)


def repeated(before, unit, after):
    return lambda size: before + unit * (size // len(unit)) + after


def inputs(choose):
    """Yield every simple input, such as a word, spaces and a word, and some random ones."""
    for simple in itertools.product(("", "a", "a:", '"', "a="), SIMPLE_UNITS, ("", "b", ":")):
        yield repeated(*simple)
    for _ in range(TRIES):
        yield repeated(
            *("".join(choose.choices(UNITS, k=choose.randint(low, 3))) for low in (0, 1, 0))
        )


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_of_outside_input_is_linear(name):
    for build in inputs(random.Random(name)):
        assert_linear(PARSERS[name], build)


def test_a_long_game_is_read_in_linear_time():
    state, chance = game.new_initial_state(), random.Random(1)
    words = []
    while not state.is_terminal() and len(words) < 6000:
        action = game.random_action(state, chance)
        words.append(state.action_to_string(action))
        state.apply_action(action)

    def build(size):
        return f"game: {game}\nseed: 0\n\n" + ",".join(words[: len(words) * size // SIZE])

    assert_linear(records.read, build)
    with pytest.raises(Refusal, match="at most 3000 actions"):
        replays.record_in(build(SIZE))


def test_names_and_lines_without_moves_are_read_in_linear_time():
    state = souk.load_game("marrakech(players=2)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(game.random_action(state, random.Random(1)))
    moves = ", ".join(state.action_to_string(action) for action in state.history())

    def build(size):
        name = "a" * (size // 2)
        return f"game: {state.game}\nseat 1: {name}\nseat 2: {name}\n\n{moves}\n" + ",\n" * size

    assert_linear(records.read, build)


def test_many_comments_are_read_in_linear_time():
    before = "game: marrakech\n\n1. A: left\n"
    assert_linear(records.read, lambda size: before + ";a\n" * (20 * size))
