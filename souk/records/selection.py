"""Select records by game, players, result, length, date and other header lines."""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.knobs import check_settings, parse_game
from souk.games import game_class
from souk.records.record import Record

Test = Callable[[Record], bool]

_RESULTS: dict[str, Test] = {
    "finished": lambda record: record.outcome.is_finished,
    "unfinished": lambda record: not record.outcome.is_finished,
    "won": lambda record: max(record.outcome.returns) == 1,
    "shared": lambda record: record.outcome.result.endswith("share the win"),
    "draw": lambda record: record.outcome.result == "draw",
}
RESULTS = tuple(_RESULTS)
_RANGE = re.compile(r"([0-9]{1,9})?(-)?([0-9]{1,9})?")


def select(
    *,
    game: str | None = None,
    players: Sequence[str] = (),
    winner: str | None = None,
    result: str | None = None,
    turns: str | None = None,
    since: str | None = None,
    until: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Test:
    r"""Return a function that tells whether a record has everything that is asked for.

    `game` is a name, or a game string with some settings. Each of `players`, and `winner`, is the
    name of a player or of a computer player. `result` is one of RESULTS. `turns` is a number or a
    range such as 40-50, 40- or -50. `since` and `until` are dates. `headers` are other header
    lines. Names and headers are compared without regard to case, and may contain * and ?.

    >>> from souk.records import read
    >>> record = read("game: marrakech(players=2)\nseat 1: Ada, person\n\ndeal: red, blue")
    >>> [select(players=[name])(record) for name in ("ada", "person", "Grace")]
    [True, True, False]
    """
    tests: list[Test] = []
    if game is not None:
        tests.append(_game_test(game))
    for player in players:
        tests.append(partial(_has_player, player, winners=False))
    if winner is not None:
        tests.append(partial(_has_player, winner, winners=True))
    if result is not None:
        if result not in _RESULTS:
            raise SoukError(f"a result is {one_of(RESULTS)}, not {brief(result)}")
        tests.append(_RESULTS[result])
    if turns is not None:
        low, high = _parse_range(turns)
        tests.append(lambda record: low <= record.outcome.turns <= high)
    if since is not None:
        first = _parse_date(since)
        tests.append(lambda record: record.date is not None and record.date >= first)
    if until is not None:
        last = _parse_date(until)
        tests.append(lambda record: record.date is not None and record.date <= last)
    for key, pattern in (headers or {}).items():
        tests.append(partial(_has_header, key, pattern))
    return lambda record: all(test(record) for test in tests)


def _game_test(text: str) -> Test:
    name, given = parse_game(text)
    chosen = check_settings(name, game_class(name).knobs, given)
    return lambda record: (
        record.game.name == name
        and all(record.game.settings[knob] == value for knob, value in chosen.items())
    )


def _has_player(pattern: str, record: Record, *, winners: bool) -> bool:
    plays = [seat.plays for seat in record.seats] or [""] * record.game.num_players()
    return any(
        _matches(name, pattern) or _matches(kind, pattern)
        for name, kind, share in zip(record.names(), plays, record.outcome.returns, strict=True)
        if share or not winners
    )


def _has_header(key: str, pattern: str, record: Record) -> bool:
    return key in record.extra and _matches(record.extra[key], pattern)


def _matches(text: str, pattern: str) -> bool:
    return fnmatchcase(text.lower(), pattern.lower())


def _parse_range(text: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text)
    if match is None or not (match[1] or match[3]):
        raise SoukError(f"a number of turns is written like 40, 40-50, 40- or -50, not {text!r}")
    low = int(match[1] or 0)
    high = int(match[3] or 10**9) if match[2] else low
    if low > high:
        raise SoukError(f"no number of turns is from {low} to {high}: write {high}-{low}")
    return low, high


def _parse_date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise SoukError(f"a date is written like 2026-11-15, not {brief(text)}") from None
