"""The staff of a workspace by hand: its first operator, invitations, removals."""

import pytest

from pms.access.password_sign_in import sign_in_with_password
from pms.access.sessions import AuthContext, Visitor
from pms.access.sign_in_events import set_sign_in_policy
from pms.demo.people import ACCOUNTS, PASSWORD, employ_staff
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.workspaces.new_workspaces import open_workspace
from pms.workspaces.queries import workspace_id_of
from tests.cast import building
from tests.surfaces.command_line.conftest import Operator


def test_a_fresh_workspace_gets_its_first_operator(operator: Operator) -> None:
    assert operator.asks("people list") == []
    operator.asks("people add Boss@Example.jp --name Boss")
    (boss,) = operator.asks("people list")
    assert (boss["email"], boss["role"], boss["second_factor"]) == (
        "boss@example.jp",
        "operator",
        False,
    )


def test_the_last_operator_stays(operator: Operator) -> None:
    operator.asks("people add boss@example.jp --name Boss")
    assert "last operator" in operator.is_refused("people remove boss@example.jp")
    operator.asks("people add second@example.jp --name Second")
    operator.asks("people remove boss@example.jp")
    assert [one["email"] for one in operator.asks("people list")] == ["second@example.jp"]


def test_an_invitation_is_mailed_and_its_link_printed(operator: Operator) -> None:
    (invited,) = operator.asks("people invite new@example.jp --role office --language en")
    assert invited["role"] == "office"
    assert "/invitations/" in invited["link"]


def test_what_cannot_be_is_refused_in_a_line(operator: Operator) -> None:
    assert "not an email address" in operator.is_refused("people add nonsense --name X")
    assert "Enter a name of 1" in operator.is_refused("people add new@example.jp")
    assert "not a member" in operator.is_refused("people remove new@example.jp")
    operator.asks("people add boss@example.jp --name Boss")
    assert "is already a member" in operator.is_refused("people add boss@example.jp")


def test_a_lost_second_factor_is_reset(operator: Operator) -> None:
    operator.asks("people add boss@example.jp --name Boss")
    (result,) = operator.asks("people reset-second-factor boss@example.jp")
    assert result == {"email": "boss@example.jp", "second_factor": False}


@pytest.mark.only_on("sqlite")
def test_everyone_of_the_demo_signs_in_with_the_known_password(
    database: Database, settings: Settings, clock: FixedClock
) -> None:
    with database.across_workspaces_writing() as session:
        for slug in ("midori-living", "tokyo-nest"):
            open_workspace(session, clock, slug=slug, name=slug)
    assert employ_staff(database, clock) == 11
    assert employ_staff(database, clock) == 0
    auth = AuthContext(database, clock, Passwords(settings), Signer(settings.secret_key))
    for account in ACCOUNTS:
        visitor = Visitor(account.email, "192.0.2.1", "")
        assert sign_in_with_password(auth, visitor, PASSWORD).opened is not None


@pytest.mark.only_on("sqlite")
def test_production_has_no_account_with_a_known_password(
    settings: Settings, clock: FixedClock
) -> None:
    from dataclasses import replace

    with pytest.raises(Refused):
        employ_staff(Database(replace(settings, env="production")), clock)


def test_an_operator_who_is_locked_out_has_the_rules_lifted(
    operator: Operator, database: Database, clock: FixedClock
) -> None:
    operator.asks("people add boss@example.jp --name Boss")
    with database.across_workspaces_reading() as session:
        workspace_id = workspace_id_of(session, "sumida")
    with database.writing(workspace_id) as session:
        set_sign_in_policy(
            Work(session, clock, "x"), factor_required_on=clock.today(), idle_minutes=30
        )
    (result,) = operator.asks("people sign-in-rules")
    assert (result["second_factor_from"], result["inactivity_minutes"]) == (str(clock.today()), 30)
    (result,) = operator.asks("people sign-in-rules --no-second-factor --no-inactivity-limit")
    assert (result["second_factor_from"], result["inactivity_minutes"]) == (None, None)


def test_sign_ins_are_listed(operator: Operator) -> None:
    assert operator.asks("people sign-ins") == []
    operator.asks("people add boss@example.jp --name Boss")
    operator.asks("people reset-second-factor boss@example.jp")
    (result,) = operator.asks("people sign-ins boss@example.jp")
    assert (result["event"], result["device"]) == ("factor_removed", "command line")


def test_a_member_is_bound_to_buildings_by_name(operator: Operator, database: Database) -> None:
    with database.across_workspaces_reading() as session:
        workspace_id = workspace_id_of(session, "sumida")
    with database.writing(workspace_id) as session:
        session.add(building(name="鶴見荘", name_en="Tsurumi", slug="tsurumi"))
    operator.asks("people add boss@example.jp --name Boss")
    operator.asks("people add site@example.jp --name Site --role housekeeping --building 鶴見荘")
    operator.asks("people invite new@example.jp --role office --building Tsurumi")
    boss, site = operator.asks("people list")
    assert (boss["buildings"], site["buildings"]) == (None, ["鶴見荘"])
    operator.asks("people bind site@example.jp --all-buildings")
    assert operator.asks("people list")[1]["buildings"] is None
    operator.asks("people bind site@example.jp --building Tsurumi")
    assert operator.asks("people list")[1]["buildings"] == ["鶴見荘"]
    assert "all buildings" in operator.is_refused("people bind boss@example.jp --building Tsurumi")
    assert "Nowhere" in operator.is_refused("people bind site@example.jp --building Nowhere")
