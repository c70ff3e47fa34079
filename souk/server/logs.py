"""Logs: one JSON object a line, so that nothing anybody typed can look like another line."""

import json
import logging
import sys
import time

_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """A record as one line of JSON: time, level, what happened, and the facts given with it."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        facts = {key: value for key, value in vars(record).items() if key not in _USUAL}
        line = {
            "at": f"{moment}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "what": record.getMessage(),
            **facts,
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up(level: str) -> None:
    """Send everything, uvicorn's lines too, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "souk"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_is_ours)


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether something is our trouble, and not a page about a client that sends no UTF-8."""
    return not record.getMessage().startswith("Invalid UTF-8")
