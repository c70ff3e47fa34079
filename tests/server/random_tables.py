"""Random tables: people who send random commands, and a server that does what is due."""

import random
from dataclasses import dataclass

import msgspec

from souk.players import players
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.new_table import new_table
from souk.server.tables.referee import action_entry, decide
from souk.server.tables.request import Person, Request
from souk.server.tables.table import Receipt, Table
from souk.server.tables.table_request import ComputerSeat, MySeat, NewTable, OpenSeat

ADA, BEN, CLEO = Person("ada", "Ada"), Person("ben", "Ben"), Person("cleo", "Cleo", is_bot=True)
PEOPLE = (ADA, BEN, CLEO)
ME, OPEN, COMPUTER = MySeat(kind="me"), OpenSeat(kind="open"), ComputerSeat(kind="computer")
GAMES = (
    "marrakech(players=2,rugs=3)",
    "marrakech(players=3,rugs=2)",
    "marrakech(players=2,rugs=3,pile=face-down,turn_last=True)",
    "marracash(players=3,souvenirs=True)",
    "marracash(players=4,layout=medina)",
    "marrakech(players=2,rugs=3,full_tie=draw)",
)


@dataclass
class LoggedTable:
    """A table with its log."""

    table: Table
    log: list
    now: int = 1_000_000

    def add(self, entry):
        self.table.apply(entry)
        self.log.append(entry)


def random_table(pick, **fixed):
    """Return a table that Ada created with random options."""
    options = {
        "game": pick.choice(GAMES),
        "seconds": pick.choice((None, 5, 60)),
        "absent": pick.choice(("at-once", "grace", "never")),
        "grace": pick.choice((1, 60)),
        "patience": pick.choice((None, 60, 60)),
        "undo": pick.choice((False, True, True)),
        **fixed,
    }
    if options["absent"] == "never":
        options["seconds"] = None
    seats = int(options["game"].partition("players=")[2][0])
    options.setdefault("seats", [pick.choice((ME, OPEN, COMPUTER)) for _ in range(seats)])
    config, first = new_table(NewTable(**options), ADA, 1_000_000)
    config = msgspec.structs.replace(config, id="table", secret=f"{pick.getrandbits(256):064x}")
    logged = LoggedTable(Table(config), [])
    for entry in first:
        logged.add(entry)
    return logged


def playing(**config):
    """Return a table of Ada and Ben, started at time 1,000,000."""
    logged = random_table(random.Random(0), seats=[ME, OPEN], game="marrakech(players=2)", **config)
    logged.add(ask(logged, BEN, c.Sit("sit", 1)))
    logged.add(ask(logged, ADA, c.Start("start")))
    return logged


def command(pick, table):
    """Return a random command, often a valid one."""
    request = f"r{pick.randrange(40)}" if pick.random() < 0.2 else f"r{pick.getrandbits(40)}"
    kinds = [c.Sit, c.Leave, c.Assign, c.Words, c.Start, c.TakeBack, c.Resign, c.Say, c.Chat]
    weights = [3, 1, 2, 2, 3, 2, 0.8, 1, 0.5, 0.4, 0.2, 0.6]
    kinds += [c.Mute, c.Kick, c.Unban]
    if table.status == "playing":
        kinds += [c.Act, c.Propose, c.Answer, c.Abort, c.Replace, c.Claim, c.Hint]
        weights += [40, 2, 15 if table.proposal else 0.5, 0.6, 2, 6, 2]
        kinds.append(c.Undo)
        weights.append(1 if table.undo_seat is None else 8)
    kind = pick.choices(kinds, weights)[0]
    seat = pick.randrange(5)
    if kind in (c.Replace, c.Claim) and pick.random() < 0.8:
        seat = table.mover
    if kind is c.Act:
        version = table.version if pick.random() < 0.9 else pick.choice((-1, 0, 10**30))
        legal = [table.state.action_to_string(one) for one in table.state.legal_actions()]
        return c.Act(request, version, pick.choice([*legal, *legal, "nonsense", "\x00"]))
    if kind is c.Undo:
        return c.Undo(request, table.version)
    if kind is c.Sit:
        return c.Sit(request, seat, pick.choice((None, "", "Zoë", "\u202e")))
    if kind is c.Assign:
        level = pick.choice(players(table.game.name))
        return c.Assign(request, seat, pick.choice((None, None, "nobody", level)))
    if kind is c.Words:
        return c.Words(request, seat, pick.choice(("", "luck", "à la chance", "\r\n")))
    if kind is c.Say:
        return c.Say(request, pick.choice(("hello", "\x00", "🐪" * 300)))
    if kind is c.Chat:
        return c.Chat(request, pick.random() < 0.7)
    if kind in (c.Mute, c.Kick):
        return kind(request, pick.choice(("ada", "ben", "cleo", "zoe")), pick.random() < 0.5)
    if kind is c.Unban:
        return c.Unban(request, pick.choice([*table.banned, "zoe"]))
    if kind is c.Propose:
        whats = ("draw", "pause", "resume", "abort")
        is_paused = table.paused_since is not None
        return c.Propose(request, pick.choices(whats, [3, 3, 20 if is_paused else 1, 0.5])[0])
    if kind is c.Answer:
        proposal = table.proposal.n if table.proposal else pick.randrange(9)
        return c.Answer(request, proposal, pick.random() < 0.8)
    is_alone = kind in (c.Start, c.Abort, c.Hint)
    return kind(request) if is_alone else kind(request, seat)


