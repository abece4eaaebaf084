"""Payout files: refunds and owners' money, sent once, confirmed by a second person where asked."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from pms.access.models import Member, Person
from pms.bank import payouts
from pms.bank.mandates import set_owner_account, set_resident_account
from pms.bank.models import PayeeAccount, PayoutFile, PayoutRow
from pms.bank.orders import office_to_order
from pms.bank.payouts import WaitingPayout
from pms.bank.second_person import SecondPersonRule
from pms.catalogue.checks import WrittenOwner
from pms.catalogue.owners import add_owner
from pms.deposits.models import Settlement
from pms.deposits.settlement_records import settlement_of
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.migrating import migrate
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    BankOrderState,
    Lifecycle,
    PayoutKind,
    SettlementState,
    StaffRole,
)
from tests.bank.conftest import TODAY, Bank
from tests.bank.test_debits import account, set_office

PAY_ON = date(2026, 11, 30)
REFUND = 61_200


@pytest.fixture
def refunding(bank: Bank) -> Bank:
    """Hanako's tenancy is settled, and part of the deposit goes back."""
    set_office(bank)
    with bank.books.writing() as session:
        row = session.scalars(select(Reservation).where(Reservation.id == bank.hanako)).one()
        row.lifecycle = Lifecycle.SETTLED
        session.add(
            Settlement(
                id=new_id(),
                reservation_id=bank.hanako,
                settled_on=TODAY,
                held_yen=REFUND,
                overpaid_yen=0,
                deducted_yen=0,
                netted_yen=0,
                remainder_yen=REFUND,
                owed_yen=0,
                written_at=bank.books.clock.now(),
                written_by="person/1",
            )
        )
    bank.books.do(
        set_resident_account,
        reservation_id=bank.hanako,
        account=account(),
        expected_version=0,
    )
    return bank


def waiting(bank: Bank) -> list[WaitingPayout]:
    with bank.books.reading() as session:
        return list(payouts.waiting_payouts(session, bank.books.clock.today()))


def made(bank: Bank, **given: Any) -> str:
    file_id: str = bank.books.do(payouts.make_payout_file, pay_on=PAY_ON, **given)
    return file_id


def by(bank: Bank, person: str, verb: Any, file_id: str) -> None:
    """Somebody does something to a file."""
    with bank.books.writing() as session:
        verb(Work(session, bank.books.clock, person), file_id)


def test_a_refund_waits_until_a_file_pays_it_and_again_when_that_is_dropped(
    refunding: Bank,
) -> None:
    (one,) = waiting(refunding)
    assert (one.kind, one.yen) == (PayoutKind.REFUND, REFUND)
    file_id = made(refunding)
    assert waiting(refunding) == []
    with pytest.raises(Refused):
        made(refunding, marks=[one.mark])
    refunding.books.do(payouts.drop_payouts, file_id)
    assert waiting(refunding) == [one]


def test_handing_a_file_over_marks_its_refunds_as_sent(refunding: Bank) -> None:
    file_id = made(refunding)
    refunding.books.do(payouts.hand_over_payouts, file_id)
    with refunding.books.reading() as session:
        settled = settlement_of(session, refunding.hanako)
        record = payouts.payout_file_record(session, file_id)
    assert settled is not None
    assert settled.state == SettlementState.REFUNDED
    assert record.line.state is BankOrderState.HANDED_OVER
    with pytest.raises(Refused):
        refunding.books.do(payouts.drop_payouts, file_id)
    assert waiting(refunding) == []


def test_where_it_is_asked_for_somebody_else_confirms_before_the_file_is_given(
    refunding: Bank,
) -> None:
    set_office(refunding, expected_version=1, needs_second_person=True)
    with refunding.books.writing() as session:
        file_id = payouts.make_payout_file(
            Work(session, refunding.books.clock, "person/1"), pay_on=PAY_ON
        )
    for verb in (payouts.confirm_payouts, payouts.hand_over_payouts):
        with pytest.raises(Refused):
            by(refunding, "person/1", verb, file_id)
    with refunding.books.reading() as session, pytest.raises(Refused):
        payouts.payout_file_bytes(session, file_id)
    by(refunding, "person/2", payouts.confirm_payouts, file_id)
    with refunding.books.reading() as session:
        assert payouts.payout_file_bytes(session, file_id).startswith(b"121")
    by(refunding, "person/1", payouts.hand_over_payouts, file_id)


