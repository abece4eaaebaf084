"""What a payment provider says after the first word, by signed deliveries at the webhook."""

import hashlib
import hmac
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, TypeVar

import pytest
from flask import Flask
from sqlalchemy import select

from pms.channels.models import InboundEvent
from pms.checkouts.models import MoneyBack
from pms.deposits.settlements import settle
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.readings import take_inbound_events
from pms.jobs.runs import Tools
from pms.ledger.charges import post_charge
from pms.ledger.models import Payment
from pms.ledger.queries import standing_of
from pms.ledger.statement import Movement, statement
from pms.rules.enumerations import MoneyBackState
from pms.rules.message_words import InboundState, SecretPurpose, WebhookSource
from pms.statements.queries import corrections_of
from pms.statements.receipt_paper import correction_pdf
from pms.statements.receipts import issue_receipt, reverse_payment
from pms.workspaces.webhook_secrets import add_webhook_secret
from tests.cast import Cast
from tests.staff import Browser
from tests.statements.papers import text_of

SECRET: Final = "whsec_0123456789abcdef"
BILL: Final = 66_000
Word = tuple[str, Mapping[str, Any]]
Row = TypeVar("Row", bound=Base)


@dataclass
class Provider:
    """The payment provider of sumida, its worker and its ledger; each bill has its own charge."""

    app: Flask
    database: Database
    clock: FixedClock
    cast: Cast
    said: int = 0
    bills: list[str] = field(default_factory=list)

    def bill(self) -> str:
        """Post a bill of 66,000 yen and return the suffix of its names at the provider."""
        with self.database.writing(self.cast.sumida.workspace_id) as session:
            self.bills.append(
                post_charge(
                    Work(session, self.clock, "staff"),
                    reservation_id=self.cast.sumida.resident_id,
                    amount_yen=BILL,
                    label=Bilingual("修繕費", "Repair"),
                )
            )
        return str(len(self.bills))

    def says(self, kind: str, at: int = 0, before: int | None = None, **about: Any) -> None:
        """Deliver an event of so many seconds after the hour, and have it taken up."""
        self.said += 1
        created = int(self.clock.now().timestamp()) // 3600 * 3600 + at
        data: dict[str, Any] = {"object": {"currency": "jpy", **about}}
        if before is not None:
            data["previous_attributes"] = {"amount_refunded": before}
        body = json.dumps(
            {"id": f"evt_{self.said}", "type": kind, "created": created, "data": data}
        ).encode()
        now = int(self.clock.now().timestamp())
        made = hmac.new(SECRET.encode(), f"{now}.".encode() + body, hashlib.sha256).hexdigest()
        answer = self.app.test_client().post(
            "/api/webhooks/payments/sumida",
            data=body,
            headers={"stripe-signature": f"t={now},v1={made}"},
        )
        assert answer.status_code == 200
        settings = self.database.settings
        take_inbound_events(Tools(settings, self.database, self.clock, choose_postbox(settings)))

    def says_all(self, words: Sequence[Word], name: str) -> None:
        """Deliver words in their order about the payment of a bill."""
        for kind, about in words:
            ids: dict[str, Any] = {"charge": f"ch_{name}", "payment_intent": f"pi_{name}"}
            if kind == "charge.refunded":
                ids = {"id": f"ch_{name}", "payment_intent": f"pi_{name}"}
            if kind == "payment_intent.succeeded":
                ids = {"id": f"pi_{name}", "latest_charge": f"ch_{name}"}
            own = {key: f"{value}_{name}" if key == "id" else value for key, value in about.items()}
            self.says(kind, **(ids | own))

    def pays(self) -> str:
        """Post a bill that is paid whole at second 10; return its suffix."""
        name = self.bill()
        self.says_all([self.paid(name)], name)
        return name

    def paid(self, name: str) -> Word:
        """The first word about a bill."""
        entry_id = self.bills[int(name) - 1]
        facts = {"at": 10, "amount_received": BILL, "metadata": {"entryId": entry_id}}
        return ("payment_intent.succeeded", facts)

    def paid_yen(self, name: str) -> int:
        """How much of a bill is paid."""
        with self.database.reading(self.cast.sumida.workspace_id) as session:
            entry_id, id_ = self.bills[int(name) - 1], self.cast.sumida.resident_id
            return standing_of(session, id_, entry_id, self.clock.today()).paid_yen

    def states(self) -> list[InboundState]:
        """How the events ended, in the order in which they came."""
        with self.database.reading(self.cast.sumida.workspace_id) as session:
            return list(session.scalars(select(InboundEvent.state).order_by(InboundEvent.id)))

    def rows(self, model: type[Row]) -> list[Row]:
        """Every row of a table of the workspace."""
        with self.database.reading(self.cast.sumida.workspace_id) as session:
            return list(session.scalars(select(model)))

    def payment_id(self, name: str) -> str:
        """The payment of a bill on the ledger."""
        with self.database.reading(self.cast.sumida.workspace_id) as session:
            return session.scalars(
                select(Payment.id).where(Payment.reference == f"pi_{name}")
            ).one()

    def does(self, act: Callable[..., Any], **facts: object) -> Any:
        """Act as staff."""
        with self.database.writing(self.cast.sumida.workspace_id) as session:
            return act(Work(session, self.clock, "staff"), **facts)


