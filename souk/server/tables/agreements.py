"""Validate proposals, answers, and what players may do when somebody stalls."""

from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.entries import AnyEntry
from souk.server.tables.request import Request
from souk.server.tables.table import Table


def propose(command: c.Propose, request: Request) -> AnyEntry:
    """Return the entry of a proposal."""
    request.require_playing()
    request.require_few_entries()
    table, seat = request.table, request.player_seat()
    open_proposal = table.proposal
    if open_proposal is not None and request.now < open_proposal.until:
        raise Refusal("not-possible", "Another proposal is waiting for answers.")
    if table.declined.get(request.person.id) == table.version:
        raise Refusal(
            "not-possible", "Your last proposal was declined: wait until the game has gone on."
        )
    if (command.what == "resume") != (table.paused_since is not None):
        if table.paused_since is not None:
            raise Refusal("paused", "The game is paused.")
        raise Refusal("not-possible", "The game is not paused.")
    if command.what == "draw":
        _require_draws(table)
    return e.Proposed(**request.stamp(command.request), seat=seat, what=command.what)


def _require_draws(table: Table) -> None:
    """Refuse unless players can agree on a draw."""
    if not table.game.has_draws():
        raise Refusal("not-possible", "There are no draws by the rules of this game.")
    if any(table.seats[number].is_played_by_computer for number in table.active_seats()):
        raise Refusal("not-possible", "The computer does not agree to draws.")


def answer(command: c.Answer, request: Request) -> AnyEntry:
    """Return the entry of an answer to a proposal."""
    request.require_playing()
    seat, proposal = request.player_seat(), request.table.proposal
    if proposal is None or proposal.n != command.proposal or request.now >= proposal.until:
        raise Refusal("not-possible", "This proposal is no longer open.")
    if command.agree and request.person.id in proposal.agreed:
        raise Refusal("not-possible", "You have agreed already.")
    if command.agree and proposal.what == "draw":
        _require_draws(request.table)
    stamp = request.stamp(command.request)
    return e.Answered(**stamp, seat=seat, proposal=command.proposal, agree=command.agree)


def abort(command: c.Abort, request: Request) -> AnyEntry:
    """Return the entry that ends a game without a result."""
    request.require_playing()
    table, seat = request.table, request.player_seat()
    others = table.voters("abort") - {request.person.id}
    if others and not table.is_abortable and not request.waits_for_another():
        raise Refusal("not-possible", "Everybody has played: the others must agree to abort.")
    return e.Aborted(**request.stamp(command.request), seat=seat)


def replace(command: c.Replace, request: Request) -> AnyEntry:
    """Return the entry by which the computer takes over for a player who stalls."""
    request.require_playing()
    request.player_seat()
    if request.table.config.absent == "never":
        raise Refusal(
            "not-possible", "The computer never takes over at this table: claim the game instead."
        )
    request.require_stalled(command.seat)
    return e.TakenOver(**request.stamp(command.request), seat=command.seat, why="stalled")


def claim(command: c.Claim, request: Request) -> AnyEntry:
    """Return the entry by which a player who stalls loses."""
    request.require_playing()
    request.player_seat()
    if request.table.config.absent != "never":
        raise Refusal("not-possible", "Let the computer take over instead.")
    request.require_stalled(command.seat)
    return e.Forfeited(**request.stamp(command.request), seat=command.seat)
