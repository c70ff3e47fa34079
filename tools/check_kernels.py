"""Check that all kernels are written in the kernel subset: `python -m tools.check_kernels`.

Without arguments, the kernel modules of every game are checked: rules, evaluations, opponent
models, pruning, search and training. With arguments, these files are.
"""

import sys
from pathlib import Path

import souk
from souk.engine.kernel import philox
from souk.engine.kernel.source import module_path
from souk.engine.kernel.subset import check_file
from souk.engine.kernel.targets import PLAYOUT_LOOP
from souk.games import game_class


def kernel_modules() -> dict[str, bool]:
    """Return the kernel modules of all games, and whether each may use integers only."""
    integer = {philox.__name__, *PLAYOUT_LOOP}
    other: set[str] = set()
    for name in souk.games():
        for game in game_class(name).games_for_all_kernels():
            integer |= {*game.kernel}
            other |= {module for driver in game.drivers() for module in driver}
            other |= {*game.training_kernel}
    return {module: module in integer for module in sorted(integer | other)}


def main(arguments: list[str]) -> int:
    """Print every problem; return the exit status."""
    files = {Path(argument): False for argument in arguments}
    if not files:
        files = {module_path(module): ints for module, ints in kernel_modules().items()}
    here = Path.cwd()
    problems = [
        problem
        for path, ints_only in files.items()
        for problem in check_file(
            path.relative_to(here) if path.is_relative_to(here) else path, ints_only=ints_only
        )
    ]
    print("\n".join(problems) or f"All {len(files)} kernel modules are in the kernel subset.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
