"""What the forms of a check-in do not offer is refused, and nothing of it is stored."""

from flask import Flask

from pms.foundation.database import Database
from tests.surfaces.choices import NOT_OFFERED, send_what_is_not_offered
from tests.surfaces.guest_checkin.conftest import Phone


@NOT_OFFERED
def test_a_choice_that_the_check_in_does_not_offer_is_refused(
    app: Flask, phone: Phone, sent: list[str]
) -> None:
    database: Database = app.extensions["pms.database"]
    home = phone.stay.home
    starts = [f"{home}/{page}" for page in ("arrival", "people/1", "people/2")]
    assert send_what_is_not_offered(phone.client, database, home, sent, *starts) > 1
