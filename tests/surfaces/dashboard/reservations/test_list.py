"""The list of reservations finds a tenancy by what one knows of it."""

import re
from html import unescape

import pytest

from pms.foundation.database import Database
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from tests.cast import Cast
from tests.staff import Browser

pytestmark = pytest.mark.differs("sorting")


def test_the_list_leaves_owner_residents_out_until_the_filter_is_cleared(office: Browser) -> None:
    assert "山本 茂" not in office.get("/reservations").text
    assert "山本 茂" in office.get("/reservations?excludeRecords=").text


def test_the_list_opens_on_current_residents_and_leads_to_former_ones(
    office: Browser, database: Database, cast: Cast
) -> None:
    assert "佐藤 花子" in office.get("/reservations").text
    with database.writing(cast.sumida.workspace_id) as session:
        former = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        former.lifecycle = Lifecycle.REFUNDED
    assert "佐藤 花子" not in office.get("/reservations").text
    for asked in ("lifecycle=all", "lifecycle=refunded"):
        assert "佐藤 花子" in office.get(f"/reservations?{asked}").text
    searched = office.get("/reservations?search=佐藤&lang=en").text
    further = re.search(r'href="([^"]+)"[^>]*>Search former residents too', searched)
    assert further is not None
    found = office.client.get(unescape(further[1])).text
    assert "佐藤 花子" in found


def test_a_status_nobody_knows_is_named_and_not_ignored(office: Browser) -> None:
    shown = office.get("/reservations?paymentStatus=paidd")
    assert shown.status_code == 422
    assert "paidd" in shown.text
    assert "佐藤 花子" not in shown.text


def test_the_list_answers_htmx_with_its_results_alone(office: Browser) -> None:
    shown = office.block("/reservations?search=さとう")
    assert shown.status_code == 200
    assert "<html" not in shown.text
    assert "佐藤 花子" in shown.text
