"""Everything a person reads is there in Japanese and in English."""

from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.architecture.formatted_texts import texts_in_f_strings
from tests.architecture.japanese_texts import READ, japanese_texts
from tests.architecture.source_tree import Source, listed, python_sources
from tests.architecture.translations import SOURCES, po_path, shortcomings, update


def a_program(folder: Path, template: str) -> Path:
    (folder / "pms" / "surfaces").mkdir(parents=True)
    (folder / "templates").mkdir()
    (folder / "templates" / "page.html").write_text(template)
    return folder


def word(folder: Path, text: str, wording: str) -> None:
    path = po_path("ja", folder)
    path.write_text(
        path.read_text().replace(
            f'msgid "{text}"\nmsgstr ""', f'msgid "{text}"\nmsgstr "{wording}"'
        )
    )


def test_no_japanese_text_is_outside_the_catalogues() -> None:
    assert not listed(
        finding
        for source in python_sources("pms/")
        if not source.path.startswith(READ)
        for finding in japanese_texts(source)
    )


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ('LABEL = Bilingual("退去", "Moved out")', True),
        ('f"{day}まで"', True),
        ('translate("a day such as 2026年4月1日", "ja")', False),
        ('"""退去 is a word of the trade."""', False),
        ('format_date(day, "y年M月d日", locale="ja")', False),
    ],
)
def test_japanese_is_found_where_it_is_a_text(text: str, is_found: bool) -> None:
    assert bool(listed(japanese_texts(Source("page.py", text)))) is is_found


@pytest.mark.thorough("make lint asks the same")
def test_every_text_has_a_japanese_and_an_english_wording() -> None:
    assert list(shortcomings()) == []


def test_no_text_is_translated_inside_an_f_string() -> None:
    assert not listed(
        finding for source in python_sources(*SOURCES) for finding in texts_in_f_strings(source)
    )


def test_a_text_inside_an_f_string_is_found() -> None:
    hidden = Source("page.py", "f'{name} {_(text)}'")
    plain = Source("page.py", "said = _(text)\nf'{name} {said}'")
    assert "page.py:1" in listed(texts_in_f_strings(hidden))
    assert not listed(texts_in_f_strings(plain))


def test_an_update_names_what_japanese_lacks_and_shows_english_by_its_keys(tmp_path: Path) -> None:
    folder = a_program(tmp_path, '{{ _("Vacant room") }}')
    update(folder)
    assert list(shortcomings(folder)) == ["ja: no wording for 'Vacant room'"]
    with po_path("en", folder).open("rb") as file:
        assert "Vacant room" not in read_po(file)


def test_an_update_keeps_english_that_differs_from_its_key(tmp_path: Path) -> None:
    folder = a_program(tmp_path, '{{ pgettext("noun", "Let") }}{{ pgettext("verb", "Let") }}')
    update(folder)
    entries = """
msgctxt "noun"
msgid "Let"
msgstr "Letting"

msgctxt "verb"
msgid "Let"
msgstr "Let"
"""
    with po_path("en", folder).open("a") as file:
        file.write(entries)
    assert "en: the entry of 'Let' repeats its key" in shortcomings(folder)
    update(folder)
    with po_path("en", folder).open("rb") as file:
        found = read_po(file)
    assert [(one.context, one.string) for one in found if one.id] == [("noun", "Letting")]


def test_english_entries_are_worded_and_asked_for(tmp_path: Path) -> None:
    folder = a_program(tmp_path, '{{ _("Vacant room") }}')
    update(folder)
    with po_path("en", folder).open("a") as file:
        file.write('\nmsgid "Vacant room"\nmsgstr ""\n\nmsgid "Gone"\nmsgstr "Went"\n')
    found = list(shortcomings(folder))
    assert "en: no wording for 'Vacant room'" in found
    assert "en: nobody shows 'Gone' any more" in found


def test_a_wording_counts_once_it_is_compiled(tmp_path: Path) -> None:
    folder = a_program(tmp_path, '{{ _("Vacant room") }}')
    update(folder)
    word(folder, "Vacant room", "空室")
    assert list(shortcomings(folder)) == ["ja: messages.mo is not what messages.po says"]
    update(folder)
    assert list(shortcomings(folder)) == []


def test_an_update_keeps_the_wordings_and_changes_nothing_twice(tmp_path: Path) -> None:
    folder = a_program(tmp_path, '{{ _("Vacant room") }}')
    update(folder)
    word(folder, "Vacant room", "空室")
    update(folder)
    before = po_path("ja", folder).read_bytes()
    update(folder)
    assert po_path("ja", folder).read_bytes() == before


def test_a_text_nobody_shows_any_more_is_found_and_dropped(tmp_path: Path) -> None:
    folder = a_program(tmp_path, '{{ _("Vacant room") }}')
    update(folder)
    (folder / "templates" / "page.html").write_text("")
    assert "ja: nobody shows 'Vacant room' any more" in shortcomings(folder)
    update(folder)
    assert list(shortcomings(folder)) == []


@pytest.mark.parametrize("wording", ["部屋", "%(wrong)s 室"])
def test_a_wording_that_loses_a_placeholder_is_found(tmp_path: Path, wording: str) -> None:
    folder = a_program(tmp_path, '{{ _("%(count)s rooms", count=3) }}')
    update(folder)
    word(folder, "%(count)s rooms", wording)
    update(folder)
    assert any("rooms" in fault for fault in shortcomings(folder))
