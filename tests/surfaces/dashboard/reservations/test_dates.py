"""Dates are corrected with their bill known before, and merged with what others corrected."""

from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of


def opened(office: Browser, page: str) -> dict[str, str]:
    return fields_of(office.get(f"{page}/dates").text, "/dates")


def test_an_earlier_start_shows_what_leaves_the_invoice(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    typed = {**opened(office, page), "overrideMoveInDate": "2026-12-10"}
    shown = office.post(f"{page}/dates/preview", typed, headers={"HX-Request": "true"})
    assert shown.status_code == 200
    assert "<html" not in shown.text
    # 10 December is not after the 15th: January leaves the invoice and is billed by itself.
    assert "Added" in shown.text
    assert "Recalculated" in shown.text
    assert "Save dates" in shown.text


def test_the_preview_works_without_scripts_too(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    typed = {**opened(office, page), "overrideMoveInDate": "2026-12-10"}
    shown = office.post(f"{page}/dates/preview", typed)
    assert "<html" in shown.text
    assert "Save dates" in shown.text
    assert 'value="2026-12-10"' in shown.text


def test_saved_dates_replace_the_original_ones(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    typed = {
        **opened(office, page),
        "overrideMoveInDate": "2026-12-10",
        "arrivalDate": "2026-12-11",
    }
    assert office.post(f"{page}/dates", typed).status_code == 303
    again = opened(office, page)
    assert (again["overrideMoveInDate"], again["arrivalDate"]) == ("2026-12-10", "2026-12-11")
    assert office.post(f"{page}/dates", {**again, "overrideMoveInDate": ""}).status_code == 303
    assert opened(office, page)["overrideMoveInDate"] == ""


def test_dates_that_are_no_contract_are_told_and_kept(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    typed = {**opened(office, page), "overrideContractEndDate": "2026-11-30"}
    shown = office.post(f"{page}/dates/preview", typed, headers={"HX-Request": "true"})
    assert "This cannot be saved" in shown.text
    refused = office.post(f"{page}/dates", typed)
    assert refused.status_code == 422
    assert 'value="2026-11-30"' in refused.text


def test_two_people_correct_different_dates_and_both_stay(
    office: Browser, operator: Browser, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    seen = opened(office, page)
    operator.post(f"{page}/dates", {**seen, "arrivalDate": "2026-12-18"})
    saved = office.post(f"{page}/dates", {**seen, "overrideContractEndDate": "2027-11-30"})
    assert saved.status_code == 303
    again = opened(office, page)
    assert again["arrivalDate"] == "2026-12-18"
    assert again["overrideContractEndDate"] == "2027-11-30"


def test_the_same_date_corrected_twice_asks_which_to_keep(
    office: Browser, operator: Browser, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    seen = opened(office, page)
    operator.post(f"{page}/dates", {**seen, "arrivalDate": "2026-12-18"})
    asked = office.post(f"{page}/dates", {**seen, "arrivalDate": "2026-12-19"})
    assert asked.status_code == 422
    assert "keep.arrivalDate" in asked.text
