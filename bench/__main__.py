"""Print every published figure: python -m bench [PART …]. Compare the ratios, not the values."""

import sys
from importlib import import_module

PARTS = {
    "speed": "Random games (best of several rounds, all in one run)",
    "facade": "Stepping from Python (best of several rounds, all in one run)",
    "server": "The server under load (three sockets per table; load from a second process)",
    "page": "The page, over a slow connection on a slow CPU",
    "training": "The training of the nets",
    "players": "How strong the strongest player is (an hour or two)",
}


def main(parts: list[str]) -> int:
    """Print the figures of some parts, or of all; return 1 if a promise is not met."""
    all_met = True
    for name in parts or PARTS:
        print(PARTS[name])
        for figure in import_module(f"bench.{name}").figures():
            print("  " + figure.line(), flush=True)
            all_met &= figure.passes
    return 0 if all_met else 1


unknown = sorted({*sys.argv[1:]} - {*PARTS})
sys.exit(f"parts are {', '.join(PARTS)}, not {unknown[0]}" if unknown else main(sys.argv[1:]))
