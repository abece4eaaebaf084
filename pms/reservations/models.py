"""Tables of reservations (specification, Contract dates; States and transitions)."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pms.catalogue.models import Unit
from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Recorded, Word, only_where
from pms.foundation.lists import fold_columns
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import OCCUPANCY
from pms.rules.days import ONE_DAY, RecordedDay, readable
from pms.rules.enumerations import (
    EsignStatus,
    LeaseKind,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
)

OCCUPANCY_COLUMNS = (
    "kind",
    "move_in_date",
    "override_move_in_date",
    "contract_end_date",
    "override_contract_end_date",
    "move_out_date",
)


def occupancy_days(row: Mapping[str, Any]) -> dict[str, date | None]:
    """Return `starts_on`, `ends_on`, `free_from` (specification, Contract dates; Availability).

    `free_from` is the first day another tenancy may start, as far as known without today's date:
    the filed move-out, else the contract end, else open. A forced flag may be set although a
    successor is booked, so bookings check the flag, not this column.
    """
    start = _first_set(row, "override_move_in_date", "move_in_date")
    contract_end = _first_set(row, "override_contract_end_date", "contract_end_date")
    move_out = row.get("move_out_date")
    is_guest = row["kind"] == ReservationKind.GUEST
    end = move_out if move_out is not None else (contract_end if is_guest else None)
    free = readable(move_out) or readable(contract_end)
    return {
        "starts_on": readable(start),
        "ends_on": readable(end),
        "free_from": _find_end_after_start(readable(start), free),
    }


def _first_set(row: Mapping[str, Any], *columns: str) -> RecordedDay:
    return next((row[column] for column in columns if row.get(column) is not None), None)


def _find_end_after_start(start: date | None, end: date | None) -> date | None:
    """Return the end, or a day later for a stay that ends on its first day: it takes that night."""
    return max(start + ONE_DAY, end) if start and end else end


_SEARCHED = ("name", "name_kana", "email", "phone")


class Reservation(OfWorkspace, Base):
    """One tenancy of one unit; days are stored as recorded.

    `starts_on`, `ends_on` and `free_from` are derived from them by `occupancy_days`: the effective
    start, the known end of living (a filed move-out, a guest's check-out) and the first day another
    tenancy may start, null when open. The constraint against overlapping tenancies and queries over
    many units use them. `forced_on` copies the day of the `ForcedMonthToMonth` row in force,
    because every listing needs it. For a tenancy that was taken over, `billed_through_on` is the
    last day billed before `taken_over_on`, and `penalty_elsewhere_yen` the penalty already charged
    for its notice. `has_earlier_keys`: its keys were handed over before that was recorded here, or
    with the tenancy of the same unit that it continues; `keys_on` copies the newest day of its
    handovers in force, because every listing needs it. `payment_reference` is what a payer writes
    before the name. `contract_end_date` and its override are of the last term that is signed;
    `later_terms_from` copies the first days of those signed after the booking, and `lease_kind` is
    the kind of the last one where it is known here.
    """

    __tablename__ = "reservation"
    building_path = through("unit_id")
    noun = "reservation"
    is_referred_to = True
    __table_args__ = (
        link("unit_id", "unit"),
        CheckConstraint("reservation_fee_yen >= 0", name="fee_not_negative"),
        CheckConstraint("deposit_yen >= 0", name="deposit_not_negative"),
        Index("ix_reservation_unit_id", "workspace_id", "unit_id", "starts_on"),
        Index("ix_reservation_starts_on", "workspace_id", "starts_on"),
        Index("ix_reservation_ends_on", "workspace_id", "ends_on"),
        # Present and future residents: a small part of all reservations.
        Index(
            "ix_reservation_live", "workspace_id", "ends_on", **only_where("cancelled_at IS NULL")
        ),
        Index(
            "ix_reservation_owner_resident",
            "workspace_id",
            "unit_id",
            **only_where("kind = 'owner_resident'"),
        ),
        Index("ix_reservation_guest", "workspace_id", "ends_on", **only_where("kind = 'guest'")),
        # Few arrive on another day than the first of their contract.
        Index(
            "ix_reservation_arrival_date",
            "workspace_id",
            "arrival_date",
            **only_where("arrival_date IS NOT NULL"),
        ),
        Index("ix_reservation_lifecycle", "workspace_id", "lifecycle", "starts_on"),
        Index("ix_reservation_kind", "workspace_id", "id", "kind"),
        Index("ix_reservation_email", "workspace_id", "email_key"),
        Index("ix_reservation_payment_status", "workspace_id", "payment_status", "id"),
        Index("ix_reservation_esign_status", "workspace_id", "esign_status", "id"),
        Index("uq_reservation_payment_reference", "workspace_id", "payment_reference", unique=True),
    )
    raises_version = OCCUPANCY
    derived_from = frozenset((*OCCUPANCY_COLUMNS, *_SEARCHED, "email"))

    unit_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[ReservationKind] = mapped_column(Word(ReservationKind))
    lifecycle: Mapped[Lifecycle] = mapped_column(Word(Lifecycle))
    name: Mapped[str]
    name_kana: Mapped[str | None]
    email: Mapped[str | None]
    email_key: Mapped[str | None]
    phone: Mapped[str | None]
    locale: Mapped[str] = mapped_column(default="ja")

    move_in_date: Mapped[RecordedDay] = mapped_column(Recorded)
    override_move_in_date: Mapped[RecordedDay] = mapped_column(Recorded)
    arrival_date: Mapped[RecordedDay] = mapped_column(Recorded)
    contract_end_date: Mapped[RecordedDay] = mapped_column(Recorded)
    override_contract_end_date: Mapped[RecordedDay] = mapped_column(Recorded)
    move_out_date: Mapped[RecordedDay] = mapped_column(Recorded)
    expected_departure_date: Mapped[RecordedDay] = mapped_column(Recorded)
    forced_on: Mapped[date | None] = mapped_column(Date)

    starts_on: Mapped[date | None] = mapped_column(Date)
    ends_on: Mapped[date | None] = mapped_column(Date)
    free_from: Mapped[date | None] = mapped_column(Date)
    cancelled_at: Mapped[datetime | None] = mapped_column(Instant)

    taken_over_on: Mapped[date | None] = mapped_column(Date)
    billed_through_on: Mapped[date | None] = mapped_column(Date)
    penalty_elsewhere_yen: Mapped[int] = mapped_column(default=0)
    has_earlier_keys: Mapped[bool] = mapped_column(default=False)
    keys_on: Mapped[date | None] = mapped_column(Date)
    later_terms_from: Mapped[str | None]
    lease_kind: Mapped[LeaseKind | None] = mapped_column(Word(LeaseKind))

    reservation_fee_yen: Mapped[int] = mapped_column(default=0)
    deposit_yen: Mapped[int] = mapped_column(default=0)
    payment_reference: Mapped[str | None]
    payment_status: Mapped[PaymentStatus] = mapped_column(Word(PaymentStatus))
    esign_status: Mapped[EsignStatus] = mapped_column(Word(EsignStatus))
    note: Mapped[str | None] = mapped_column(Text)
    search_text: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        email = row.get("email")
        return {
            **occupancy_days(row),
            "email_key": email.strip().casefold() if email else None,
            "search_text": fold_columns(row, _SEARCHED),
        }

    unit: Mapped[Unit] = relationship(
        primaryjoin="and_(Reservation.workspace_id == Unit.workspace_id,"
        " foreign(Reservation.unit_id) == Unit.id)"
    )


class CoOccupant(OfWorkspace, Base):
    """A person who lives with the resident and is named on the contract, not its holder."""

    __tablename__ = "co_occupant"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        Index("ix_co_occupant_reservation_id", "workspace_id", "reservation_id", "position"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    name: Mapped[str]
    name_kana: Mapped[str | None]


class ForcedMonthToMonth(OfWorkspace, Base):
    """A tenancy forced month to month by staff; the flag may have been cleared since."""

    __tablename__ = "forced_month_to_month"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        Index(
            "uq_forced_month_to_month_in_force",
            "workspace_id",
            "reservation_id",
            unique=True,
            **only_where("cleared_at IS NULL"),
        ),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    set_at: Mapped[datetime] = mapped_column(Instant)
    set_by: Mapped[str]
    cleared_at: Mapped[datetime | None] = mapped_column(Instant)
    cleared_by: Mapped[str | None]


class LaterTerm(OfWorkspace, Base):
    """A term offered or signed after the one that was booked, on the same reservation.

    The term that was booked is the reservation itself. Amounts are whole yen a month, null where
    the price stays. `end_before`, `override_before` and `kind_before` are what the reservation said
    of its end until the signature, and says again when the term is withdrawn; `has_price` is
    whether the signature began a price period.
    """

    __tablename__ = "later_term"
    building_path = through("reservation_id")
    noun = "term"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        CheckConstraint("last_on IS NULL OR last_on >= first_on", name="days_in_order"),
        CheckConstraint("fee_yen >= 0", name="fee_not_negative"),
        Index("ix_later_term_reservation_id", "workspace_id", "reservation_id", "first_on"),
        # At most one term may wait for a signature.
        Index(
            "uq_later_term_open",
            "workspace_id",
            "reservation_id",
            unique=True,
            **only_where("signed_at IS NULL AND withdrawn_at IS NULL"),
        ),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[LeaseKind] = mapped_column(Word(LeaseKind))
    first_on: Mapped[date] = mapped_column(Date)
    last_on: Mapped[date | None] = mapped_column(Date)
    base_rent_yen: Mapped[int | None]
    fee_code: Mapped[str | None]
    fee_yen: Mapped[int] = mapped_column(default=0)
    offered_at: Mapped[datetime] = mapped_column(Instant)
    offered_by: Mapped[str]
    signed_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_by: Mapped[str | None]
    withdrawn_reason: Mapped[str | None] = mapped_column(Text)
    end_before: Mapped[RecordedDay] = mapped_column(Recorded)
    override_before: Mapped[RecordedDay] = mapped_column(Recorded)
    kind_before: Mapped[LeaseKind | None] = mapped_column(Word(LeaseKind))
    has_price: Mapped[bool] = mapped_column(default=False)
    fee_entry_id: Mapped[str | None] = mapped_column(Id)
