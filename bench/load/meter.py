"""Measure a server under load: moves, latencies, bytes and CPU time."""

import os
import time
from array import array
from pathlib import Path

from bench.load import Plan, Result

TICKS = os.sysconf("SC_CLK_TCK")


class Meter:
    """Measures between `start` and `stop`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.result = Result()
        self.is_on = False
        self.answered = array("d")
        self.broadcast = array("d")
        self._began = (0.0, 0.0, 0.0)

    def start(self) -> None:
        self._signal()
        self._began = self._now()
        self.is_on = True

    def stop(self) -> None:
        self.is_on = False
        spent = [now - then for now, then in zip(self._now(), self._began, strict=True)]
        self.result.seconds += spent[0]
        self.result.cpu += spent[1]
        self.result.own_cpu += spent[2]
        self._signal()

    def _signal(self) -> None:
        if self.plan.signal:
            os.kill(self.plan.pid, self.plan.signal)

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), cpu_seconds(self.plan.pid), time.process_time()

    def finish(self) -> Result:
        self.result.answered = percentiles(self.answered)
        self.result.broadcast = percentiles(self.broadcast)
        return self.result


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, without its children."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS


def percentiles(seconds: "array[float]") -> tuple[float, float]:
    """Return the median and the 99th percentile, in milliseconds."""
    if not seconds:
        return 0.0, 0.0
    ordered = sorted(seconds)
    return 1e3 * ordered[len(ordered) // 2], 1e3 * ordered[len(ordered) * 99 // 100]
