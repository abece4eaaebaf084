"""Books and changes tenancies: book, dates, price, amend, cancel, sign, move in."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import click

from pms.arrivals.amendments import AmendedFacts
from pms.arrivals.amendments import amend as amend_tenancy
from pms.arrivals.booking_checks import BookingFacts
from pms.arrivals.bookings import book as book_unit
from pms.arrivals.bookings import preview_booking
from pms.arrivals.dates import CorrectedFacts, correct_dates, preview_dates
from pms.arrivals.lifecycles import cancel_booking
from pms.arrivals.lifecycles import move_in as let_move_in
from pms.arrivals.price_changes import change_price
from pms.catalogue.units import named_unit_id
from pms.contracts.signing import state_signature
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.move_in import change_payment_status
from pms.ledger.planned_entries import DISCOUNT, PlannedEntry
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.residents import NamedPerson
from pms.rules.enumerations import (
    EsignStatus,
    FeeCategory,
    Locale,
    PaymentStatus,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.yen import Amount, read_typed_amount
from pms.surfaces.command_line.listing import (
    DAY,
    YEN,
    invoice_lines,
    override_rows,
    repriced_rows,
    show_record,
    values,
)
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    reservation_id,
    writing,
)

Command = TypeVar("Command", bound=Callable[..., Any])

_AMOUNTS = (
    ("--rent", "base_rent_yen", "Base rent a month."),
    ("--utilities", "utilities_yen", "Utilities a month."),
    ("--maintenance", "building_maintenance_yen", "Building maintenance a month."),
    ("--short-term", "short_term_surcharge_yen", "Short-term surcharge a month."),
    ("--guest", "guest_surcharge_yen", "Guest surcharge a month."),
)


def price_options(command: Command) -> Command:
    """Give a command an option for each monthly amount, and for the workspace's own fees."""
    for flag, name, words in reversed(_AMOUNTS):
        command = click.option(flag, name, type=YEN, metavar="YEN", help=words)(command)
    fee = click.option(
        "--fee",
        "fees",
        multiple=True,
        metavar="CODE=YEN",
        help="A monthly fee of the workspace; repeatable.",
    )
    return fee(command)


def typed_amounts(facts: dict[str, Any]) -> MonthlyAmounts | None:
    """Take the amounts out of what was typed; none typed is no price."""
    typed = {name: facts.pop(name) for _, name, _ in _AMOUNTS}
    if all(yen is None for yen in typed.values()):
        return None
    return MonthlyAmounts(**{name: yen or 0 for name, yen in typed.items()})


def typed_fees(fees: tuple[str, ...]) -> list[MonthlyFee]:
    """Read `CODE=YEN` as exempt fees of the category service, labelled by their code."""
    return [_read_fee(text) for text in fees]


def typed_discount(
    text: str | None, minimum_stay_days: int, *, once: bool
) -> AgreedDiscount | None:
    """Read `7.5%` as a percentage of the base rent, and `5,000` as yen a month."""
    if text is None:
        return None
    typed = text.strip()
    is_percent = typed.endswith("%")
    return AgreedDiscount(
        DISCOUNT,
        percent=_read_percent(typed[:-1].strip()) if is_percent else None,
        monthly_yen=None if is_percent else YEN.convert(typed, None, None),
        is_recurring=not once,
        minimum_stay_days=minimum_stay_days,
    )


