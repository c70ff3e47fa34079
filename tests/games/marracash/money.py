"""Add up what events say about money, to compare it with the scores."""

from souk.games.marracash.events import Commission, Entered, Sold, Souvenir


def event_gains(events, seats):
    """Return what each seat gained according to events."""
    gains = [0] * seats
    for event in events:
        if isinstance(event, Entered):
            gains[event.owner] += event.payment
        elif isinstance(event, Souvenir):
            gains[event.owner] += event.value
        elif isinstance(event, Commission):
            gains[event.owner] -= event.amount
            gains[event.seat] += event.amount
        elif isinstance(event, Sold):
            gains[event.seat] -= event.price
            gains[event.auctioneer] += event.commission
    return gains


def score_changes(before, after):
    """Return how the scores changed."""
    return [now - then for then, now in zip(before, after, strict=True)]
