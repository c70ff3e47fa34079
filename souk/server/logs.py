"""Logs: one JSON object a line, so that no input can forge another line."""

import json
import logging
import math
import sys
import time
from collections import Counter

RARE_SECONDS = 60.0

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Format a record as one line of JSON: time, level, message, and its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        extra = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        line = {
            "time": f"{moment}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **extra,
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up(level: str) -> None:
    """Log to standard error, uvicorn's messages included."""
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
    logging.getLogger("uvicorn.error").addFilter(_is_relevant)


def _is_relevant(record: logging.LogRecord) -> bool:
    """Return whether a message is of interest, and not about an invalid request.

    Otherwise clients could fill the log.
    """
    return not record.getMessage().startswith(("Invalid ", "Unsupported upgrade", "No supported"))


class RareLog:
    """Log each message at most once a minute, with the number of times it was left out."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._last: dict[str, float] = {}
        self._left_out: Counter[str] = Counter()

    def warning(self, message: str, **extra: object) -> None:
        """Log a warning, unless it was logged within a minute."""
        now = time.monotonic()
        if now < self._last.get(message, -math.inf) + RARE_SECONDS:
            self._left_out[message] += 1
            return
        self._last[message] = now
        self._log.warning(message, extra={**extra, "left_out": self._left_out.pop(message, 0)})
