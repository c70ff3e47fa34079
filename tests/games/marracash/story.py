"""What the story says about money, to be compared with the money itself."""

from souk.games.marracash.events import Commission, Entered, Sold, Souvenir


def booked(events, seats):
    """What events say that each seat gained."""
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


def changes(before, after):
    """How the scores changed."""
    return [now - then for then, now in zip(before, after, strict=True)]
