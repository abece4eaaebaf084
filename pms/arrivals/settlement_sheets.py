"""The paper of a settlement: its PDF with the photos of each place, and sending it."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.arrivals.inspections import ComparedPhoto, arrival_photos, inspection_photos
from pms.deposits.settlement_papers import PaperRecord, WornLine, mail_paper, mark_paper_sent
from pms.foundation.files import Files
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.outbox import Attachment
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate
from pms.foundation.work import Work
from pms.ledger.models import Allocation, LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckedRoom
from pms.statements.invoices import home_of, operator_of
from pms.statements.paper_parties import parties_of_home, party_facts
from pms.statements.typesetting import typeset

_PHOTOS_A_PLACE: Final = 4
"""How many photos of a place a paper has, before and after each; the pages show all."""
_WIDTH: Final = "800"


class NettedBill(NamedTuple):
    """A bill that a settlement paid, and how much of it, in whole yen."""

    label: Bilingual
    yen: int


class PlacePhotos(NamedTuple):
    """The photos of one place, from move-in and from move-out."""

    room: CheckedRoom
    before: Sequence[ComparedPhoto]
    after: Sequence[ComparedPhoto]


def netted_bills(session: Session, settlement_id: str) -> Sequence[NettedBill]:
    """Return the bills that a settlement paid, oldest due first."""
    rows = session.execute(
        select(LedgerEntry.label_ja, LedgerEntry.label_en, func.sum(Allocation.amount_yen))
        .join(Allocation, refers_to(Allocation.entry_id, LedgerEntry))
        .where(Allocation.settlement_id == settlement_id, Allocation.amount_yen > 0)
        .group_by(LedgerEntry.id, LedgerEntry.label_ja, LedgerEntry.label_en, LedgerEntry.due_on)
        .order_by(LedgerEntry.due_on, LedgerEntry.id)
    )
    return [NettedBill(Bilingual(ja, en), int(yen)) for ja, en, yen in rows]


def settlement_pdf(session: Session, files: Files, found: PaperRecord, locale: str) -> bytes:
    """Return the PDF of a settlement in a language, with photos of the places it deducts for."""
    pictures: dict[str, bytes] = {}
    places = []
    for place in photos_of_places(session, found):
        named: dict[str, list[str]] = {"before": [], "after": []}
        for key, photos in (("before", place.before), ("after", place.after)):
            for photo in photos[:_PHOTOS_A_PLACE]:
                file_key = photo.files[_WIDTH]
                content = files.get(file_key)
                if content is not None:
                    pictures[file_key] = content
                    named[key].append(file_key)
        if any(named.values()):
            places.append({"room": place.room.value, **named})
    settled, operator = found.settled.settlement, operator_of(session)
    home = home_of(session, settled.reservation_id)
    left = select(Reservation.ends_on).where(Reservation.id == settled.reservation_id)
    left_on = min(session.scalar(left) or settled.settled_on, settled.settled_on)
    paper_facts = {
        "language": "en" if locale == "en" else "ja",
        "hue": operator.hue,
        "operator": operator.name.in_language(locale),
        "address": operator.address_lines,
        **party_facts(
            session,
            parties_of_home(session, settled.reservation_id, settled.settled_on),
            locale,
            operator_number=operator.qualified_invoice_number,
            treatments={part.tax_treatment for part in found.settled.deductions if part.asked_yen},
        ),
        "recipient": home.resident,
        "home": home.in_language(locale),
        "settled": format_day(settled.settled_on, locale),
        "left": format_day(left_on, locale),
        "owed": format_yen(settled.owed_yen) if settled.owed_yen else None,
        "remainder": format_yen(settled.remainder_yen) if settled.remainder_yen else None,
        "nothing": format_yen(0),
        "lines": [_build_line_facts(line, locale) for line in found.lines],
        "parts": format_yen(sum(line.resident_yen for line in found.lines)),
        "sums": list(_list_sums(session, found, locale)),
        "tax": format_yen(found.tax.tax_yen),
        "answer_by": format_day(found.answer_by_on, locale) if found.answer_by_on else None,
    }
    facts = {**paper_facts, "photos": places}
    return typeset("settlement", facts, pictures)


def file_name_of(locale: str) -> str:
    """Return the name of the paper's file in a language."""
    return translate("deposit-settlement.pdf", locale)


def _build_line_facts(line: WornLine, locale: str) -> dict[str, Any]:
    unit = line.counted_in.in_language(locale) if line.counted_in else ""
    return {
        "name": line.words.in_language(locale),
        "room": line.room.value if line.room else None,
        "fitted": format_day(line.fitted_on, locale)
        if line.fitted_on and line.life_months
        else None,
        "quantity": f"{line.quantity_text} {unit}".strip(),
        "unit": format_yen(line.unit_yen),
        "cost": format_yen(line.cost_yen),
        "bearer": line.bearer.value,
        "life": str(line.life_months) if line.life_months else None,
        "used": str(line.used_months or 0),
        "part": format_yen(line.resident_yen),
    }


def _list_sums(session: Session, found: PaperRecord, locale: str) -> Sequence[dict[str, Any]]:
    settled = found.settled.settlement
    charged_yen = sum(part.asked_yen - part.reached_yen for part in found.settled.deductions)
    rows: list[tuple[str, str | None, int]] = [("held", None, settled.held_yen)]
    if settled.overpaid_yen:
        rows.append(("overpaid", None, settled.overpaid_yen))
    rows.append(("deducted", None, -settled.deducted_yen))
    rows += [
        ("netted", bill.label.in_language(locale), -bill.yen)
        for bill in netted_bills(session, settled.id)
    ]
    rows.append(("remainder", None, settled.remainder_yen))
    if charged_yen:
        rows.append(("charged", None, charged_yen))
    if settled.owed_yen:
        rows.append(("still_owed", None, settled.owed_yen))
    return [{"key": key, "note": note, "amount": format_yen(yen)} for key, note, yen in rows]


def photos_of_places(session: Session, found: PaperRecord) -> Sequence[PlacePhotos]:
    """Return the photos of the places that lines are about, in the order of a home's places."""
    rooms = {line.room for line in found.lines if line.room}
    if not rooms:
        return ()
    reservation_id = found.settled.settlement.reservation_id
    before = arrival_photos(session, reservation_id)
    after = inspection_photos(session, reservation_id)
    return [
        PlacePhotos(room, before.get(room, ()), after.get(room, ()))
        for room in CheckedRoom
        if room in rooms
    ]


def send_settlement(
    work: Work, files: Files, *, reservation_id: str, link: Callable[[str], str] | None = None
) -> bool:
    """Send a settlement's paper to the portal and by mail; return whether an address is known.

    The days of objection are counted from the first sending. Without an address the paper counts
    as handed over by the office. `link` makes the address of the paper's link from its nonce.
    """
    found = mark_paper_sent(work, reservation_id=reservation_id)
    assert found.paper is not None
    locale = home_of(work.session, reservation_id).locale
    file_key = files.put(settlement_pdf(work.session, files, found, locale), "pdf")
    name = file_name_of(locale)
    attached = Attachment(name=name, media_type="application/pdf", file_key=file_key)
    address = link(found.paper.nonce) if link else None
    return mail_paper(work.session, work.clock, found, [attached], address)
