"""The MarraCash drawing in words, for screen readers."""

from souk.games.marracash.drawing.scene import Route, Scene, Seat, Shop
from souk.games.marracash.drawing.visitors import in_order


def title(scene: Scene) -> str:
    moving = [seat.name for seat in scene.seats if seat.to_move]
    return f"MarraCash: {moving[0]} to move" if moving else "MarraCash"


def describe(scene: Scene) -> str:
    return " ".join(
        part
        for part in (
            _groups(scene),
            _queue(scene.queue),
            _shops(scene),
            *(_seat(seat) for seat in scene.seats),
            _cards(scene.cards),
            f"Up for auction: {scene.auction}." if scene.auction else "",
            _walk(scene),
            _walkers(scene),
            *(f"{route.start} to {route.end}: {gains(scene, route)}." for route in scene.routes),
            *scene.caption,
        )
        if part
    )


def gains(scene: Scene, route: Route) -> str:
    """Return what a move would bring to whom."""
    words = [f"{scene.seats[seat].name} {gain}" for seat, gain in route.gains]
    return ", ".join(words) or "nothing for anybody"


def _walkers(scene: Scene) -> str:
    if not any(scene.walkers.values()):
        return ""
    words = ", ".join(f"{count} {colour}" for colour, count in in_order(dict(scene.walkers)))
    return f"Still on the way{f', at {scene.at}' if scene.at else ''}: {words}."


def _groups(scene: Scene) -> str:
    dark = {entry["id"] for entry in scene.board["fountains"] if entry.get("dark")}
    words = []
    for entry in scene.board["fountains"]:
        name = entry["id"]
        group = in_order(dict(scene.groups.get(name, {})))
        if group:
            visitors = ", ".join(f"{count} {colour}" for colour, count in group)
            words.append(f"{name}{' (gate)' if name in dark else ''}: {visitors}")
    return f"Groups: {'; '.join(words)}." if words else "No visitors are in the town."


def _queue(queue: tuple[str, ...]) -> str:
    if not queue:
        return "The queue is empty."
    return f"Queue of {len(queue)}, head first: {', '.join(queue)}."


def _shops(scene: Scene) -> str:
    stands = scene.all_shops().values()
    taken = [_shop(shop, scene.seats) for shop in stands if shop.owner is not None]
    free = [shop.id for shop in stands if shop.owner is None]
    words = f"Shops with an owner: {'; '.join(taken)}." if taken else "No shop has an owner."
    return f"{words} Shops without one: {', '.join(free)}." if free and taken else words


def _shop(shop: Shop, seats: tuple[Seat, ...]) -> str:
    owner = seats[shop.owner].name if shop.owner is not None else ""
    return f"{shop.id} ({shop.colour}) {owner}, {_count(shop.customers, 'customer')}"


def _seat(seat: Seat) -> str:
    words = (
        f"{seat.name} ({seat.colour}): {seat.dirhams} dirhams, {_count(seat.signs, 'sign')} left"
    )
    for word in (seat.note, "to move" if seat.to_move else "in turn" if seat.turn_of else ""):
        words += f", {word}" if word else ""
    return words + "."


def _cards(cards: tuple[tuple[str, int], ...]) -> str:
    if not cards:
        return ""
    return f"Open souvenir cards: {', '.join(f'{colour} {value}' for colour, value in cards)}."


def _walk(scene: Scene) -> str:
    if scene.walk is None:
        return ""
    words = f"Last move: {scene.walk.start} to {scene.walk.end}"
    came = [f"{colour} enters {shop}" for shop, colour in scene.walk.entered]
    return f"{words}; {', '.join(came)}." if came else f"{words}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
