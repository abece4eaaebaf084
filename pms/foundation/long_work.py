"""Finds long work by its name, so that a surface starts it without importing the jobs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def long_work(name: str, function: str | None = None) -> Callable[..., Any]:
    """Return a function of a file of the jobs, by default the one of the file's name."""
    work: Callable[..., Any] = getattr(import_module(f"pms.jobs.{name}"), function or name)
    return work
