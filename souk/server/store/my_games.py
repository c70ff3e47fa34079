"""The games of a person in the store: their list, their history and statistics.

The statements are the same for both databases. A result is stored when the list is first read after
the end of the game, so nothing is added to the path of a move, and games of earlier versions count.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from souk.server.store import Store
from souk.server.tables.views import SeatView, TableView

BATCH = 200  # results stored in one transaction

_decode = msgspec.json.Decoder(TableView).decode

_VIEWS = """SELECT view FROM participants JOIN tables ON id = table_id
            WHERE person = ? AND NOT hidden"""
_UNRECORDED = """SELECT table_id, view, changed FROM participants JOIN tables ON id = table_id
                 WHERE person = ? AND ended IS NULL AND status = 'over' ORDER BY table_id LIMIT ?"""
_RECORD = """UPDATE participants
             SET ended = ?, game = ?, people = ?, place = ?, share = ?, score = ?
             WHERE person = ? AND table_id = ?"""
# A run is a game that was not won and the wins after it.
_STATISTICS = """
    SELECT game, people, CAST(sum(games) AS bigint), sum(won),
           CAST(sum(score) AS double precision) / nullif(sum(scores), 0),
           CAST(sum(place) AS double precision) / sum(games), CAST(max(wins) AS bigint),
           sum(luck) / nullif(sum(analysed), 0), CAST(sum(analysed) AS bigint)
    FROM (
        SELECT game, people, count(*) AS games, sum(share) AS won, sum(score) AS score,
               count(score) AS scores, sum(place) AS place,
               sum(CASE WHEN share = 1 THEN 1 ELSE 0 END) AS wins, sum(luck) AS luck,
               count(luck) AS analysed
        FROM (
            SELECT *, sum(CASE WHEN share = 1 THEN 0 ELSE 1 END) OVER (
                       PARTITION BY game, people ORDER BY ended, table_id) AS run
            FROM participants WHERE person = ? AND NOT hidden AND place IS NOT NULL
        ) AS played
        GROUP BY game, people, run
    ) AS runs
    GROUP BY game, people ORDER BY game, people
"""


class GameStatistics(Struct, frozen=True):
    """A person's results in a game, apart for games with other people."""

    game: str  # its name, without knobs
    people: bool  # whether other people played
    played: int  # games with a result
    won: float  # shares of the win, summed
    score: float | None  # average, of games that were played to their end
    place: float  # average
    streak: int  # most games won in a row
    luck: float | None  # average share of the win that chance brought, in the analysed games
    analysed: int


class MyGames:
    """Read and write what the store has about the games of a person."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def views(self, person: str, limit: int) -> list[bytes]:
        """Return views of a person's tables: those in progress first, the newest first."""
        await self._record(person)
        query = f"{_VIEWS} AND ended IS NULL ORDER BY changed DESC LIMIT ?"
        running = [bytes(view) for (view,) in await self.store.query(query, person, limit)]
        return running + await self.history(person, limit - len(running))

    async def history(
        self, person: str, limit: int, game: str | None = None, before: str | None = None
    ) -> list[bytes]:
        """Return views of a person's finished games, the newest first.

        With the name of a game only of that game, and with a table only those that ended before it.
        """
        await self._record(person)
        query, values = f"{_VIEWS} AND ended IS NOT NULL", [person]
        if game is not None:
            query += " AND game = ?"
            values.append(game)
        if before is not None:
            query += """ AND (ended, table_id) < (SELECT ended, table_id FROM participants
                                                  WHERE person = ? AND table_id = ?)"""
            values += [person, before]
        query += " ORDER BY ended DESC, table_id DESC LIMIT ?"
        return [bytes(view) for (view,) in await self.store.query(query, *values, limit)]

    async def statistics(self, person: str) -> list[GameStatistics]:
        """Return a person's statistics, a row for each game and kind of opponents."""
        await self._record(person)
        rows = await self.store.query(_STATISTICS, person)
        return [GameStatistics(game, bool(people), *numbers) for game, people, *numbers in rows]

    async def hide(self, person: str, table: str) -> bool:
        """Remove a table from a person's list; return False if they still play there."""
        query = """SELECT view FROM participants JOIN tables ON id = table_id
                   WHERE person = ? AND table_id = ? AND status <> 'over'"""
        for (view,) in await self.store.query(query, person, table):
            if any(
                seat.person == person and not seat.resigned and seat.takeover != "left"
                for seat in _seats(view)
            ):
                return False
        update = "UPDATE participants SET hidden = true WHERE person = ? AND table_id = ?"
        await self.store.transact((update, person, table))
        return True

    async def set_luck(self, table: str, luck: Sequence[float]) -> None:
        """Store the luck of each seat of a finished game."""
        query = "UPDATE participants SET luck = ? WHERE person = ? AND table_id = ?"
        for (view,) in await self.store.query("SELECT view FROM tables WHERE id = ?", table):
            seats = [one for one in _seats(view) if one.person]
            await self.store.transact(
                *((query, luck[one.seat], one.person, table) for one in seats)
            )

    async def _record(self, person: str) -> None:
        """Store the results of a person's games that ended since the last time."""
        while rows := await self.store.query(_UNRECORDED, person, BATCH):
            await self.store.transact(
                *(
                    (_RECORD, *_result(view, person, changed), person, id)
                    for id, view, changed in rows
                )
            )


def _seats(view: bytes) -> list[SeatView]:
    """Return the seats of a table; none of a damaged one."""
    try:
        return _decode(view).seats
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []


def _result(view: bytes, person: str, changed: int) -> tuple[object, ...]:
    """Return the columns of a person's result: when, game, people, place, share and score.

    There is no place if the game was aborted, or if the person had not exactly one seat.
    """
    try:
        table = _decode(view)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return changed, None, False, None, None, None  # a damaged table
    ended = changed if table.ended is None else table.ended
    mine = [seat for seat in table.seats if seat.person == person]
    has_people = any(one.kind == "person" and one.person != person for one in table.seats)
    result = table.result
    if result is None or result.how == "aborted" or len(mine) != 1:
        return ended, table.name, has_people, None, None, None
    seat = mine[0].seat
    rank = next(at for at, group in enumerate(result.ranking) if seat in group)
    place = 1 + sum(map(len, result.ranking[:rank]))
    is_whole = result.how != "resigned" and not mine[0].resigned
    score = result.scores[seat] if is_whole else None
    return ended, table.name, has_people, place, result.returns[seat], score
