"""What the forms of a contractor's link do not offer is refused, and nothing of it is stored."""

from flask import Flask

from pms.foundation.database import Database
from tests.surfaces.choices import NOT_OFFERED, send_what_is_not_offered
from tests.surfaces.contractor_links.conftest import Phone


@NOT_OFFERED
def test_a_choice_that_the_link_does_not_offer_is_refused(
    app: Flask, phone: Phone, sent: list[str]
) -> None:
    database: Database = app.extensions["pms.database"]
    home, task = phone.site.home, f"{phone.site.home}/tasks/{phone.site.task_id}"
    starts = [task, f"{home}/hours", f"{home}/purchases"]
    assert send_what_is_not_offered(phone.client, database, home, sent, *starts) > 1
