"""Print every published figure: python -m bench [PART …]. Compare the ratios, not the values."""

import sys
from importlib import import_module

PARTS = {
    "speed": "Random games (best of several rounds, all in one run)",
    "facade": "Stepping from Python (best of several rounds, all in one run)",
    "server": "The server under load (three sockets a table; load from a second process)",
    "page": "The page, over a slow line on a slow processor",
    "training": "How the nets came about",
    "players": "How strong the strongest player is (an hour or two)",
}


def main(wanted: list[str]) -> int:
    kept = True
    for name in wanted or PARTS:
        print(PARTS[name])
        for figure in import_module(f"bench.{name}").figures():
            print("  " + figure.line(), flush=True)
            kept &= figure.is_kept
    return 0 if kept else 1


unknown = sorted({*sys.argv[1:]} - {*PARTS})
sys.exit(f"parts are {', '.join(PARTS)}, not {unknown[0]}" if unknown else main(sys.argv[1:]))
