"""Prior explanations of fixed-term contracts."""

import hmac
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import PaperParties
from pms.catalogue.place_names import home_name
from pms.contracts.contract_facts import ContractFacts, facts_of_document, written_address
from pms.contracts.explanation_records import (
    Explanation,
    ExplanationLack,
    explanation_record,
    explanations_of,
    is_explained_by,
    lack_of_explanation,
    newest_about,
)
from pms.contracts.explanation_talks import write_talk, write_wish
from pms.contracts.merged_documents import (
    MergedContract,
    merge_template,
    paper_text,
    text_below_title,
)
from pms.contracts.models import ContractSignature, PriorExplanation
from pms.contracts.queries import ContractRecord, contract_record, lock_contract
from pms.contracts.stated_terms import StatedTerm, stated_terms
from pms.foundation.audit import Subject, note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import format_day
from pms.foundation.markdown import blocks_of
from pms.foundation.translations import deferred_texts, translate
from pms.foundation.work import Work, locked
from pms.notices.notices import NoticeEvent, notify_staff
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN, day_of
from pms.rules.explanations import ExplanationWay
from pms.rules.notices_to_people import ANSWERING, NoticeKind
from pms.statements.invoices import home_of, operator_of
from pms.statements.paper_parties import parties_of_home
from pms.statements.typesetting import typeset

# Act on Land and Building Leases, Art. 38 (3)-(4): a separate document, given before the lease is
# signed. It is handed over on paper, or shown as an electronic record to a person who agreed to
# that first; each time is stored.
_MOST_OF_A_DEVICE: Final = 300
# The subject of the document: another home or other days need a new one.
_ABOUT: Final = (StatedTerm.DATES, StatedTerm.ROOM)


def explanation_text(facts: ContractFacts, locale: str) -> MergedContract:
    """Return the document that explains a stay."""
    return merge_template(paper_text("explanation", locale), facts, locale)


def explanation_to_read(
    session: Session, record: ContractRecord
) -> tuple[MergedContract, Explanation | None]:
    """Return the explanation document of a contract, and the explanation given, if any."""
    facts = facts_of_document(
        session, record.reservation_id, record.term_id, day_of(record.issued_at)
    )
    return explanation_text(facts, record.locale), explanation_of(session, record)


def explanation_of(session: Session, record: ContractRecord) -> Explanation | None:
    """Return the explanation given for the contract's terms; a confirmed one comes first."""
    found = explanations_of(session, [record.reservation_id]).get(record.reservation_id, ())
    stated = record.stated or stated_terms(
        facts_of_document(session, record.reservation_id, record.term_id, day_of(record.issued_at))
    )
    return newest_about(found, stated)


def explanation_lack(
    session: Session, record: ContractRecord, sign_at: datetime | None = None
) -> ExplanationLack | None:
    """Return what a contract lacks of the explanation that the law asks for; None for nothing."""
    if not record.needs_explanation:
        return None
    return lack_of_explanation(session, explanation_of(session, record), sign_at)


def is_unexplained(session: Session, record: ContractRecord) -> bool:
    """Whether the contract needs by law an explanation that is not complete yet."""
    return explanation_lack(session, record) is not None


def refuse_unexplained(
    session: Session, record: ContractRecord, sign_at: datetime | None = None
) -> None:
    """Raise what a fixed-term lease waits for before it can be signed at an instant.

    `Collision` for a document that its reader has not confirmed, `Refused` while no member of staff
    has explained it.
    """
    if not record.needs_explanation:
        return
    given = explanation_of(session, record)
    if given is None or given.confirmed_at is None:
        raise Collision("Read and confirm the prior explanation of the fixed term first.")
    if lack_of_explanation(session, given, sign_at) is not None:
        raise Refused(
            "The fixed term must first be explained by a member of staff: in person, by video or "
            "by phone."
        )


def explanation_about(
    session: Session, explanation_id: str, facts: ContractFacts
) -> Explanation | None:
    """Return an explanation if its home, days and language match, else None.

    Raises `NotFound` for an unknown id.
    """
    found = explanation_record(session, explanation_id)
    is_ours = found.locale == facts.locale and is_explained_by(found.stated, stated_terms(facts))
    return found if is_ours else None


def consent_to_explanation(
    work: Work, *, contract_id: str, document_hash: str, device: str
) -> None:
    """Store the resident's consent to receive the explanation electronically."""
    row, _ = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    if explanation_of(work.session, record) is not None:
        return
    if not record.may_be_signed or not record.needs_explanation:
        raise Collision("This document is no longer valid, or it has already been explained.")
    facts = facts_of_document(work.session, row.id, record.term_id, day_of(record.issued_at))
    write_consent(
        work,
        facts=facts,
        locale=record.locale,
        document_hash=document_hash,
        device=device,
        reservation_id=row.id,
        about=of_reservation(row.id),
    )


