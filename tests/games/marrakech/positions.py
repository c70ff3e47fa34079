"""Mixes of knobs, random positions and arranged ones for the tests of Marrakech.

Everything here follows from a `random.Random` or from a list of numbers, so that a failure can
be reproduced. It imports the reference, not souk.
"""

from tests.games.marrakech.reference import SQUARES, Reference, neighbours, turnings_last

# players, and whether two of them have one colour each
TABLES = {
    "two": (2, False),
    "two of one colour": (2, True),
    "three": (3, False),
    "four": (4, False),
}


def plain_knobs(edition, table):
    """An edition as its sheet has it, at one of the tables."""
    players, one_colour = TABLES[table]
    knobs = {"players": players, "edition": edition}
    if one_colour:
        knobs["two_player"] = "one-colour"
    return knobs


def mixed_knobs(rng, edition, table):
    """Return mixed knobs with little money and few rugs, so that every ending is frequent."""
    knobs = plain_knobs(edition, table)
    knobs["dirhams"] = rng.choice([0, 1, 2, 3, 3, 4, 4, 5, 6, 8])
    knobs["rugs"] = rng.randint(1, 6)
    if rng.random() < 0.4:
        knobs["pile"] = rng.choice(["open", "face-down"])
    if rng.random() < 0.4:
        knobs["cannot_pay"] = rng.choice(["out", "out", "plays-on"])
    if rng.random() < 0.4:
        knobs["full_tie"] = rng.choice(["shared", "draw"])
    if rng.random() < 0.4:
        knobs["start_facing"] = rng.choice("NESW")
    if rng.random() < 0.4:
        knobs["first"] = rng.randrange(knobs["players"])
    if rng.random() < 0.4:
        knobs["turn_last"] = rng.choice(turnings_last(edition))
    if rng.random() < 0.3:
        knobs["cover_own"] = True
    return knobs


def random_board(rng, colours, fill):
    """Rugs as they might be seen from above: both halves, or one half of a rug half covered."""
    squares, number = {}, 0
    waiting = rng.sample(SQUARES, int(fill * len(SQUARES)))
    for square in waiting:
        if square in squares:
            continue
        number += 1
        shown = {"colour": rng.choice(colours), "rug": number}
        squares[square] = shown
        free = [other for other in neighbours(square) if other not in squares]
        if free and rng.random() < 0.75:
            squares[rng.choice(free)] = dict(shown)
    return squares


def random_position(rng, knobs):
    """A position whose pieces make sense, whether or not play could ever reach it."""
    rules = Reference(**knobs)
    seats = list(range(rules.players))
    players = []
    for seat in seats:
        rugs = {colour: rng.choice([0, 0, 1, 2, 3]) for colour in rules.colours_of[seat]}
        players.append({"dirhams": rng.randint(0, 9), "rugs": rugs, "next": None, "out": False})
    out = rng.sample(seats, rng.choice([0, 0, 0, 0, 1, rules.players - 1]))
    for order, seat in enumerate(out, 1):
        nothing = dict.fromkeys(players[seat]["rugs"], 0)
        gone = {"dirhams": 0, "rugs": nothing, "next": None, "out": True, "out_order": order}
        players[seat] = gone
    phase, to_move = _some_phase(rng, rules, players)
    _show_next_rugs(rng, rules, players, phase, to_move)
    colours = [colour for own in rules.colours_of for colour in own]
    return {
        "game": rules.game_text(),
        "phase": phase,
        "to_move": to_move,
        "assam": {"square": rng.choice(SQUARES), "facing": rng.choice("NESW")},
        "squares": random_board(rng, colours, rng.random()),
        "players": players,
    }


def _some_phase(rng, rules, players):
    seats_in = [seat for seat, player in enumerate(players) if not player["out"]]
    with_rugs = [seat for seat in seats_in if any(players[seat]["rugs"].values())]
    if len(seats_in) == 1 or not with_rugs:
        return "over", rng.randrange(len(players))
    to_move = rng.choice(with_rugs)
    phases = ["roll", "roll", "lay", "lay", "turn_last" if rules.turn_last else "turn"]
    if rules.two_colours and all(players[to_move]["rugs"].values()):
        phases += ["draw", "draw"]
    return rng.choice(phases), to_move


def _show_next_rugs(rng, rules, players, phase, to_move):
    """Let every pile show its next rug where the rules let it be seen."""
    for seat, player in enumerate(players):
        colours = [colour for colour, left in player["rugs"].items() if left]
        if not colours or phase == "over":
            continue
        seen = True
        if rules.two_colours and rules.knobs["pile"] == "face-down":
            seen = seat == to_move and phase in ("turn", "roll", "lay")
        elif phase == "draw":
            seen = seat != to_move and rng.random() < 0.5
        if seen:
            player["next"] = rng.choice(colours)
    if phase == "over" and not rules.two_colours:
        for player in players:
            player["next"] = next((colour for colour, left in player["rugs"].items() if left), None)


def all_knobs(edition, table):
    """The plain edition and each single knob turned away from its usual setting."""
    plain = plain_knobs(edition, table)
    usual = Reference(**plain).knobs
    turned = {
        "pile": "face-down" if usual["pile"] == "open" else "open",
        "cannot_pay": "out" if usual["cannot_pay"] == "plays-on" else "plays-on",
        "full_tie": "draw" if usual["full_tie"] == "shared" else "shared",
        "start_facing": "N",
        "first": 1,
        "cover_own": True,
    }
    turning_last = [{**plain, "turn_last": value} for value in turnings_last(edition)]
    return [plain, *({**plain, name: value} for name, value in turned.items()), *turning_last]


def make_position(knobs, phase, assam, rugs=(), to_move=0, dirhams=None, left=None, out=()):
    """A position to try a sentence of the rules on.

    `assam` is a square and a facing, "f7 E"; `rugs` are texts like "red c2c3", or "red c2" where
    only a half is seen; `left` is how many rugs of each colour every seat still has (one number,
    or one a seat); `out` the seats that are out, the first out first.
    """
    rules = Reference(**knobs)
    square, facing = assam.split()
    squares = {}
    for number, rug in enumerate(rugs, 1):
        colour, place = rug.split()
        for half in (place[:2], place[2:]):
            if half:
                squares[half] = {"colour": colour, "rug": number}
    players = []
    for seat, colours in enumerate(rules.colours_of):
        own = 3 if left is None else left if isinstance(left, int) else left[seat]
        money = 10 if dirhams is None else dirhams[seat]
        if seat in out:
            own = money = 0
        player = {
            "dirhams": money,
            "rugs": dict.fromkeys(colours, own),
            "next": colours[0] if own else None,
            "out": seat in out,
        }
        if rules.two_colours and rules.knobs["pile"] == "face-down" and seat != to_move:
            player["next"] = None
        if seat in out:
            player["out_order"] = out.index(seat) + 1
        players.append(player)
    return {
        "game": rules.game_text(),
        "phase": phase,
        "to_move": to_move,
        "assam": {"square": square, "facing": facing},
        "squares": squares,
        "players": players,
    }
