"""Keeps the catalogues of translations whole: run with --update after changing texts.

`python -m tests.architecture.translations --update` brings the catalogues in line with the texts
of the program and lists what still waits for a Japanese wording; without it, it only looks.

The keys are English, so the Japanese catalogue has an entry for each of them and the English one
only those whose English differs from the key: a key without an entry is shown as it is. To word a
key otherwise in English, add its entry to the English .po by hand.
"""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tests.architecture import refusal_templates
from tests.architecture.source_tree import ROOT

KEYS = "en"
"""The language of the keys."""
LANGUAGES = ("ja", KEYS)
SOURCES = ("pms/surfaces", "templates")
METHODS = [("**.py", "python"), ("**.html", "jinja2"), ("**.txt", "jinja2")]
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "lazy_gettext": None,
    "ngettext": (1, 2),
    "lazy_ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "lazy_pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "worded": ((1, "c"), 2),
}


def po_path(language: str, root: Path = ROOT) -> Path:
    return root / "pms" / "translations" / language / "LC_MESSAGES" / "messages.po"


def extracted(root: Path = ROOT) -> Catalog:
    """Every text the program shows a person, in the language it is written in."""
    catalogue = Catalog(charset="utf-8")
    for folder in SOURCES:
        texts = extract_from_dir(str(root / folder), METHODS, keywords=KEYWORDS)
        for name, _, message, comments, context in texts:
            place = [(f"{folder}/{name}", 0)]
            catalogue.add(message, None, place, auto_comments=comments, context=context)
    for sentence in refusal_templates.sentences(root):
        catalogue.add(sentence.text, None, [(sentence.path, 0)], context=sentence.context)
    return catalogue


def written(language: str, root: Path = ROOT) -> Catalog:
    """The catalogue of a language as it lies in the tree; an empty one when there is none."""
    path = po_path(language, root)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def shortcomings(root: Path = ROOT) -> Iterator[str]:
    """Each text without a wording, each wording nobody asks for, each stale compiled file."""
    wanted = {_key(message): message for message in extracted(root) if message.id}
    for language in LANGUAGES:
        there = {_key(message): message for message in written(language, root) if message.id}
        asked = there.keys() & wanted.keys() if language == KEYS else wanted.keys()
        for key in sorted(asked - {key for key, m in there.items() if _is_worded(m)}):
            yield f"{language}: no wording for {key[1]!r}"
        for key in sorted(key for key, m in there.items() if language == KEYS and _says_key(m)):
            yield f"{language}: the entry of {key[1]!r} repeats its key"
        for key in sorted(there.keys() - wanted.keys()):
            yield f"{language}: nobody shows {key[1]!r} any more"
        for key in sorted(wanted.keys() & there.keys()):
            yield from (f"{language}: {fault}" for fault in _mistakes(there[key]))
        if not _is_fresh(language, root):
            yield f"{language}: messages.mo is not what messages.po says"


def update(root: Path = ROOT) -> None:
    """Add new texts, drop old ones and English entries that only repeat their keys, compile."""
    template = extracted(root)
    for language in LANGUAGES:
        catalogue = written(language, root)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        if language == KEYS:
            _drop_repeated_keys(catalogue)
        path = po_path(language, root)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_spelled(catalogue))
        if not _is_fresh(language, root):  # a compiled file contains the time, so it always differs
            path.with_suffix(".mo").write_bytes(_compiled(language, root))


def _key(message: Message) -> tuple[str, str]:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return message.context or "", text


def _is_worded(message: Message) -> bool:
    return bool(_wordings(message)) and all(_wordings(message)) and not message.fuzzy


def _wordings(message: Message) -> tuple[str, ...]:
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def _mistakes(message: Message) -> Iterator[str]:
    """A wording that lost or invented a placeholder would fail when it is shown."""
    ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    asked = [set(PLACEHOLDER.findall(text)) for text in ids]
    for wording in _wordings(message):
        # "One room" may leave the number out where "%(num)d rooms" names it.
        if not asked[0] <= set(PLACEHOLDER.findall(wording)) <= set().union(*asked):
            yield f"{wording!r} does not fill the places of {ids[-1]!r}"
        elif refusal_templates.wrong_places(ids[-1], wording):
            yield f"{wording!r} does not name the places of {ids[-1]!r}"


def _says_key(message: Message) -> bool:
    return message.string == message.id


def _drop_repeated_keys(catalogue: Catalog) -> None:
    for message in list(catalogue):
        if message.id and (not _is_worded(message) or _says_key(message)):
            catalogue.delete(message.id, message.context)


def _spelled(catalogue: Catalog) -> bytes:
    """Without dates and line numbers, so that an unchanged text changes no line."""
    buffer = io.BytesIO()
    write_po(
        buffer, catalogue, sort_output=True, omit_header=False, include_lineno=False, width=100
    )
    volatile = (b'"POT-Creation-Date:', b'"PO-Revision-Date:', b'"Generated-By:')
    lines = buffer.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(volatile))


def _compiled(language: str, root: Path) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, written(language, root))
    return buffer.getvalue()


def _is_fresh(language: str, root: Path) -> bool:
    path = po_path(language, root).with_suffix(".mo")
    return path.exists() and _same_texts(path.read_bytes(), _compiled(language, root))


def _same_texts(one: bytes, other: bytes) -> bool:
    from gettext import GNUTranslations

    texts = [vars(GNUTranslations(io.BytesIO(mo)))["_catalog"] for mo in (one, other)]
    for text in texts:
        text.pop("", None)
    return bool(texts[0] == texts[1])


def main(arguments: list[str]) -> int:
    if "--update" in arguments:
        update()
    faults = list(shortcomings())
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