def test_a_payee_without_an_account_and_a_changed_amount_are_refused(refunding: Bank) -> None:
    (one,) = waiting(refunding)
    with pytest.raises(Refused):
        made(refunding, marks=[one.mark.replace("61200", "61201")])
    with pytest.raises(Refused):
        made(refunding, marks=[])
    with pytest.raises(Refused) as refusal:
        refunding.books.do(payouts.make_payout_file, pay_on=date(2026, 11, 1))
    assert refusal.value.field == "payOn"


@pytest.mark.parametrize(
    ("closed", "reason", "next_day"),
    [
        (date(2026, 11, 22), "weekend", "2026-11-24"),
        (date(2026, 11, 23), "public holiday", "2026-11-24"),
        (date(2027, 1, 2), "year-end break", "2027-01-04"),
    ],
)
def test_a_day_on_which_banks_are_closed_pays_nothing_out(
    refunding: Bank, closed: date, reason: str, next_day: str
) -> None:
    with pytest.raises(Refused, match=next_day) as refusal:
        refunding.books.do(payouts.make_payout_file, pay_on=closed)
    assert refusal.value.field == "payOn"
    assert refusal.value.values["closure"] == reason
    assert refunding.books.do(payouts.make_payout_file, pay_on=date.fromisoformat(next_day))


def test_without_the_office_account_no_file_is_made(bank: Bank) -> None:
    with pytest.raises(Refused) as refusal:
        made(bank)
    assert refusal.value.field == "account"


def test_an_account_is_changed_only_as_it_was_seen(bank: Bank) -> None:
    written = WrittenOwner(name="小川 武彦", name_kana=None, email=None, phone=None, note=None)
    owner_id = bank.books.do(add_owner, written=written)
    bank.books.do(set_owner_account, owner_id=owner_id, account=account(), expected_version=0)
    other = {"owner_id": owner_id, "account": account(number="1")}
    with pytest.raises(Collision):
        bank.books.do(set_owner_account, **other, expected_version=0)
    bank.books.do(set_owner_account, **other, expected_version=1)
    with pytest.raises(NotFound):
        bank.books.do(set_owner_account, owner_id="nobody", account=account(), expected_version=0)


def new_account(bank: Bank, person: str, number: str) -> None:
    reservation_id = waiting(bank)[0].payee_id
    with bank.books.writing() as session:
        stored = session.scalars(select(PayeeAccount)).one()
        set_resident_account(
            Work(session, bank.books.clock, person),
            reservation_id=reservation_id,
            account=account(number=number),
            expected_version=stored.version,
        )


def make_by(bank: Bank, person: str) -> str:
    with bank.books.writing() as session:
        return payouts.make_payout_file(
            Work(session, bank.books.clock, person),
            pay_on=PAY_ON,
        )


def test_an_account_that_changed_since_its_last_payout_is_confirmed_by_somebody_else(
    refunding: Bank,
) -> None:
    set_office(refunding, expected_version=1, needs_second_person=True)
    first = make_by(refunding, "person/1")
    with refunding.books.writing() as session:
        # As if the bank had got a first payout to the payee before.
        session.execute(update(PayoutRow).values(is_in_force=False))
        session.get_one(
            PayoutFile, (refunding.books.workspace_id, first)
        ).handed_over_at = refunding.books.clock.now()
    new_account(refunding, "person/2", "7654321")
    second = make_by(refunding, "person/1")
    with refunding.books.reading() as session:
        (line,) = payouts.payout_file_record(session, second).payouts
        assert line.account_changed_by == "person/2"
        (waiting_file,) = payouts.list_unconfirmed_files(session)
        assert waiting_file.line.id == second
        assert not waiting_file.rule.admits("person/2")
        assert waiting_file.rule.admits("person/3")
    with pytest.raises(Refused, match="you changed the bank account"):
        by(refunding, "person/2", payouts.confirm_payouts, second)
    by(refunding, "person/3", payouts.confirm_payouts, second)


