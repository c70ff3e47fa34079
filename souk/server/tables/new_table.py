"""Create the configuration and the first entries of a table, also of a rematch."""

import hashlib
import secrets
from collections.abc import Sequence

from souk.engine.errors import SoukError
from souk.players import default_player
from souk.records import fairness
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry, TableConfig
from souk.server.tables.hosted_games import hosted_game
from souk.server.tables.names import checked_name
from souk.server.tables.referee import check_level, start_entry
from souk.server.tables.request import Person
from souk.server.tables.table import Seat, Table
from souk.server.tables.table_request import AnySeat, ComputerSeat, MySeat, NewTable, OpenSeat


def new_table(
    request: NewTable,
    host: Person,
    now: int,
    *,
    id: str | None = None,
    rematch_of: str | None = None,
) -> tuple[TableConfig, list[AnyEntry]]:
    """Return the configuration of a requested table and its first entries, at least one.

    Without an id the table gets a random one that nobody can guess.
    """
    try:
        game = hosted_game(request.game)
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None
    if request.seconds is not None and request.absent == "never":
        sentence = "A time limit needs the computer to take over: absent cannot be never."
        raise Refusal("bad-table", sentence)
    seats = _requested_seats(request.seats, game.num_players())
    for seat in seats:
        if isinstance(seat, ComputerSeat) and seat.level is not None:
            check_level(game.name, seat.level)
    config = TableConfig(
        id=id or secrets.token_urlsafe(16),
        game=str(game),
        host=host.id,
        seats=tuple(
            e.ComputerSeat(seat.level or default_player(game.name))
            if isinstance(seat, ComputerSeat)
            else e.OpenSeat()
            for seat in seats
        ),
        public=request.public,
        seconds=request.seconds,
        absent=request.absent,
        grace=request.grace,
        secret=fairness.new_secret(),
        created=now,
        rematch_of=rematch_of,
        hints=request.hints,
        undo=request.undo,
        patience=request.patience,
        request_digest=_digest(request) if request.request is not None else None,
        rules=game.rules_version,
    )
    return config, _first_entries(config, seats, host, start=request.start)


def _digest(request: NewTable) -> str:
    """Return a digest of what is requested, without the request's name."""
    text = request.model_dump_json(exclude={"request"}, exclude_defaults=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _requested_seats(seats: Sequence[AnySeat] | None, players: int) -> Sequence[AnySeat]:
    if seats is None:
        return [MySeat(kind="me"), *[ComputerSeat(kind="computer")] * (players - 1)]
    if len(seats) != players:
        raise Refusal("bad-table", f"This game has {players} seats, not {len(seats)}.")
    return seats


def _first_entries(
    config: TableConfig, seats: Sequence[AnySeat], host: Person, *, start: bool
) -> list[AnyEntry]:
    entries: list[AnyEntry] = [e.Chat(at=config.created, by=host.id, open=True)]
    for number, seat in enumerate(seats):
        if isinstance(seat, MySeat):
            name = checked_name(seat.name or "") or host.name
            entries.append(
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
        for entry in entries:
            table.apply(entry)
        entries.append(start_entry(table, config.created, host.id))
    return entries


def rematch_request(table: Table, person: Person) -> NewTable:
    """Return the request for a rematch: computer players stay, the other seats are open."""
    if table.status != "over":
        raise Refusal("not-over", "The game is not over yet.")
    if all(seat.person != person.id for seat in table.seats):
        raise Refusal("not-at-table", "Only players of this game can request a rematch.")
    config = table.config
    seats = [_rematch_seat(seat, person) for seat in table.seats]
    return NewTable(
        game=config.game,
        seats=seats,
        public=config.public,
        seconds=config.seconds,
        absent=config.absent,
        grace=config.grace,
        hints=config.hints,
        undo=config.undo,
        patience=config.patience,
        start=not any(isinstance(seat, OpenSeat) for seat in seats),
    )


def _rematch_seat(seat: Seat, person: Person) -> AnySeat:
    if seat.kind == "computer":
        return ComputerSeat(kind="computer", level=seat.level)
    if seat.person == person.id:
        return MySeat(kind="me", name=seat.name)
    return OpenSeat(kind="open")
