"""Write the pages about the messages and requests of the protocol, from the server's types."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI

from souk.server.http.app import ROUTES
from souk.server.http.openapi import add_schemas
from tools.docs_site.tables import TypeTables, table
from tools.generate_types import protocol

PREFIX = "message-"
# Of fields that mean the same everywhere.
MEANINGS = {
    "action": "its text",
    "at": "when, in milliseconds since 1970",
    "code": "for programs",
    "commitment": "to the dice, which the secret reveals",
    "created": "in milliseconds since 1970",
    "ended": "in milliseconds since 1970",
    "expires": "in milliseconds since 1970",
    "host": "the person who created the table",
    "legal": "the texts of the legal actions",
    "level": "the name of a computer player",
    "message": "for people",
    "n": "the number of the event at its table, without gaps",
    "now": "the server's clock, in milliseconds since 1970",
    "person": "a public id",
    "record": "the text of a game record",
    "request": "your own name for the command; a repeated one acts once",
    "scores": "by seat",
    "seat": "counted from 0",
    "started": "in milliseconds since 1970",
    "token": "secret: it proves the identity",
    "type": "the kind of message",
    "version": "of the position: it counts actions, chance included",
}
MESSAGES = """\
# Messages and their types

This page is generated from the types with which the server encodes and checks its messages. They
are written as in TypeScript: `string[]` is a list of strings, `Record<string, number>` an object
with names and numbers, `| null` means that a value may be missing, and a field with a `?` may be
left out. [The protocol](../protocol.md) explains how messages are used. The
[pages of the games](../games.md) have the types of their positions and events.

"""
REQUESTS = """\
# Requests over HTTP

This page is generated from the server's routes, as is `/api/openapi.json` on every server.
[The protocol](../protocol.md) explains how requests are used.

"""


def files() -> dict[str, str]:
    """Return the pages by their path below docs/generated."""
    return {"messages.md": MESSAGES + protocol(_tables()), "requests.md": _requests()}


def _tables() -> TypeTables:
    return TypeTables(PREFIX, meanings=MEANINGS)


def _requests() -> str:
    app = FastAPI()
    for part in ROUTES:
        app.include_router(part.router)
    add_schemas(app)
    tables = _tables()
    protocol(tables)  # for the names of the types
    operations = {
        f"{method.upper()} {path}": operation
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
    }
    common = _common_refusals(operations)
    parts = [
        REQUESTS + f"Besides what is listed, any request may be refused with {_codes(common)}."
    ]
    for title, operation in operations.items():
        parts += [f"## `{title}`", *_operation(operation, tables, common)]
    return "\n\n".join(parts) + "\n"


def _refusals(operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the status and the code of every refusal."""
    for status, response in operation["responses"].items():
        if status >= "400":
            for code in response["description"].split(", "):
                yield status, code


def _common_refusals(operations: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the refusals of most requests, which are not listed with each."""
    counts = Counter(one for operation in operations.values() for one in _refusals(operation))
    return sorted(one for one, count in counts.items() if 2 * count > len(operations))


def _codes(refusals: list[tuple[str, str]]) -> str:
    return ", ".join(f"{status} `{code}`" for status, code in refusals)


def _operation(
    operation: Mapping[str, Any], tables: TypeTables, common: list[tuple[str, str]]
) -> Iterator[str]:
    yield operation["description"]
    parameters = [
        [
            f"`{one['name']}`" + ("" if one["required"] else "?"),
            "the path" if one["in"] == "path" else "the query",
            tables.link(_type(one["schema"])),
            _default(one["schema"]),
        ]
        for one in operation.get("parameters", ())
    ]
    if parameters:
        yield table(["parameter", "in", "type", "default"], parameters)
    if "requestBody" in operation:
        yield f"Body: {_content(operation['requestBody'], tables)}"
    for status, response in operation["responses"].items():
        if status < "400":
            yield f"Answer: {status} {_content(response, tables)}"
    special = [one for one in sorted(_refusals(operation)) if one not in common]
    if special:
        yield f"Refusals: {_codes(special)}"


def _default(schema: Mapping[str, Any]) -> str:
    return f"`{schema['default']}`" if "default" in schema else ""


def _content(holder: Mapping[str, Any], tables: TypeTables) -> str:
    texts = [
        tables.link(_type(content["schema"])) if kind == "application/json" else "plain text"
        for kind, content in holder.get("content", {}).items()
    ]
    return " or ".join(texts) or "without a body"


def _type(schema: Mapping[str, Any]) -> str:
    """Return a JSON schema in the notation of TypeScript.

    >>> _type({"type": "array", "items": {"$ref": "#/components/schemas/TableView"}})
    'TableView[]'
    """
    if "$ref" in schema:
        return re.sub(r".*/", "", schema["$ref"])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join(f'"{value}"' for value in values)
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    kind = schema.get("type", "unknown")
    if kind == "array":
        return f"{_type(schema['items'])}[]"
    kinds = [kind] if isinstance(kind, str) else kind
    return " | ".join({"integer": "number"}.get(one, one) for one in kinds)