@pytest.fixture
def provider(app: Flask, database: Database, clock: FixedClock, cast: Cast) -> Provider:
    with database.writing(cast.sumida.workspace_id) as session:
        add_webhook_secret(
            Work(session, clock, "staff"),
            Signer(database.settings.secret_key),
            source=WebhookSource.PAYMENTS,
            purpose=SecretPurpose.SIGNATURE,
            secret=SECRET,
            replaces=False,
        )
    return Provider(app, database, clock, cast)


def total(yen: int, at: int, before: int | None = None) -> Word:
    return ("charge.refunded", {"amount_refunded": yen, "at": at, "before": before})


def refund(kind: str, status: str, at: int, yen: int = 10_000, **about: Any) -> Word:
    return (kind, {"id": "re", "status": status, "amount": yen, "at": at, **about})


def dispute(kind: str, status: str, at: int, yen: int = BILL) -> Word:
    facts = {"id": "dp", "status": status, "amount": yen, "at": at, "reason": "fraudulent"}
    return (f"charge.dispute.{kind}", facts)


@pytest.mark.differs("locks")
@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("charge.refund.updated", "failed"),
        ("refund.updated", "canceled"),
        ("refund.failed", "failed"),
    ],
)
def test_a_refund_that_failed_is_received_again_and_told(
    provider: Provider, office: Browser, kind: str, status: str
) -> None:
    name = provider.pays()
    provider.says_all([total(10_000, 20)], name)
    assert provider.paid_yen(name) == 56_000
    provider.says_all([refund(kind, status, 30), total(0, 30)], name)
    assert provider.paid_yen(name) == BILL
    assert set(provider.states()) == {InboundState.DONE}
    for page in ("/inbox", "/"):
        text = office.get(page).text
        assert "refund failed; the payer did not receive it" in text
        assert "¥10,000" in text
    ledger = office.get(f"/reservations/{provider.cast.sumida.resident_id}/ledger")
    assert "Return undone" in ledger.text
    with provider.database.reading(provider.cast.sumida.workspace_id) as session:
        rows = statement(session, provider.cast.sumida.resident_id, provider.clock.today()).rows
        assert [row.yen for row in rows if row.movement is Movement.RESTORED] == [-10_000]


def test_a_handled_refund_leaves_the_inbox_and_a_later_state_brings_it_back(
    provider: Provider, office: Browser
) -> None:
    name = provider.pays()
    provider.says_all([dispute("created", "needs_response", 20)], name)
    [told] = provider.rows(MoneyBack)
    office.post(f"/money-back/{told.id}/seen")
    assert "fraudulent" not in office.get("/inbox").text
    provider.says_all([dispute("closed", "lost", 30)], name)
    assert "lost; the money was taken" in office.get("/inbox").text
    assert provider.paid_yen(name) == 0


def test_a_lower_running_total_alone_takes_the_return_back(provider: Provider) -> None:
    name = provider.pays()
    provider.says_all([total(10_000, 20), total(4_000, 30)], name)
    assert provider.paid_yen(name) == 62_000
    provider.says_all([total(0, 40), total(10_000, 25), total(8_000, 50), total(10_000, 60)], name)
    assert provider.paid_yen(name) == 56_000


def test_words_of_one_second_count_in_the_order_that_they_tell(provider: Provider) -> None:
    words = [total(10_000, 20, 0), total(30_000, 20, 10_000)]
    for order in itertools.permutations(words):
        name = provider.pays()
        provider.says_all(order, name)
        assert provider.paid_yen(name) == 36_000
    lowered = [total(10_000, 20, 0), total(0, 20, 10_000), refund("refund.failed", "failed", 20)]
    for order in itertools.permutations(lowered):
        name = provider.pays()
        provider.says_all(order, name)
        assert provider.paid_yen(name) == BILL


