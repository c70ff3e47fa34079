"""Document the fields of dataclasses, structs and protocols by the comments beside them."""

import dataclasses
import inspect
from typing import Any

import msgspec
from sphinx.application import Sphinx
from sphinx.util.typing import stringify_annotation

from souk import Game, State
from tools.generate_types import field_comments


def _add_fields(
    _app: Sphinx, what: str, _name: str, kind: Any, _options: object, lines: list[str]
) -> None:
    """Append the fields of a class to its docstring, as autodoc writes attributes.

    Modules get no docstring: a page of the reference begins with its own words.
    """
    if what == "module":
        lines.clear()
    if what != "class" or not _has_fields(kind):
        return
    comments = dict(field_comments(kind))
    defaults = _defaults(kind)
    for name, type_ in _annotations(kind).items():
        lines += ["", f".. attribute:: {name}", f"   :type: {type_}"]
        if name in defaults:
            lines.append(f"   :value: {defaults[name]!r}")
        lines.append("")
        if name in comments:
            lines.append(f"   {comments[name].replace('null', 'None')}")


def _defaults(kind: type) -> dict[str, object]:
    if not dataclasses.is_dataclass(kind):
        return {}
    fields = {field.name: field.default for field in dataclasses.fields(kind)}
    return {name: value for name, value in fields.items() if value is not dataclasses.MISSING}


def _has_fields(kind: type) -> bool:
    is_protocol = getattr(kind, "_is_protocol", False)
    return is_protocol or dataclasses.is_dataclass(kind) or issubclass(kind, msgspec.Struct)


def _annotations(kind: type) -> dict[str, str]:
    fields = {
        name: value
        for base in reversed(kind.__mro__)
        for name, value in inspect.get_annotations(base).items()
        if not (name.startswith("_") or str(value).startswith("typing.ClassVar"))
    }
    return {
        name: value if isinstance(value, str) else stringify_annotation(value, "smart")
        for name, value in fields.items()
    }


def _hide_signature(
    _app: Sphinx, what: str, _name: str, kind: Any, *_: object
) -> tuple[str, None] | None:
    """Hide the arguments of classes that users do not call, or whose fields are listed."""
    is_hidden = what == "class" and (issubclass(kind, Game | State) or _has_fields(kind))
    return ("", None) if is_hidden else None


def setup(app: Sphinx) -> None:
    """Add the fields to the docstrings that autodoc reads."""
    app.connect("autodoc-process-docstring", _add_fields)
    app.connect("autodoc-process-signature", _hide_signature)
