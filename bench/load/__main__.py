"""Carries out a plan and prints what was measured."""

import gc
import sys

import msgspec
import uvloop

from bench.load import Plan, Result
from bench.load.games import Load


def main() -> None:
    plan = msgspec.json.decode(sys.argv[1], type=Plan)
    gc.disable()  # it would show as the server's latency

    async def run() -> Result:
        return await Load(plan).run()

    print(msgspec.json.encode(uvloop.run(run())).decode())


if __name__ == "__main__":
    main()