def test_one_failed_refund_of_two_takes_only_its_own_money_back(provider: Provider) -> None:
    words = [
        total(10_000, 20),
        total(25_000, 30),
        refund("refund.failed", "failed", 40, 10_000, created=None),
        total(15_000, 40, 25_000),
    ]
    for order in itertools.permutations(words):
        name = provider.pays()
        provider.says_all(order, name)
        assert provider.paid_yen(name) == 51_000, order


def test_refunds_told_without_a_running_total_are_added_up(provider: Provider) -> None:
    name = provider.pays()
    created = refund("refund.created", "pending", 20)
    provider.says_all([created, refund("refund.updated", "succeeded", 30)], name)
    assert provider.paid_yen(name) == 56_000
    provider.says_all([refund("refund.updated", "pending", 25)], name)
    provider.says_all([refund("refund.failed", "failed", 40)], name)
    provider.says_all([refund("refund.updated", "succeeded", 50)], name)
    assert provider.paid_yen(name) == BILL
    assert [told.state for told in provider.rows(MoneyBack)] == [MoneyBackState.FAILED]


@pytest.mark.differs("locks")
def test_events_in_every_order_end_in_the_same_ledger(provider: Provider) -> None:
    refunds = [
        total(10_000, 20),
        refund("refund.created", "pending", 20),
        refund("charge.refund.updated", "failed", 30),
    ]
    disputes = [
        dispute("created", "needs_response", 20),
        dispute("funds_withdrawn", "needs_response", 21),
        dispute("closed", "won", 40),
        dispute("funds_reinstated", "won", 41),
    ]
    lost = [
        dispute("created", "needs_response", 20, 16_000),
        dispute("updated", "under_review", 30, 16_000),
        dispute("closed", "lost", 40, 16_000),
    ]
    for words, yen in ((refunds, BILL), (disputes, BILL), (lost, 50_000)):
        for number, order in enumerate(itertools.permutations(range(len(words) + 1))):
            if number % 5:
                continue
            name = provider.bill()
            every = [*words, provider.paid(name)]
            provider.says_all([every[place] for place in order], name)
            assert provider.paid_yen(name) == yen, (words, order)
    assert set(provider.states()) == {InboundState.DONE}


def test_money_withdrawn_for_a_dispute_is_owed_and_paid_again_when_it_is_won(
    provider: Provider, office: Browser
) -> None:
    name = provider.pays()
    provider.says_all([dispute("created", "needs_response", 20)], name)
    assert provider.paid_yen(name) == BILL
    provider.says_all([dispute("funds_withdrawn", "needs_response", 21)], name)
    assert provider.paid_yen(name) == 0
    ledger = f"/reservations/{provider.cast.sumida.resident_id}/ledger"
    assert "so the bill is unpaid again" in office.get(ledger).text
    provider.says_all([dispute("funds_reinstated", "needs_response", 50)], name)
    assert provider.paid_yen(name) == BILL
    provider.says_all([dispute("funds_withdrawn", "lost", 60)], name)
    assert provider.paid_yen(name) == 0
    provider.says_all([dispute("closed", "won", 70)], name)
    assert provider.paid_yen(name) == BILL
    assert "fraudulent" not in office.get("/inbox").text
    assert "The dispute of ¥66,000 was won" in office.get(ledger).text


def test_an_inquiry_moves_no_money(provider: Provider) -> None:
    name = provider.pays()
    words = [dispute("created", "warning_needs_response", 20)]
    provider.says_all([*words, dispute("closed", "warning_closed", 30)], name)
    assert provider.paid_yen(name) == BILL
    assert [told.state for told in provider.rows(MoneyBack)] == [MoneyBackState.CLOSED]


def test_a_refund_and_a_lost_dispute_never_take_more_than_was_paid(provider: Provider) -> None:
    name = provider.pays()
    words = [total(10_000, 20), dispute("closed", "lost", 30)]
    provider.says_all(words, name)
    assert provider.paid_yen(name) == 0
    provider.says_all([refund("refund.failed", "failed", 40)], name)
    assert provider.paid_yen(name) == 0


