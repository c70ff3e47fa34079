"""Print every published figure: python -m bench. Compare the ratios, not the absolute values."""

import sys

from bench import facade, speed


def main() -> int:
    kept = True
    for title, part in (("Random games", speed), ("Stepping from Python", facade)):
        print(title, "(best of several rounds, all in one run)")
        for figure in part.figures():
            print("  " + figure.line(), flush=True)
            kept &= figure.is_kept
    return 0 if kept else 1


sys.exit(main())
