"""Typesetting papers as PDF, and the letters that no font prints."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    import typst


TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "papers"
# Part of the typesetter's error for a letter without a font, which PDF/UA does not allow.
_LETTER_LACKING: Final = "could not be displayed"


def typeset(
    template: str, facts: Mapping[str, Any], pictures: Mapping[str, bytes] = MappingProxyType({})
) -> bytes:
    """Return the PDF of a template; the facts are passed as data, never as markup.

    The template finds a picture, a PNG, JPEG or WebP, by its name in the facts.

    Names may be in any script: the fonts beside the templates have the scripts of Asia and Europe.
    A letter that they lack is taken from the system fonts, or printed as an empty box, so that
    there is always a PDF; `unprintable_letters` names it beforehand.
    """
    # Imported here and below, so that web workers that write no PDF never load the typesetter.
    import typst

    with ExitStack() as to_close:
        root = TEMPLATES
        if pictures:
            root = Path(to_close.enter_context(TemporaryDirectory(prefix="pms-paper-")))
            for path in (*TEMPLATES.glob("*.typ"), *TEMPLATES.glob("*.toml")):
                (root / path.name).write_bytes(path.read_bytes())
            for name, content in pictures.items():
                (root / name).write_bytes(content)
        try:
            return _compile_pdf(template, facts, _load_fonts(), "ua-1", root)
        except typst.TypstError as error:
            if _LETTER_LACKING not in str(error):
                raise
        return _compile_pdf(template, facts, _all_fonts(), "1.7", root)


# Blocks of Unicode that the fonts beside the templates have whole. Names in them ask nobody.
_COVERED: Final = (
    (0x20, 0x24F),
    (0x400, 0x52F),
    (0x621, 0x65F),
    (0x900, 0x97F),
    (0xE01, 0xE5B),
    (0x1000, 0x109F),
    (0x1EA0, 0x1EF9),
    (0x3041, 0x30FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FEA),
    (0xAC00, 0xD7A3),
)


@lru_cache(4_096)
def unprintable_letters(text: str) -> str:
    """Return the letters of a text that no font on this machine has, each once.

    A paper prints an empty box for each of them.
    """
    strange = [
        letter
        for letter in dict.fromkeys(text)
        if letter.isprintable()
        and not any(first <= ord(letter) <= last for first, last in _COVERED)
    ]
    return (
        ""
        if _is_printed("".join(strange))
        else "".join(letter for letter in strange if not _is_printed(letter))
    )


def _is_printed(letters: str) -> bool:
    if not letters:
        return True
    import typst

    page = b'#set document(title: "-")\n#set text(font: "BIZ UDPGothic")\n#sys.inputs.letters'
    try:
        typst.compile(
            page, font_paths=_all_fonts(), pdf_standards="ua-1", sys_inputs={"letters": letters}
        )
    except typst.TypstError as error:
        if _LETTER_LACKING not in str(error):
            raise
        return False
    return True


def _compile_pdf(
    template: str,
    facts: Mapping[str, Any],
    fonts: "typst.Fonts",
    standard: Literal["ua-1", "1.7"],
    root: Path,
) -> bytes:
    import typst

    return typst.compile(
        root / f"{template}.typ",
        root=root,
        font_paths=fonts,
        pdf_standards=standard,
        sys_inputs={"facts": json.dumps(facts, ensure_ascii=False)},
        timestamp=0,
    )


@cache
def _load_fonts() -> "typst.Fonts":
    """Return only the fonts beside the templates, loaded once: a PDF takes a sixth of the time."""
    import typst

    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[TEMPLATES / "fonts"],
    )


@cache
def _all_fonts() -> "typst.Fonts":
    """Return the same fonts first, then those of the system."""
    import typst

    return typst.Fonts(font_paths=[TEMPLATES / "fonts"])
