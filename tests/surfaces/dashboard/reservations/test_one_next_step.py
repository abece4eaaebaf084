"""Every surface tells the same next step of a tenancy, and "nothing" only if nothing is open."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from flask import Flask

from pms.arrivals.dates import correct_dates
from pms.arrivals.key_handovers import HandedKeys, hand_over_keys
from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking, move_in
from pms.arrivals.move_outs import move_out
from pms.arrivals.reservation_headers import ReservationHeader, reservation_header
from pms.arrivals.tenancy_ways import ReservationWay, reservation_ways
from pms.contracts.envelopes import send_contract
from pms.contracts.issuing import issue_contract
from pms.contracts.queries import contracts_of
from pms.departures.notices import file_notice
from pms.deposits.refunds import send_refund
from pms.deposits.settlements import settle
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.move_in import change_esign_status
from pms.ledger.payment_plan import record_payment
from pms.rules.enumerations import EsignStatus, UserKind
from pms.rules.tenancy_way import Because, Party, TenancyStep
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Staff, open_browser
from tests.surfaces.dashboard.reservations.conftest import WHO

NOTHING: Final = ("No action needed", "Nothing left to do", "Everything is settled")
IN_THE_LIST: Final = {
    TenancyStep.DATES: "Date unreadable",
    TenancyStep.AMENDMENT: "Contract outdated",
    TenancyStep.CONTRACT: "Contract not sent",
    TenancyStep.EXPLANATION: "Not explained",
    TenancyStep.SIGNATURE: "Not signed",
    TenancyStep.INVOICE: "Invoice not sent",
    TenancyStep.PAYMENT: "Not paid",
    TenancyStep.CONFIRMATION: "To confirm",
    TenancyStep.MOVE_IN: "Record move-in",
    TenancyStep.KEYS: "Keys not handed over",
    TenancyStep.BILLS: "Payment due",
    TenancyStep.MOVE_OUT: "Record move-out",
    TenancyStep.SETTLEMENT: "Deposit not settled",
    TenancyStep.REFUND: "Refund not sent",
}
"""What the list says where an office or a resident has to act and nothing is late."""
OF_A_DAY: Final = {TenancyStep.MOVE_IN: "Moves in", TenancyStep.MOVE_OUT: "Moves out"}


class Tenancy:
    """A booking and what may happen to it next, whether its state allows it or not."""

    def __init__(self, database: Database, cast: Cast, clock: FixedClock, id_: str) -> None:
        self.database, self.clock, self.id = database, clock, id_
        self.workspace_id = cast.sumida.workspace_id

    def do(self, verb: Callable[..., Any], **facts: Any) -> None:
        with self.database.writing(self.workspace_id) as session:
            verb(Work(session, self.clock, WHO), reservation_id=self.id, **facts)

    def ways(self) -> Mapping[str, Callable[[], None]]:
        today, days = self.clock.today(), timedelta
        return {
            "contract": lambda: self.do(issue_contract),
            "send": self.send,
            "sent": lambda: self.do(change_esign_status, status=EsignStatus.SENT),
            "signed": lambda: self.do(change_esign_status, status=EsignStatus.SIGNED),
            "declined": lambda: self.do(change_esign_status, status=EsignStatus.DECLINED),
            "pay a part": lambda: self.do(record_payment, amount_yen=50_000),
            "pay": self.pay,
            "charge": lambda: self.do(post_charge, amount_yen=3_000, label=Bilingual("鍵", "Key")),
            "move in": lambda: self.do(move_in),
            "keys": lambda: self.do(hand_over_keys, keys=HandedKeys(today, 2)),
            "start earlier": lambda: self.do(correct_dates, override_move_in_date=today),
            "notice": lambda: self.do(file_notice, move_out_on=today + days(40)),
            "move out": lambda: self.do(move_out, has_keys=True),
            "cancel": lambda: self.do(cancel_booking),
            "settle": lambda: self.do(settle, deductions=()),
            "refund": lambda: self.do(send_refund, amount_yen=1_000),
            "a night": lambda: self.pass_days(1),
            "a month": lambda: self.pass_days(29),
        }

    def send(self) -> None:
        with self.database.writing(self.workspace_id) as session:
            newest = contracts_of(session, self.id)[0]
            work = Work(session, self.clock, WHO)
            send_contract(work, contract_id=newest.id, link="https://pms.example.jp/")

    def pay(self) -> None:
        yen = self.header().open_yen
        self.do(record_payment, amount_yen=yen)

    def pass_days(self, days: int) -> None:
        self.clock.advance(timedelta(days=days))
        with self.database.writing(self.workspace_id) as session:
            advance_lifecycles(Work(session, self.clock, WHO))

    def header(self) -> ReservationHeader:
        with self.database.reading(self.workspace_id) as session:
            return reservation_header(session, self.id, self.clock.today())

    def way(self) -> ReservationWay:
        with self.database.reading(self.workspace_id) as session:
            header = reservation_header(session, self.id, self.clock.today())
            return reservation_ways(session, [header.way_record], header.today)[self.id]


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def find(pattern: str, html: str) -> str:
    found = re.search(pattern, html, re.DOTALL)
    return text_of(found[0]) if found else ""


@pytest.fixture
def tenancy(database: Database, cast: Cast, clock: FixedClock, booked_id: str) -> Tenancy:
    return Tenancy(database, cast, clock, booked_id)


class Surfaces:
    """The pages that tell the next step, opened by who has just signed in."""

    def __init__(self, app: Flask, cast: Cast, staff: Staff, clock: FixedClock, id_: str) -> None:
        house = cast.sumida
        office = open_browser(app, clock, staff.office_id, house.slug)
        resident = open_portal_browser(
            app,
            clock,
            UserKind.RESIDENT,
            workspace_id=house.workspace_id,
            slug=house.slug,
            address="sho@example.jp",
        )
        page = office.get(f"/reservations/{id_}?lang=en").text
        found = re.search(r'<div class="way-next">.*?</section>', page, re.DOTALL)
        assert found is not None
        self.words = find(r"<p>.*?</p>", found[0])
        self.buttons = [text_of(each) for each in BUTTON.findall(found[0])]
        listed = office.get("/reservations?search=高橋&lang=en").text
        self.row = find(r"<tr[^>]*>(?:(?!</tr>).)*高橋 翔.*?</tr>", listed)
        lines = LINE.findall(office.get("/?all=y&lang=en").text)
        own = [line for line in lines if "高橋 翔" in line]
        self.acts = [text_of(BUTTON.findall(line)[0]) for line in own]
        self.home = text_of(resident.get(f"/{id_}?lang=en").text)


@pytest.fixture
def look(
    app: Flask, cast: Cast, staff: Staff, clock: FixedClock, booked_id: str
) -> Callable[[], Surfaces]:
    """Opens the surfaces anew; sign-ins do not last a month."""
    return partial(Surfaces, app, cast, staff, clock, booked_id)


BUTTON: Final = re.compile(r'<(?:a|button) class="button.*?</(?:a|button)>', re.DOTALL)
LINE: Final = re.compile(r'<li class="due-line.*?</li>', re.DOTALL)
OF_OTHER_LINES: Final = ("Open", "Remind", "Amend", "Renew")
"""Acts of lines about debts, changed contracts, and tenancies in which nobody has to act."""


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_all_surfaces_tell_the_same_next_step(
    tenancy: Tenancy, look: Callable[[], Surfaces], seed: int
) -> None:
    chance, told = Random(seed), []
    for _ in range(14):
        name, act = chance.choice(sorted(tenancy.ways().items()))
        try:
            act()
        except (Problem, IndexError):
            continue
        told.append(name)
        shown, way = look(), tenancy.way()
        next_act = way.next
        assert bool(way.missing) != shown.words.startswith(NOTHING), (told, shown.words)
        # A resident may have a check of the room to send besides.
        is_nothing = any(each in shown.home for each in (*NOTHING, "Send your move-in check"))
        assert is_nothing or way.missing, (told, next_act)
        assert not (way.missing and any(each in shown.home for each in NOTHING)), (told, next_act)

        tag = IN_THE_LIST.get(next_act.step) if next_act.step else None
        if next_act.waits_for is Party.DAY and next_act.step is not None:
            tag = OF_A_DAY.get(next_act.step, tag)
        if next_act.because is Because.OVERDUE:
            tag = "Overdue since"
        # The list opens without tenancies that ended.
        assert shown.row or tenancy.header().is_ended
        listed = [each for each in (*IN_THE_LIST.values(), "Moves", "Overdue") if each in shown.row]
        is_told = tag in shown.row if tag else not listed
        assert is_told or not shown.row, (told, tag)

        for on_today in shown.acts:
            assert on_today in (*OF_OTHER_LINES, *shown.buttons), (told, on_today, shown.buttons)
    assert len(told) > 4, told
