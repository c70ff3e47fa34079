"""Random lives of tables: people who ask for anything, and a server that does what is due."""

import random
from dataclasses import dataclass

import msgspec

from souk.players import players
from souk.server.tables import commands as m
from souk.server.tables import entries as e
from souk.server.tables.commands import Refusal
from souk.server.tables.new_table import new_table
from souk.server.tables.referee import Person, Request, action_entry, decide
from souk.server.tables.table import Receipt, Table
from souk.server.tables.table_request import ComputerSeat, MySeat, NewTable, OpenSeat

ADA, BEN, CLEO = Person("ada", "Ada"), Person("ben", "Ben"), Person("cleo", "Cleo", is_bot=True)
PEOPLE = (ADA, BEN, CLEO)
ME, FREE, COMPUTER = MySeat(kind="me"), OpenSeat(kind="open"), ComputerSeat(kind="computer")
GAMES = (
    "marrakech(players=2,rugs=3)",
    "marrakech(players=3,rugs=2)",
    "marrakech(players=2,rugs=3,pile=face-down,turn_last=True)",
    "marracash(players=3,souvenirs=True)",
    "marracash(players=4,layout=medina)",
)


@dataclass
class Life:
    """A table with its log, and what was tried at it."""

    table: Table
    log: list
    now: int = 1_000_000

    def add(self, entry):
        self.table.apply(entry)
        self.log.append(entry)


def new_life(pick, **fixed):
    """A table that Ada set up somehow."""
    wanted = {
        "game": pick.choice(GAMES),
        "seconds": pick.choice((None, 5, 60)),
        "absent": pick.choice(("at-once", "grace", "never")),
        "grace": pick.choice((1, 60)),
        **fixed,
    }
    if wanted["absent"] == "never":
        wanted["seconds"] = None
    seats = int(wanted["game"].partition("players=")[2][0])
    wanted.setdefault("seats", [pick.choice((ME, FREE, COMPUTER)) for _ in range(seats)])
    config, first = new_table(NewTable(**wanted), ADA, 1_000_000)
    config = msgspec.structs.replace(config, id="table", secret=f"{pick.getrandbits(256):064x}")
    life = Life(Table(config), [])
    for entry in first:
        life.add(entry)
    return life


def playing(**config):
    """Ada and Ben at a table, the game begun at time 1,000,000."""
    life = new_life(random.Random(0), seats=[ME, FREE], game="marrakech(players=2)", **config)
    life.add(ask(life, BEN, m.Sit("sit", 1)))
    life.add(ask(life, ADA, m.Start("start")))
    return life


def command(pick, table):
    """Anything that could be sent, rather often something that makes sense."""
    request = f"r{pick.randrange(40)}" if pick.random() < 0.2 else f"r{pick.getrandbits(40)}"
    kinds = [m.Sit, m.Leave, m.Assign, m.Words, m.Start, m.TakeBack, m.Resign, m.Say, m.Chat]
    weights = [3, 1, 2, 2, 3, 2, 0.4, 1, 0.5]
    if table.status == "playing":
        kinds, weights = [*kinds, m.Act], [*weights, 40]
    kind = pick.choices(kinds, weights)[0]
    seat = pick.randrange(5)
    if kind is m.Act:
        version = table.version if pick.random() < 0.9 else pick.choice((-1, 0, 10**30))
        legal = [table.state.action_to_string(one) for one in table.state.legal_actions()]
        return m.Act(request, version, pick.choice([*legal, *legal, "nonsense", "\x00"]))
    if kind is m.Sit:
        return m.Sit(request, seat, pick.choice((None, "", "Zoë", "\u202e")))
    if kind is m.Assign:
        level = pick.choice(players(table.game.name))
        return m.Assign(request, seat, pick.choice((None, None, "nobody", level)))
    if kind is m.Words:
        return m.Words(request, seat, pick.choice(("", "luck", "à la chance", "\r\n")))
    if kind is m.Say:
        return m.Say(request, pick.choice(("hello", "\x00", "🐪" * 300)))
    if kind is m.Chat:
        return m.Chat(request, pick.random() < 0.7)
    return kind(request) if kind is m.Start else kind(request, seat)


def ask(life, person, wanted):
    """The outcome of a command: an entry, Done or a Refusal. Changes nothing."""
    try:
        return decide(Request(life.table, person, life.now), wanted)
    except Refusal as refusal:
        return refusal


def by_itself(pick, life):
    """An entry that the server makes by itself, if one is due."""
    table = life.table
    if table.status == "over":
        return None
    due = table.takeover_due()
    if due is not None and due[0] <= life.now:
        return e.TakenOver(at=life.now, seat=table.mover, why=due[1])
    if table.mover is not None and table.seats[table.mover].is_played_by_computer:
        action = pick.choice(table.state.legal_actions())
        return action_entry(table, table.mover, table.state.action_to_string(action), life.now)
    number = pick.randrange(len(table.seats))
    seat = table.seats[number]
    if seat.person is None or pick.random() < 0.8:
        return None
    kind = e.Away if seat.away_since is None else e.Here
    return kind(at=life.now, seat=number)


def live(pick, life, steps):
    """Let a table live for a while; yields what was asked for, with its outcome, before it acts."""
    for _ in range(steps):
        life.now += pick.choice((1, 500, 3000, 70_000))
        if pick.random() < 0.4 and (entry := by_itself(pick, life)) is not None:
            life.add(entry)
            continue
        person, wanted = pick.choice(PEOPLE), command(pick, life.table)
        if life.table.mover is not None and isinstance(wanted, m.Act) and pick.random() < 0.9:
            owner = life.table.seats[life.table.mover].person
            person = next((one for one in PEOPLE if one.id == owner), person)
        outcome = ask(life, person, wanted)
        yield person, wanted, outcome
        if not isinstance(outcome, Refusal | Receipt):
            life.add(outcome)
