"""Sets a paper: a template of `templates/papers` and its facts become a PDF."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import typst

TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "papers"


def typeset(template: str, facts: Mapping[str, Any]) -> bytes:
    """Return the PDF of a template; the facts are data to it, never markup."""
    return typst.compile(
        TEMPLATES / f"{template}.typ",
        root=TEMPLATES,
        font_paths=_fonts(),
        ignore_system_fonts=True,
        pdf_standards="ua-1",
        sys_inputs={"facts": json.dumps(facts, ensure_ascii=False)},
        timestamp=0,
    )


@cache
def _fonts() -> typst.Fonts:
    """The fonts beside the templates and no others, read once: a paper takes a sixth of the time."""
    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[TEMPLATES / "fonts"],
    )
