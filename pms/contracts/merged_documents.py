"""Documents merged from a template and the facts of a tenancy, and the terms they state."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import NOTHING, ContractFacts, MonthlyLine, place_text
from pms.contracts.models import ContractTemplate
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.markdown import to_html
from pms.foundation.phrases import Bilingual
from pms.rules.enumerations import LeaseKind, Locale, ReservationKind
from pms.rules.template_places import fill_places, open_places
from pms.statements.papers import TEMPLATES

UNTITLED: Final = Bilingual("賃貸借契約書", "Lease agreement")
_HEADING: Final = "# "


class MergedContract(NamedTuple):
    """A document: its Markdown with its SHA-256, and the HTML below its title in two parts.

    `agreed` is what stands before the first article; without articles all is in `articles`.
    """

    title: str
    body: str
    body_hash: str
    agreed: str
    articles: str

    @property
    def html(self) -> str:
        """All the HTML below the title."""
        return self.agreed + self.articles


def merge_contract(
    session: Session, facts: ContractFacts, *, template_id: str | None = None, locale: str
) -> MergedContract:
    """Return the document of these facts in a language.

    Without `template_id` it is the workspace's default template, else the built-in one. Raises
    `NotFound` for an unknown template, and `Refused` when it needs an end and none is agreed.
    """
    refuse_without_end(session, template_id, facts.end_on)
    return merge_template(template_text(session, template_id, locale), facts, locale)


def merge_template(template: str, facts: ContractFacts, locale: str) -> MergedContract:
    """Return the document for a template text."""
    body = fill_places(template.strip(), lambda name: place_text(name, facts, locale)) + "\n"
    return document(body, locale)


def document(body: str, locale: str) -> MergedContract:
    """Return a document for a text; a heading in the first line is its title."""
    first = body.partition("\n")[0]
    title = UNTITLED.in_language(locale) or ""
    if first.startswith(_HEADING):
        title = first.removeprefix(_HEADING).replace("\\", "").strip()
    digest = hashlib.sha256(body.encode()).hexdigest()
    agreed, heading, articles = to_html(text_below_title(body)).partition("<h2")
    if not heading:
        return MergedContract(title, body, digest, "", agreed)
    return MergedContract(title, body, digest, agreed, heading + articles)


def text_below_title(body: str) -> str:
    """Return the text of a document without its title heading."""
    first, _, rest = body.partition("\n")
    return rest if first.startswith(_HEADING) else body


def template_text(session: Session, template_id: str | None, locale: str) -> str:
    """Return the template's text in a language, or in the other one if it is empty."""
    row = _find_template(session, template_id)
    return builtin_text(locale) if row is None else _body_text(row, locale)


def lease_kind_of(session: Session, template_id: str | None) -> LeaseKind:
    """Return the kind of lease of a template; the built-in one is for a fixed term."""
    row = _find_template(session, template_id)
    return LeaseKind.FIXED_TERM if row is None else row.lease_kind


def refuse_without_end(session: Session, template_id: str | None, end_on: date | None) -> None:
    """Raise `Refused` for a lease without an end if its template needs or prints the end."""
    if end_on is not None:
        return
    row = _find_template(session, template_id)
    if row is None or row.lease_kind is LeaseKind.FIXED_TERM:
        raise Refused(
            "contractEndDate: a fixed-term lease needs an end date. Enter it, or choose a "
            "template for an ordinary lease."
        )
    if any(_names_end(text) for text in (row.body_ja, row.body_en)):
        raise Refused(
            "contractEndDate: the template '{template}' prints the end date, and none is "
            "agreed. Enter it, or use {place} in the template.",
            template=row.name,
            place="{{term}}",
        )


def refuse_endless(session: Session, kind: ReservationKind, end_on: date | None) -> None:
    """Raise `Refused` for a resident's booking without an end if no template can write it."""
    if end_on is None and kind is ReservationKind.RESIDENT and endless_template(session) is None:
        raise Refused(
            "contractEndDate: a fixed-term lease needs an end date, and all contract templates "
            "in use are for fixed terms. Enter the end date, or write a template for an "
            "ordinary lease."
        )


def endless_template(session: Session) -> str | None:
    """Return a template in use for a lease without an end, the default one first."""
    rows = session.scalars(
        select(ContractTemplate)
        .where(
            ContractTemplate.lease_kind == LeaseKind.ORDINARY,
            ContractTemplate.archived_at.is_(None),
        )
        .order_by(ContractTemplate.is_default.desc(), ContractTemplate.name, ContractTemplate.id)
    )
    fit = (row.id for row in rows if not any(map(_names_end, (row.body_ja, row.body_en))))
    return next(fit, None)


def _names_end(text: str) -> bool:
    return bool(open_places(text, ("term.end",)))


def _find_template(session: Session, template_id: str | None) -> ContractTemplate | None:
    """Return the template of an id, else the default one; None is the built-in one."""
    asked = select(ContractTemplate)
    if template_id is None:
        asked = asked.where(ContractTemplate.is_default, ContractTemplate.archived_at.is_(None))
        return session.scalars(asked.limit(1)).first()
    row = (
        session.scalar(asked.where(ContractTemplate.id == template_id))
        if is_id(template_id)
        else None
    )
    if row is None:
        raise no_such("template", template_id)
    return row


