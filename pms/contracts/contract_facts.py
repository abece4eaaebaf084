"""The facts of a contract, its terms, and the values of its template places."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property, partial
from types import MappingProxyType
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.management_forms import PaperParties, parties_of_building
from pms.catalogue.models import Building, Unit
from pms.contracts.contract_people import (
    NamedPeople,
    guarantors_of,
    people_of_reservation,
)
from pms.contracts.models import GuaranteeCompany, Guarantor
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to, workspace_of
from pms.foundation.translations import translate, translate_both
from pms.foundation.versions import asked_once
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.planned_entries import ITEM_WORDS
from pms.pricing.prices import AgreedPrice, agreed_prices
from pms.reservations.models import CoOccupant, LaterTerm, Reservation
from pms.rules.contract_dates import effective_day
from pms.rules.days import RecordedDay
from pms.rules.enumerations import EntryKind, RecurringItem
from pms.rules.management_forms import ManagementForm
from pms.rules.price_changes import period_on
from pms.rules.rent_lines import Discount
from pms.workspaces.models import Workspace


@dataclass(frozen=True, slots=True)
class MonthlyLine:
    """One recurring amount of the price, whole yen a month; `code` is the item's or the fee's."""

    code: str
    label: Bilingual
    yen: int


@dataclass(frozen=True, slots=True)
class LaterPrice:
    """The recurring amounts agreed from a later day on."""

    from_on: date
    monthly: tuple[MonthlyLine, ...]


@dataclass(frozen=True, slots=True)
class AgreedReduction:
    """A discount as frozen with the price, and its label."""

    label: Bilingual
    discount: Discount


@dataclass(frozen=True, kw_only=True)
class ContractFacts:
    """The facts of a tenancy or of an offered one; amounts in whole yen.

    `monthly` has the rent first and no lines of 0 yen; `later` are the amounts agreed from later
    days. `move_in_total_yen` is None without a move-in invoice. `locale` is the language of the
    signer. The parties are read where a paper names them: to compare terms asks for none.
    """

    operator: Bilingual
    operator_address: str | None
    find_parties: Callable[[], PaperParties]
    bank_details: str | None
    building: Bilingual
    address: Bilingual
    unit_id: str
    unit: str
    resident: str
    resident_kana: str | None
    email: str | None
    phone: str | None
    co_occupants: tuple[str, ...]
    start_on: date
    end_on: date | None
    base_rent_yen: int
    monthly: tuple[MonthlyLine, ...]
    later: tuple[LaterPrice, ...] = ()
    reduction: AgreedReduction | None = None
    reservation_fee_yen: int
    deposit_yen: int
    move_in_total_yen: int | None
    locale: str
    find_guarantors: Callable[[], NamedPeople]

    @cached_property
    def guarantors(self) -> NamedPeople:
        """The guarantor and the guarantee company."""
        return self.find_guarantors()

    @cached_property
    def parties(self) -> PaperParties:
        """Who stands on the paper."""
        return self.find_parties()

    @property
    def monthly_total_yen(self) -> int:
        """The sum of a whole month, before any discount."""
        return sum(line.yen for line in self.monthly)


def facts_of_reservation(session: Session, reservation_id: str, on: date) -> ContractFacts:
    """Return the contract facts of a reservation on the day of its paper; raise `NotFound` for an unknown one.

    Raises `Refused` when the start is missing or a day of the term cannot be read.
    """
    return asked_once(session, _facts_of_reservation, reservation_id, on)


def facts_of_document(
    session: Session, reservation_id: str, term_id: str | None, on: date
) -> ContractFacts:
    """Return the facts of a document: of the term that it agrees, else of the whole tenancy."""
    facts = facts_of_reservation(session, reservation_id, on)
    term = None if term_id is None else session.get(LaterTerm, (workspace_of(session), term_id))
    if term is None:
        return facts
    # The facts with the days and the price of a later term; what is paid once was paid.
    price = agreed_prices(session, [reservation_id]).get(reservation_id)
    lines = () if price is None else tuple(monthly_lines(price, term.first_on))
    if term.base_rent_yen is not None:
        lines = tuple(
            replace(line, yen=term.base_rent_yen) if line.code == RecurringItem.BASE_RENT else line
            for line in lines
        )
    rents = (line.yen for line in lines if line.code == RecurringItem.BASE_RENT)
    return replace(
        facts,
        start_on=term.first_on,
        end_on=term.last_on,
        base_rent_yen=next(rents, 0),
        monthly=lines,
        later=() if price is None else tuple(_list_later_prices(price, term.first_on)),
        reservation_fee_yen=0,
        move_in_total_yen=None,
    )


def _facts_of_reservation(session: Session, reservation_id: str, on: date) -> ContractFacts:
    row, unit, building, workspace = _find_reservation(session, reservation_id)
    start_on = _read_day("moveInDate", effective_day(row.move_in_date, row.override_move_in_date))
    if start_on is None:
        raise Refused("moveInDate: the reservation has no start date for the contract.")
    price = agreed_prices(session, [row.id]).get(row.id)
    monthly = () if price is None else tuple(monthly_lines(price, start_on))
    asked = select(CoOccupant.name).where(CoOccupant.reservation_id == row.id)
    co_occupants = tuple(session.scalars(asked.order_by(CoOccupant.position)))
    if price is None or price.price.discount is None:
        reduction = None
    else:
        reduction = AgreedReduction(
            price.discount_label or Bilingual(None, None), price.price.discount
        )
    return ContractFacts(
        operator=Bilingual(workspace.name, workspace.name_en),
        operator_address=written_address(workspace.postcode, workspace.address),
        find_parties=partial(parties_of_building, session, building.id, on),
        bank_details=workspace.bank_details,
        building=Bilingual(building.name, building.name_en),
        address=Bilingual(building.address, building.address_en),
        unit_id=unit.id,
        unit=unit.name,
        resident=row.name,
        resident_kana=row.name_kana,
        email=row.email,
        phone=row.phone,
        co_occupants=co_occupants,
        start_on=start_on,
        end_on=_read_day(
            "contractEndDate", effective_day(row.contract_end_date, row.override_contract_end_date)
        ),
        base_rent_yen=0
        if price is None
        else period_on(price.price.periods, start_on).amounts.get(RecurringItem.BASE_RENT, 0),
        monthly=monthly,
        later=() if price is None else tuple(_list_later_prices(price, start_on)),
        reduction=reduction,
        reservation_fee_yen=row.reservation_fee_yen,
        deposit_yen=row.deposit_yen,
        move_in_total_yen=_move_in_total(session, row.id),
        locale=row.locale,
        find_guarantors=partial(_find_guarantors, session, row.id),
    )


def _find_guarantors(session: Session, reservation_id: str) -> NamedPeople:
    return guarantors_of(session, people_of_reservation(session, reservation_id))


def monthly_lines(price: AgreedPrice, on: date) -> Iterator[MonthlyLine]:
    """Yield the recurring amounts in force on a day, the rent first, in both languages."""
    amounts = period_on(price.price.periods, on).amounts
    for item, yen in amounts.items():
        if yen and item in ITEM_WORDS:
            words = ITEM_WORDS[item]
            yield MonthlyLine(item, Bilingual(words.label_ja, words.label_en), yen)
        elif yen:
            yield MonthlyLine(item, price.fee_on(item, on).label, yen)


def _list_later_prices(price: AgreedPrice, start_on: date) -> Iterator[LaterPrice]:
    for period in price.price.periods:
        if period.first_on > start_on:
            yield LaterPrice(period.first_on, tuple(monthly_lines(price, period.first_on)))


def written_address(postcode: str | None, address: str | None) -> str | None:
    """Return a postcode and address in one line."""
    return " ".join(part for part in (f"〒{postcode}" if postcode else "", address or "") if part)


def _find_reservation(
    session: Session, reservation_id: str
) -> tuple[Reservation, Unit, Building, Workspace]:
    question = (
        select(Reservation, Unit, Building, Workspace)
        .join(Reservation.unit)
        .join(Unit.building)
        .join(Workspace, Workspace.id == Reservation.workspace_id)
        .where(Reservation.id == reservation_id)
    )
    found = session.execute(question).first() if is_id(reservation_id) else None
    if found is None:
        raise no_such("reservation", reservation_id)
    return found[0], found[1], found[2], found[3]


def _read_day(field: str, recorded: RecordedDay) -> date | None:
    if recorded is None or isinstance(recorded, date):
        return recorded
    raise Refused(
        "{field}: '{text}' is not a date. Correct it first.", field=field, text=recorded.text
    )


def _move_in_total(session: Session, reservation_id: str) -> int | None:
    """Return the sum of the move-in invoice, or None when there is none."""
    opposite = aliased(LedgerEntry)
    is_voided = select(opposite.id).where(refers_to(opposite.opposes_id, LedgerEntry))
    yen = session.scalar(
        select(func.sum(LedgerLine.amount_yen))
        .join(LedgerEntry, refers_to(LedgerLine.entry_id, LedgerEntry))
        .where(
            LedgerEntry.reservation_id == reservation_id,
            LedgerEntry.kind == EntryKind.MOVE_IN,
            ~is_voided.exists(),
        )
    )
    return None if yen is None else int(yen)


_RENT_YEN, _UTILITIES_YEN, _FEE_YEN = 86_000, 12_000, 30_000


def sample_facts(session: Session, on: date, locale: str) -> ContractFacts:
    """Return sample facts for every place, with the session's workspace as operator."""
    workspace = session.scalars(select(Workspace)).one()
    words = {item: ITEM_WORDS[item] for item in (RecurringItem.BASE_RENT, RecurringItem.UTILITIES)}
    labels = [Bilingual(both.label_ja, both.label_en) for both in words.values()]
    operator = Bilingual(workspace.name, workspace.name_en)
    address = written_address(workspace.postcode, workspace.address)
    return ContractFacts(
        operator=operator,
        operator_address=address,
        find_parties=partial(PaperParties, ManagementForm.OWN, None, operator, address),
        bank_details=workspace.bank_details,
        building=translate_both("Sample House", "sample"),
        address=translate_both("1-2-3 Mihon, Sumida, Tokyo", "sample"),
        unit_id="",
        unit="101",
        resident=translate("Hanako Mihon", "ja", "sample"),
        resident_kana=translate("Hanako Mihon", "ja", "sample in kana"),
        email="hanako@example.com",
        phone="03-0000-0000",
        co_occupants=(translate("Jiro Mihon", "ja", "sample"),),
        start_on=on,
        end_on=on.replace(year=on.year + 1, day=min(on.day, 28)),
        base_rent_yen=_RENT_YEN,
        monthly=tuple(
            MonthlyLine(item, label, yen)
            for item, label, yen in zip(words, labels, (_RENT_YEN, _UTILITIES_YEN), strict=True)
        ),
        reduction=AgreedReduction(
            translate_both("Long stay", "sample"),
            Discount(percent=Decimal(5), minimum_stay_days=180),
        ),
        reservation_fee_yen=_FEE_YEN,
        deposit_yen=_RENT_YEN,
        move_in_total_yen=_RENT_YEN + _UTILITIES_YEN + _FEE_YEN + _RENT_YEN,
        locale=locale,
        find_guarantors=partial(
            NamedPeople,
            Guarantor(
                name=translate("Ichiro Mihon", locale),
                address=translate("2-3-4 Mihon, Taito, Tokyo", locale),
                highest_yen=24 * _RENT_YEN,
            ),
            GuaranteeCompany(name=translate("Sample Guarantee Co., Ltd.", locale), number="A-1234"),
        ),
    )


