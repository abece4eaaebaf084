"""A workspace demands a second factor from a day on, and signs out who does nothing for a while."""

from datetime import timedelta
from typing import Any

import pyotp
import pytest
from flask import Flask

from pms.access.keys import issue_key
from pms.access.models import Member
from pms.access.sign_in_events import own_events, set_sign_in_policy, sign_in_policy
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.rules.enumerations import StaffRole
from pms.rules.scopes import PRESETS, Preset
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.auth.conftest import PASSWORD, Stranger

OWN_PAGE = {"Origin": "http://localhost"}


class Rules:
    """The rules of Sumida, and its operator."""

    def __init__(
        self, app: Flask, database: Database, clock: FixedClock, cast: Cast, staff: Staff
    ) -> None:
        self.app, self.database, self.clock = app, database, clock
        self.cast, self.staff = cast, staff

    def sets(self, workspace_id: str | None = None, **stated: Any) -> None:
        with self.database.writing(workspace_id or self.cast.sumida.workspace_id) as session:
            set_sign_in_policy(Work(session, self.clock, "person/1"), **stated)

    def demands(self, in_days: int = 0) -> None:
        self.sets(factor_required_on=self.clock.today() + timedelta(days=in_days))

    def browser(self) -> Browser:
        return open_browser(self.app, self.clock, self.staff.operator_id, "sumida")

    def recorded(self) -> list[str]:
        with self.database.across_workspaces_reading() as session:
            found = own_events(session, self.staff.operator_id, Paging(1, 20))
        return [one.kind.value for one in found.events]


