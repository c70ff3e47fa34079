"""Highlight the examples of the protocol: requests over HTTP and messages over a socket."""

from pygments.lexer import RegexLexer
from pygments.token import Generic, Keyword, Name, Number, String, Text
from sphinx.application import Sphinx


class ExchangeLexer(RegexLexer):
    """JSON messages, `>` before those of a client, and first lines of requests and answers."""

    tokens = {  # noqa: RUF012 - Pygments declares it
        "root": [
            (r"^> ", Generic.Prompt),
            (r"^[A-Z]+(?= /)", Keyword),
            (r"/\S+$", Name.Namespace),
            (r'("[^"]*")(?=:)', Name.Tag),
            (r'"[^"]*"', String),
            (r"-?\d[\d.e-]*", Number),
            (r"\b(true|false|null)\b", Keyword.Constant),
            (r"[^\"\d\w]|\w+", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    """Use it for the blocks of docs/protocol.md."""
    for name in ("http", "exchange"):
        app.add_lexer(name, ExchangeLexer)
