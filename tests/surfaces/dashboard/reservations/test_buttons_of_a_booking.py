"""The pages of a booking: no button that sends a typed form shares its name with another."""

from flask import Flask

from tests.staff import Browser
from tests.surfaces.dashboard.test_buttons_of_one_name import clashes
from tests.surfaces.dashboard.test_who_reaches_what import addresses


def test_the_next_step_is_not_offered_on_its_own_page(
    app: Flask, office: Browser, booked_id: str
) -> None:
    found = {}
    for rule, method in addresses(app):
        if method != "GET" or rule.arguments != {"workspace", "reservation_id"}:
            continue
        path = rule.rule.removeprefix("/dashboard/<workspace>")
        answer = office.get(path.replace("<reservation_id>", booked_id))
        if answer.status_code == 200 and answer.mimetype == "text/html":
            named = sorted(clashes(answer.text))
            if named:
                found[path] = named
    assert not found
