"""The operator sets what the workspace says of itself and the figures of its policy."""

from io import BytesIO

from PIL import Image

from pms.foundation.database import Database
from pms.workspaces.queries import policy
from tests.cast import Cast
from tests.staff import Browser

_FIGURES = {
    "shortContractDays": "31",
    "shortNoticeDays": "15",
    "longNoticeDays": "45",
    "fullCalendarMonthIsLong": "y",
    "earlyExitCapMonths": "1.5",
    "billingDay": "20",
    "turnoverDays": "2",
    "longestGuestStay": "60",
    "termLeadDays": "270",
    "expiryReminderDays": "45",
    "shortTermLeadDays": "60",
    "quietFromHour": "22",
    "quietUntilHour": "7",
    "overpaymentsPayNextBills": "y",
    "version": "1",
}


def _picture() -> BytesIO:
    written = BytesIO()
    Image.new("RGB", (200, 100), "teal").save(written, "PNG")
    written.seek(0)
    return written


def test_figures_count_from_now_on(operator: Browser, database: Database, cast: Cast) -> None:
    assert operator.post("/settings/figures", _FIGURES).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        assert policy(session).long_notice_days == 45
        assert policy(session).turnover_days == 2
        assert policy(session).longest_guest_stay == 60
        assert policy(session).term_lead_days == 270
        assert policy(session).short_term_lead_days == 60
        assert policy(session).overpayments_pay_next_bills


def test_a_figure_out_of_range_is_refused_with_its_range(operator: Browser) -> None:
    answer = operator.post("/settings/figures?lang=en", {**_FIGURES, "billingDay": "32"})
    assert answer.status_code == 422
    assert "from 1 to 31" in answer.text


def test_an_invoice_number_with_a_wrong_check_digit_is_refused(operator: Browser) -> None:
    answer = operator.post(
        "/settings?lang=en",
        {
            "name": "墨田",
            "defaultLocale": "ja",
            "brandHue": "250",
            "version": "1",
            "qualifiedInvoiceNumber": "T1234567890123",
        },
    )
    assert answer.status_code == 422
    assert "T1234567890123" in answer.text


def test_a_logo_is_shown_once_it_is_there(operator: Browser) -> None:
    sent = operator.post("/settings/logo", {"logo": (_picture(), "logo.png")})
    assert sent.status_code == 303
    shown = operator.get("/settings/logo").text
    address = shown.split('class="logo-shown" src="')[1].split('"')[0]
    picture = operator.client.get(address)
    assert picture.mimetype == "image/webp"


def test_what_is_no_picture_is_refused(operator: Browser) -> None:
    answer = operator.post("/settings/logo", {"logo": (BytesIO(b"<svg/>"), "logo.svg")})
    assert answer.status_code == 422


def test_the_office_does_not_reach_the_settings(office: Browser) -> None:
    assert office.get("/settings").status_code == 403
