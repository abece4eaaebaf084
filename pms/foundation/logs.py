"""Configures structured logs: JSON lines in production, readable lines elsewhere, no secrets."""

import logging
import logging.config
import re
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any

import msgspec
import structlog
from structlog.typing import Processor

from pms.foundation.settings import Settings

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request; read only when a line is logged."""

# What a log must never contain: API keys, bearer tokens, passwords in URLs.
_SECRETS = re.compile(
    r"(?P<key>pms_live_|[Bb]earer\s+)[^\s\"'\\,]+|(?P<address>://[^\s/:@]*:)[^\s/@]+(?=@)"
)


def mask_secrets(text: str) -> str:
    """Return the text with every key, bearer token and password replaced by dots."""
    return _SECRETS.sub(lambda found: f"{found['key'] or found['address']}…", text)


def configure(settings: Settings) -> None:
    """Send the messages of the program and its libraries through one format."""
    logging.config.dictConfig(logging_config(is_production=settings.is_production))
    structlog.configure(
        processors=[
            structlog.stdlib.add_logger_name,
            *_list_processors(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )


def keep_off_output() -> None:
    """Log to standard error until `configure` is called; standard output is a command's result."""
    if not structlog.is_configured():
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(file=sys.stderr))


def logging_config(*, is_production: bool) -> dict[str, Any]:
    """Return the configuration of `logging.config` and gunicorn for the same format."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"house": {"()": formatter, "is_production": is_production}},
        "handlers": {
            "out": {
                "class": "logging.StreamHandler",
                "formatter": "house",
                "stream": "ext://sys.stdout",
            }
        },
        "root": {"level": "WARNING", "handlers": ["out"]},
        "loggers": {
            "pms": {"level": "INFO"},
            "gunicorn.error": {"level": "WARNING", "handlers": ["out"], "propagate": False},
            "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
        },
    }


def formatter(*, is_production: bool) -> logging.Formatter:
    """Return the one formatter; masking is its last step, so that every line is masked."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name, *_list_processors()],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *(_machine_lines() if is_production else _human_lines()),
            _mask_line,
        ],
    )


def _list_processors() -> list[Processor]:
    return [
        _add_request_id,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _add_request_id(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    if request := request_id.get():
        event.setdefault("request_id", request)
    return event


def _machine_lines() -> list[Processor]:
    return [
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(serializer=_encode_event),
    ]


def _human_lines() -> list[Processor]:
    # The plain traceback on purpose: the rich one prints local variables, which may be secrets.
    return [
        structlog.dev.ConsoleRenderer(
            colors=sys.stdout.isatty(),
            pad_event_to=0,
            exception_formatter=structlog.dev.plain_traceback,
        )
    ]


def _encode_event(event: MutableMapping[str, Any], **_: Any) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()


def _mask_line(_: Any, __: str, line: Any) -> str:
    return mask_secrets(str(line))
