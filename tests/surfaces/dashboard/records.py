"""One record of every kind an address of the dashboard can name, in one workspace."""

import io
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from msgspec import to_builtins
from PIL import Image
from sqlalchemy import select

from pms.access.key_origins import origins_of_keys
from pms.access.keys import issue_key
from pms.access.models import AuthSession, Invitation, ListView, Member
from pms.accounting.closings import close_month
from pms.arrivals.sheet_answers import send_sheet
from pms.arrivals.takeover.guides import open_new_files, start_guide
from pms.catalogue.models import CalendarFeed, ExternalBlock, HandbookPage
from pms.catalogue.photo_sizes import size_photo
from pms.checkouts.models import MoneyBack, ProviderPayment
from pms.enquiries.enquiries import WrittenEnquiry, receive_enquiry
from pms.enquiries.enquiry_answers import answer_enquiry
from pms.enquiries.waitlist import WaitlistWish, add_to_waitlist
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.runs import ask_run
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.inbox.models import EnquiryNote
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from pms.notices.models import Notice
from pms.notices.notices import NoticeEvent, notify_staff
from pms.offers.offer_links import create_reservation_link
from pms.rules.enumerations import (
    BlockSource,
    EnquirySource,
    MoneyBackState,
    Proof,
    Scope,
    SheetKind,
    StaffRole,
    TaskKind,
    TaxTreatment,
    UserKind,
)
from pms.rules.master_leases import LeaseRentKind, LeaseStep
from pms.rules.notices_to_people import NoticeKind
from pms.rules.tax_classes import TaxedItem
from pms.statements.invoices import issue_invoice
from pms.statements.models import FeeInvoice, MasterLease
from pms.statements.owner_publishing import publish_statement
from pms.statements.queries import corrections_of
from pms.statements.receipts import issue_receipt, reverse_payment
from pms.upkeep.photos import add_upkeep_photo
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.share_links import links_of_project, share_project
from pms.upkeep.task_record import task_record
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import WantedTask, add_task
from pms.workspaces.models import Fee
from pms.workspaces.tax_classes import decide_class
from tests.cast import CONTRACTOR, House
from tests.surfaces.dashboard.bank_records import bank_records
from tests.surfaces.dashboard.chat_records import chat_records
from tests.surfaces.dashboard.condition_records import condition_records
from tests.surfaces.dashboard.content_records import content_records
from tests.surfaces.dashboard.contract_records import contract_records
from tests.surfaces.dashboard.conversation_records import conversation_records
from tests.surfaces.dashboard.inspection_records import inspection_records
from tests.surfaces.dashboard.lead_records import lead_records
from tests.surfaces.dashboard.stay_records import stay_records
from tests.surfaces.dashboard.talk_records import talk_records
from tests.surfaces.dashboard.upkeep_records import upkeep_records
from tests.surfaces.dashboard.webhook_records import webhook_records

MONTH = "2026-10"
FEE_FACTS = {
    "hue": 200,
    "operator_ja": "すみだ",
    "operator_en": None,
    "address": [],
    "registration": None,
    "recipient": "山本 茂",
    "building_ja": "カワセミ荘",
    "building_en": None,
    "label_ja": "管理手数料（5%）",
    "label_en": "Management fee (5%)",
    "share": None,
    "percent": 10,
    "corrects": None,
}
_WEEK = timedelta(days=7)
_SINCE = datetime(2026, 11, 1, 0, 0, tzinfo=UTC)


