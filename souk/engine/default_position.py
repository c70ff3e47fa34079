"""Positions as JSON for games that only describe the fields of their buffer.

A field is a knob (`souk.engine.knobs`): its name is that of a slot in lower case, and it accepts
the values that the slot may have. A field with several slots, such as one for each seat, is a list.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.errors import SoukError, brief
from souk.engine.json_reader import MISSING, PositionReader
from souk.engine.knobs import Choice, Flag, Knob, Value
from souk.engine.position_encoder import PositionPart, encode_fields, select_slots
from souk.engine.state import TERMINAL

if TYPE_CHECKING:
    from souk.engine.game import Game


def slots_of(game: "Game") -> dict[str, range]:
    """Return the slots of every field, and of every knob that is one: each reaches to the next."""
    kernel = vars(game.rules)
    names = [one.name for one in (*game.position_fields, *game.slot_knobs)]
    for name in names:
        if names.count(name) > 1:
            raise SoukError(f"{game.name} describes {name} twice; each knob and field needs a name")
        if not isinstance(kernel.get(name.upper()), int):
            raise SoukError(f"the kernel of {game.name} has no slot {name.upper()}")
    starts = sorted((kernel[name.upper()], name) for name in names)
    ends = [start for start, _ in starts[1:]] + [game.rules.SIZE]
    slots = {name: range(start, end) for (start, name), end in zip(starts, ends, strict=True)}
    single = {knob.name for knob in game.slot_knobs}
    for name, own in slots.items():
        if not own or (name in single and len(own) > 1):
            raise SoukError(
                f"the slot {name.upper()} of {game.name} reaches from {own.start} to the next one"
                f" at {own.stop}: describe every slot once, in position_fields or as a knob"
            )
    if starts and starts[0][0] != 0:
        raise SoukError(f"no field or knob of {game.name} describes the slots from 0 on")
    for name in game.seat_fields:
        if name not in slots or len(slots[name]) != game.num_players():
            raise SoukError(
                f"seat_fields of {game.name}: {name!r} is no field with a value per seat"
            )
    return slots


def slot_value(knob: Knob, value: Value) -> int:
    """Return the number in the slot of a knob or field: a choice is numbered from 0."""
    return knob.values.index(str(value)) if isinstance(knob, Choice) else int(value)


def field_value(knob: Knob, number: int) -> Value:
    """Return the value of a field whose slot has a number."""
    if isinstance(knob, Choice):
        return knob.values[number]
    return bool(number) if isinstance(knob, Flag) else number


def field_values(game: "Game", buffer: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a position: a value, or a list of values where there are several."""
    fields: dict[str, Any] = {}
    for field in game.position_fields:
        values = [field_value(field, buffer[slot]) for slot in game.slots[field.name]]
        fields[field.name] = values[0] if len(values) == 1 else values
    return fields


def position_parts(game: "Game") -> tuple[PositionPart, ...]:
    """Return the only part, which writes all fields."""
    return (
        PositionPart(
            select_slots((0, game.rules.SIZE)),
            lambda buffer: encode_fields(field_values(game, buffer)),
        ),
    )


class FieldReader(PositionReader):
    """Reads the fields of a position into a buffer."""

    def __init__(self, game: "Game") -> None:
        super().__init__(game)
        self.game = game
        self.keys = tuple(field.name for field in game.position_fields)

    def read_pieces(self, fields: Mapping[str, Any]) -> None:
        for field in self.game.position_fields:
            slots = self.game.slots[field.name]
            value = fields[field.name]
            if len(slots) == 1:
                self.read_field(field, field.name, value, slots[0])
            else:
                many = self.read_list(field.name, value, "values", len(slots))
                for number, (slot, one) in enumerate(zip(slots, many, strict=False)):
                    self.read_field(field, f"{field.name}[{number}]", one, slot)
        if not self.problems:
            self.problems += self.game.position_problems(self.S)
        if not self.problems:
            self.check_legal()

    def check_legal(self) -> None:
        """Report a position in which no action is legal although the game goes on."""
        goes_on = self.k.mover(self.S) != TERMINAL
        if goes_on and not self.k.legal_actions(self.S, [0] * self.k.MOST_LEGAL):
            self.report("position", "the game goes on, but no action is legal")

    def read_field(self, field: Knob, where: str, value: Any, slot: int) -> None:
        if field.fits(value):
            self.S[slot] = slot_value(field, value)
        elif value is not MISSING:
            self.report(where, f"must be {field.accepts}, not {brief(value)}")
