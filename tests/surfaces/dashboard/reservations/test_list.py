"""The list of reservations finds a tenancy by what one knows of it."""

import pytest

from tests.staff import Browser

pytestmark = pytest.mark.differs("sorting")


def test_the_list_leaves_owner_residents_out_until_the_filter_is_cleared(office: Browser) -> None:
    assert "山本 茂" not in office.get("/reservations").text
    assert "山本 茂" in office.get("/reservations?excludeRecords=").text


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
