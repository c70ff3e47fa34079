"""The events that actions in MarraCash cause.

No rule is repeated here: the action is applied to a buffer that records its writes, and the events
follow from these.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.events import Event, Preview
from souk.engine.state import State
from souk.games.marracash import notes, text
from souk.games.marracash.amounts import DECK, STEP
from souk.games.marracash.board import COLOURS

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash
    from souk.games.marracash.rules_protocol import MarraCashRules


class Named(Event, frozen=True):
    """A shop was put up for auction."""

    seat: int
    shop: str
    colour: str

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} auctions the {self.colour} shop {self.shop}."


class Bid(Event, frozen=True):
    """Somebody bid for the shop being auctioned."""

    seat: int
    shop: str
    amount: int

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} bids {self.amount} for {self.shop}."

    def note(self) -> str:
        return f"{self.amount} by seat {self.seat + 1}"


class Passed(Event, frozen=True):
    """Somebody passed, in an auction or because nothing was possible."""

    seat: int
    shop: str | None

    def sentence(self, names: Sequence[str]) -> str:
        what = f" on {self.shop}" if self.shop else ": no action is possible"
        return f"{names[self.seat]} passes{what}."


class Sold(Event, frozen=True):
    """A shop was sold."""

    seat: int  # the buyer
    shop: str
    price: int
    auctioneer: int
    commission: int  # from the bank to the auctioneer

    def sentence(self, names: Sequence[str]) -> str:
        words = f"{names[self.seat]} buys {self.shop} for {self.price}"
        if self.commission:
            words += f"; {names[self.auctioneer]} gets {self.commission} for the auction"
        return f"{words}."

    def note(self) -> str:
        sale = f"{self.shop} to seat {self.seat + 1} for {self.price}"
        return (
            f"{sale}, {self.commission} to seat {self.auctioneer + 1}" if self.commission else sale
        )


class Moved(Event, frozen=True):
    """A group set out."""

    seat: int
    start: str
    end: str
    group: dict[str, int]

    def sentence(self, names: Sequence[str]) -> str:
        return (
            f"{names[self.seat]} moves {text.people(self.group)} from {self.start} to {self.end}."
        )


class Entered(Event, frozen=True):
    """A customer entered a shop, and the bank paid its owner."""

    shop: str
    colour: str
    owner: int
    rank: int  # of the customer in that shop
    payment: int

    def sentence(self, names: Sequence[str]) -> str:
        return f"Customer {self.rank} enters {self.shop}: {names[self.owner]} gets {self.payment}."

    def note(self) -> str:
        return f"{self.shop} customer {self.rank}: {self.payment} to seat {self.owner + 1}"


class Souvenir(Event, frozen=True):
    """A customer bought an open souvenir card."""

    owner: int
    colour: str
    value: int

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[self.owner]} sells a {self.colour} souvenir for {self.value}."

    def note(self) -> str:
        return f"souvenir {self.value}"


class Commission(Event, frozen=True):
    """A shop's owner paid the mover."""

    owner: int
    seat: int  # the mover
    amount: int

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[self.owner]} pays {names[self.seat]} a commission of {self.amount}."

    def note(self) -> str:
        return f"commission {self.amount} to seat {self.seat + 1}"


class Revealed(Event, frozen=True):
    """A souvenir card was turned up."""

    colour: str
    value: int

    def sentence(self, names: Sequence[str]) -> str:
        return f"A {self.colour} souvenir for {self.value} is turned up."


class Brought(Event, frozen=True):
    """New visitors came in by a gate."""

    seat: int
    gate: str
    end: str  # head or tail
    visitors: tuple[str, ...]  # in the order they left the queue

    def sentence(self, names: Sequence[str]) -> str:
        who = ", ".join(self.visitors)
        return f"{names[self.seat]} brings {who} from the {self.end} of the queue to {self.gate}."

    def note(self) -> str:
        return f"brings {' '.join(self.visitors)}"


