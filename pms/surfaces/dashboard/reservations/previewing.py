"""Shows what a form would do before it is sent: a preview, or the refusal beside its field."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from wtforms import Form

from pms.foundation.errors import Collision, Refused
from pms.surfaces.dashboard.desk import place

Preview = TypeVar("Preview")


@dataclass(frozen=True)
class Shown(Generic[Preview]):
    """What a form would do; nothing before it was asked, or while something stands against it."""

    preview: Preview | None = None
    is_refused: bool = False


def shown_or_refused(form: Form, ask: Callable[[], Preview]) -> Shown[Preview]:
    """Return the preview, or place the refusal in the form."""
    try:
        return Shown(ask())
    except (Refused, Collision) as problem:
        place(form, problem)
        return Shown(is_refused=True)
