"""Write types as Markdown tables, and other Markdown."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tools.generate_types import Writer, first_line


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a Markdown table.

    >>> print(table(["a", "b"], [["1", "x | y"]]))
    | a | b |
    |---|---|
    | 1 | x \| y |
    """
    lines = [head, ["---"] * len(head), *rows]
    texts = [" | ".join(cell.replace("|", r"\|") for cell in line) for line in lines]
    texts[1] = "|".join(lines[1])
    return "\n".join(f"|{text}|" if n == 1 else f"| {text} |" for n, text in enumerate(texts))


class TypeTables(Writer):
    """Write every type as a heading and a table of its fields, in the notation of TypeScript."""

    def __init__(
        self, prefix: str, *, meanings: Mapping[str, str], examples: Mapping[str, str] | None = None
    ) -> None:
        """Begin the names of link targets, which are unique in the whole site, with a prefix.

        `meanings` are those of fields without a comment, by their names, and `examples` are
        sentences by the names of types.
        """
        super().__init__()
        self.prefix = prefix
        self.meanings = meanings
        self.examples = examples or {}

    def text(self) -> str:
        """Return everything written so far; names of types are links."""
        return "\n\n".join(self.lines) + "\n"

    def heading(self, text: str) -> None:
        self.lines.append(f"## {text[0].upper()}{text[1:]}")

    def alias(self, name: str, members: Iterable[str], about: str = "") -> None:
        self._title(name)
        self.lines += [about] * bool(about)
        self.lines.append("One of " + ", ".join(self.link(member) for member in members) + ".")

    def interface(self, kind: type, *, is_request: bool = False) -> None:
        self._title(self.names[kind])
        self.lines.append(first_line(kind))
        if kind.__name__ in self.examples:
            self.lines.append(f"For example: *{self.examples[kind.__name__]}*")
        rows = [
            [f"`{name}`", self.link(written), about or self.meanings.get(name.rstrip("?"), "")]
            for name, written, about in self.fields(kind, is_request=is_request)
        ]
        if rows:
            self.lines.append(table(["field", "type", "meaning"], rows))

    def link(self, written: str) -> str:
        """Return a type with links to the types that it names, and literals as code."""

        def part(match: re.Match[str]) -> str:
            word = match[0]
            if word.startswith('"'):
                return f"`{word}`"
            is_known = word in self.names.values()
            return f"[{word}](#{self.prefix}{word.lower()})" if is_known else word

        return re.sub(r'"[^"]*"|\w+', part, written).replace("<", "&lt;")

    def _title(self, name: str) -> None:
        self.lines.append(f"({self.prefix}{name.lower()})=\n### {name}")
