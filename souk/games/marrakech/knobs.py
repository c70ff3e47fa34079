"""The knobs of Marrakech and the editions, which are presets of them.

They follow the rule sheets; where these are silent or disagree, our rules file decides.
"""

from collections.abc import Mapping

from souk.engine.errors import BadKnob
from souk.engine.knobs import Choice, Flag, FlagOrChoice, Integer, Knob, Value

COLOURS = ("red", "yellow", "blue", "orange")

# The presets. `turn_last` is what the edition's variant demands after laying.
EDITIONS: dict[str, dict[str, str]] = {
    "gigamic": {  # the 60-rug sheet
        "pile": "open",
        "cannot_pay": "out",
        "full_tie": "shared",
        "start_facing": "S",
        "turn_last": "must",
    },
    "gigamic-57": {  # the older 57-rug sheet, without elimination and variant
        "pile": "open",
        "cannot_pay": "plays-on",
        "full_tie": "shared",
        "start_facing": "S",
        "turn_last": "no",
    },
    "pergioco": {  # the two-player sheet by pergioco.net
        "pile": "face-down",
        "cannot_pay": "out",
        "full_tie": "draw",
        "start_facing": "E",
        "turn_last": "may",
    },
}

# The editions that have the variant in which Assam is turned last.
_WITH_VARIANT = tuple(name for name, preset in EDITIONS.items() if preset["turn_last"] != "no")

MOST_DIRHAMS = 1_000_000
MOST_RUGS = 1_000

KNOBS: tuple[Knob, ...] = (
    Integer("players", "how many play", 2, 4),
    Choice("edition", "the rule sheet followed", tuple(EDITIONS)),
    Integer("dirhams", "dirhams each player starts with", 0, MOST_DIRHAMS),
    Integer("rugs", "rugs of each colour", 1, MOST_RUGS),
    Choice(
        "two_player",
        "colours each with two players",
        ("two-colour", "one-colour"),
        needs={"players": (2,)},
    ),
    Choice(
        "pile",
        "how two-colour piles lie",
        ("open", "face-down"),
        needs={"players": (2,), "two_player": ("two-colour",)},
    ),
    Choice(
        "cannot_pay",
        "a player who cannot pay in full is out or plays on",
        ("out", "plays-on"),
    ),
    Choice(
        "full_tie",
        "a tie in score and dirhams is a shared win or a draw",
        ("shared", "draw"),
    ),
    Choice("start_facing", "the way Assam faces at the start", ("N", "E", "S", "W")),
    Integer("first", "the seat that starts, counted from 0", 0, 3),
    FlagOrChoice(
        "turn_last",
        "variant: Assam must or may be turned after laying, not before the roll",
        ("must", "may"),
    ),
    Flag("cover_own", "house rule: you may fully cover your own rugs"),
)


def defaults(chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Return the default of every knob for the chosen edition and number of players."""
    players = chosen.get("players", 3)
    edition = str(chosen.get("edition", "gigamic"))
    two_player = chosen.get("two_player", "two-colour")
    twelve = players == 4 or (players == 2 and two_player == "two-colour" and edition != "pergioco")
    preset = EDITIONS[edition]
    return {
        "players": 3,
        "edition": "gigamic",
        "dirhams": 30,
        "rugs": 12 if twelve else 15,
        "two_player": "two-colour",
        "pile": preset["pile"],
        "cannot_pay": preset["cannot_pay"],
        "full_tie": preset["full_tie"],
        "start_facing": preset["start_facing"],
        "first": 0,
        "turn_last": False,
        "cover_own": False,
    }


def check(settings: Mapping[str, Value]) -> None:
    """Refuse settings that contradict each other."""
    players = int(settings["players"])
    if settings["two_player"] == "one-colour" and players != 2:
        raise BadKnob(f"two_player accepts one-colour only with players=2, not with {players}")
    if int(settings["first"]) >= players:
        raise BadKnob(f"first accepts a seat from 0 to {players - 1}, not {settings['first']}")
    if settings["turn_last"] is True and turn_last(settings) == "no":
        raise BadKnob(
            f"turn_last accepts False, must or may in edition {settings['edition']}, not True: its "
            f"sheet does not have the variant; those of {' and '.join(_WITH_VARIANT)} do"
        )


def canonical(settings: Mapping[str, Value]) -> dict[str, Value]:
    """Return settings with True for a `turn_last` that is what the edition's sheet says."""
    is_usual = settings["turn_last"] == EDITIONS[str(settings["edition"])]["turn_last"]
    return {**settings, "turn_last": True} if is_usual else dict(settings)


def turn_last(settings: Mapping[str, Value]) -> str:
    """Return whether Assam is turned after laying: `no`, `must` or `may`."""
    chosen = settings["turn_last"]
    if isinstance(chosen, bool):
        return EDITIONS[str(settings["edition"])]["turn_last"] if chosen else "no"
    return str(chosen)


def is_sheet_deal(settings: Mapping[str, Value]) -> bool:
    """Return whether the edition's sheet deals these dirhams and rugs."""
    sheet = defaults({name: settings[name] for name in ("players", "edition", "two_player")})
    if any(settings[name] != sheet[name] for name in ("dirhams", "rugs")):
        return False
    return settings["two_player"] == "two-colour" or settings["edition"] == "gigamic-57"


def colours_each(settings: Mapping[str, Value]) -> int:
    """Return how many colours every player has."""
    return 2 if settings["players"] == 2 and settings["two_player"] == "two-colour" else 1


def colours_of(seat: int, each: int) -> tuple[str, ...]:
    """Return the colours of a seat."""
    return COLOURS[seat * each : seat * each + each]