Said = Callable[[ContractFacts, str], str | None]
NOTHING: Final = "—"


def _format_term(facts: ContractFacts, locale: str) -> str:
    """Return the term as text; without an end, "until" is left out."""
    start_on = format_day(facts.start_on, locale)
    if facts.end_on is None:
        return translate("from {start_on}, open-ended", locale, start_on=start_on)
    end_on = format_day(facts.end_on, locale)
    return translate("{start_on} to {end_on}", locale, "contract", start_on=start_on, end_on=end_on)


def _format_end(facts: ContractFacts, locale: str) -> str | None:
    return None if facts.end_on is None else format_day(facts.end_on, locale)


def _format_lines(monthly: Iterable[MonthlyLine], locale: str) -> str:
    lines = [f"{line.label.in_language(locale)} {format_yen(line.yen)}" for line in monthly]
    return ("、" if locale == "ja" else ", ").join(lines)


def _monthly_lines(facts: ContractFacts, locale: str) -> str:
    later = [(price.from_on, _format_lines(price.monthly, locale)) for price in facts.later]
    return _with_later(_format_lines(facts.monthly, locale), later, locale)


def _monthly_total(facts: ContractFacts, locale: str) -> str:
    later = [
        (price.from_on, format_yen(sum(line.yen for line in price.monthly)))
        for price in facts.later
    ]
    return _with_later(format_yen(facts.monthly_total_yen), later, locale)


