"""A lead with a résumé and a supplier's order, for the walk through all addresses."""

from collections.abc import Mapping

from sqlalchemy import select

from pms.channels.orders import WrittenItem, WrittenOrder, receive_order
from pms.enquiries.enquiry_answers import answer_lead
from pms.enquiries.models import LeadNote
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.enquiries.resume_files import read_resume
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from tests.cast import House
from tests.enquiries.made_resumes import docx


def lead_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of a lead and of an order, by the parameter of their address."""
    resume = read_resume("履歴書.docx", docx())
    key = Files(database.settings).put_alone(resume.content, resume.suffix)
    written = WrittenLead(name="応募 花", email="hana@example.jp", message="働きたいです。")
    item = WrittenItem(description="給湯器", quantity=2, unit_price_yen=49_000)
    order = WrittenOrder(
        supplier="墨田建材",
        order_number="A-1001",
        ordered_on=clock.today(),
        items=(item,),
        total_yen=item.yen,
        building_id=house.building_id,
    )
    with database.writing(house.workspace_id) as session:
        lead_id = receive_lead(
            Work(session, clock, "key/site"), lead=written, resume=resume, resume_key=key
        )
        order_id = receive_order(Work(session, clock, "key/supplier"), order=order).id
        answer_lead(Work(session, clock, "staff"), lead_id=lead_id, text="お会いしましょう。")
        note_id = session.scalars(select(LeadNote.id).where(LeadNote.lead_id == lead_id)).one()
    return {"lead_id": lead_id, "lead_note_id": note_id, "order_id": order_id}