@pytest.fixture
def rules(app: Flask, database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Rules:
    return Rules(app, database, clock, cast, staff)


def test_before_the_day_people_are_warned_and_go_on(rules: Rules) -> None:
    browser = rules.browser()
    assert "second factor" not in browser.get("/?lang=en").text
    rules.demands(in_days=14)
    page = browser.get("/?lang=en").text
    assert "From Fri 4 Dec 2026 on" in page or "requires two-step sign-in" in page
    assert browser.get("/people").status_code == 200


@pytest.mark.parametrize("path", ["/", "/people", "/me", "/reservations", "/me/password"])
def test_from_the_day_on_nothing_but_setting_it_up_opens(rules: Rules, path: str) -> None:
    rules.demands(in_days=1)
    browser = rules.browser()
    rules.clock.advance(timedelta(days=1))
    answer = browser.get(path)
    assert (answer.status_code, answer.location) == (303, "/dashboard/sumida/me/second-factor")
    assert "Set it up here" in browser.get("/me/second-factor?lang=en").text
    assert browser.post(
        "/people", {"email": "x@y.example", "role": "office", "reach": "all"}
    ).location == ("/dashboard/sumida/me/second-factor")


def test_once_it_is_set_up_everything_opens_and_leads_to_where_one_was_going(rules: Rules) -> None:
    rules.demands()
    browser = rules.browser()
    browser.get("/people")
    browser.post("/me/second-factor", {"currentPassword": PASSWORD})
    page = browser.get("/me/second-factor?lang=en").text
    secret = page.split("<code>")[1].split("</code>")[0]
    digits = pyotp.TOTP(secret).at(rules.clock.now())
    answer = browser.post("/me/second-factor/confirmation", {"code": digits})
    assert answer.status_code == 201
    assert 'href="/dashboard/sumida/people"' in answer.text
    assert browser.get("/people").status_code == 200


def test_what_was_typed_when_the_day_came_waits_until_it_is_set_up(rules: Rules) -> None:
    browser = rules.browser()
    rules.demands()
    browser.post(
        "/people",
        {"email": "typed@new.example", "role": "office", "reach": "all"},
        headers=OWN_PAGE,
    )
    with browser.client.session_transaction() as cookie:
        way_on = cookie["way_on"]
    assert "typed@new.example" in browser.client.get(way_on).text


def test_who_has_one_notices_nothing(rules: Rules, database: Database) -> None:
    from pms.access.models import Person

    with database.across_workspaces_writing() as session:
        session.get_one(Person, rules.staff.operator_id).factor_confirmed_at = rules.clock.now()
    rules.demands()
    assert rules.browser().get("/people").status_code == 200


def test_another_workspace_demands_nothing_here(rules: Rules) -> None:
    rules.sets(rules.cast.minato.workspace_id, factor_required_on=rules.clock.today())
    rules.sets(rules.cast.minato.workspace_id, idle_minutes=5)
    browser = rules.browser()
    rules.clock.advance(timedelta(hours=3))
    assert browser.get("/people").status_code == 200


def joins_minato(rules: Rules) -> None:
    with rules.database.writing(rules.cast.minato.workspace_id) as session:
        session.add(
            Member(
                person_id=rules.staff.operator_id,
                role=StaffRole.OFFICE,
                accepted_at=rules.clock.now(),
            )
        )


def test_a_rule_of_one_workspace_binds_its_members_only_inside_it(rules: Rules) -> None:
    joins_minato(rules)
    rules.sets(rules.cast.minato.workspace_id, factor_required_on=rules.clock.today())
    rules.sets(rules.cast.minato.workspace_id, idle_minutes=30)
    sumida = rules.browser()
    minato = Browser(sumida.client, "minato", sumida.form_token)
    assert minato.get("/").location == "/dashboard/minato/me/second-factor"
    assert sumida.get("/people").status_code == 200
    rules.clock.advance(timedelta(hours=3))
    assert sumida.get("/people").status_code == 200
    # A page elsewhere does not make up for the pause.
    assert minato.get("/").location.startswith("/sign-in?next=/dashboard/minato")
    assert sumida.get("/people").status_code == 303
    assert rules.recorded() == ["timed_out"]


def test_keys_of_machines_are_not_concerned(rules: Rules, database: Database) -> None:
    rules.demands()
    rules.sets(idle_minutes=5)
    with database.writing(rules.cast.sumida.workspace_id) as session:
        key = issue_key(
            Work(session, rules.clock, "x"), name="k", scopes=PRESETS[Preset.READ]
        ).plaintext
    rules.clock.advance(timedelta(hours=3))
    headers = {"Authorization": f"Bearer {key}"}
    answer = rules.app.test_client().get("/api/agent/properties", headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(("seconds", "status"), [(30 * 60, 200), (31 * 60 + 1, 303)])
def test_who_does_nothing_is_signed_out(rules: Rules, seconds: int, status: int) -> None:
    rules.sets(idle_minutes=30)
    browser = rules.browser()
    rules.clock.advance(timedelta(seconds=seconds))
    assert browser.get("/people").status_code == status


def test_who_goes_on_working_stays(rules: Rules) -> None:
    rules.sets(idle_minutes=30)
    browser = rules.browser()
    for _ in range(5):
        rules.clock.advance(timedelta(minutes=29))
        assert browser.get("/people").status_code == 200


def test_a_session_that_timed_out_stays_ended_and_is_recorded_once(rules: Rules) -> None:
    rules.sets(idle_minutes=30)
    browser = rules.browser()
    rules.clock.advance(timedelta(hours=1))
    browser.get("/people")
    browser.get("/people")
    assert rules.recorded() == ["timed_out"]
    rules.sets(idle_minutes=None)
    assert browser.get("/people").status_code == 303


def test_what_was_typed_survives_being_signed_out(rules: Rules, stranger: Stranger) -> None:
    rules.sets(idle_minutes=30)
    stranger.signs_in()
    rules.clock.advance(timedelta(hours=1))
    typed = {"email": "typed@new.example", "role": "office"}
    sent = stranger.sends("/dashboard/sumida/people", typed, headers=OWN_PAGE)
    kept = sent.location.partition("kept=")[2]
    back = stranger.signs_in(kept=kept)
    assert "typed@new.example" in stranger.opens(back.location).text


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("idle_minutes", 4, "idleMinutes"),
        ("idle_minutes", 1441, "idleMinutes"),
        ("kept_days", 29, "keptDays"),
        ("kept_days", 731, "keptDays"),
        ("kept_days", None, "keptDays"),
        ("factor_required_on", -1, "factorRequiredOn"),
        ("factor_required_on", 367, "factorRequiredOn"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_field(
    rules: Rules, field: str, value: int | None, named: str
) -> None:
    given: Any = value
    if field == "factor_required_on" and value is not None:
        given = rules.clock.today() + timedelta(days=value)
    with pytest.raises(Refused, match=named):
        rules.sets(**{field: given})


def test_the_tab_writes_the_rules_for_operators_alone(rules: Rules, database: Database) -> None:
    typed = {"factorRequiredOn": "2026-12-24", "idleMinutes": "45", "keptDays": "90"}
    browser = rules.browser()
    shown = browser.get("/settings/sign-in?lang=en").text
    assert "not set it up" in shown
    saved = browser.post("/settings/sign-in", {"version": "1", **typed})
    assert saved.status_code == 303
    with database.reading(rules.cast.sumida.workspace_id) as session:
        found = sign_in_policy(session)
    assert (str(found.factor_required_on), *found[1:3]) == ("2026-12-24", 45, 90)
    wrong = browser.post("/settings/sign-in?lang=en", {"version": "2", **typed, "idleMinutes": "1"})
    assert wrong.status_code == 422
    assert "from 5 to 1440" in wrong.text
    office = open_browser(rules.app, rules.clock, rules.staff.office_id, "sumida")
    assert office.get("/settings/sign-in").status_code == 403
    assert office.post("/settings/sign-in", typed).status_code == 403


def test_ones_own_page_and_the_page_of_the_team_show_sign_ins(
    rules: Rules, stranger: Stranger
) -> None:
    stranger.signs_in("wrong")
    stranger.signs_in()
    for path in ("/me", "/me/sign-ins", "/people/sign-ins"):
        page = stranger.opens(f"/dashboard/sumida{path}?lang=en").text
        assert "Sign-in failed" in page, path
        assert "127.0.0.1" in page, path
    none = stranger.opens("/dashboard/sumida/people/sign-ins?kind=timed_out&lang=en").text
    assert "No matching sign-ins" in none
    assert stranger.opens("/dashboard/sumida/people/sign-ins?kind=nonsense").status_code == 422
    office = open_browser(rules.app, rules.clock, rules.staff.office_id, "sumida")
    assert office.get("/people/sign-ins").status_code == 403
    assert "Sign-in failed" not in office.get("/me?lang=en").text