def _with_later(text: str, later: Iterable[tuple[date, str]], locale: str) -> str:
    """Return what is agreed at the start, and what from later days on."""
    for from_on, words in later:
        day = format_day(from_on, locale)
        text += translate(" (from {day}: {words})", locale, day=day, words=words)
    return text


def _format_discount(facts: ContractFacts, locale: str) -> str | None:
    """Return the discount as text: how much, how often, and from which length of stay."""
    if facts.reduction is None:
        return None
    off, label = facts.reduction.discount, facts.reduction.label.in_language(locale)
    amount = (
        f"{off.percent.normalize():f}%" if off.percent is not None else format_yen(off.yen or 0)
    )
    often = (
        translate("each month", locale, "discount")
        if off.is_recurring
        else translate("once", locale, "discount")
    )
    days = off.minimum_stay_days
    stay = translate(", for at least {days} days", locale, days=days) if days else ""
    text = translate(
        "{amount} off the rent, {often}{stay}", locale, amount=amount, often=often, stay=stay
    )
    return (
        translate("{label}: {text}", locale, "discount", label=label, text=text) if label else text
    )


def _say_move_in_total(facts: ContractFacts, locale: str) -> str:
    if facts.move_in_total_yen is not None:
        return format_yen(facts.move_in_total_yen)
    return translate("as invoiced", locale)


