"""The schema of a position of MarraCash as JSON."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Colour = Literal["red", "yellow", "blue", "green", "purple"]


class Shop(Struct, frozen=True, forbid_unknown_fields=True):
    """A shop that somebody owns."""

    owner: int  # a seat
    customers: int  # who have entered it


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """The possessions of a player."""

    dirhams: int
    signs: int  # left to put on shops


class Auction(Struct, frozen=True, forbid_unknown_fields=True):
    """The auction that is under way."""

    shop: str
    auctioneer: int  # the seat that started it
    bid: int | None  # the highest so far
    bidder: int | None  # the seat that made it
    passed: list[int]  # seats, in the order they passed


class Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """The souvenir cards."""

    open: list[tuple[Colour, int]]  # those turned up, with their values, in any order
    left: dict[Colour, list[int]]  # values of those still in the deck


class Walk(Struct, frozen=True, forbid_unknown_fields=True):
    """The rest of a walk in progress."""

    kind: Literal["move", "auction"]
    mover: int | None  # the seat that moved the group; None after an auction
    to: str | None  # the fountain where it ends
    group: dict[Colour, int]  # visitors who are in no shop yet
    shops: list[str]  # still to be passed, the current one first
    customers: int  # who have entered the current shop so far
    total: int  # of their payments
    payment: int | None  # of the customer whose card is being chosen


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, as `State.to_dict` writes it."""

    game: str  # with its knobs
    phase: Literal["choose", "bid", "bring", "card", "reveal", "over"]  # the step that comes next
    to_move: int  # the seat that must act
    turn_of: int  # the seat whose turn it is
    round: int  # from 1; the first round has auctions only
    step: int  # of the turn: 1 or 2
    first_step: Literal["move", "auction"] | None  # what step 1 was, in step 2
    last_turns: int | None  # turns left once the end is set, the current one included
    groups: dict[str, dict[Colour, int]]  # by fountain
    queue: list[Colour]  # from head to tail
    shops: dict[str, Shop]  # those with an owner
    players: list[Player]  # by seat
    auction: Auction | None  # in phase `bid`
    cards: Cards | None  # with souvenirs
    walk: Walk | UnsetType = UNSET  # in the middle of one
