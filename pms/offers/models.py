"""The table of reservation links."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Json
from pms.foundation.tenancy import OfWorkspace, link


class ReservationLink(OfWorkspace, Base):
    """A unit offered to a person from a day on; the holder of the link may accept it once.

    The link is signed and contains `nonce`, 128 random bits; the row decides. `terms` are the
    amounts as they were offered, in whole yen; `details` what the applicant has entered. It holds
    no unit: accepting it books, and is refused if the unit was taken meanwhile. `explanation_id` is
    the prior explanation of a fixed term that the applicant received, `screening_id` their
    screening, which begins when they enter their details, `people_id` the people and papers that
    they named. `external_id` is the id used
    by the program that requested the link.
    """

    __tablename__ = "reservation_link"
    building_path = through("unit_id")
    noun = "reservation link"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        link("reservation_id", "reservation", ondelete="CASCADE"),
        link("enquiry_id", "enquiry"),
        link("place_id", "waitlist_place"),
        link("template_id", "contract_template"),
        Index("ix_reservation_link_unit_id", "workspace_id", "unit_id"),
        Index("ix_reservation_link_created_at", "workspace_id", "created_at"),
        Index("ix_reservation_link_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_reservation_link_screening_id", "workspace_id", "screening_id"),
        Index("ix_reservation_link_people_id", "workspace_id", "people_id"),
        Index("uq_reservation_link_external_id", "workspace_id", "external_id", unique=True),
    )

    unit_id: Mapped[str] = mapped_column(Id)
    nonce: Mapped[str] = mapped_column(String(32), index=True)
    move_in_on: Mapped[date] = mapped_column(Date)
    contract_end_on: Mapped[date | None] = mapped_column(Date)
    name: Mapped[str | None]
    email: Mapped[str | None]
    locale: Mapped[str] = mapped_column(default="ja")
    terms: Mapped[dict[str, Any]] = mapped_column(Json)
    details: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    template_id: Mapped[str | None] = mapped_column(Id)
    explanation_id: Mapped[str | None] = mapped_column(Id)
    screening_id: Mapped[str | None] = mapped_column(Id)
    people_id: Mapped[str | None] = mapped_column(Id)
    enquiry_id: Mapped[str | None] = mapped_column(Id)
    place_id: Mapped[str | None] = mapped_column(Id)
    expires_at: Mapped[datetime] = mapped_column(Instant)
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    last_opened_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_by: Mapped[str | None]
    accepted_at: Mapped[datetime | None] = mapped_column(Instant)
    reservation_id: Mapped[str | None] = mapped_column(Id)
    external_id: Mapped[str | None]