def test_the_receipt_gets_a_paper_for_each_turn(provider: Provider) -> None:
    name = provider.pays()
    provider.does(issue_receipt, payment_id=provider.payment_id(name))
    provider.says_all([total(10_000, 20), total(0, 30)], name)
    with provider.database.reading(provider.cast.sumida.workspace_id) as session:
        papers = corrections_of(session, provider.cast.sumida.resident_id)
        titles = [text_of(correction_pdf(session, paper.id)) for paper in papers]
    assert ["返金明細書" in titles[0], "返金取消通知書" in titles[1]] == [True, True]
    assert "¥10,000" in titles[1]


def test_what_staff_recorded_stays_and_a_reversed_payment_is_left_alone(
    provider: Provider,
) -> None:
    name = provider.pays()
    provider.does(
        reverse_payment, payment_id=provider.payment_id(name), reason="recorded by mistake"
    )
    provider.says_all([total(BILL, 20), refund("refund.failed", "failed", 30, BILL)], name)
    assert provider.paid_yen(name) == 0
    assert set(provider.states()) == {InboundState.DONE}


def test_a_refund_that_failed_after_the_settlement_waits_for_a_person(
    provider: Provider, operator: Browser
) -> None:
    name = provider.pays()
    provider.says_all([total(10_000, 20)], name)
    with provider.database.writing(provider.cast.sumida.workspace_id) as session:
        settle_everything(session, provider)
    provider.says_all([refund("refund.failed", "failed", 30)], name)
    assert provider.states()[-1] is InboundState.UNMATCHED
    assert "The reservation is settled" in operator.get("/inbox").text


def settle_everything(session: Any, provider: Provider) -> None:
    """Move the resident out and settle their deposit."""
    from pms.reservations.models import Reservation
    from pms.rules.enumerations import Lifecycle

    row = session.get(
        Reservation, (provider.cast.sumida.workspace_id, provider.cast.sumida.resident_id)
    )
    row.lifecycle = Lifecycle.MOVED_OUT
    row.move_out_date = provider.clock.today() - timedelta(days=1)
    session.flush()
    settle(Work(session, provider.clock, "staff"), reservation_id=row.id)


def test_a_payout_that_failed_is_told_once_and_one_that_arrives_is_done(
    provider: Provider, operator: Browser
) -> None:
    def payout(kind: str, number: int, **about: Any) -> None:
        provider.says(f"payout.{kind}", id=f"po_{number}", amount=120_000, **about)

    payout("paid", 1, status="paid")
    payout("updated", 2, status="failed", failure_message="account closed")
    payout("failed", 2, status="failed")
    payout("paid", 2, status="paid")
    done, waits = InboundState.DONE, InboundState.UNMATCHED
    assert provider.states() == [done, waits, done, done]
    assert "Payout to your bank" in operator.get("/inbox").text


def test_a_charge_says_the_same_as_its_intent(provider: Provider) -> None:
    name = provider.bill()
    metadata = {"entryId": provider.bills[0]}
    about: dict[str, Any] = {
        "id": "ch_1",
        "payment_intent": "pi_1",
        "amount": BILL,
        "metadata": metadata,
    }
    provider.says("charge.succeeded", captured=False, **about)
    assert provider.paid_yen(name) == 0
    provider.says("charge.captured", captured=True, amount_captured=BILL, **about)
    provider.says_all([provider.paid(name)], name)
    assert provider.paid_yen(name) == BILL
    unused, done = InboundState.UNUSED, InboundState.DONE
    assert provider.states() == [unused, done, done]


def test_an_unknown_word_about_money_waits_and_one_about_nothing_does_not(
    provider: Provider,
) -> None:
    provider.says("charge.rewound", id="ch_1")
    provider.says("charge.updated", id="ch_1")
    provider.says("customer.updated", id="cus_1")
    waits, unused = InboundState.UNMATCHED, InboundState.UNUSED
    assert provider.states() == [waits, unused, unused]


def test_the_log_names_what_was_told(provider: Provider, operator: Browser) -> None:
    name = provider.pays()
    provider.says_all([total(10_000, 20), refund("refund.failed", "failed", 30)], name)
    with provider.database.reading(provider.cast.sumida.workspace_id) as session:
        events = list(session.scalars(select(AuditRecord.audit_event).order_by(AuditRecord.id)))
    assert events[-3:] == ["payment.returned", "payment.refund_failed", "payment.restored"]
    assert operator.get("/audit").status_code == 200
