"""What is typed of a checklist: its points in both languages, line by line."""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Field, Form
from wtforms.validators import StopValidation

from pms.foundation.bilingual import Bilingual

_STEP: Final = re.compile(r"(up|down|remove|add)\.([0-9]{1,3})")
_MOST_TYPED: Final = 100
_LONGEST: Final = 200


class TypedPoint(NamedTuple):
    """One point as it was typed; as a text both languages stand on one line."""

    ja: str
    en: str

    def __str__(self) -> str:
        return " / ".join(word for word in self if word)


class PointsField(Field):
    """Points in their order; the form sends the Japanese and the English text of each in turn."""

    data: list[TypedPoint]

    def process_data(self, value: Sequence[Bilingual] | None) -> None:
        self.data = [TypedPoint(point.ja or "", point.en or "") for point in value or ()]

    def process_formdata(self, valuelist: list[Any]) -> None:
        texts = [str(text).strip() for text in valuelist[: 2 * _MOST_TYPED]]
        self.data = [TypedPoint(*pair) for pair in zip(texts[::2], texts[1::2], strict=False)]

    def pre_validate(self, form: object) -> None:
        if any(len(word) > _LONGEST for point in self.data for word in point):
            raise StopValidation(gettext("A point has at most %(most)s characters.", most=_LONGEST))

    def take_step(self, step: str) -> bool:
        """Move a point up or down, take it out, or add an empty one; tell whether it was a step."""
        found = _STEP.fullmatch(step)
        if found is None:
            return False
        at, data = int(found[2]), self.data
        if found[1] == "add":
            data.append(TypedPoint("", ""))
        elif found[1] == "remove" and at < len(data):
            del data[at]
        elif found[1] in ("up", "down"):
            other = at + (1 if found[1] == "down" else -1)
            if at < len(data) and 0 <= other < len(data):
                data[at], data[other] = data[other], data[at]
        return True


class ChecklistForm(Form):
    """The points of one checklist."""

    points = PointsField(_("Points"))

    @classmethod
    def of(cls, points: Sequence[Bilingual]) -> Self:
        """Return the form that shows a checklist."""
        return cls(data={"points": points})

    @property
    def written(self) -> list[Bilingual]:
        """What was typed, as a checklist keeps it; lines without words are left out."""
        typed = (Bilingual(point.ja or None, point.en or None) for point in self.points.data)
        return [point for point in typed if point.ja or point.en]
