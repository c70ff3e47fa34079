"""How tables come about: from what somebody wants to the terms and the first entries."""

import hashlib
import secrets
from collections.abc import Sequence

from souk.engine.errors import SoukError
from souk.players import friendly
from souk.records import fairness
from souk.server.http.request_bodies import AnySeat, ComputerSeat, MySeat, NewTable, OpenSeat
from souk.server.tables import entries as e
from souk.server.tables.commands import MAX_NAME, Refusal, clean
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.hosted_games import hosted_game
from souk.server.tables.referee import Person, check_level, started
from souk.server.tables.table import Seat, Table


def new_table(
    wanted: NewTable,
    host: Person,
    now: int,
    *,
    id: str | None = None,
    rematch_of: str | None = None,
) -> tuple[TableConfig, list[AnyEntry]]:
    """The terms and the first entries of a table that somebody wants; at least one entry.

    Without an id the table gets one that nobody can guess.
    """
    try:
        game = hosted_game(wanted.game)
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None
    if wanted.seconds is not None and wanted.absent == "never":
        raise Refusal("bad-table", "Time for a turn means nothing if the computer never plays on.")
    seats = _seats(wanted.seats, game.num_players())
    for seat in seats:
        if isinstance(seat, ComputerSeat) and seat.level is not None:
            check_level(game.name, seat.level)
    config = TableConfig(
        id=id or secrets.token_urlsafe(16),
        game=str(game),
        host=host.id,
        seats=tuple(
            e.ComputerSeat(seat.level or friendly(game.name))
            if isinstance(seat, ComputerSeat)
            else e.OpenSeat()
            for seat in seats
        ),
        public=wanted.public,
        seconds=wanted.seconds,
        absent=wanted.absent,
        grace=wanted.grace,
        secret=fairness.new_secret(),
        created=now,
        rematch_of=rematch_of,
        wanted=digest(wanted) if wanted.request is not None else None,
    )
    return config, _first(config, seats, host, start=wanted.start)


def digest(wanted: NewTable) -> str:
    """What tells one wish from another, whatever name it was asked for under."""
    text = wanted.model_dump_json(exclude={"request"}, exclude_defaults=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _seats(wanted: Sequence[AnySeat] | None, players: int) -> Sequence[AnySeat]:
    if wanted is None:
        return [MySeat(kind="me"), *[ComputerSeat(kind="computer")] * (players - 1)]
    if len(wanted) != players:
        raise Refusal("bad-table", f"This game has {players} seats, not {len(wanted)}.")
    return wanted


def _first(
    config: TableConfig, seats: Sequence[AnySeat], host: Person, *, start: bool
) -> list[AnyEntry]:
    found: list[AnyEntry] = [e.Chat(at=config.created, by=host.id, open=True)]
    for number, seat in enumerate(seats):
        if isinstance(seat, MySeat):
            name = clean(seat.name or "", MAX_NAME) or host.name
            found.append(
                e.Sat(
                    at=config.created,
                    by=host.id,
                    seat=number,
                    person=host.id,
                    name=name,
                    bot=host.is_bot,
                )
            )
    if start:
        table = Table(config)
        for entry in found:
            table.apply(entry)
        found.append(started(table, config.created, host.id))
    return found


def again(table: Table, who: Person) -> NewTable:
    """The same table once more: computers stay, everybody else may take a seat again."""
    if table.status != "over":
        raise Refusal("not-over", "The game is not over yet.")
    if all(seat.person != who.id for seat in table.seats):
        raise Refusal("not-at-table", "Only those who played can ask for a rematch.")
    config = table.config
    seats = [_same(seat, who) for seat in table.seats]
    return NewTable(
        game=config.game,
        seats=seats,
        public=config.public,
        seconds=config.seconds,
        absent=config.absent,
        grace=config.grace,
        start=not any(isinstance(seat, OpenSeat) for seat in seats),
    )


def _same(seat: Seat, who: Person) -> AnySeat:
    if seat.kind == "computer":
        return ComputerSeat(kind="computer", level=seat.level)
    return MySeat(kind="me", name=seat.name) if seat.person == who.id else OpenSeat(kind="open")
