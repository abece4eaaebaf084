"""Sheets to fill in: the columns that a reader knows, with one example row."""

import tomllib
from pathlib import Path
from typing import Any, Final

from pms.foundation.errors import no_such
from pms.foundation.spreadsheet import xlsx_file

_TEMPLATES: Final = Path(__file__).parent / "templates.toml"


def sheet_template(kind: str, language: str) -> bytes:
    """Return the workbook of a kind in a language; raise `NotFound` for a kind nobody reads."""
    kinds: dict[str, Any] = tomllib.loads(_TEMPLATES.read_text())
    if kind not in kinds or language not in kinds[kind]:
        raise no_such("template", kind)
    template = kinds[kind][language]
    return xlsx_file([template["heads"], template["row"]], kind)
