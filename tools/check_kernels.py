"""Check that all kernels are written in the kernel subset: `python -m tools.check_kernels`.

Without arguments, the kernel modules of every game are checked: rules, evaluations, opponent
models, pruning, search and training. With arguments, these files are.
"""

import sys
from pathlib import Path

import souk
from souk.engine.kernel.source import module_path
from souk.engine.kernel.subset import check_file
from souk.testing import modules_of_kernels


def kernel_modules() -> dict[str, bool]:
    """Return the kernel modules of all games, and whether each may use integers only."""
    return {
        module: ints for name in souk.games() for module, ints in modules_of_kernels(name).items()
    }


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
