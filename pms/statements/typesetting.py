"""Sets a paper: a template of `templates/papers` and its facts become a PDF."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import typst

TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "papers"
FONTS: Final = TEMPLATES / "fonts"


def typeset(template: str, facts: Mapping[str, Any]) -> bytes:
    """Return the PDF of a template; the facts are data to it, never markup."""
    return typst.compile(
        TEMPLATES / f"{template}.typ",
        root=TEMPLATES,
        font_paths=[FONTS],
        ignore_system_fonts=True,
        pdf_standards="ua-1",
        sys_inputs={"facts": json.dumps(facts, ensure_ascii=False)},
        timestamp=0,
    )
