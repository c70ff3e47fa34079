"""The page's types of everything the server says and hears, from the server's own structs.

`python -m tools.typescript` writes web/src/lib/protocol.ts; a test fails when it is out of date.
Names are those of Python. What would clash is told apart by a prefix or an ending: events and
positions of a game begin with its name (`MarrakechPaid`), commands end in `Command`.
"""

import dataclasses
import importlib
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Union

import msgspec
import pydantic

from souk.analysis import game_analysis
from souk.engine import events as engine
from souk.games import game_class, names
from souk.server.http import replays, request_bodies, rulebooks
from souk.server.live import analyses
from souk.server.tables import commands, entries, hosted_games, table, table_request, views

TARGET = Path(__file__).parent.parent / "web" / "src" / "lib" / "protocol.ts"
WIDTH = 80  # of a line
HEAD = """\
// Written by `python -m tools.typescript` from the server's own types. Do not edit.
"""

ALIASES: Mapping[str, Any] = {
    "Code": commands.Code,
    "Status": table.Status,
    "Kind": table.Kind,
    "AbsencePolicy": entries.AbsencePolicy,
    "TakeoverReason": entries.TakeoverReason,
}
SENT = (
    *(views.SeatView, views.ChatLine, views.ResultView, views.TableView, views.PositionView),
    *(views.Step, views.EventView, views.Option, hosted_games.KnobView, hosted_games.GameView),
    *(rulebooks.RulesSection, rulebooks.RulesView),
    *(replays.Frame, replays.ReplaySeat, replays.Replay, replays.Verification),
    *(game_analysis.Alternative, game_analysis.AnalysedStep),
    *(game_analysis.PlayerSummary, game_analysis.GameAnalysis),
    analyses.AnalysisReply,
    *(engine.Gain, engine.Outcome, engine.Preview),
)
SERVER_MESSAGES = (
    *(views.Welcome, views.Events, views.Ack, views.Refused, views.PreviewReply, views.HintReply),
    *(views.Pong, views.Goodbye),
)
COMMANDS = typing.get_args(commands.AnyCommand)

# What Python's types leave open, because it is encoded once for all games.
SAID_BETTER: Mapping[tuple[type, str], str] = {
    (views.PositionView, "position"): "Position",
    (views.Step, "events"): "GameEvent[]",
    (views.EventView, "kind"): "EventKind",
    (views.Events, "events"): "EventView[]",
    (views.PreviewReply, "preview"): "Preview",
    (replays.Frame, "events"): "GameEvent[]",
    (replays.Frame, "position"): "Position",
    # As `Preview.to_dict` writes them: an action is its text.
    (engine.Outcome, "action"): "string",
    (engine.Outcome, "events"): "GameEvent[]",
    (engine.Preview, "action"): "string",
    (engine.Preview, "events"): "GameEvent[]",
    (engine.Preview, "later"): "GameEvent[]",
}
LEFT_OUT = {(engine.Outcome, "text"), (engine.Preview, "text")}

PLAIN: Mapping[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
    msgspec.Raw: "unknown",
}