def ask(logged, person, sent):
    """Return the outcome of a command: an entry, a Receipt or a Refusal. Changes nothing."""
    try:
        return decide(Request(logged.table, person, logged.now), sent)
    except Refusal as refusal:
        return refusal


def server_entry(pick, logged):
    """Return an entry that the server adds by itself, if one is due."""
    table = logged.table
    if table.status == "over":
        return None
    deputy = table.deputy_due()
    if deputy is not None and deputy[0] <= logged.now:
        return e.Deputised(at=logged.now, seat=deputy[1])
    due = table.takeover_due()
    if due is not None and pick.random() < 0.1:
        return e.Interrupted(at=logged.now, since=logged.now - 5000, until=logged.now, extra=1000)
    if due is not None and due[0] <= logged.now:
        return e.TakenOver(at=logged.now, seat=table.mover, why=due[1])
    is_paused = table.paused_since is not None
    if table.mover is not None and table.seats[table.mover].is_played_by_computer and not is_paused:
        action = pick.choice(table.state.legal_actions())
        return action_entry(table, table.mover, table.state.action_to_string(action), logged.now)
    number = pick.randrange(len(table.seats))
    seat = table.seats[number]
    if seat.person is None or pick.random() < 0.8:
        return None
    kind = e.Away if seat.away_since is None else e.Here
    return kind(at=logged.now, seat=number)


def random_commands(pick, logged, steps):
    """Send random commands; yield each with its outcome, before it is applied."""
    for _ in range(steps):
        logged.now += pick.choice((1, 500, 3000, 70_000))
        if pick.random() < 0.4 and (entry := server_entry(pick, logged)) is not None:
            logged.add(entry)
            continue
        person, sent = pick.choice(PEOPLE), command(pick, logged.table)
        if logged.table.mover is not None and isinstance(sent, c.Act) and pick.random() < 0.9:
            owner = logged.table.seats[logged.table.mover].person
            person = next((one for one in PEOPLE if one.id == owner), person)
        if logged.table.undo_seat is not None and isinstance(sent, c.Undo) and pick.random() < 0.9:
            owner = logged.table.seats[logged.table.undo_seat].person
            person = next(one for one in PEOPLE if one.id == owner)
        if isinstance(sent, c.Mute | c.Kick | c.Unban) and pick.random() < 0.9:
            person = ADA  # the host
        if isinstance(sent, c.Answer | c.Propose | c.Claim | c.Replace | c.Abort) and (
            voters := logged.table.voters()
        ):
            chosen = pick.choice(sorted(voters))
            person = next(one for one in PEOPLE if one.id == chosen)
        outcome = ask(logged, person, sent)
        yield person, sent, outcome
        if not isinstance(outcome, Refusal | Receipt):
            logged.add(outcome)
