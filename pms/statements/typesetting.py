"""Sets a paper: a template of `templates/papers` and its facts become a PDF."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    import typst

TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "papers"
# How the typesetter says that its fonts lack a letter, which an accessible PDF must not hold.
_LETTER_LACKING: Final = "could not be displayed"


def typeset(template: str, facts: Mapping[str, Any]) -> bytes:
    """Return the PDF of a template; the facts are data to it, never markup.

    People are named in every script there is: a letter the paper's fonts lack is taken from the
    fonts of the machine, or stands as an empty box, rather than that there is no paper.
    """
    # Imported here and below: a web worker that sets no paper never loads the typesetter.
    import typst

    try:
        return _compiled(template, facts, _fonts(), "ua-1")
    except typst.TypstError as error:
        if _LETTER_LACKING not in str(error):
            raise
    return _compiled(template, facts, _all_fonts(), "1.7")


def _compiled(
    template: str, facts: Mapping[str, Any], fonts: "typst.Fonts", standard: Literal["ua-1", "1.7"]
) -> bytes:
    import typst

    return typst.compile(
        TEMPLATES / f"{template}.typ",
        root=TEMPLATES,
        font_paths=fonts,
        pdf_standards=standard,
        sys_inputs={"facts": json.dumps(facts, ensure_ascii=False)},
        timestamp=0,
    )


@cache
def _fonts() -> "typst.Fonts":
    """The fonts beside the templates and no others, read once: a paper takes a sixth of the time."""
    import typst

    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[TEMPLATES / "fonts"],
    )


@cache
def _all_fonts() -> "typst.Fonts":
    """The same fonts first, then whatever else there is."""
    import typst

    return typst.Fonts(font_paths=[TEMPLATES / "fonts"])
