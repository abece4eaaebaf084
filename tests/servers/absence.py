"""What a test does when the machine lacks a server: skip with the reason, fail in CI."""

import os
from typing import NoReturn

import pytest


class MissingServerError(Exception):
    """No usable program for a server; the message tells what was looked for."""


def give_up(reason: str) -> NoReturn:
    """Skips the test that asked; under CI=true nothing may be skipped, so it fails."""
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(f"not skipped under CI: {reason}", pytrace=False)
    pytest.skip(reason)