class LastRound(Event, frozen=True):
    """The queue is down to one visitor or none: everyone has one more turn."""

    seat: int  # who plays the very last turn

    def sentence(self, names: Sequence[str]) -> str:
        return f"Last round: everyone has one more turn, and {names[self.seat]} goes last."

    def note(self) -> str:
        return "last turns"


class _RecordingBuffer(list[int]):
    """A buffer that records its writes: slot, value before, value after."""

    def __init__(self, buffer: Sequence[int]) -> None:
        super().__init__(buffer)
        self.writes: list[tuple[int, int, int]] = []

    def __setitem__(self, slot: Any, value: Any) -> None:
        self.writes.append((slot, self[slot], value))
        super().__setitem__(slot, value)


def action_events(
    game: "MarraCash", before: Sequence[int], action: int, after: Sequence[int]
) -> list[Event]:
    """Return the events that an action caused, from the buffers before and after it."""
    k = game.rules
    events = list(_action_event(game, before, action))
    if _money_slots(k, before) != _money_slots(k, after):
        buffer = _RecordingBuffer(before)
        k.apply(buffer, action)
        events += _money_events(game, buffer, before[k.TURN_OF])
    never = k.NEVER
    if before[k.LAST_TURNS] == never and after[k.LAST_TURNS] != never:
        events.append(LastRound(before[k.TURN_OF]))
    return [*events, *game.end_events(after)]


