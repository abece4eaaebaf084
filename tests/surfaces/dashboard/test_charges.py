"""Charge for several residents on screens: choose, check, charge; then the worker posts it."""

import re
from urllib.parse import urlsplit

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.runs import run_record
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.rules.enumerations import FeeCategory, RunState
from tests.cast import Cast, fee
from tests.staff import Browser

OWN = "?feeCode=own&labelJa=鍵の交換&labelEn=New%20lock&amountYen=3,300&dueOn=2026-12-01&lang=en"


def fields_of(text: str) -> dict[str, str]:
    """The hidden fields of a check page, as its one button sends them."""
    form = text[text.index("/billing/charges/runs") :]
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: value for name, value in found if name != "csrf_token"}


def test_the_check_page_says_whom_it_reaches_and_who_is_left_out(office: Browser) -> None:
    text = office.get(f"/billing/charges/check{OWN}").text
    assert "Charge 1 tenancy" in text
    assert "佐藤 花子" in text
    assert "¥3,300" in text
    assert "Owner residents" in text
    assert "Guests" in text


def test_a_fee_of_the_catalogue_says_everything_but_the_day(
    office: Browser, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            fee(
                code="lock",
                label_ja="鍵の交換",
                label_en="New lock",
                category=FeeCategory.OTHER,
                is_monthly=False,
                amount_yen=3_300,
                percent=None,
            )
        )
    assert "New lock (¥3,300)" in office.get("/billing/charges?lang=en").text
    text = office.get("/billing/charges/check?feeCode=lock&dueOn=2026-12-01&lang=en").text
    assert "Check: New lock" in text
    assert "¥3,300" in text


def test_a_later_deposit_is_asked_of_many_as_a_charge_of_its_own_or_by_its_fee(
    office: Browser, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            fee(
                code="pet",
                label_en="Pet deposit",
                category=FeeCategory.DEPOSIT,
                is_monthly=False,
                amount_yen=50_000,
                percent=None,
            )
        )
    assert "Pet deposit (¥50,000)" in office.get("/billing/charges?lang=en").text
    for asked in ("?feeCode=pet&dueOn=2026-12-01&lang=en", f"{OWN}&category=deposit"):
        answer = office.get(f"/billing/charges/check{asked}")
        assert answer.status_code == 200
        assert "kept and settled with the deposit" in answer.text


def test_without_a_fee_the_label_and_the_amount_are_asked_for(office: Browser) -> None:
    answer = office.get("/billing/charges/check?feeCode=own&dueOn=2026-12-01&lang=en")
    assert answer.status_code == 422
    assert answer.text.count("Please fill this in.") == 4, "beside both fields and on top"


def test_a_check_page_of_nothing_leads_to_the_form(office: Browser) -> None:
    assert office.get("/billing/charges/check").location.endswith("/billing/charges")


def test_without_a_choice_one_is_asked_for(office: Browser) -> None:
    answer = office.get("/billing/charges/check?dueOn=2026-12-01&lang=en")
    assert answer.status_code == 422
    assert "Charge" in answer.text


def test_sent_twice_it_is_one_run_and_one_charge_each(
    office: Browser, database: Database, settings: Settings, clock: FixedClock, cast: Cast
) -> None:
    fields = fields_of(office.get(f"/billing/charges/check{OWN}").text)
    answers = [office.post("/billing/charges/runs", fields) for _ in range(2)]
    assert {answer.status_code for answer in answers} == {303}
    (path,) = {urlsplit(answer.location).path for answer in answers}
    do_asked_runs(Tools(settings, database, clock, choose_postbox(settings)))
    assert office.post("/billing/charges/runs", fields).location.endswith(path)
    do_asked_runs(Tools(settings, database, clock, choose_postbox(settings)))
    with database.reading(cast.sumida.workspace_id) as session:
        run = run_record(session, path.rpartition("/")[2])
        assert run.state is RunState.FINISHED
        assert run.result["reservations"] == 1
    text = office.get(f"/reservations/{cast.sumida.resident_id}/ledger?lang=en").text
    assert "New lock" in text
    assert "Charge for several residents New lock" in office.get(f"/runs/{run.id}?lang=en").text


def test_a_check_page_nobody_made_is_refused(office: Browser) -> None:
    fields = fields_of(office.get(f"/billing/charges/check{OWN}").text) | {"chargeId": "mine"}
    assert office.post("/billing/charges/runs", fields).status_code == 422
