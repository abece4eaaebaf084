"""Finds long work by its name, so that a surface starts it without importing the jobs."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def long_work(name: str) -> Callable[..., Any]:
    """Return the function of that name from the jobs' file of the same name."""
    work: Callable[..., Any] = getattr(import_module(f"pms.jobs.{name}"), name)
    return work
