"""The reservation screens: the list, one tenancy with its tabs, a new booking and changes."""

from pms.surfaces.dashboard.reach import OFFICE, Address
from pms.surfaces.dashboard.reservations import (
    amendment,
    beginning,
    cancellation,
    dates,
    departure,
    documents,
    history,
    messages,
    new_reservation,
    notice,
    open_end,
    people,
    price,
    reservation,
    reservations,
    statuses,
)

_ONE = "/reservations/<reservation_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/reservations", "reservations", reservations.show, OFFICE),
    Address("/reservations/new", "new_reservation", new_reservation.show, OFFICE),
    Address("/reservations/new", "book_reservation", new_reservation.book, OFFICE, "POST"),
    Address(
        "/reservations/new/preview", "preview_reservation", new_reservation.preview, OFFICE, "POST"
    ),
    Address(_ONE, "reservation", reservation.show, OFFICE),
    Address(f"{_ONE}/dates", "reservation_dates", dates.show, OFFICE),
    Address(f"{_ONE}/dates/preview", "preview_dates", dates.preview, OFFICE, "POST"),
    Address(f"{_ONE}/dates", "correct_dates", dates.save, OFFICE, "POST"),
    Address(f"{_ONE}/price", "reservation_price", price.show, OFFICE),
    Address(f"{_ONE}/price/preview", "preview_price", price.preview, OFFICE, "POST"),
    Address(f"{_ONE}/price", "change_price", price.add, OFFICE, "POST"),
    Address(f"{_ONE}/departure", "reservation_departure", departure.show, OFFICE),
    Address(f"{_ONE}/notice/preview", "preview_notice", notice.preview, OFFICE, "POST"),
    Address(f"{_ONE}/notice", "file_notice", notice.file, OFFICE, "POST"),
    Address(f"{_ONE}/move-out", "reschedule_move_out", notice.reschedule, OFFICE, "POST"),
    Address(f"{_ONE}/withdrawal", "reservation_withdrawal", notice.check_withdrawal, OFFICE),
    Address(f"{_ONE}/withdrawal", "withdraw_notice", notice.withdraw, OFFICE, "POST"),
    Address(
        f"{_ONE}/forced-month-to-month", "force_month_to_month", open_end.force, OFFICE, "POST"
    ),
    Address(f"{_ONE}/followed-dates", "clear_month_to_month", open_end.clear, OFFICE, "POST"),
    Address(f"{_ONE}/expected-departure", "expect_departure", open_end.expect, OFFICE, "POST"),
    Address(f"{_ONE}/amendment", "reservation_amendment", amendment.show, OFFICE),
    Address(f"{_ONE}/amendment/preview", "preview_amendment", amendment.preview, OFFICE, "POST"),
    Address(f"{_ONE}/amendment", "amend_reservation", amendment.confirm, OFFICE, "POST"),
    Address(f"{_ONE}/people", "reservation_people", people.show, OFFICE),
    Address(f"{_ONE}/contact", "change_contact", people.save_contact, OFFICE, "POST"),
    Address(f"{_ONE}/co-occupants", "name_co_occupants", people.save_co_occupants, OFFICE, "POST"),
    Address(f"{_ONE}/documents", "reservation_documents", documents.show, OFFICE),
    Address(f"{_ONE}/documents", "issue_document", documents.issue, OFFICE, "POST"),
    Address(f"{_ONE}/messages", "reservation_messages", messages.show, OFFICE),
    Address(f"{_ONE}/history", "reservation_history", history.show, OFFICE),
    Address(f"{_ONE}/confirmation", "confirm_reservation", beginning.confirm, OFFICE, "POST"),
    Address(f"{_ONE}/move-in", "move_in_reservation", beginning.move_in, OFFICE, "POST"),
    Address(f"{_ONE}/cancellation", "reservation_cancellation", cancellation.check, OFFICE),
    Address(f"{_ONE}/cancellation", "cancel_reservation", cancellation.cancel, OFFICE, "POST"),
    Address(f"{_ONE}/signature", "change_signature", statuses.change_esign, OFFICE, "POST"),
    Address(
        f"{_ONE}/payment-status", "change_payment_status", statuses.change_payment, OFFICE, "POST"
    ),
)
