"""What earlier releases stored is brought along by a migration."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import text

from pms.access.models import AuthSession, AuthTries, SignInEvent
from pms.bank.imports import import_file
from pms.contracts.models import ContractTemplate
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import make_engine
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Lifecycle, Proof, SignInEventKind, UserKind
from tests.bank.statement_files import Moved, statement_file
from tests.cast import LONG_AGO, Cast, reservation

pytestmark = pytest.mark.differs("migrations")
DAY = date(2027, 1, 10)


def test_a_stay_of_one_day_gets_its_night_unless_another_stay_has_it(
    settings: Settings, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        for room_id in (house.free_room_id, house.residents_room_id):
            row = reservation(unit_id=room_id, move_in_date=DAY, contract_end_date=DAY)
            row.cancelled_at = row.created_at
            session.add(row)
    # As earlier releases stored them: holding no night, the second beside a resident.
    asked(
        settings,
        "UPDATE reservation SET free_from = starts_on, cancelled_at = NULL WHERE starts_on = :day",
    )
    database.dispose()
    migrate(settings, "0015")
    migrate(settings)
    found = asked(settings, "SELECT unit_id, free_from FROM reservation WHERE starts_on = :day")
    held = {str(room_id).replace("-", ""): str(free_from) for room_id, free_from in found}
    assert held == {house.free_room_id: "2027-01-11", house.residents_room_id: "2027-01-10"}


def asked(settings: Settings, statement: str) -> list[Any]:
    """Execute a statement about the stays of the day as the owner of the tables."""
    engine = make_engine(settings, as_owner=True)
    with engine.begin() as connection:
        if not settings.is_sqlite:
            connection.exec_driver_sql("SELECT set_config('app.workspace', '*', true)")
        result = connection.execute(text(statement), {"day": DAY.isoformat()})
        rows = list(result.all()) if result.returns_rows else []
    engine.dispose()
    return rows


def test_of_who_lives_there_when_keys_begin_to_be_recorded_none_are_missing(
    settings: Settings, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        for room_id, lifecycle in (
            (house.free_room_id, Lifecycle.BOOKED),
            (house.residents_room_id, Lifecycle.NOTICE_FILED),
        ):
            row = reservation(
                unit_id=room_id, move_in_date=DAY, contract_end_date=DAY, lifecycle=lifecycle
            )
            row.cancelled_at = row.created_at
            session.add(row)
    database.dispose()
    migrate(settings, "0063")
    migrate(settings)
    found = asked(
        settings, "SELECT lifecycle, has_earlier_keys FROM reservation WHERE starts_on = :day"
    )
    assert {word: bool(has_keys) for word, has_keys in found} == {
        "booked": False,
        "notice_filed": True,
    }


def test_a_template_keeps_the_kind_of_lease_its_text_says(
    settings: Settings, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        for name, text_ja in (("fixed", "# 定期建物賃貸借契約書"), ("ordinary", "# 賃貸借契約書")):
            session.add(
                ContractTemplate(
                    name=name,
                    body_ja=text_ja,
                    body_en="",
                    updated_at=LONG_AGO,
                    updated_by="staff",
                )
            )
    database.dispose()
    migrate(settings, "0020")
    migrate(settings)
    found = asked(settings, "SELECT name, lease_kind FROM contract_template WHERE :day <> ''")
    assert dict(map(tuple, found)) == {"fixed": "fixed_term", "ordinary": "ordinary"}


def test_sessions_and_tries_are_kept_by_their_new_names_and_by_the_former_ones(
    settings: Settings, database: Database, cast: Cast
) -> None:
    whose = {"user_kind": UserKind.RESIDENT, "workspace_id": cast.sumida.workspace_id}
    signed_in = AuthSession(
        **whose,
        address="resident@example.jp",
        token_hash="a" * 64,
        proof=Proof.CODE,
        device="",
        created_at=LONG_AGO,
        last_seen_at=LONG_AGO,
        expires_at=LONG_AGO,
    )
    noted = SignInEvent(
        **whose,
        at=LONG_AGO,
        kind=SignInEventKind.SIGNED_IN,
        account_hash="b" * 64,
        client="",
        device="",
    )
    tries = AuthTries(subject_hash="c" * 64, count=3, last_at=LONG_AGO)
    database.write_across_workspaces(lambda session: session.add_all((signed_in, noted, tries)))
    database.dispose()
    migrate(settings, "0050")
    former = asked(settings, "SELECT door, token_hash FROM door_session WHERE :day <> ''")
    assert list(map(tuple, former)) == [("resident", "a" * 64)]
    migrate(settings)
    for statement, wanted in (
        ("SELECT user_kind, token_hash FROM auth_session", ("resident", "a" * 64)),
        ("SELECT user_kind, account_hash FROM sign_in_event", ("resident", "b" * 64)),
        ("SELECT count, subject_hash FROM auth_tries", (3, "c" * 64)),
    ):
        assert list(map(tuple, asked(settings, f"{statement} WHERE :day <> ''"))) == [wanted]


def test_transfers_and_accounts_of_the_bank_are_known_by_what_they_are(
    settings: Settings, database: Database, cast: Cast
) -> None:
    moved = [Moved("ヤマダ タロウ", 70_000), Moved("ヤマダ タロウ", 70_000), Moved("サトウ", 5)]
    clock = FixedClock(LONG_AGO.replace(year=2026, month=11, day=20))
    with database.writing(cast.sumida.workspace_id) as session:
        import_file(Work(session, clock, "staff"), statement_file(moved, 9), file_name="a.txt")
    question = "SELECT key FROM bank_transfer WHERE :day <> '' ORDER BY id"
    numbers = "SELECT key, bank_code, branch_code, kind, number FROM bank_account WHERE :day <> ''"
    keys, accounts = asked(settings, question), asked(settings, numbers)
    assert [row[0] for row in keys] == [
        "2026-10-01|70000|ヤマダタロウ|1",
        "2026-10-01|70000|ヤマダタロウ|2",
        "2026-10-01|5|サトウ|1",
    ]
    assert accounts == [("9801-012-1-0021788", "9801", "012", "1", "0021788")]
    database.dispose()
    migrate(settings, "0051")
    former = [row[0] for row in asked(settings, question)]
    assert former[0] == "b|2026-10-01|70000|70009|1"
    migrate(settings)
    assert (asked(settings, question), asked(settings, numbers)) == (keys, accounts)