def _format_highest_amount(facts: ContractFacts, _locale: str) -> str | None:
    guarantor = facts.guarantors.guarantor
    if guarantor is None or guarantor.highest_yen is None:
        return None
    return format_yen(guarantor.highest_yen)


def _format_guarantor(facts: ContractFacts, locale: str) -> str | None:
    """Return the guarantor with the highest amount, in one line."""
    guarantor = facts.guarantors.guarantor
    if guarantor is None:
        return None
    amount = _format_highest_amount(facts, locale) or NOTHING
    name = guarantor.name
    if guarantor.address:
        name = translate("{name}, {address}", locale, name=name, address=guarantor.address)
    return translate("{name}, up to {amount}", locale, name=name, amount=amount)


def _format_company(facts: ContractFacts, locale: str) -> str | None:
    """Return the guarantee company with its plan and the contract's number, in one line."""
    company = facts.guarantors.guarantee_company
    if company is None:
        return None
    name = f"{company.name} {company.plan}" if company.plan else company.name
    if not company.number:
        return name
    return translate("{name}, no. {number}", locale, name=name, number=company.number)


PLACES: Final[Mapping[str, Said]] = MappingProxyType(
    {
        "operator.name": lambda facts, locale: facts.operator.in_language(locale),
        "operator.address": lambda facts, _: facts.operator_address,
        "lessor.name": lambda facts, locale: facts.parties.lessor.in_language(locale),
        "lessor.address": lambda facts, _: facts.parties.lessor_address,
        "lessor.signs": lambda facts, locale: facts.parties.say_lessor(locale),
        "operator.bank": lambda facts, _: facts.bank_details,
        "building.name": lambda facts, locale: facts.building.in_language(locale),
        "building.address": lambda facts, locale: facts.address.in_language(locale),
        "unit.name": lambda facts, _: facts.unit,
        "resident.name": lambda facts, _: facts.resident,
        "resident.kana": lambda facts, _: facts.resident_kana,
        "resident.email": lambda facts, _: facts.email,
        "resident.phone": lambda facts, _: facts.phone,
        "resident.others": lambda facts, locale: ("、" if locale == "ja" else ", ").join(
            facts.co_occupants
        ),
        "term": _format_term,
        "term.start": lambda facts, locale: format_day(facts.start_on, locale),
        "term.end": _format_end,
        "rent.base": lambda facts, _: format_yen(facts.base_rent_yen),
        "rent.lines": _monthly_lines,
        "rent.total": _monthly_total,
        "rent.discount": _format_discount,
        "fee.reservation": lambda facts, _: format_yen(facts.reservation_fee_yen),
        "deposit": lambda facts, _: format_yen(facts.deposit_yen),
        "movein.total": _say_move_in_total,
        "guarantor": _format_guarantor,
        "guarantor.name": lambda facts, _: getattr(facts.guarantors.guarantor, "name", None),
        "guarantor.address": lambda facts, _: getattr(facts.guarantors.guarantor, "address", None),
        "guarantor.amount": _format_highest_amount,
        "guarantee.company": _format_company,
    }
)


def place_text(name: str, facts: ContractFacts, locale: str) -> str:
    """Return the value of a place; a dash where there is none."""
    return PLACES[name](facts, locale) or NOTHING
