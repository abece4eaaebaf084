"""A refund that waits for the resident's answer leaves by no door until an operator releases it."""

import ast
from collections.abc import Callable, Mapping
from datetime import date

import pytest
from sqlalchemy import func, select

from pms.access.members import members
from pms.bank.mandates import set_resident_account
from pms.bank.models import PayoutFile, PayoutRow
from pms.deposits.models import Refund
from pms.deposits.settlement_papers import object_to_paper, release_refund
from pms.deposits.settlement_records import settlement_of
from pms.deposits.settlements import settle
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole
from pms.workspaces.office_bank import set_office_bank
from tests.architecture.source_tree import python_sources
from tests.bank.test_debits import account
from tests.staff import Browser, Staff
from tests.surfaces.command_line.conftest import Operator
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.money.test_deposit import left
from tests.surfaces.dashboard.reservations.forms import fields_of

__all__ = ["left"]

PAY_ON = date(2026, 11, 24)


@pytest.fixture
def operator(settings: Settings, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Operator:
    return Operator(settings, clock, monkeypatch)


@pytest.fixture
def doors(
    office: Browser, left: Books, clock: FixedClock, operator: Operator
) -> Mapping[str, Callable[[], bool]]:
    """Each way by which a refund leaves; it returns whether it let one through."""
    id_ = left.resident_id

    def press(path: str, fields: Mapping[str, str]) -> bool:
        return office.post(path, fields).status_code == 303

    def command(line: str) -> bool:
        return operator.types(f"{line} --workspace {left.house.slug}").code == 0

    def mark() -> str:
        found = left.ask(settlement_of, id_)
        return f"refund:{found.settlement.id}/{found.sent_yen}:{found.unsent_yen}"

    by_hand = {"amountYen": "1000", "sentOn": clock.today().isoformat()}
    return {
        "recorded by hand": lambda: press(f"/reservations/{id_}/refund", by_hand),
        "recorded by command": lambda: command(f"deposit refund {id_} --amount 1000"),
        "file by command": lambda: command(f"bank payout make {PAY_ON} --payout {mark()}"),
        "file": lambda: press("/bank/payouts", {"payouts": mark(), "payOn": PAY_ON.isoformat()}),
    }


def set_up_payout(books: Books) -> None:
    """The office's account, and that of the resident."""
    payee = account()
    books.do(
        set_office_bank,
        expected_version=0,
        account=payee,
        debit_client="9000012345",
        payout_client="9000012345",
        needs_second_person=False,
        debit_attempts=2,
    )
    whose = {"reservation_id": books.resident_id}
    books.do(set_resident_account, **whose, account=payee, expected_version=0)


def test_an_objected_refund_leaves_by_no_door_until_it_is_released(
    office: Browser, left: Books, doors: Mapping[str, Callable[[], bool]]
) -> None:
    set_up_payout(left)
    id_ = left.resident_id
    typed = fields_of(office.get(f"/reservations/{id_}/deposit").text, "/settlement/draft")
    assert office.post(f"/reservations/{id_}/settlement", typed).status_code == 303
    left.do(object_to_paper, reservation_id=id_, objections={None: "鍵は返しました"})
    left.on("2026-11-24")
    assert [name for name, leaves in doors.items() if leaves()] == []
    for table in (Refund, PayoutRow):
        asked = select(func.count()).select_from(table)
        assert left.ask(lambda session, asked=asked: session.scalar(asked)) == 0
    left.do(release_refund, reservation_id=id_, reason="電話で合意")
    assert [name for name, leaves in doors.items() if not leaves()] == ["file"], (
        "the file made before holds the rest"
    )


def test_a_payout_file_is_confirmed_by_command_only_by_a_named_member_of_the_office(
    operator: Operator, staff: Staff, left: Books, doors: Mapping[str, Callable[[], bool]]
) -> None:
    set_up_payout(left)
    left.do(settle, reservation_id=left.resident_id)
    left.do(release_refund, reservation_id=left.resident_id, reason="電話で合意")
    assert doors["file by command"]()
    with left.database.reading(left.house.workspace_id) as session:
        file_id = session.scalars(select(PayoutFile.id)).one()
        emails = {member.role: member.email for member in members(session)}
    confirmed = f"bank payout confirm {file_id} --workspace {left.house.slug}"
    assert operator.types(confirmed).code != 0
    assert operator.types(f"{confirmed} --by stranger@example.com").code == 1
    assert operator.types(f"{confirmed} --by {emails[StaffRole.HOUSEKEEPING]}").code == 1
    assert operator.types(f"{confirmed} --by {emails[StaffRole.OFFICE]}").code == 0
    with left.database.reading(left.house.workspace_id) as session:
        noted = select(AuditRecord).where(
            AuditRecord.audit_event == AuditEvent.PAYOUT_FILE_CONFIRMED
        )
        event = session.scalars(noted).one()
    assert event.actor == f"person/{staff.office_id}"
    assert (event.after or {}).get("way") == "command line"


def test_refunds_are_written_by_one_verb() -> None:
    """Whatever door is added calls it, and with it asks the same rule."""
    writers = [
        source.path
        for source in python_sources("pms")
        if source.mentions(["Refund"])
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Refund"
    ]
    assert writers == ["pms/deposits/refunds.py"]