def write_consent(
    work: Work,
    *,
    facts: ContractFacts,
    locale: str,
    document_hash: str,
    device: str,
    reservation_id: str | None,
    about: Subject,
    replaces: str | None = None,
) -> str:
    """Store a consent with its document, and return its id; `replaces` is the one given before.

    Raises `Collision` when the document differs from `document_hash`.
    """
    document = explanation_text(facts, locale)
    _refuse_other(document.body_hash, document_hash)
    stated = stated_terms(facts)
    row = PriorExplanation(
        id=new_id(),
        reservation_id=reservation_id,
        locale=locale,
        title=document.title,
        body=document.body,
        body_hash=document.body_hash,
        stated={term.value: stated[term.value] for term in _ABOUT},
        parties=facts.parties.to_json,
        paper_version=_find_version(work.session, document, reservation_id, replaces),
        consented_at=work.clock.now(),
        device=device[:_MOST_OF_A_DEVICE],
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(row)
    noted = {"title": document.title, "document": document.body_hash}
    note_audit_event(work, AuditEvent.EXPLANATION_CONSENTED, about, after=noted)
    work.session.flush()
    return row.id


def _find_version(
    session: Session, document: MergedContract, reservation_id: str | None, replaces: str | None
) -> int:
    """Return the version of a document: that of an earlier one with the same text, else the next."""
    earlier = PriorExplanation.id == replaces
    if reservation_id is not None:
        earlier = PriorExplanation.reservation_id == reservation_id
    same = select(PriorExplanation.paper_version).where(
        earlier, PriorExplanation.body_hash == document.body_hash
    )
    newest = select(func.max(PriorExplanation.paper_version)).where(earlier)
    return session.scalar(same.limit(1)) or (session.scalar(newest) or 0) + 1


def confirm_explanation(work: Work, *, contract_id: str, document_hash: str) -> None:
    """Store that the resident read the explanation; a repetition changes nothing."""
    row, _ = lock_contract(work.session, contract_id)
    found = explanation_of(work.session, contract_record(work.session, contract_id))
    if found is None:
        raise Collision("First agree to read the document online.")
    write_confirmation(
        work, explanation_id=found.id, document_hash=document_hash, about=of_reservation(row.id)
    )


def write_confirmation(
    work: Work, *, explanation_id: str, document_hash: str, about: Subject
) -> None:
    """Store when a shown explanation was confirmed."""
    row = locked(work.session, PriorExplanation, explanation_id)
    if row.confirmed_at is not None:
        return
    _refuse_other(row.body_hash, document_hash)
    row.confirmed_at = work.clock.now()
    facts = {"title": row.title, "document": row.body_hash}
    note_audit_event(work, AuditEvent.EXPLANATION_GIVEN, about, after=facts)
    work.session.flush()


def record_explanation(work: Work, *, contract_id: str, handed_on: date) -> None:
    """Store that the office handed over the document on paper, with the day.

    Raises `Refused` for a day in the future, or after a signature that is already there, and
    `Collision` for a contract that needs no explanation.
    """
    row, _ = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    given = explanation_of(work.session, record)
    if not _is_explained_now(record) or (given is not None and given.confirmed_at is not None):
        raise Collision("This document is no longer valid, or it has already been explained.")
    last_on = day_of(record.signed.at) if record.signed else work.clock.today()
    if handed_on > last_on:
        raise Refused(
            "handedOn: {day} is in the future. Enter {today} or earlier.",
            day=handed_on,
            today=last_on,
        )
    facts = facts_of_document(work.session, row.id, record.term_id, day_of(record.issued_at))
    document, stated = explanation_text(facts, record.locale), stated_terms(facts)
    work.session.add(
        PriorExplanation(
            id=new_id(),
            reservation_id=row.id,
            locale=record.locale,
            title=document.title,
            body=document.body,
            body_hash=document.body_hash,
            stated={term.value: stated[term.value] for term in _ABOUT},
            parties=facts.parties.to_json,
            paper_version=_find_version(work.session, document, row.id, None),
            handed_on=handed_on,
            confirmed_at=work.clock.now(),
            device="",
            written_at=work.clock.now(),
            written_by=work.actor,
        )
    )
    noted = {"title": document.title, "handed_on": handed_on}
    about = of_reservation(row.id)
    note_audit_event(work, AuditEvent.EXPLANATION_GIVEN, about, after=noted)
    work.session.flush()


def _is_explained_now(record: ContractRecord) -> bool:
    """Whether the explanation of a document is still recorded: before, or missing at, its signature."""
    is_late = record.signed is not None and record.signed.is_unexplained
    return record.needs_explanation and (record.may_be_signed or is_late)


def record_talk(
    work: Work,
    *,
    contract_id: str,
    person_id: str,
    way: ExplanationWay,
    explained_at: datetime | None = None,
    questions: str | None = None,
) -> None:
    """Store that a member of staff explained a contract's document to its signer, now or earlier.

    For a signature that a provider reported without it, the explanation must have been before.
    Raises `Refused` while the signer has no document, and `Collision` for a contract that needs no
    explanation, or has one.
    """
    row, _ = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    given = explanation_of(work.session, record)
    signed_at = record.signed.at if record.signed else None
    if not _is_explained_now(record) or (given and given.talk and signed_at is None):
        raise Collision("This document is no longer valid, or it has already been explained.")
    if given is None:
        raise Refused(
            "handedOn: the resident does not have the document yet. Enter the day on which you "
            "handed it over, or let them open it online."
        )
    if signed_at is not None and (explained_at is None or explained_at >= signed_at):
        raise Refused("explainedOn: the contract was signed before that.")
    write_talk(
        work,
        explanation_id=given.id,
        person_id=person_id,
        way=way,
        explained_at=explained_at,
        questions=questions,
        about=of_reservation(row.id),
    )
    if signed_at is not None and explanation_lack(work.session, record, signed_at) is None:
        asked = select(ContractSignature).where(ContractSignature.contract_id == contract_id)
        for signature in work.session.scalars(asked):
            signature.is_unexplained = False
        work.session.flush()


def wish_explanation(
    work: Work, *, contract_id: str, way: ExplanationWay, wished_at: datetime | None
) -> None:
    """Store how and when the signer wants to be explained the document of a contract.

    Raises `Collision` before they agreed to read it online, and once it was explained.
    """
    row, contract = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    given = explanation_of(work.session, record)
    if given is None:
        raise Collision("First agree to read the document online.")
    if not record.may_be_signed or given.talk is not None:
        raise Collision("This document is no longer valid, or it has already been explained.")
    write_wish(
        work,
        explanation_id=given.id,
        way=way,
        wished_at=wished_at,
        about=of_reservation(row.id),
    )
    event = NoticeEvent(
        contract_id,
        f"/contracts/{contract_id}/explanation",
        {"place": home_name(work.session, row.unit_id)._asdict()},
        model=type(contract),
    )
    notify_staff(work, NoticeKind.CONTRACT_TO_EXPLAIN, event, roles=ANSWERING)


def adopt_explanation(session: Session, explanation_id: str, reservation_id: str) -> None:
    """Assign the explanation of an offer to its booking."""
    locked(session, PriorExplanation, explanation_id).reservation_id = reservation_id
    session.flush()


def _refuse_other(ours: str, theirs: str) -> None:
    if not hmac.compare_digest(ours.encode(), theirs.encode()):
        raise Collision(
            "The document was replaced in the meantime. Read the new one before you sign."
        )


def explanation_pdf(session: Session, record: ContractRecord) -> bytes:
    """Return the PDF of a contract's prior explanation: as given, else as it would be."""
    document, given = explanation_to_read(session, record)
    home = home_of(session, record.reservation_id)
    return typeset(
        "contract",
        explanation_paper(
            session,
            document,
            given,
            locale=record.locale,
            resident=home.resident,
            home=home.in_language(record.locale),
            parties=parties_of_home(session, record.reservation_id, day_of(record.issued_at)),
        ),
    )


def explanation_paper(
    session: Session,
    document: MergedContract,
    given: Explanation | None,
    *,
    locale: str,
    resident: str,
    home: str | None,
    parties: PaperParties | None,
) -> dict[str, Any]:
    """Return the text of an explanation for its PDF; one that was given is unchanged.

    `parties` are those of today, for one that was not given yet.
    """
    operator = operator_of(session)
    parties = parties if given is None else PaperParties.of(given.parties)
    body = document.body if given is None else given.body
    return {
        "language": locale,
        "hue": operator.hue,
        "operator": operator.name.in_language(locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "lessor": None if parties is None else parties.say_lessor(locale),
        "title": document.title if given is None else given.title,
        "number": None,
        "issued": None,
        "resident": resident,
        "home": home,
        "blocks": blocks_of(text_below_title(body)),
        "hash": document.body_hash if given is None else given.body_hash,
        "signature": None,
        "explanation": explanation_words(given, locale, is_needed=True),
    }


def explanation_words(given: Explanation | None, locale: str, *, is_needed: bool) -> str | None:
    """Return how and when the explanation was given; None when none is needed."""
    if not is_needed:
        return None
    if given is None or given.confirmed_at is None:
        return translate("not given yet", locale)
    if given.handed_on is not None:
        day = format_day(given.handed_on, locale)
        words = translate("on paper, on {day}", locale, day=day)
    else:
        words = translate(
            "as an electronic record; agreed to on {agreed}, confirmed on {confirmed}",
            locale,
            agreed=instant_text(given.consented_at or given.confirmed_at, locale),
            confirmed=instant_text(given.confirmed_at, locale),
        )
    if given.talk is None:
        return words
    return translate(
        "{given}; explained {way} on {instant} by {name}",
        locale,
        given=words,
        way=translate(_WAYS[given.talk.way], locale),
        instant=instant_text(given.talk.explained_at, locale),
        name=given.talk.name,
    )


_WAYS: Final = deferred_texts(
    {
        ExplanationWay.MET: "in person",
        ExplanationWay.VIDEO: "by video",
        ExplanationWay.PHONE: "by phone",
    }
)


def instant_text(instant: datetime, locale: str) -> str:
    """Return a time to the second, in Japan time."""
    at = instant.astimezone(JAPAN)
    time = f"{format_day(at.date(), locale)} {at:%H:%M:%S}"
    return translate("{time} (Japan time)", locale, time=time)