class Writer:
    """Writes types; knows under which name each one goes."""

    def __init__(self) -> None:
        self.named: dict[Any, str] = {}
        self.words: dict[str, str] = {}  # of the game that is written, by the name of a field
        self.lines: list[str] = []

    def name(self, kinds: Iterable[type], *, prefix: str = "", ending: str = "") -> None:
        """Choose the names of some types."""
        for kind in kinds:
            name = f"{prefix}{kind.__name__}{ending}"
            assert name not in self.named.values(), f"two types would be called {name}"
            self.named[kind] = name

    def alias(self, name: str, members: Iterable[str], about: str = "") -> None:
        """Write a union under a name of its own."""
        if about:
            self.lines.append(f"/** {about} */")
        listed = list(members)
        short = f"export type {name} = {' | '.join(listed)};"
        if len(short) <= WIDTH:
            self.lines += [short, ""]
            return
        self.lines.append(f"export type {name} =")
        self.lines += [f"  | {member}" for member in listed]
        self.lines[-1] += ";"
        self.lines.append("")

    def interface(self, kind: type, *, is_asked: bool = False) -> None:
        """Write a struct; in what is asked, whatever has a default may be left out."""
        comments = dict(_comments(kind))
        self.lines.append(f"/** {_first_line(kind)} */")
        self.lines.append(f"export interface {self.named[kind]} {{")
        config = getattr(kind, "__struct_config__", None)
        if config is not None and config.tag is not None:
            self.lines.append(f'  {config.tag_field}: "{config.tag}";')
        may_lack = is_asked or (config is not None and config.omit_defaults)
        for name, type_, has_default in _fields(kind):
            if (kind, name) in LEFT_OUT:
                continue
            is_unset = msgspec.UnsetType in typing.get_args(type_)
            mark = "?" if is_unset or (may_lack and has_default) else ""
            if name in comments:
                self.lines.append(f"  /** {comments[name]} */")
            said = SAID_BETTER.get((kind, name)) or self.told(type_)
            if said == "string":
                said = self.words.get(name, said)
            self.lines.append(f"  {name}{mark}: {said};")
        self.lines += ["}", ""]

    def told(self, kind: Any) -> str:
        """A type as TypeScript has it."""
        origin, inside = typing.get_origin(kind), typing.get_args(kind)
        if origin is Annotated:
            return self.told(inside[0])
        if (isinstance(kind, type) and kind in self.named) or origin is Literal:
            named = self.named.get(kind)
            return named or " | ".join(f'"{value}"' for value in inside)
        if kind in PLAIN:
            return PLAIN[kind]
        if origin in (Union, types.UnionType):
            members = [self.told(one) for one in inside if one is not msgspec.UnsetType]
            return " | ".join(dict.fromkeys(members))
        if origin is list or (origin is tuple and inside[-1] is Ellipsis):
            item = self.told(inside[0])
            return f"({item})[]" if "|" in item else f"{item}[]"
        if origin is tuple:
            return f"[{', '.join(map(self.told, inside))}]"
        if origin is dict:
            key, value = map(self.told, inside)
            record = f"Record<{key}, {value}>"
            return record if key == "string" else f"Partial<{record}>"
        raise TypeError(f"no TypeScript for {kind!r}")


def _fields(kind: type) -> Iterator[tuple[str, Any, bool]]:
    """Name, type and whether there is a default, of every field."""
    hints = typing.get_type_hints(kind, include_extras=True)
    if issubclass(kind, msgspec.Struct):
        for one in msgspec.structs.fields(kind):
            yield one.name, hints[one.name], not one.required
    elif issubclass(kind, pydantic.BaseModel):
        for name, info in kind.model_fields.items():
            yield name, hints[name], not info.is_required()
    else:
        assert dataclasses.is_dataclass(kind)
        for field in dataclasses.fields(kind):
            yield field.name, hints[field.name], False


def _comments(kind: type) -> Iterator[tuple[str, str]]:
    """What is written behind a field, or in its description, of a class and what it builds on."""
    if issubclass(kind, pydantic.BaseModel):
        for name, info in kind.model_fields.items():
            if info.description:
                yield name, info.description
        return
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("souk."):
            for line in inspect.getsource(base).splitlines():
                found = re.fullmatch(r"    (\w+): .*?  # (.+)", line)
                if found:
                    yield found[1], found[2].replace("None", "null")


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _own(module: types.ModuleType, base: type) -> list[type]:
    """The types that a module defines, in their order."""
    found = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == module.__name__
    ]
    return [kind for kind in found if not kind.__name__.startswith("_")]


