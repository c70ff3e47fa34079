"""The knobs of MarraCash."""

from souk.engine.errors import one_of
from souk.engine.knobs import Choice, Flag, Integer, Knob, Text
from souk.games.marracash.board_file import SHIPPED

COMMISSIONS = ("per-customer", "per-group", "once")  # in the kernel's order

KNOBS: tuple[Knob, ...] = (
    Integer("players", "how many play", 3, 4, default=4),
    Choice(
        "commission",
        "mover's commission: for each customer by their payment or the group's, or once for a shop",
        COMMISSIONS,
    ),
    Flag("souvenirs", "variant: customers buy souvenirs, and a shop's owner sells cards"),
    Flag("pull_in", "option: visitors beside a shop enter it when it is bought"),
    Text("layout", "the board", f"{one_of(SHIPPED)} or a board file", SHIPPED),
)