def employ(bank: Bank, *names: str) -> list[str]:
    """People of the office, as actors."""
    with bank.books.database.across_workspaces_writing() as session:
        people = [
            Person(
                email=f"{name}@sumida.example",
                name=name,
                created_at=bank.books.clock.now(),
                locale="en",
            )
            for name in names
        ]
        session.add_all(people)
        session.flush()
        ids = [person.id for person in people]
    with bank.books.writing() as session:
        session.add_all(
            Member(person_id=id_, role=StaffRole.OFFICE, accepted_at=bank.books.clock.now())
            for id_ in ids
        )
    return [f"person/{id_}" for id_ in ids]


def mails_of(bank: Bank) -> list[tuple[str, str]]:
    with bank.books.database.across_workspaces_reading() as session:
        return [
            (mail.recipient.partition("@")[0], mail.subject)
            for mail in session.scalars(select(OutboxMail).order_by(OutboxMail.recipient))
            if "payout file" in mail.subject
        ]


def rule_of(bank: Bank, file_id: str) -> SecondPersonRule:
    with bank.books.reading() as session:
        rule = payouts.payout_file_record(session, file_id).rule
        (listed,) = payouts.list_unconfirmed_files(session)
    assert rule is not None
    assert listed.rule == rule
    return rule


def test_who_entered_an_account_never_paid_confirms_it_only_where_no_one_else_can(
    refunding: Bank,
) -> None:
    set_office(refunding, expected_version=1, needs_second_person=True)
    aoi, ben = employ(refunding, "aoi", "ben")
    new_account(refunding, ben, "7654321")
    file_id = make_by(refunding, aoi)
    with refunding.books.reading() as session:
        (line,) = payouts.payout_file_record(session, file_id).payouts
    assert line.is_first
    assert (line.account_changed_by, line.account_changed_at) == (
        ben,
        refunding.books.clock.now(),
    )
    assert rule_of(refunding, file_id).admits(ben)
    assert [who for who, _ in mails_of(refunding)] == ["ben"]
    (cho,) = employ(refunding, "cho")
    assert not rule_of(refunding, file_id).admits(ben)
    with pytest.raises(Refused, match="for a first payout"):
        by(refunding, ben, payouts.confirm_payouts, file_id)
    by(refunding, cho, payouts.confirm_payouts, file_id)
    by(refunding, aoi, payouts.drop_payouts, file_id)
    make_by(refunding, aoi)
    assert [who for who, _ in mails_of(refunding)] == ["ben", "cho"]


def test_a_payee_whom_the_bank_paid_before_is_not_marked_as_first(refunding: Bank) -> None:
    first = make_by(refunding, "person/1")
    with refunding.books.writing() as session:
        assert session.scalars(select(PayoutRow)).one().is_first
        session.execute(update(PayoutRow).values(is_in_force=False))
        session.get_one(
            PayoutFile, (refunding.books.workspace_id, first)
        ).handed_over_at = refunding.books.clock.now()
    second = make_by(refunding, "person/1")
    with refunding.books.reading() as session:
        (line,) = payouts.payout_file_record(session, second).payouts
    assert not line.is_first
    assert line.account_changed_by is None


@pytest.mark.parametrize(("name", "is_first"), [(None, False), ("別の人", True)])
def test_an_account_paid_for_another_tenancy_of_the_same_name_is_no_new_one(
    refunding: Bank, name: str | None, is_first: bool
) -> None:
    earlier = make_by(refunding, "person/1")
    with refunding.books.writing() as session:
        row = session.scalars(select(PayoutRow)).one()
        row.is_in_force, row.payee_id, row.source = False, new_id(), f"{new_id()}/0"
        row.payee = name or row.payee
        session.get_one(
            PayoutFile, (refunding.books.workspace_id, earlier)
        ).handed_over_at = refunding.books.clock.now()
    again = make_by(refunding, "person/1")
    with refunding.books.reading() as session:
        (line,) = payouts.payout_file_record(session, again).payouts
    assert (line.is_first, line.account_changed_by is not None) == (is_first, is_first)