def records_of(
    database: Database, clock: FixedClock, house: House, person_id: str
) -> Mapping[str, str]:
    """Return the id of a record for each parameter of an address, made where it takes one."""
    # Only a unit that nobody blocks is offered.
    reservation_link_id = _reservation_link(database, clock, house)
    with database.writing(house.workspace_id) as session:
        entry_id = post_charge(
            Work(session, clock, "staff"),
            reservation_id=house.resident_id,
            amount_yen=8_000,
            label=Bilingual("鍵", "Key"),
        )
        payment_id = record_payment(
            Work(session, clock, "staff"), reservation_id=house.resident_id, amount_yen=3_000
        )
        invoice = issue_invoice(Work(session, clock, "staff"), entry_id)
        receipt = issue_receipt(Work(session, clock, "staff"), payment_id)
        wrong_id = record_payment(
            Work(session, clock, "staff"), reservation_id=house.resident_id, amount_yen=500
        )
        issue_receipt(Work(session, clock, "staff"), wrong_id)
        reverse_payment(Work(session, clock, "staff"), payment_id=wrong_id, reason="wrong person")
        correction = corrections_of(session, house.resident_id)[0]
        statement = publish_statement(
            Work(session, clock, "staff"), building_id=house.building_id, month_on=date(2026, 10, 1)
        )
        fee_invoice = FeeInvoice(
            id=new_id(),
            statement_id=statement.id,
            building_id=house.building_id,
            month_on=statement.month_on,
            owner_id=house.owner_id,
            number="M2025-000001",
            issued_on=date(2026, 11, 1),
            yen=11_000,
            tax_yen=1_000,
            facts=FEE_FACTS,
            written_at=clock.now(),
            written_by="staff",
        )
        session.add(fee_invoice)
        lease = MasterLease(
            building_id=house.building_id,
            first_on=date(2026, 10, 1),
            free_months=0,
            steps=to_builtins([LeaseStep(date(2026, 10, 1), LeaseRentKind.FIXED, 280_000)]),
            categories=["rent"],
            tax_treatment=TaxTreatment.EXEMPT,
            written_at=clock.now(),
            written_by="staff",
        )
        session.add(lease)
        run = ask_run(Work(session, clock, "staff"), kind="billing", subject="2026-12")
        key = issue_key(
            Work(session, clock, "staff"),
            name="site",
            scopes=[Scope.CONTENT_READ],
            origins=["https://example.jp"],
        )
        ((website,),) = origins_of_keys(session).values()
        page = HandbookPage(
            building_id=house.building_id,
            position=9,
            title_ja="鍵",
            title_en="Keys",
            body_ja="",
            body_en="",
            guarded_code="4711",
        )
        block = ExternalBlock(
            unit_id=house.free_room_id,
            source=BlockSource.OWNER_USE,
            first_on=date(2027, 3, 1),
            last_on=date(2027, 3, 5),
            created_at=_SINCE,
            updated_at=_SINCE,
        )
        feed = CalendarFeed(
            id=new_id(), unit_id=house.residents_room_id, name="Channel", url="https://a.example/1"
        )
        invitation = Invitation(
            email="new@example.com",
            role=StaffRole.OFFICE,
            token_hash="0" * 64,
            invited_at=_SINCE,
            invited_by="staff",
            expires_at=clock.now() + _WEEK,
        )
        wanted = WaitlistWish(name="待つ人", phone="090-0000-0000", wanted_from_on=clock.today())
        place_id = add_to_waitlist(Work(session, clock, "staff"), wanted=wanted)
        asked = WrittenEnquiry(name="問う人", email="asks@example.jp", source=EnquirySource.PHONE)
        enquiry_id = receive_enquiry(Work(session, clock, "staff"), enquiry=asked)
        answer_enquiry(Work(session, clock, "staff"), enquiry_id=enquiry_id, text="空いています。")
        note_id = session.scalars(select(EnquiryNote.id)).one()
        view = ListView(
            person_id=person_id, listing="arrears", name="Due", query="", saved_at=_SINCE
        )
        provider_payment = ProviderPayment(
            id=new_id(),
            intent=f"pi_{house.workspace_id}",
            reservation_id=house.resident_id,
            entry_id=entry_id,
            payment_id=payment_id,
            amount_yen=3_000,
            refunded_yen=0,
        )
        refund = MoneyBack(
            id=new_id(),
            provider_payment_id=provider_payment.id,
            reservation_id=house.resident_id,
            reference="re_1",
            amount_yen=1_000,
            state=MoneyBackState.FAILED,
            state_at=_SINCE,
            newest_at=_SINCE,
            ended_at=_SINCE,
        )
        session.add_all([page, block, feed, invitation, view, provider_payment])
        session.flush()
        session.add(refund)
        session.flush()
        member_id = session.scalars(select(Member.id).where(Member.person_id == person_id)).one()
        fee_id = session.scalars(select(Fee.id).order_by(Fee.code)).first()
        made = {
            "entry_id": entry_id,
            "payment_id": payment_id,
            "invoice_id": invoice.id,
            "paper_id": invoice.id,
            "receipt_id": receipt.id,
            "correction_id": correction.id,
            "statement_id": statement.id,
            "fee_invoice_id": fee_invoice.id,
            "lease_id": lease.id,
            "run_id": run.id,
            "closing_id": close_month(Work(session, clock, "staff"), month_on=date(2026, 1, 1)).id,
            "program": "plain",
            "key_id": key.id,
            "origin_id": website.id,
            "page_id": page.id,
            "block_id": block.id,
            "feed_id": feed.id,
            "invitation_id": invitation.id,
            "member_id": member_id,
            "fee_id": fee_id or "",
            "class_id": decide_class(
                Work(session, clock, "staff"),
                item=TaxedItem.CLEANING,
                from_on=clock.today() + _WEEK,
                treatment=None,
            ),
            "place_id": place_id,
            "enquiry_id": enquiry_id,
            "enquiry_note_id": note_id,
            "view_id": view.id,
            "money_back_id": refund.id,
        }
    return {
        **made,
        **lead_records(database, clock, house),
        **bank_records(database, clock, house, entry_id),
        **chat_records(database, clock, house),
        **upkeep_records(database, clock, house),
        **condition_records(database, clock, house),
        **inspection_records(database, clock, house),
        **contract_records(database, clock, house),
        **conversation_records(database, clock, house),
        **content_records(database, house),
        "reservation_id": house.resident_id,
        "unit_id": house.residents_room_id,
        "building_id": house.building_id,
        "owner_id": house.owner_id,
        "viewing_id": house.viewing_id,
        "photo_id": house.photo_id,
        "session_id": _session(database, clock, person_id),
        "notice_id": _notice(database, clock, house),
        "sheet_id": _sheet(database, clock, house),
        "takeover_id": _takeover(database, clock, house),
        "step": "money",
        "sheet_name": "units-ja.xlsx",
        "share_link_id": _share_link(database, clock, house),
        "reservation_link_id": reservation_link_id,
        **_task(database, clock, house),
        **stay_records(database, clock, house),
        **talk_records(database, clock, house, person_id),
        **webhook_records(database, clock, house),
        "month": MONTH,
        "year": MONTH[:4],
        "digest": "0" * 16,
        "kind": "csv",
        "party": "guarantor",
    }


