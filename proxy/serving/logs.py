"""The log as an operator wants it: lines for people or JSON for machines, each with its session and statement."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from proxy.wire.log_context import CONTEXT


class TextFormatter(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(name)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        context, line = CONTEXT.get(), super().format(record)
        if context is None:
            return line
        return f"{line} [{context.analyst}, session {context.session}, statement {context.statement}]"


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and analyst, session and statement where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        context = CONTEXT.get()
        if context is not None:
            said |= {"analyst": context.analyst, "session": context.session, "statement": context.statement}
        if record.exc_info:
            said["trace"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def set_up_logs(*, as_json: bool, level: str) -> None:
    """Let everything that is logged go to standard error.

    Args:
        as_json: as JSON, not for people.
        level: the least that is shown: debug, info, warning or error.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler])
