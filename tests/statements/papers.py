"""Reads papers back: the text of a PDF, line by line, and what it is made of."""

import io
from typing import Any

from pypdf import PdfReader
from sqlalchemy import select

from pms.catalogue.management_forms import WrittenManagementForm, set_management_form
from pms.catalogue.models import Unit
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.management_forms import ManagementForm
from tests.cast import House


def text_of(pdf: bytes) -> str:
    """The text of all pages, as a program that copies it out sees it."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def pages_of(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def fonts_of(pdf: bytes) -> set[str]:
    """The names of the fonts of a PDF without the tag of their subset; only embedded ones."""
    names = set()
    for page in PdfReader(io.BytesIO(pdf)).pages:
        resources: Any = page["/Resources"]
        for reference in resources["/Font"].values():
            descendant = reference.get_object()["/DescendantFonts"][0].get_object()
            descriptor = descendant["/FontDescriptor"].get_object()
            assert any(key.startswith("/FontFile") for key in descriptor)
            names.add(str(descriptor["/FontName"]).rpartition("+")[2])
    return names


def millimetres_of(pdf: bytes) -> tuple[int, int]:
    box = PdfReader(io.BytesIO(pdf)).pages[0].mediabox
    return round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)


def set_form(
    database: Database, clock: FixedClock, house: House, form: ManagementForm, **given: Any
) -> None:
    with database.writing(house.workspace_id) as session:
        asked = select(Unit.building_id).join(Reservation, Reservation.unit_id == Unit.id)
        building_id = session.scalars(asked.where(Reservation.id == house.resident_id)).one()
        written = WrittenManagementForm(form=form, from_on=clock.today(), **given)
        set_management_form(
            Work(session, clock, "office"), building_id=building_id, written=written
        )