def test_a_file_that_no_one_may_confirm_is_told_to_all_with_the_way_out(refunding: Bank) -> None:
    set_office(refunding, expected_version=1, needs_second_person=True)
    paid = make_by(refunding, "person/1")
    with refunding.books.writing() as session:
        session.execute(update(PayoutRow).values(is_in_force=False))
        session.get_one(
            PayoutFile, (refunding.books.workspace_id, paid)
        ).handed_over_at = refunding.books.clock.now()
    aoi, ben = employ(refunding, "aoi", "ben")
    new_account(refunding, ben, "7654321")
    stuck = make_by(refunding, aoi)
    rule = rule_of(refunding, stuck)
    assert rule.is_without_confirmer
    assert rule.next_makers == [ben]
    told_to = mails_of(refunding)
    assert [who for who, _ in told_to] == ["aoi", "ben"]
    assert all("no one can confirm" in subject for _, subject in told_to)
    # The way out that the mail names.
    by(refunding, ben, payouts.drop_payouts, stuck)
    anew = make_by(refunding, ben)
    assert not rule_of(refunding, anew).is_without_confirmer
    by(refunding, aoi, payouts.confirm_payouts, anew)


def test_an_office_of_one_person_is_told_to_add_another(refunding: Bank) -> None:
    set_office(refunding, expected_version=1, needs_second_person=True)
    (aoi,) = employ(refunding, "aoi")
    file_id = make_by(refunding, aoi)
    rule = rule_of(refunding, file_id)
    assert rule.is_without_confirmer
    assert rule.next_makers == ()
    with refunding.books.database.across_workspaces_reading() as session:
        texts = [mail.text for mail in session.scalars(select(OutboxMail))]
    assert ["Add another operator" in text for text in texts] == [True]


@pytest.mark.differs("migrations")
def test_the_release_before_does_not_take_first_payouts_for_changed_accounts(
    refunding: Bank, settings: Settings
) -> None:
    make_by(refunding, "person/1")
    refunding.books.database.dispose()
    migrate(settings, "0069")
    migrate(settings)
    with refunding.books.reading() as session:
        row = session.scalars(select(PayoutRow)).one()
    assert (row.is_first, row.account_changed_at, row.account_changed_by) == (False, None, None)


@pytest.mark.differs("migrations")
def test_payouts_of_earlier_releases_name_their_payee_where_that_is_certain(
    refunding: Bank, settings: Settings
) -> None:
    file_id = make_by(refunding, "person/1")
    names = ("大谷 恵", "同名 の人", "同名 の人")
    share, *_same = [
        refunding.books.do(add_owner, written=WrittenOwner(name=name)) for name in names
    ]
    alone = refunding.books.do(add_owner, written=WrittenOwner(name="一人 だけ"))
    building_month = f"{new_id()}/2026-09"
    wanted = {
        f"{building_month}/{share}": ("大谷 恵", share),
        building_month: ("一人 だけ", alone),
        f"{new_id()}/2026-09": ("同名 の人", None),
        f"{new_id()}/2026-10": ("別名", None),
    }
    with refunding.books.writing() as session:
        (refund,) = session.scalars(select(PayoutRow))
        kept = {column.key: getattr(refund, column.key) for column in PayoutRow.__table__.columns}
        wanted[refund.source] = (refund.payee, refunding.hanako)
        for position, (source, (payee, _id)) in enumerate(list(wanted.items())[:4], 2):
            own = {"id": new_id(), "position": position, "source": source, "payee": payee}
            session.add(PayoutRow(**kept | own | {"payout_kind": PayoutKind.OWNER}))
        session.flush()
        session.execute(update(PayoutRow).values(payee_id=None))
    refunding.books.database.dispose()
    migrate(settings, "0064")
    migrate(settings)
    with refunding.books.reading() as session:
        rows = session.scalars(select(PayoutRow).where(PayoutRow.file_id == file_id)).all()
    assert {row.source: (row.payee, row.payee_id) for row in rows} == wanted


def test_the_rule_of_the_second_person_holds_a_day_longer_and_operators_are_told(
    refunding: Bank,
) -> None:
    set_office(refunding, expected_version=1, needs_second_person=True)
    set_office(refunding, expected_version=2, needs_second_person=False)
    refunding.books.clock.advance(timedelta(hours=23, minutes=59))
    with refunding.books.reading() as session:
        assert office_to_order(session).needs_second_person_at(refunding.books.clock.now())
    set_office(refunding, expected_version=3, needs_second_person=False)
    refunding.books.clock.advance(timedelta(minutes=1))
    with refunding.books.reading() as session:
        assert not office_to_order(session).needs_second_person_at(refunding.books.clock.now())
    set_office(refunding, expected_version=4, needs_second_person=True)
    with refunding.books.reading() as session:
        assert office_to_order(session).needs_second_person_at(refunding.books.clock.now())
