"""`souk serve` without garbage collection, with metrics of our objects in memory.

Objects in reference cycles stay in memory here, so tests can find them.
"""

import gc
import weakref

from prometheus_client import Gauge

from souk.cli import main
from souk.server.live import live_table
from souk.server.live.websocket import SocketProtocol

IN_MEMORY = "souk_test_in_memory"


def count_instances(kind: type) -> None:
    """Show how many instances of a class there are, among the metrics."""
    alive: weakref.WeakSet[object] = weakref.WeakSet()
    made = kind.__init__

    def counted(self: object, *given: object, **named: object) -> None:
        made(self, *given, **named)
        alive.add(self)

    kind.__init__ = counted
    GAUGE.labels(kind.__name__).set_function(lambda: len(alive))


if __name__ == "__main__":
    GAUGE = Gauge(IN_MEMORY, "Instances in memory.", ["kind"])
    count_instances(SocketProtocol)
    count_instances(live_table.LiveTable)
    live_table.IDLE_SECONDS = 1.0  # a minute for a test would be long
    gc.disable()
    main()
