"""Print every published figure: python -m bench [PART …]. Compare the ratios, not the values."""

import sys
from importlib import import_module

PARTS = {
    "speed": "Random games (best of several rounds, all in one run)",
    "gpu": "Random games on an NVIDIA GPU (best of several rounds, all in one run)",
    "batch": "Batches for learning code (one core or one GPU; best of several rounds, one run)",
    "facade": "Stepping from Python (best of several rounds, all in one run)",
    "envs": "Environments with random legal actions (CPU time, best of several rounds, one run)",
    "records": "Records of games (CPU time of one core, best of several rounds, all in one run)",
    "server": "The server under load (three sockets per table; load from a second process)",
    "sizes": "The package (megabytes)",
    "page": "The page, over a slow connection on a slow CPU",
    "training": "The training of the nets",
    "rollouts": "Games that a standard error of 0.01 takes in rollouts",
    "arena": "Games that an interval of ± 2 points takes in the arena",
    "errors": "The error rate of the levels: thousandths of the win lost in a decision",
    "calibration": "Predicted shares of the win against the results of games",
    "exact": "Evaluation, search and rollouts against exact values",
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