def builtin_text(locale: str, kind: LeaseKind = LeaseKind.FIXED_TERM) -> str:
    """Return the built-in text of a kind of lease, used until a workspace writes its own."""
    return paper_text("contract" if kind is LeaseKind.FIXED_TERM else "contract-ordinary", locale)


@cache
def paper_text(name: str, locale: str) -> str:
    """Return a text that is shipped with the program, in a language."""
    language = "en" if locale == Locale.EN else "ja"
    return (TEMPLATES / f"{name}.{language}.md").read_text("utf-8")


def _body_text(row: ContractTemplate, locale: str) -> str:
    return Bilingual(row.body_ja, row.body_en).in_language(locale) or ""


class StatedTerm(StrEnum):
    """A term that must be the same in a document and its stay."""

    DATES = "dates"
    ROOM = "room"
    PEOPLE = "people"
    MONTHLY = "monthly"
    DISCOUNT = "discount"
    RESERVATION_FEE = "reservation_fee"
    DEPOSIT = "deposit"


TERM_WORDS: Final = MappingProxyType(
    {
        StatedTerm.DATES: Bilingual("契約期間", "Term"),
        StatedTerm.ROOM: Bilingual("部屋", "Room"),
        StatedTerm.PEOPLE: Bilingual("借主・同居人", "Resident and occupants"),
        StatedTerm.MONTHLY: Bilingual("月額", "Monthly amounts"),
        StatedTerm.DISCOUNT: Bilingual("割引", "Discount"),
        StatedTerm.RESERVATION_FEE: Bilingual("予約金", "Reservation fee"),
        StatedTerm.DEPOSIT: Bilingual("敷金", "Deposit"),
    }
)


class ChangedTerm(NamedTuple):
    """A term with two different values; `before` is empty where it is unknown."""

    term: StatedTerm
    before: Bilingual
    after: Bilingual

    @property
    def label(self) -> Bilingual:
        """The name of the term."""
        return TERM_WORDS[self.term]


def stated_terms(facts: ContractFacts) -> dict[str, list[str]]:
    """Return the terms of a tenancy as stored with a document: key, Japanese, English."""
    return {
        term.value: [
            _KEYS[term](facts),
            *(_term_text(term, facts, locale) for locale in ("ja", "en")),
        ]
        for term in StatedTerm
    }


def changed_terms(
    before: Mapping[str, Any] | None, after: Mapping[str, Any]
) -> tuple[ChangedTerm, ...]:
    """Return the terms that differ; without `before`, every term."""
    known = before or {}
    return tuple(_compare_terms(known, after))


def _compare_terms(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[ChangedTerm]:
    for term in StatedTerm:
        key, *texts = after[term]
        old_key, *old = before.get(term, (None, None, None))
        if old_key != key:
            yield ChangedTerm(term, Bilingual(*old), Bilingual(*texts))


def _term_text(term: StatedTerm, facts: ContractFacts, locale: str) -> str:
    texts = [place_text(place, facts, locale) for place in _PLACES[term]]
    filled = [words for words in texts if words != NOTHING] or [NOTHING]
    if term is not StatedTerm.PEOPLE:
        return " ".join(filled)
    return ("、" if locale == "ja" else ", ").join(filled)


def _monthly_key(facts: ContractFacts) -> str:
    later = (f"{price.from_on}:{_lines_key(price.monthly)}" for price in facts.later)
    return "/".join((_lines_key(facts.monthly), *later))


def _lines_key(monthly: tuple[MonthlyLine, ...]) -> str:
    return ",".join(sorted(f"{line.code}={line.yen}" for line in monthly))


def _discount_key(facts: ContractFacts) -> str:
    if facts.reduction is None:
        return ""
    off = facts.reduction.discount
    percent = "" if off.percent is None else f"{off.percent.normalize():f}"
    return f"{percent}/{off.yen or ''}/{off.is_recurring}/{off.minimum_stay_days}"


_KEYS: Final[Mapping[StatedTerm, Callable[[ContractFacts], str]]] = MappingProxyType(
    {
        StatedTerm.DATES: lambda facts: f"{facts.start_on}/{facts.end_on or ''}",
        StatedTerm.ROOM: lambda facts: facts.unit_id,
        StatedTerm.PEOPLE: lambda facts: "\n".join((facts.resident, *facts.co_occupants)),
        StatedTerm.MONTHLY: _monthly_key,
        StatedTerm.DISCOUNT: _discount_key,
        StatedTerm.RESERVATION_FEE: lambda facts: str(facts.reservation_fee_yen),
        StatedTerm.DEPOSIT: lambda facts: str(facts.deposit_yen),
    }
)
_PLACES: Final[Mapping[StatedTerm, tuple[str, ...]]] = MappingProxyType(
    {
        StatedTerm.DATES: ("term",),
        StatedTerm.ROOM: ("building.name", "unit.name"),
        StatedTerm.PEOPLE: ("resident.name", "resident.others"),
        StatedTerm.MONTHLY: ("rent.lines",),
        StatedTerm.DISCOUNT: ("rent.discount",),
        StatedTerm.RESERVATION_FEE: ("fee.reservation",),
        StatedTerm.DEPOSIT: ("deposit",),
    }
)
