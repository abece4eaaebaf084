"""The price of a tenancy is a timeline: the original stands, a new period begins where one may."""

from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of

HTMX = {"HX-Request": "true"}


def opened(office: Browser, page: str) -> dict[str, str]:
    return fields_of(office.get(f"{page}/price").text, "/price")


def test_a_new_period_begins_with_the_price_of_now_on_the_first_unbilled_day(
    office: Browser, booked_id: str
) -> None:
    typed = opened(office, f"/reservations/{booked_id}")
    # The invoice bills December and January.
    assert typed["fromOn"] == "2027-02-01"
    assert typed["baseRentYen"] == "93000"


def test_the_months_a_new_price_touches_are_shown_before(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    typed = {**opened(office, page), "fromOn": "2027-02-15", "baseRentYen": "95,800"}
    shown = office.post(f"{page}/price/preview", typed, headers=HTMX)
    assert "<html" not in shown.text
    # February: 14 days of 93,000 and 14 of 95,800; March whole.
    assert "¥94,400" in shown.text
    assert "¥95,800" in shown.text
    assert "Add period" in shown.text


def test_an_added_period_is_the_last_and_open_ended(office: Browser, booked_id: str) -> None:
    page = f"/reservations/{booked_id}"
    typed = {**opened(office, page), "baseRentYen": "95800", "fees-0-isCharged": "y"}
    assert office.post(f"{page}/price", typed).status_code == 303
    shown = office.get(f"{page}/price").text
    assert "¥100,800" in shown
    again = opened(office, page)
    assert again["baseRentYen"] == "95800"
    assert again["fees-0-isCharged"]


def test_billed_days_and_a_day_taken_are_refused_beside_the_day(
    office: Browser, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    typed = opened(office, page)
    billed = office.post(f"{page}/price", {**typed, "fromOn": "2027-01-15"})
    assert billed.status_code == 422
    assert 'id="fromOn-error"' in billed.text
    office.post(f"{page}/price", typed)
    taken = office.post(f"{page}/price/preview", typed, headers=HTMX)
    assert "price already starts on" in taken.text


def test_the_overview_shows_the_original_price_once_another_is_agreed(
    office: Browser, booked_id: str
) -> None:
    page = f"/reservations/{booked_id}"
    assert "Original price" not in office.get(f"{page}?lang=en").text
    typed = {**opened(office, page), "baseRentYen": "95800"}
    assert office.post(f"{page}/price", typed).status_code == 303
    shown = office.get(f"{page}?lang=en").text
    assert "¥93,000" in shown.partition("Original price")[2]
