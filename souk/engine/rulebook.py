"""Rulebooks: Markdown templates, one per language, that a game's settings fill in.

`read` reads `<language>.md` from a folder and fills in values, so that readers see the rules of
exactly the game that they chose. The syntax of templates, besides Markdown:

`# Title`
    The title, on the first line that is not a note.
`## Title {#id}`
    Starts a section. Ids are the same in all languages; titles are translated.
`{name}`
    Inserts a value, or a word from the section `words`.
`[condition] line`
    Includes the line only if the condition holds; before a `##` heading, the whole section.
    `[pile=open]` requires a value, `[players=3|4]` one of several values, `[cover_own]` a value
    that is neither false, zero, empty nor `no`. `!` negates: `[!cover_own]`. Several terms must
    all hold: `[players=2 pile=open]`.
`line †`, `line †[condition]`
    Marks a statement that the game's rule sheet does not make; with a condition, only where that
    holds. The text keeps the † without the space. The word `mark` says what it stands for, for
    screen readers.
`## Words {#words}`
    Is not shown. Its lines `name: text` define words that depend on values, such as plurals:
    `[dirhams=1] purse: 1 dirham` and `[!dirhams=1] purse: {dirhams} dirhams`.
`![description](name)`
    A drawing of the game (`Game.draw_example`), on a line of its own. The description is for
    screen readers. Plain text has neither, so the text must be complete without the drawing.
`<!-- note -->`
    A note to translators, on a line of its own.

Lines are joined into paragraphs and list items, which end at an empty line, so a line can hold one
sentence. Items that begin with `1.` are renumbered.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

from souk.engine.errors import SoukError, one_of

_LANGUAGE_FILE = re.compile(r"([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\.md")
_CONDITIONAL = re.compile(r"\[([^\]]*)\][ \t]+(.+)")
_MARKED = re.compile(r"(.*\S)[ \t]+†(?:\[([^\]]*)\])?")
_TERM = re.compile(r"(!?)([a-z_]+)(?:=([^\s=|]+(?:\|[^\s=|]+)*))?")
_HEADING = re.compile(r"##[ \t]+(.+?)[ \t]+\{#([a-z][a-z0-9-]*)\}")
_WORD = re.compile(r"([a-z_]+):[ \t]+(.+)")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_OWN_LINE = re.compile(r"- |\d+\. |\||#|!\[")
_NUMBERED = re.compile(r"\d+\. ")
DRAWING = re.compile(r"!\[(.+)\]\(([a-z]+)\)")
MARK = re.compile(r"(?<=\S)†")  # a † after a space is a plain character
_WORDS_ID = "words"
_MARK_WORD = "mark"


class UnknownLanguage(SoukError):
    """There is no rulebook in this language."""


class TemplateError(SoukError):
    """A rulebook has a syntax error or uses an unknown name."""


@dataclass(frozen=True)
class Section:
    """A section of a rulebook."""

    id: str  # the same in all languages
    title: str
    body: str  # Markdown


@dataclass(frozen=True)
class Rulebook:
    """A rulebook with all values filled in."""

    language: str
    title: str
    sections: tuple[Section, ...]
    mark: str = ""  # what † stands for, in a few words

    def markdown(self) -> str:
        """Return the rulebook as one Markdown text, without its drawings.

        >>> print(Rulebook("en", "Go", (Section("end", "The end", "Both pass."),)).markdown())
        # Go
        <BLANKLINE>
        ## The end
        <BLANKLINE>
        Both pass.
        """
        parts = [f"# {self.title}"]
        for section in self.sections:
            parts += [f"## {section.title}", *_without_drawings(section.body)]
        return "\n\n".join(part for part in parts if part)


def _without_drawings(body: str) -> Iterator[str]:
    """Yield the paragraphs of a body without its drawings."""
    for block in body.split("\n\n"):
        yield "\n".join(line for line in block.split("\n") if not DRAWING.fullmatch(line))


def languages(folder: Traversable | Path) -> list[str]:
    """Return the languages of the rulebooks in a folder, sorted: `["en", "fr", "it"]`."""
    if not folder.is_dir():
        return []
    names = (_LANGUAGE_FILE.fullmatch(entry.name) for entry in folder.iterdir())
    return sorted(name[1] for name in names if name)


def read(folder: Traversable | Path, language: str, values: Mapping[str, object]) -> Rulebook:
    r"""Return the rulebook in a language with values filled in.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> source = "# Go\n## Setup {#setup}\nThe board has {size} lines.\n[!komi] No komi."
    >>> _ = (folder / "en.md").write_text(source, encoding="utf-8")
    >>> read(folder, "en", {"size": 19, "komi": False}).sections[0].body
    'The board has 19 lines. No komi.'
    """
    known = languages(folder)
    if language not in known:
        choices = f"choose {one_of(known)}" if known else f"{folder} has none"
        raise UnknownLanguage(f"no rulebook in language {language!r}; {choices}")
    file = f"{language}.md"
    is_switch = frozenset((name, isinstance(value, bool)) for name, value in values.items())
    try:
        text = (folder / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SoukError(f"cannot read the rulebook {folder / file}: {error}") from error
    source = _source(file, text, is_switch)
    texts = {**{name: str(value) for name, value in values.items()}, **_words(source, values)}
    sections = tuple(
        Section(chapter.id, _fill(chapter.heading, texts), _body(chapter.lines, values, texts))
        for chapter in source.chapters
        if chapter.heading.holds(values)
    )
    _check_unique(file, sections)
    return Rulebook(language, _fill(source.title, texts), sections, texts.get(_MARK_WORD, ""))


@dataclass(frozen=True)
class _Term:
    """One term of a condition: `name`, `name=this|that`, or either after a `!`."""

    name: str
    accepted: frozenset[str] | None
    negated: bool

    def holds(self, value: object) -> bool:
        if self.accepted is None:
            return (value in (False, None, "", "no")) == self.negated
        return (str(value) in self.accepted) != self.negated


@dataclass(frozen=True)
class _Line:
    where: str  # "fr.md, line 12", for errors
    terms: tuple[_Term, ...]
    text: str
    mark: tuple[_Term, ...] | None = None  # where the line is marked; None: nowhere

    def holds(self, values: Mapping[str, object]) -> bool:
        return all(term.holds(values[term.name]) for term in self.terms)

    def is_marked(self, values: Mapping[str, object]) -> bool:
        return self.mark is not None and all(term.holds(values[term.name]) for term in self.mark)


@dataclass(frozen=True)
class _Chapter:
    id: str
    heading: _Line  # its text is the title alone
    lines: list[_Line]


@dataclass(frozen=True)
class _Source:
    title: _Line
    chapters: tuple[_Chapter, ...]
    words: tuple[tuple[str, _Line], ...]  # the line's text is what the name stands for


@lru_cache(maxsize=32)  # servers and tests render the same rulebook for many values
def _source(file: str, text: str, is_switch: frozenset[tuple[str, bool]]) -> _Source:
    source = _parse(file, text)
    _check(source, dict(is_switch))
    return source


def _parse(file: str, text: str) -> _Source:
    title, *rest = _lines(file, text) or [_Line(file, (), "")]
    if not title.text.startswith("# "):
        raise TemplateError(f"{title.where}: expected the title, `# Title`, not {title.text!r}")
    chapters = _chapters(rest)
    words = (line for chapter in chapters if chapter.id == _WORDS_ID for line in chapter.lines)
    return _Source(
        replace(title, text=title.text.removeprefix("# ")),
        tuple(chapter for chapter in chapters if chapter.id != _WORDS_ID),
        tuple(_word(line) for line in words if line.text),
    )


def _lines(file: str, text: str) -> list[_Line]:
    """Return the lines from the title on, without notes; empty lines separate paragraphs."""
    numbered = enumerate((raw.strip(" \t") for raw in text.splitlines()), start=1)
    lines = [
        _line(f"{file}, line {number}", stripped)
        for number, stripped in numbered
        if not stripped.startswith("<!--")
    ]
    while lines and not lines[0].text:
        del lines[0]
    return lines


def _line(where: str, text: str) -> _Line:
    terms: tuple[_Term, ...] = ()
    if text.startswith("["):
        match = _CONDITIONAL.fullmatch(text)
        if match is None:
            raise TemplateError(f"{where}: expected `[condition] text`, not {text!r}")
        terms, text = _terms(where, match[1]), match[2]
    marked = _MARKED.fullmatch(text)
    if marked is None:
        return _Line(where, terms, text)
    mark = () if marked[2] is None else _terms(where, marked[2])
    return _Line(where, terms, marked[1], mark)


def _terms(where: str, condition: str) -> tuple[_Term, ...]:
    return tuple(_term(where, term) for term in condition.split(" "))


def _term(where: str, text: str) -> _Term:
    match = _TERM.fullmatch(text)
    if match is None:
        raise TemplateError(
            f"{where}: unknown condition {text!r}; write name, !name, name=value or name=this|that"
        )
    accepted = frozenset(match[3].split("|")) if match[3] else None
    return _Term(match[2], accepted, negated=bool(match[1]))


def _chapters(lines: Iterable[_Line]) -> list[_Chapter]:
    chapters: list[_Chapter] = []
    for line in lines:
        if line.text.startswith("## "):
            chapters.append(_chapter(line))
        elif chapters:
            chapters[-1].lines.append(line)
        elif line.text:
            raise TemplateError(f"{line.where}: expected `## Title {{#id}}`, not {line.text!r}")
    return chapters


def _chapter(line: _Line) -> _Chapter:
    match = _HEADING.fullmatch(line.text)
    if match is None:
        raise TemplateError(f"{line.where}: expected `## Title {{#id}}`, not {line.text!r}")
    return _Chapter(match[2], replace(line, text=match[1]), [])


def _word(line: _Line) -> tuple[str, _Line]:
    match = _WORD.fullmatch(line.text)
    if match is None:
        raise TemplateError(f"{line.where}: expected `name: text`, not {line.text!r}")
    return match[1], replace(line, text=match[2])


def _check(source: _Source, is_switch: Mapping[str, bool]) -> None:
    """Raise TemplateError for unknown names of values, also in lines that are left out."""
    word_lines = [line for _, line in source.words]
    shown = [source.title]
    for chapter in source.chapters:
        shown += [chapter.heading, *chapter.lines]
    for line in (*shown, *word_lines):
        for term in (*line.terms, *(line.mark or ())):
            _check_term(line, term, is_switch)
        if line.mark is not None and _MARK_WORD not in (name for name, _ in source.words):
            raise TemplateError(f"{line.where}: a † needs the word `{_MARK_WORD}`")
    for line in shown:
        _check_placeholders(line, {*is_switch, *(name for name, _ in source.words)})
    for line in word_lines:
        _check_placeholders(line, is_switch.keys())


def _check_term(line: _Line, term: _Term, is_switch: Mapping[str, bool]) -> None:
    if term.name not in is_switch:
        known = _join_names(is_switch)
        raise TemplateError(
            f"{line.where}: unknown name {term.name!r} in a condition; known: {known}"
        )
    if term.accepted is not None and is_switch[term.name]:
        raise TemplateError(
            f"{line.where}: {term.name!r} is on or off; write {term.name} or !{term.name}"
        )


def _check_placeholders(line: _Line, known: Collection[str]) -> None:
    for name in _PLACEHOLDER.findall(line.text):
        if name not in known:
            raise TemplateError(
                f"{line.where}: unknown name {{{name}}}; known: {_join_names(known)}"
            )
    if re.search("[{}]", _PLACEHOLDER.sub("", line.text)):
        raise TemplateError(f"{line.where}: a brace outside a {{name}} in {line.text!r}")


def _check_unique(file: str, sections: Iterable[Section]) -> None:
    for id, count in Counter(section.id for section in sections).items():
        if count > 1:
            raise TemplateError(f"{file}: section id {id!r} appears {count} times, expected once")


def _words(source: _Source, values: Mapping[str, object]) -> dict[str, str]:
    """Return the words whose condition holds. Raise TemplateError if a word is defined twice."""
    words: dict[str, str] = {}
    plain = {name: str(value) for name, value in values.items()}
    for name, line in source.words:
        if name in values:
            raise TemplateError(f"{line.where}: the word {name!r} has the name of a value")
        if not line.holds(values):
            continue
        if name in words:
            raise TemplateError(f"{line.where}: a second wording of {name!r} holds, expected one")
        words[name] = _fill(line, plain)
    return words


def _fill(line: _Line, texts: Mapping[str, str]) -> str:
    for name in _PLACEHOLDER.findall(line.text):
        if name not in texts:
            raise TemplateError(f"{line.where}: no wording of {{{name}}} holds, expected one")
    return _PLACEHOLDER.sub(lambda match: texts[match[1]], line.text)


def _body(lines: Sequence[_Line], values: Mapping[str, object], texts: Mapping[str, str]) -> str:
    filled = [
        _fill(line, texts) + ("†" if line.is_marked(values) else "")
        for line in lines
        if line.holds(values)
    ]
    blocks: list[list[str]] = [[]]
    for text in filled:
        if not text:
            blocks.append([])
        elif blocks[-1] and not _OWN_LINE.match(text):
            blocks[-1][-1] += f" {text}"
        else:
            blocks[-1].append(text)
    return "\n\n".join("\n".join(_renumber(block)) for block in blocks if block)


def _renumber(block: Sequence[str]) -> list[str]:
    """Return the lines of a block with its numbered items counted from 1."""
    number = 0
    lines = []
    for text in block:
        if _NUMBERED.match(text):
            number += 1
            text = _NUMBERED.sub(f"{number}. ", text, count=1)
        lines.append(text)
    return lines


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
