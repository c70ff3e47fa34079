"""The Marrakech drawing in words, for screen readers."""

from souk.games.marrakech.drawing.scene import Rug, Scene, Seat, Walk, visible
from souk.games.marrakech.events import COMPASS


def title(scene: Scene) -> str:
    """Return the title of the drawing."""
    return f"Marrakech: Assam on {scene.assam}"


def describe(scene: Scene) -> str:
    """Return a scene in words."""
    return " ".join(
        part
        for part in (
            f"Assam stands on {scene.assam}, facing {COMPASS[scene.facing]}.",
            _describe_rugs(scene.rugs),
            *map(_describe_seat, scene.seats),
            _describe_walk(scene.walk),
            _describe_laid(scene),
            f"Squares counted for the tax: {', '.join(scene.taxed)}." if scene.taxed else "",
            *(f"Assam may stop on {o.square}: {o.label}, {o.note}." for o in scene.options),
            *scene.caption,
        )
        if part
    )


def _describe_rugs(rugs: tuple[Rug, ...]) -> str:
    areas: dict[str, list[str]] = {}
    for square, rug in sorted(visible(rugs).items()):
        areas.setdefault(("neutral " if rug.neutral else "") + rug.colour, []).append(square)
    if not areas:
        return "No rugs lie on the board."
    words = "; ".join(f"{colour} on {', '.join(squares)}" for colour, squares in areas.items())
    return f"Rugs seen from above: {words}."


def _describe_walk(walk: Walk | None) -> str:
    if walk is None:
        return ""
    return f"Assam's last walk: {', '.join([walk.start, *(at for at, _ in walk.path())])}."


def _describe_laid(scene: Scene) -> str:
    if scene.laid is None:
        return ""
    rug = scene.rugs[scene.laid]
    return f"Laid last: {rug.colour} on {' and '.join(rug.squares)}."


def _describe_seat(seat: Seat) -> str:
    whose = f"{seat.name} ({' and '.join(seat.colours)})"
    if seat.out:
        return f"{whose} is out."
    left = ", ".join(f"{seat.rugs.get(colour, 0)} {colour}" for colour in seat.colours)
    words = (
        f"{whose}: {seat.dirhams} dirhams, {seat.squares} visible squares, score {seat.score}, "
        f"rugs left: {left}"
    )
    if seat.next and len(seat.colours) > 1:
        words += f", next {seat.next}"
    return words + (", to move." if seat.to_move else ".")
