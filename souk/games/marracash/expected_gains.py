"""Compute what a walk brings to each seat while its souvenirs are not yet known.

Who enters which shop is certain, and so is what the bank pays for it. The cards are not: each one
that may be turned up is tried, and the rules continue from there. An owner who has the choice is
expected to sell the dearer card; the bounds hold for either.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.engine.events import Gain
from souk.engine.state import State

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash

_Gains = list[Gain]


def gains(game: "MarraCash", before: Sequence[int], after: Sequence[int]) -> list[Gain]:
    """Return what an action brings to each seat, up to the end of a walk that it starts."""
    return _plus(_money(game, before, after), _Walk(game).rest(list(after)))


def _money(game: "MarraCash", before: Sequence[int], after: Sequence[int]) -> list[int]:
    first = game.rules.DIRHAMS
    slots = range(first, first + game.num_players())
    return [after[slot] - before[slot] for slot in slots]


def _plus(booked: Sequence[int], rest: _Gains) -> _Gains:
    return [
        Gain(now + then.least, now + then.expected, now + then.most)
        for now, then in zip(booked, rest, strict=True)
    ]


class _Walk:
    """The rest of one walk, position by position.

    Positions that differ only in cards that nobody on this walk can buy count as one. There are few
    of them, since all visitors of a colour enter the same shop.
    """

    def __init__(self, game: "MarraCash") -> None:
        self.game = game
        self.known: dict[tuple[object, ...], _Gains] = {}

    def rest(self, S: list[int]) -> _Gains:
        """Return what the rest of the walk brings to each seat."""
        k = self.game.rules
        if S[k.PHASE] not in (k.CARD, k.REVEAL):
            return [Gain(0, 0, 0)] * self.game.num_players()
        buyable = self.buyable(S)
        key = self.key(S, buyable)
        if key not in self.known:
            self.known[key] = self.turned_up(S, buyable) if key[0] else self.chosen(S)
        return self.known[key]

    def buyable(self, S: list[int]) -> int:
        """Return the cards of the deck that somebody on this walk can still buy, as a mask."""
        k = self.game.rules
        ahead = S[k.AHEAD : k.AHEAD + k.MOST_PASSED + 1]
        shops = [shop for shop in ahead if shop != k.NOBODY]
        owned = [shop for shop in shops if S[k.OWNER + shop] != k.NOBODY]
        colours = {k.SHOP_COLOUR[shop] for shop in owned}
        buying = [colour for colour in colours if S[k.WALK_GROUP] >> 8 * colour & 255]
        return sum(1 << card for card, colour in enumerate(k.CARD_COLOUR) if colour in buying)

    def key(self, S: list[int], buyable: int) -> tuple[object, ...]:
        """Return whether a card is turned up, and what the rest of the walk depends on."""
        k = self.game.rules
        is_reveal = S[k.PHASE] == k.REVEAL
        cards = S[k.OPEN_CARD : k.OPEN_CARD + 2]
        if is_reveal:
            cards = sorted(card for card in cards if card != k.NOBODY and buyable >> card & 1)
        total = 0 if S[k.COMMISSION_RULE] == k.BY_CUSTOMER else S[k.WALK_TOTAL]
        payment = 0 if is_reveal else S[k.WALK_PAYMENT]
        walk = (S[k.AHEAD], S[k.WALK_GROUP], S[k.WALK_PAID], total, payment)
        deck = S[k.DECK_LEFT]
        return is_reveal, *walk, *cards, deck & buyable, deck.bit_count()

    def turned_up(self, S: list[int], buyable: int) -> _Gains:
        """Return the gains when a card is turned up; one stands for all that nobody can buy."""
        k = self.game.rules
        deck = S[k.DECK_LEFT]
        tried = {card: 1 for card in range(k.DECK) if deck & buyable & 1 << card}
        if others := deck & ~buyable:
            tried[others.bit_length() - 1] = others.bit_count()
        ends = [(self.after(S, k.TURN_UP + card), weight) for card, weight in tried.items()]
        total = deck.bit_count()
        return [
            Gain(
                min(end[seat].least for end, _ in ends),
                sum(end[seat].expected * weight for end, weight in ends) / total,
                max(end[seat].most for end, _ in ends),
            )
            for seat in range(self.game.num_players())
        ]

    def chosen(self, S: list[int]) -> _Gains:
        """Return the gains when an owner chooses a card."""
        cards = State(self.game, S).legal_actions()
        ends = [self.after(S, card) for card in cards]  # the dearest last
        return [
            Gain(
                min(end[seat].least for end in ends),
                ends[-1][seat].expected,
                max(end[seat].most for end in ends),
            )
            for seat in range(self.game.num_players())
        ]

    def after(self, S: list[int], action: int) -> _Gains:
        then = S[:]
        self.game.rules.apply(then, action)
        return _plus(_money(self.game, S, then), self.rest(then))