def protocol() -> str:
    """The whole file."""
    writer = Writer()
    strict = table_request.Strict
    bodies = [
        kind
        for module in (table_request, request_bodies)
        for kind in _own(module, pydantic.BaseModel)
        if kind is not strict
    ]
    requests: list[type] = [kind for kind in bodies if issubclass(kind, strict)]
    answers: list[type] = [kind for kind in bodies if not issubclass(kind, strict)]
    writer.name((*SENT, *SERVER_MESSAGES, *requests, *answers))
    writer.name(COMMANDS, ending="Command")
    writer.named.update({kind: name for name, kind in ALIASES.items()})
    games = {name: _named_game(writer, name) for name in names()}
    writer.lines += [HEAD, "// ---- words", ""]
    for alias, kind in ALIASES.items():
        writer.alias(alias, [f'"{value}"' for value in typing.get_args(kind)])
    happened = [kind.kind() for kind in typing.get_args(entries.AnyEntry)]
    writer.alias("EventKind", [f'"{kind}"' for kind in happened])
    for game, (shape, events, parts) in games.items():
        _write_game(writer, game, shape, events, parts)
    prefixes = [_prefix(game) for game in games]
    writer.lines += ["// ---- what the server sends", ""]
    writer.alias("GameEvent", [f"{prefix}Event" for prefix in prefixes], "An event of any game.")
    writer.alias("Position", [f"{prefix}Position" for prefix in prefixes], "That of any game.")
    for struct in (*SENT, *SERVER_MESSAGES):
        writer.interface(struct)
    told = [writer.named[kind] for kind in SERVER_MESSAGES]
    writer.alias("ServerMessage", told, "What comes over a socket; `type` tells which.")
    writer.lines += ["// ---- what a client sends over a socket", ""]
    for command in COMMANDS:
        writer.interface(command, is_asked=True)
    writer.alias("Command", [writer.named[kind] for kind in COMMANDS], "`type` tells which.")
    writer.lines += ["// ---- bodies of requests and answers over HTTP", ""]
    for body in requests:
        writer.interface(body, is_asked=True)
    for body in answers:
        writer.interface(body)
    return "\n".join(writer.lines).rstrip() + "\n"


Game = tuple[types.ModuleType, list[type], list[type]]


def _prefix(game: str) -> str:
    return game_class(game).__name__


def _named_game(writer: Writer, game: str) -> Game:
    """The shape of a game's positions, its events, and the parts of these."""
    shape = importlib.import_module(f"souk.games.{game}.schema")
    told = importlib.import_module(f"souk.games.{game}.events")
    events = _own(told, engine.Event)
    parts = [kind for kind in _own(told, msgspec.Struct) if kind not in events]
    for kinds in (_own(shape, msgspec.Struct), events, parts):
        writer.name(kinds, prefix=_prefix(game))
    return shape, events, parts


def _write_game(
    writer: Writer, game: str, shape: types.ModuleType, events: list[type], parts: list[type]
) -> None:
    """A game's words, positions and events. A `colour` is a `Colour`, if the shape has that."""
    prefix = _prefix(game)
    writer.lines += [f"// ---- {game}", ""]
    words = {name: kind for name, kind in vars(shape).items() if typing.get_origin(kind) is Literal}
    for alias, kind in words.items():
        writer.named[kind] = f"{prefix}{alias}"
        writer.alias(f"{prefix}{alias}", [f'"{value}"' for value in typing.get_args(kind)])
    writer.words = {alias.lower(): f"{prefix}{alias}" for alias in words}
    for struct in (*_own(shape, msgspec.Struct), *parts, *events):
        writer.interface(struct)
    writer.words = {}
    writer.alias(f"{prefix}Event", [writer.named[kind] for kind in events], "`event` tells which.")


def main() -> None:
    """Write the file, or with --check say whether it is up to date."""
    text = protocol()
    if "--check" in sys.argv[1:]:
        is_same = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
        sys.exit(0 if is_same else "web/src/lib/protocol.ts is old: python -m tools.typescript")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
