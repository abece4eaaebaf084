"""Reads a size in square metres, kept in hundredths."""

import re

from flask_babel import gettext as _

from pms.surfaces.fields import WholeNumberField

_MOST_SQM = 99_999


class SizeField(WholeNumberField):
    """A size such as 25 or 25.42; its `data` are hundredths of a square metre."""

    def read(self, typed: str, given: str) -> int:
        found = re.fullmatch(r"([0-9]{1,5})(?:\.([0-9]{1,2}))?", typed)
        centi = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else 0
        if not centi:
            raise ValueError(
                _("Square metres such as 25 or 25.42, at most %(most)s.", most=_MOST_SQM)
            )
        return centi

    def shown(self, value: int) -> str:
        return f"{value // 100}.{value % 100:02}"
