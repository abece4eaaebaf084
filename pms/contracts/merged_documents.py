"""Documents merged from a template and the facts of a tenancy."""

import hashlib
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import ContractFacts, place_text
from pms.contracts.contract_people import refuse_lacking
from pms.contracts.models import ContractTemplate
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.markdown import to_html
from pms.foundation.phrases import Bilingual
from pms.foundation.versions import asked_once
from pms.rules.contract_people import GuarantorKind, PeopleLack, may_guarantee
from pms.rules.enumerations import LeaseKind, Locale, ReservationKind
from pms.rules.template_places import fill_places, open_places
from pms.statements.typesetting import TEMPLATES

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
    `NotFound` for an unknown template, and `Refused` when it needs an end and none is agreed, and
    for a guarantor without a highest amount.
    """
    refuse_without_end(session, template_id, facts.end_on)
    refuse_unlimited(facts)
    template = template_text(session, template_id, locale).strip()
    # A guarantor and a guarantee company that the template has no place for follow at its end.
    parts = [template]
    if facts.guarantors.guarantor and not open_places(template, ("guarantor", "guarantor.amount")):
        parts.append(paper_text("guarantor", locale).strip())
    if facts.guarantors.guarantee_company and not open_places(template, ("guarantee.company",)):
        parts.append(paper_text("guarantee-company", locale).strip())
    return merge_template("\n\n".join(parts), facts, locale)


def refuse_unlimited(facts: ContractFacts) -> None:
    """Raise `Refused` for a guarantor without a highest amount: no amount, no paper."""
    guarantor = facts.guarantors.guarantor
    if guarantor and not may_guarantee(GuarantorKind.PERSON, guarantor.highest_yen):
        refuse_lacking([PeopleLack.GUARANTOR_AMOUNT])


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
    return (
        builtin_text(locale)
        if row is None
        else (Bilingual(row.body_ja, row.body_en).in_language(locale) or "")
    )


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
    return asked_once(session, _read_template, template_id)


def _read_template(session: Session, template_id: str | None) -> ContractTemplate | None:
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
