"""Type the names of MarraCash's kernel that Python code reads."""

from collections.abc import MutableSequence, Sequence
from typing import Protocol

from souk.engine.kernel.rules_protocol import Rules


class MarraCashRules(Rules, Protocol):
    """The slots, phases, actions and functions of `rules`, in its order; see there."""

    FOUNTAINS: int
    SHOPS: int
    MOST_PASSED: int
    GATE: tuple[int, ...]
    SHOP_COLOUR: tuple[int, ...]
    ALL_VISITORS: int
    CARD_COLOUR: tuple[int, ...]
    DECK: int
    GROUP: int
    QUEUE: int
    OWNER: int
    CUSTOMERS: int
    DIRHAMS: int
    SIGNS_LEFT: int
    HEAD: int
    TAIL: int
    PHASE: int
    TO_MOVE: int
    TURN_OF: int
    ROUND: int
    TURN_STEP: int
    FIRST_STEP: int
    LAST_TURNS: int
    LOT: int
    BID: int
    BIDDER: int
    PASSED_COUNT: int
    PASSED_SEAT: int
    DECK_LEFT: int
    OPEN_CARD: int
    WALK: int
    WALK_MOVER: int
    WALK_END: int
    WALK_GROUP: int
    WALK_PAID: int
    WALK_TOTAL: int
    WALK_PAYMENT: int
    AHEAD: int
    SOUVENIRS: int
    COMMISSION_RULE: int
    PULL_IN: int
    PASS_CHANCE: int
    MOST_RAISE: int
    CHOOSE: int
    BIDDING: int
    BRING: int
    CARD: int
    REVEAL: int
    OVER: int
    MOVED: int
    AUCTIONED: int
    BY_CUSTOMER: int
    NOBODY: int
    NEVER: int
    AUCTION: int
    PASS: int
    BRING_IN: int
    CARD_OF: int
    BID_OF: int
    LEAST_STEPS: int
    TURN_UP: int

    def begin_game(self, S: MutableSequence[int]) -> None: ...

    def can_bid(self, S: Sequence[int]) -> bool: ...

    def leave_auction(self, S: MutableSequence[int]) -> None: ...

    def matching_card(self, S: Sequence[int], place: int, shop: int) -> bool: ...

    def may_auction(self, S: Sequence[int]) -> bool: ...

    def may_move(self, S: Sequence[int]) -> bool: ...

    def raise_bid(self, S: MutableSequence[int], amount: int) -> None: ...

    def rank_payment(self, customers: int) -> int: ...
