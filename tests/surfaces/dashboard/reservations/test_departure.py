"""A departure is filed knowing its cost, edited, withdrawn; month to month is explained and set."""

import pytest

from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of

pytestmark = pytest.mark.differs("one journey through each surface")

HTMX = {"HX-Request": "true"}


def notice(office: Browser, page: str, action: str = "/notice") -> dict[str, str]:
    return fields_of(office.get(f"{page}/departure").text, action)


def test_leaving_early_shows_both_computations_and_the_larger_one(
    office: Browser, cast: Cast
) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = {**notice(office, page), "moveOutDate": "2026-11-30"}
    shown = office.post(f"{page}/notice/preview", typed, headers=HTMX)
    assert "<html" not in shown.text
    # Four months are left of a year at 93,000: capped at one; 19 days of notice are missing.
    assert "Penalty: ¥93,000" in shown.text
    assert "before the cap of ¥93,000" in shown.text
    assert "19 missing" in shown.text
    assert "¥57,000" in shown.text
    assert "File notice" in shown.text


def test_the_form_begins_with_the_earliest_day_without_penalty(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = notice(office, page)
    assert typed["moveOutDate"] == "2027-03-31"
    shown = office.post(f"{page}/notice/preview", typed, headers=HTMX)
    assert "No penalty" in shown.text


def test_a_notice_is_filed_changed_and_withdrawn(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    filed = office.post(f"{page}/notice", {**notice(office, page), "moveOutDate": "2026-12-31"})
    assert filed.status_code == 303
    assert "Notice filed" in office.get(f"{page}/departure").text
    typed = {**notice(office, page, "/move-out"), "moveOutDate": "2027-01-31"}
    shown = office.post(f"{page}/notice/preview", typed, headers=HTMX)
    assert "Change date" in shown.text
    assert office.post(f"{page}/move-out", typed).status_code == 303
    check = office.get(f"{page}/withdrawal")
    assert "Withdraw this notice?" in check.text
    gone = office.post(f"{page}/withdrawal", fields_of(check.text, "/withdrawal"))
    assert gone.status_code == 303
    assert "/notice/preview" in office.get(f"{page}/departure").text


def test_a_second_notice_and_an_old_version_are_refused(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = {**notice(office, page), "moveOutDate": "2026-12-31"}
    assert office.post(f"{page}/notice", typed).status_code == 303
    again = office.post(f"{page}/notice", typed)
    assert again.status_code == 422
    assert 'value="2026-12-31"' in again.text


def test_a_tenancy_is_set_to_month_to_month_and_cleared(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    force = fields_of(office.get(f"{page}/departure").text, "/forced-month-to-month")
    assert office.post(f"{page}/forced-month-to-month", force).status_code == 303
    clear = fields_of(office.get(f"{page}/departure").text, "/followed-dates")
    assert office.post(f"{page}/followed-dates", clear).status_code == 303


def test_why_a_tenancy_cannot_be_forced_is_said(office: Browser, booked_id: str) -> None:
    shown = office.get(f"/reservations/{booked_id}/departure").text
    assert "It cannot be set:" in shown


def test_an_expected_departure_is_noted_and_taken_back(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = fields_of(office.get(f"{page}/departure").text, "/expected-departure")
    past = office.post(
        f"{page}/expected-departure", {**typed, "expectedDepartureDate": "2026-11-01"}
    )
    assert past.status_code == 422
    assert 'id="expectedDepartureDate-error"' in past.text
    noted = office.post(
        f"{page}/expected-departure", {**typed, "expectedDepartureDate": "2027-01-15"}
    )
    assert noted.status_code == 303
    assert "undo-bar" in office.get(f"{page}/departure").text
    again = fields_of(office.get(f"{page}/departure").text, "/expected-departure")
    assert again["expectedDepartureDate"] == "2027-01-15"
    cleared = {**again, "expectedDepartureDate": ""}
    assert office.post(f"{page}/expected-departure", cleared).status_code == 303


def test_what_was_set_by_hand_is_taken_back_by_one_press(office: Browser, cast: Cast) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    force = fields_of(office.get(f"{page}/departure").text, "/forced-month-to-month")
    office.post(f"{page}/forced-month-to-month", force)
    text = office.get(f"{page}/departure").text
    assert "undo-bar" in text
    undo = fields_of(text[text.index("undo-bar") - 20 :], "/followed-dates")
    assert office.post(f"{page}/followed-dates", undo).status_code == 303
    assert "Clear setting" not in office.get(f"{page}/departure").text