def _money_slots(k: "MarraCashRules", S: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Return the slots that change with every event about money: owners, customers, open cards."""
    return S[k.OWNER : k.DIRHAMS], S[k.OPEN_CARD : k.WALK]


def _action_event(game: "MarraCash", before: Sequence[int], action: int) -> Iterator[Event]:
    """Yield the event for the action itself."""
    k, board = game.rules, game.board
    seat, lot = before[k.TO_MOVE], before[k.LOT]
    shop = board.shops[lot] if lot != k.NOBODY else None
    if action < k.AUCTION:
        street = board.streets[action]
        start = board.fountains.index(street.start)
        group = game.group(before[k.GROUP + start])
        yield Moved(seat, street.start, street.end, group)
    elif action < k.PASS:
        number = action - k.AUCTION
        yield Named(seat, board.shops[number], board.colours[number])
    elif action == k.PASS:
        yield Passed(seat, shop)
    elif action < k.CARD_OF:
        yield _bring_event(game, before, action - k.BRING_IN)
    elif k.BID_OF <= action < k.TURN_UP:
        assert shop is not None
        yield Bid(seat, shop, STEP * (action - k.BID_OF + k.LEAST_STEPS))


def _bring_event(game: "MarraCash", before: Sequence[int], choice: int) -> Brought:
    k = game.rules
    head, tail, size = before[k.HEAD], before[k.TAIL], choice % 3 + 2
    from_tail = choice % 6 // 3
    slots = range(tail - 1, tail - 1 - size, -1) if from_tail else range(head, head + size)
    visitors = tuple(COLOURS[before[k.QUEUE + slot]] for slot in slots)
    gate = game.board.gates[choice // 6]
    return Brought(before[k.TURN_OF], gate, text.ENDS[from_tail], visitors)


def _money_events(game: "MarraCash", buffer: _RecordingBuffer, auctioneer: int) -> Iterator[Event]:
    """Yield sales, customers, souvenirs and commissions in the order they were booked."""
    k, board = game.rules, game.board
    owners = range(k.OWNER, k.CUSTOMERS)
    customers = range(k.CUSTOMERS, k.DIRHAMS)
    seats = range(k.DIRHAMS, k.SIGNS_LEFT)
    cards = range(k.OPEN_CARD, k.WALK)
    first, end = owners.start, seats.stop
    writes = [write for write in buffer.writes if first <= write[0] < end or write[0] in cards]
    at = 0

    def change(write: tuple[int, int, int]) -> int:
        return write[2] - write[1] if write[0] in seats else 0

    while at < len(writes):
        slot, old, new = writes[at]
        following = writes[at + 1] if at + 1 < len(writes) else (k.NOBODY, 0, 0)
        if slot in owners:  # the price was booked just before, a commission just after
            paid = change(following)
            price = -change(writes[at - 1])
            yield Sold(new, board.shops[slot - k.OWNER], price, auctioneer, paid)
            at += 1 if paid > 0 else 0
        elif slot in customers:
            shop = slot - k.CUSTOMERS
            owner = following[0] - k.DIRHAMS
            yield Entered(board.shops[shop], board.colours[shop], owner, new, change(following))
            at += 1
        elif slot in cards:
            colour, value = DECK[old if new == k.NOBODY else new]
            if new == k.NOBODY:  # its price was booked just before
                yield Souvenir(writes[at - 1][0] - k.DIRHAMS, colour, value)
            else:
                yield Revealed(colour, value)
        elif change(writes[at]) < 0 and change(following) > 0:
            yield Commission(slot - k.DIRHAMS, following[0] - k.DIRHAMS, change(following))
            at += 1
        at += 1


def note_text(game: "MarraCash", note: int) -> str:
    """Return the text of a note of the kernel, which is that of an event (see `notes`)."""
    kind, rest = note & 7, note >> 3
    if kind == notes.BID_NOTE:
        return Bid(rest & 3, "", STEP * (rest >> 2)).note()
    if kind == notes.SOUVENIR_NOTE:
        return Souvenir(0, "", STEP * rest).note()
    if kind == notes.COMMISSION_NOTE:
        return Commission(0, rest & 3, STEP * (rest >> 2)).note()
    if kind == notes.CUSTOMER_NOTE:
        shop, rank, steps = game.board.shops[rest >> 2 & 255], rest >> 10 & 255, rest >> 18
        return Entered(shop, "", rest & 3, rank, STEP * steps).note()
    if kind == notes.SALE_NOTE:
        shop, price, steps = game.board.shops[rest >> 4 & 255], rest >> 12 & 4095, rest >> 24
        return Sold(rest >> 2 & 3, shop, STEP * price, rest & 3, STEP * steps).note()
    if kind == notes.BROUGHT_NOTE:
        digits = f"{rest:o}"[1:]  # after the leading 1
        return Brought(0, "", "", tuple(COLOURS[int(digit)] for digit in digits)).note()
    return LastRound(0).note()


def certain_events(game: "MarraCash", after: Sequence[int]) -> list[Event]:
    """Return who will enter which shop on the rest of a walk, which depends on no card."""
    k, S = game.rules, list(after)
    events: list[Event] = []
    while S[k.PHASE] in (k.CARD, k.REVEAL):
        before, action = S[:], State(game, S).legal_actions()[0]
        k.apply(S, action)
        events += [e for e in action_events(game, before, action, S) if isinstance(e, Entered)]
    return events


def preview_sentence(preview: Preview, names: Sequence[str]) -> str:
    """Return the effect of an action on each player, in words."""
    words = [
        f"{name} {gain}"
        for name, gain in zip(names, preview.gains, strict=True)
        if gain.least or gain.most
    ]
    first = preview.events[0]
    if isinstance(first, Moved):
        if not words:
            return f"{text.people(first.group)}; nobody enters a shop."
        return f"{text.people(first.group)}; {_customers(preview)}; {', '.join(words)}."
    return first.sentence(names) + (f" {', '.join(words)}." if words else "")


def _customers(preview: Preview) -> str:
    shops: dict[str, int] = {}
    for event in (*preview.events, *preview.later):
        if isinstance(event, Entered):
            shops[event.shop] = shops.get(event.shop, 0) + 1
    return ", ".join(f"{count} into {shop}" for shop, count in shops.items())