def _read_percent(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise Refused(
            f"--discount: '{text[:60]}%' is not a percentage. Write it like 7.5%."
        ) from error


def _read_fee(text: str) -> MonthlyFee:
    code, _, amount = text.partition("=")
    reading = read_typed_amount(amount)
    if not code.strip() or not isinstance(reading, Amount):
        raise Refused(
            f"--fee: '{text[:60]}' is not possible. Write CODE=YEN, such as internet=3,300."
        )
    label = Bilingual(code.strip(), code.strip())
    return MonthlyFee(code.strip(), label, FeeCategory.SERVICE, TaxTreatment.EXEMPT, reading.yen)


_preview = click.option("--preview", is_flag=True, help="Show the result without saving.")

_after = click.option(
    "--after",
    "follows",
    multiple=True,
    metavar="RESERVATION",
    help="The reservation of the month-to-month resident this booking waits for, if no notice was filed.",
)


@click.command()
@of_workspace
@click.option("--unit", required=True, help="The unit's slug or id, or its room with --building.")
@click.option("--building", help="The name of the building.")
@click.option("--name", required=True, help="The resident named in the contract.")
@click.option("--kana", "name_kana", help="The name in kana.")
@click.option("--email")
@click.option("--phone")
@click.option(
    "--kind", type=click.Choice(values(ReservationKind)), default=ReservationKind.RESIDENT.value
)
@click.option("--locale", type=click.Choice(values(Locale)), default=Locale.JA.value)
@click.option(
    "--move-in", "move_in_date", type=DAY, required=True, help="The contract's first day."
)
@click.option(
    "--contract-end",
    "contract_end_date",
    type=DAY,
    help="The contract's last day; open-ended by default.",
)
@click.option("--arrival", "arrival_date", type=DAY, help="The day of arrival, if different.")
@price_options
@click.option("--discount", help="7.5% of the base rent, or 5,000 yen a month.")
@click.option("--discount-once", is_flag=True, help="For the first billed period only.")
@click.option(
    "--minimum-stay", type=click.IntRange(0), default=0, help="Days of stay the discount needs."
)
@click.option("--reservation-fee", "reservation_fee_yen", type=YEN, default=0)
@click.option("--deposit", "deposit_yen", type=YEN, default=0)
@click.option("--co-occupant", "co_occupants", multiple=True, metavar="NAME")
@_after
@_preview
def book(*, at: CommandWorkspace, preview: bool, **value: Any) -> None:
    """Book a unit: freeze the price and issue the move-in invoice."""
    unit, building = value.pop("unit"), value.pop("building")
    facts = _booking_facts(value)
    if preview:
        with reading(at) as (session, clock):
            facts["unit_id"] = named_unit_id(session, unit, building)
            plan = preview_booking(session, clock, **facts)
        _show_booked(None, plan.invoice, at=at)
        return
    with writing(at) as work:
        facts["unit_id"] = named_unit_id(work.session, unit, building)
        booked = book_unit(work, **facts)
    _show_booked(booked.reservation_id, booked.invoice, at=at)


@click.command()
@reservation_id
@of_workspace
@click.option("--move-in", "override_move_in_date", type=DAY, help="The corrected first day.")
@click.option("--contract-end", "override_contract_end_date", type=DAY, help="The corrected end.")
@click.option("--arrival", "arrival_date", type=DAY, help="The day of arrival.")
@_preview
def dates(*, reservation_id: str, at: CommandWorkspace, preview: bool, **value: Any) -> None:
    """Correct the dates of a contract and the bills that depend on them."""
    days: CorrectedFacts = {name: day for name, day in value.items() if day is not None}  # type: ignore[assignment]  # a mapping of its own keys
    if not days:
        raise Refused("dates: Give --move-in, --contract-end or --arrival.")
    if preview:
        with reading(at) as (session, clock):
            found = preview_dates(session, clock, reservation_id=reservation_id, **days)
        rows, penalty, charged_yen = found.rows, found.penalty, found.charged_yen
    else:
        with writing(at) as work:
            done = correct_dates(work, reservation_id=reservation_id, **days)
        rows, penalty = done.rows, done.notice.penalty if done.notice else None
        charged_yen = done.notice.charged_yen if done.notice else 0
    facts = {"reservation": reservation_id, **days}
    if penalty is not None:
        facts["penalty_yen"] = penalty.yen
        if charged_yen != penalty.yen:
            facts["charged_here_yen"] = charged_yen
    show_record(facts, as_json=at.as_json, rows=override_rows(rows) if rows else [])


@click.command()
@reservation_id
@of_workspace
@click.option("--from", "from_on", type=DAY, required=True, help="The first day of the new price.")
@price_options
def price(*, reservation_id: str, at: CommandWorkspace, **value: Any) -> None:
    """Start a new price on a day that is not billed yet; give all of its amounts."""
    amounts = typed_amounts(value)
    if amounts is None:
        raise Refused(
            "price: Give all amounts of the new price: --rent and the other monthly options."
        )
    with writing(at) as work:
        change_price(
            work,
            reservation_id=reservation_id,
            from_on=value["from_on"],
            amounts=amounts,
            fees=typed_fees(value["fees"]),
        )
    facts = {"reservation": reservation_id, "price_from": value["from_on"]}
    show_record({**facts, "base_rent_yen": amounts.base_rent_yen}, as_json=at.as_json)


@click.command()
@reservation_id
@of_workspace
@click.option("--last-day", "last_on", type=DAY, required=True, help="The old record's last day.")
@click.option("--unit", help="The other unit's slug or id.")
@click.option("--name", help="The other occupant.")
@click.option("--contract-end", "contract_end_date", type=DAY)
@_after
@click.option("--due", "invoice_due_on", type=DAY, help="When the new invoice is due.")
@click.option(
    "--move-overpaid",
    is_flag=True,
    help="Use overpayments for the new invoice, without moving money.",
)
@price_options
def amend(
    *, reservation_id: str, at: CommandWorkspace, last_on: date, move_overpaid: bool, **typed: Any
) -> None:
    """Change the room or the occupant: a new reservation continues the stay and takes the deposit."""
    amounts, fees, unit = typed_amounts(typed), typed_fees(typed.pop("fees")), typed.pop("unit")
    stated = {name: value for name, value in typed.items() if value is not None}
    facts: AmendedFacts = {**stated, "amounts": amounts, "fees": fees}  # type: ignore[typeddict-item]  # options carry the fields' names
    with writing(at) as work:
        if unit is not None:
            facts["unit_id"] = named_unit_id(work.session, unit)
        done = amend_tenancy(
            work,
            reservation_id=reservation_id,
            last_on=last_on,
            moves_overpayment=move_overpaid,
            **facts,
        )
    moved = "moved" if done.is_deposit_moved else "moves on the day the new one starts"
    shown_facts: dict[str, Any] = {"reservation": done.booked.reservation_id, "old": reservation_id}
    show_record(
        shown_facts | {"deposit": moved, "overpaid_moved_yen": done.moved_yen},
        as_json=at.as_json,
        repriced=repriced_rows(done.repriced),
        invoice=invoice_lines(done.booked.invoice),
    )


@click.command()
@reservation_id
@of_workspace
def cancel(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Cancel a booking before move-in; what was paid of its reservation fee is kept."""
    with writing(at) as work:
        done = cancel_booking(work, reservation_id=reservation_id)
        facts = {
            "reservation": reservation_id,
            "lifecycle": done.reservation.lifecycle,
            "kept_fee_yen": done.kept_fee_yen,
        }
    show_record(facts, as_json=at.as_json, repriced=repriced_rows(done.repriced))


@click.command()
@reservation_id
@of_workspace
@click.option(
    "--signature", type=click.Choice(values(EsignStatus)), help="Status of the signature."
)
@click.option(
    "--payment", type=click.Choice(values(PaymentStatus)), help="Status at the payment provider."
)
def status(
    *, reservation_id: str, at: CommandWorkspace, signature: str | None, payment: str | None
) -> None:
    """Record a signature or payment status; an earlier status changes nothing."""
    if (signature is None) == (payment is None):
        raise Refused("status: Give either --signature or --payment.")
    whose = {"reservation_id": reservation_id}
    with writing(at) as work:
        facts: dict[str, Any] = {"reservation": reservation_id}
        if signature is not None:
            signed = state_signature(work, status=EsignStatus(signature), **whose)
            facts |= {"signature": signed.after, "confirmed": signed.is_confirmed}
        if payment is not None:
            paid = change_payment_status(work, status=PaymentStatus(payment), **whose)
            facts |= {"payment": paid.after, "confirmed": paid.is_confirmed}
    show_record(facts, as_json=at.as_json)


@click.command("move-in")
@reservation_id
@of_workspace
def move_in(*, reservation_id: str, at: CommandWorkspace) -> None:
    """Move a resident in on or after the start, even if the invoice is not paid in full."""
    with writing(at) as work:
        row = let_move_in(work, reservation_id=reservation_id)
        facts = {"reservation": reservation_id, "lifecycle": row.lifecycle}
    show_record(facts, as_json=at.as_json)


COMMANDS = (book, dates, price, amend, cancel, status, move_in)


def _booking_facts(facts: dict[str, Any]) -> BookingFacts:
    minimum_stay, once = facts.pop("minimum_stay"), facts.pop("discount_once")
    discount = typed_discount(facts.pop("discount"), minimum_stay, once=once)
    people = [NamedPerson(name) for name in facts.pop("co_occupants")]
    fees, amounts = typed_fees(facts.pop("fees")), typed_amounts(facts)
    kinds = {"kind": ReservationKind(facts.pop("kind")), "locale": Locale(facts.pop("locale"))}
    price = {"amounts": amounts, "fees": fees, "discount": discount}
    return {**facts, **kinds, **price, "co_occupants": people}  # type: ignore[typeddict-item]  # options carry the fields' names


def _show_booked(id_: str | None, invoice: PlannedEntry | None, *, at: CommandWorkspace) -> None:
    facts: dict[str, Any] = {"reservation": id_ or "not booked, only shown"}
    if invoice is not None:
        facts |= {"invoice_due": invoice.due_on, "invoice_yen": invoice.total_yen}
    show_record(facts, as_json=at.as_json, invoice=invoice_lines(invoice))
