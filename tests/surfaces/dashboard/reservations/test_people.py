"""Contact data and co-occupants are kept right, also when two people edit at once."""

import re

from tests.cast import Cast
from tests.staff import Browser


def contact_fields(page: str) -> dict[str, str]:
    """What the form of the contact holds."""
    form = page[page.index("/contact") : page.index("/co-occupants")]
    found = {}
    for tag in re.findall(r"<input[^>]*>", form):
        attributes = dict(re.findall(r'([\w.-]+)="([^"]*)"', tag))
        if attributes.get("name") and attributes["name"] != "csrf_token":
            found[attributes["name"]] = attributes.get("value", "")
    return {**found, "locale": "ja", "note": ""}


def test_a_reading_typed_in_hiragana_is_kept_in_katakana(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = contact_fields(office.get(f"{page}/people").text)
    answer = office.post(f"{page}/contact", {**typed, "nameKana": "さとう はなこ", "phone": "090"})
    assert answer.status_code == 303
    shown = office.get(f"{page}/people").text
    assert 'value="サトウ ハナコ"' in shown
    assert 'value="090"' in shown
    assert "contact.changed" not in shown


def test_letters_that_no_paper_can_print_are_named_on_every_tab(
    office: Browser, cast: Cast
) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    assert "cannot be printed" not in office.get(page).text
    typed = contact_fields(office.get(f"{page}/people").text)
    office.post(f"{page}/contact", {**typed, "name": "김민준 𓀀"})
    for tab in ("", "/people", "/ledger"):
        assert "𓀀 cannot be printed on papers" in office.get(f"{page}{tab}").text


def test_what_somebody_else_changed_meanwhile_stays(
    office: Browser, operator: Browser, cast: Cast
) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    opened = contact_fields(office.get(f"{page}/people").text)
    operator.post(f"{page}/contact", {**opened, "phone": "03-1111-2222"})
    answer = office.post(f"{page}/contact", {**opened, "email": "new@example.jp"})
    assert answer.status_code == 303
    shown = office.get(f"{page}/people").text
    assert 'value="03-1111-2222"' in shown
    assert 'value="new@example.jp"' in shown


def test_two_different_texts_for_one_field_are_both_shown(
    office: Browser, operator: Browser, cast: Cast
) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    opened = contact_fields(office.get(f"{page}/people").text)
    operator.post(f"{page}/contact", {**opened, "phone": "03-1111-2222"})
    answer = office.post(f"{page}/contact", {**opened, "phone": "03-3333-4444"})
    assert answer.status_code == 422
    assert "03-1111-2222" in answer.text
    assert "03-3333-4444" in answer.text


def test_a_name_is_needed_and_what_was_typed_stays(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = contact_fields(office.get(f"{page}/people").text)
    answer = office.post(f"{page}/contact", {**typed, "name": "", "phone": "03-1111-2222"})
    assert answer.status_code == 422
    assert 'id="name-error"' in answer.text
    assert 'value="03-1111-2222"' in answer.text


def test_co_occupants_are_named_and_taken_off(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    assert 'value="佐藤 次郎"' in office.get(f"{page}/people").text
    named = {
        "coOccupants-0-name": "",
        "coOccupants-1-name": "佐藤 海",
        "coOccupants-1-nameKana": "さとう かい",
    }
    assert office.post(f"{page}/co-occupants", named).status_code == 303
    shown = office.get(f"{page}/people").text
    assert 'value="佐藤 海"' in shown
    assert 'value="サトウ カイ"' in shown
    assert "佐藤 次郎" not in shown