def _notice(database: Database, clock: FixedClock, house: House) -> str:
    with database.writing(house.workspace_id) as session:
        operator = select(Member.person_id).where(Member.role == StaffRole.OPERATOR)
        person_id = session.scalars(operator.limit(1)).one()
        event = NoticeEvent(new_id(), "/today", {"name": "山田"}, (person_id,))
        work = Work(session, clock, "worker")
        notify_staff(work, NoticeKind.ENQUIRY_RECEIVED, event)
        asked = select(Notice.id).where(Notice.subject_id == event.subject_id)
        return session.scalars(asked).one()


def _sheet(database: Database, clock: FixedClock, house: House) -> str:
    with database.writing(house.workspace_id) as session:
        return send_sheet(
            Work(session, clock, "staff"),
            Files(database.settings),
            kind=SheetKind.UNITS,
            name="units.csv",
            content="物件名,部屋番号,種別\n新荘,1,アパート\n".encode(),
            is_workbook=False,
        )


def _takeover(database: Database, clock: FixedClock, house: House) -> str:
    roll = "号室,氏名,契約開始,賃料,敷金\n901,山田 一,2025/4/1,52000,あり\n"
    files = Files(database.settings)
    with database.writing(house.workspace_id) as session:
        new = open_new_files(session, clock, files, [("roll.csv", roll.encode())])
        return start_guide(Work(session, clock, "staff"), files, new)


def _session(database: Database, clock: FixedClock, person_id: str) -> str:
    row = AuthSession(
        id=new_id(),
        user_kind=UserKind.STAFF,
        person_id=person_id,
        address="x@example.com",
        token_hash=new_id(),
        proof=Proof.PASSWORD,
        device="another",
        created_at=clock.now(),
        last_seen_at=clock.now(),
        expires_at=clock.now() + _WEEK,
    )
    with database.across_workspaces_writing() as session:
        session.add(row)
        session.flush()
        return row.id


def _task(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    content = io.BytesIO()
    Image.new("RGB", (400, 300), "navy").save(content, "PNG")
    sized = size_photo(content.getvalue()).store(Files(database.settings))
    wanted = WantedTask(kind=TaskKind.CLEANING, building_id=house.building_id)
    with database.writing(house.workspace_id) as session:
        task_id = add_task(Work(session, clock, "staff"), wanted=wanted)
        point = task_record(session, task_id, TaskVisibility.everything()).points[0]
        subject = ("task", task_id)
        photo_id = add_upkeep_photo(Work(session, clock, "staff"), subject=subject, sized=sized)
    return {
        "task_id": task_id,
        "item_id": point.id,
        "upkeep_photo_id": photo_id or "",
        "width": "400",
    }


def _reservation_link(database: Database, clock: FixedClock, house: House) -> str:
    with database.writing(house.workspace_id) as session:
        made = create_reservation_link(
            Work(session, clock, "staff"),
            unit_id=house.free_room_id,
            move_in_on=clock.today() + _WEEK,
            contract_end_on=clock.today() + 30 * _WEEK,
            email="new@example.com",
            signer=Signer(database.settings.secret_key),
        )
        return made.id


def _share_link(database: Database, clock: FixedClock, house: House) -> str:
    with database.writing(house.workspace_id) as session:
        wanted = WantedProject(title="水漏れ", building_id=house.building_id)
        project_id = open_project(Work(session, clock, "staff"), wanted=wanted)
        share_project(
            Work(session, clock, "staff"),
            project_id=project_id,
            contractor_name=CONTRACTOR,
            signer=Signer("tests"),
        )
        return links_of_project(session, project_id, clock.today())[0].id
