"""The schema of a position of MarraCash as JSON."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Colour = Literal["red", "yellow", "blue", "green", "purple"]


class Shop(Struct, frozen=True, forbid_unknown_fields=True):
    """A shop that somebody owns."""

    owner: int
    customers: int


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """The possessions of a player."""

    dirhams: int
    signs: int  # left to put on shops


class Auction(Struct, frozen=True, forbid_unknown_fields=True):
    """The auction that is under way."""

    shop: str
    auctioneer: int
    bid: int | None  # the highest so far
    bidder: int | None
    passed: list[int]  # seats, in the order they passed


class Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """The souvenir cards."""

    open: list[tuple[Colour, int]]
    left: dict[Colour, list[int]]  # values of those still in the deck


class Walk(Struct, frozen=True, forbid_unknown_fields=True):
    """The rest of a walk in progress."""

    kind: Literal["move", "auction"]
    mover: int | None
    to: str | None  # the fountain where it ends
    group: dict[Colour, int]
    shops: list[str]  # still to be passed
    customers: int
    total: int
    payment: int | None


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, as `State.to_dict` writes it."""

    game: str
    phase: Literal["choose", "bid", "bring", "card", "reveal", "over"]
    to_move: int
    turn_of: int
    round: int
    step: int  # of the turn: 1 or 2
    first_step: Literal["move", "auction"] | None  # what step 1 was, in step 2
    last_turns: int | None  # turns still to come once the end is near
    groups: dict[str, dict[Colour, int]]  # by fountain
    queue: list[Colour]  # from head to tail
    shops: dict[str, Shop]  # those with an owner
    players: list[Player]
    auction: Auction | None
    cards: Cards | None
    walk: Walk | UnsetType = UNSET  # in the middle of one
