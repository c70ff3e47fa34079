"""Run a load test and print its measurements."""

import gc
import sys

import msgspec
import uvloop

from bench.load import Plan, Result
from bench.load.generator import LoadGenerator


def main() -> None:
    plan = msgspec.json.decode(sys.argv[1], type=Plan)
    gc.disable()  # its pauses would count as latency of the server

    async def run() -> Result:
        return await LoadGenerator(plan).run()

    print(msgspec.json.encode(uvloop.run(run())).decode())


if __name__ == "__main__":
    main()
