"""Tables of contracts: templates, merged documents, signatures."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import shared, through
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.files import HAS_FILES
from pms.foundation.sealing import SEALED
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import OCCUPANCY
from pms.rules.contract_people import AskedFor, IdentityKind, OccupationKind, PeopleKind
from pms.rules.enumerations import LeaseKind
from pms.rules.explanations import ExplanationWay
from pms.rules.rent_proposals import RentAnswer
from pms.rules.screening import ScreeningState
from pms.rules.term_endings import NoticeWay, TermAnswer


class ContractKind(StrEnum):
    """The kind of a document: the lease, or an amendment of a signed lease."""

    LEASE = "lease"
    AMENDMENT = "amendment"


class ContractTemplate(OfWorkspace, Base):
    """A template text of the workspace with places for a tenancy's facts, in both languages."""

    __tablename__ = "contract_template"
    building_path = shared("texts of contracts of every building")
    noun = "template"

    name: Mapped[str]
    body_ja: Mapped[str] = mapped_column(Text)
    body_en: Mapped[str] = mapped_column(Text)
    lease_kind: Mapped[LeaseKind] = mapped_column(Word(LeaseKind), default=LeaseKind.FIXED_TERM)
    is_default: Mapped[bool] = mapped_column(default=False)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str]
    archived_at: Mapped[datetime | None] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)


class Contract(OfWorkspace, Base):
    """The document of a tenancy as issued: its text with its SHA-256, and its PDF.

    A later document of the reservation replaces it; its text never changes. `stated` are its dates,
    room, people and price (see `stated_terms`), unknown for documents of earlier releases;
    `outdated_at` is when the stay began to differ. `envelope` is the provider's id of it. `term_id`
    is the later term that it agrees, None for the term that was booked.
    """

    __tablename__ = "contract"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        link("template_id", "contract_template"),
        Index("ix_contract_reservation_id", "workspace_id", "reservation_id", "issued_at"),
        Index("ix_contract_envelope", "workspace_id", "envelope"),
        Index(
            "ix_contract_outdated_at",
            "workspace_id",
            "outdated_at",
            **only_where("outdated_at IS NOT NULL AND replaced_at IS NULL"),
        ),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    template_id: Mapped[str | None] = mapped_column(Id)
    term_id: Mapped[str | None] = mapped_column(Id)
    kind: Mapped[ContractKind] = mapped_column(Word(ContractKind), default=ContractKind.LEASE)
    number: Mapped[int]
    locale: Mapped[str]
    title: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    body_hash: Mapped[str] = mapped_column(String(64))
    file_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    issued_at: Mapped[datetime] = mapped_column(Instant)
    issued_by: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    envelope: Mapped[str | None]
    signing_url: Mapped[str | None] = mapped_column(Text)
    declined_at: Mapped[datetime | None] = mapped_column(Instant)
    decline_reason: Mapped[str | None] = mapped_column(Text)
    expired_at: Mapped[datetime | None] = mapped_column(Instant)
    replaced_at: Mapped[datetime | None] = mapped_column(Instant)
    stated: Mapped[dict[str, Any] | None] = mapped_column(Json)
    outdated_at: Mapped[datetime | None] = mapped_column(Instant)
    needs_explanation: Mapped[bool] = mapped_column(default=False)
    parties: Mapped[dict[str, Any] | None] = mapped_column(Json)
    """Lessor and agent; null for documents of earlier releases, which name the operator."""


class ContractSignature(OfWorkspace, Base):
    """A signature of a document: the typed name, the time, and the SHA-256 of the text seen."""

    __tablename__ = "contract_signature"
    building_path = through("contract_id")
    __table_args__ = (
        link("contract_id", "contract", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "contract_id", "signer"),
    )

    contract_id: Mapped[str] = mapped_column(Id)
    signer: Mapped[str]
    name: Mapped[str]
    email: Mapped[str | None]
    signed_at: Mapped[datetime] = mapped_column(Instant)
    document_hash: Mapped[str] = mapped_column(String(64))
    device: Mapped[str]
    is_unexplained: Mapped[bool] = mapped_column(default=False)
    """Whether its explanation was missing; a provider's report is recorded all the same."""


class PriorExplanation(OfWorkspace, Base):
    """The document, given before a fixed-term lease is signed, that it ends with its term.

    It is either agreed to be electronic (`consented_at`) or handed over on paper (`handed_on`), and
    counts once it is confirmed. `stated` is its subject: the days and the room. The explanation of
    an offer gets its reservation when the offer is accepted. Documents of the same text have the
    same `paper_version`. `wished_way` and `wished_at` are how and when the reader asked to be
    explained it, as soon as possible without a time.
    """

    __tablename__ = "prior_explanation"
    building_path = through("reservation_id", named_by=("reservation_link.explanation_id",))
    noun = "explanation"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        CheckConstraint("(consented_at IS NULL) <> (handed_on IS NULL)", name="one_way"),
        Index("ix_prior_explanation_reservation_id", "workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str | None] = mapped_column(Id)
    locale: Mapped[str]
    title: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    body_hash: Mapped[str] = mapped_column(String(64))
    stated: Mapped[dict[str, Any]] = mapped_column(Json)
    parties: Mapped[dict[str, Any] | None] = mapped_column(Json)
    consented_at: Mapped[datetime | None] = mapped_column(Instant)
    handed_on: Mapped[date | None] = mapped_column(Date)
    confirmed_at: Mapped[datetime | None] = mapped_column(Instant)
    device: Mapped[str]
    paper_version: Mapped[int] = mapped_column(default=1)
    wished_way: Mapped[ExplanationWay | None] = mapped_column(Word(ExplanationWay))
    wished_at: Mapped[datetime | None] = mapped_column(Instant)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class Screening(OfWorkspace, Base):
    """The screening of an applicant; one of an offer gets its reservation when that is accepted."""

    __tablename__ = "screening"
    building_path = through("reservation_id", named_by=("reservation_link.screening_id",))
    noun = "screening"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        Index("ix_screening_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_screening_state", "workspace_id", "state", "received_at"),
    )

    reservation_id: Mapped[str | None] = mapped_column(Id)
    state: Mapped[ScreeningState] = mapped_column(Word(ScreeningState))
    received_at: Mapped[datetime] = mapped_column(Instant)


class ScreeningStep(OfWorkspace, Base):
    """A state that a screening came to: by whom, when and why. The reason is for the office alone."""

    __tablename__ = "screening_step"
    building_path = through("screening_id")
    __table_args__ = (
        link("screening_id", "screening", ondelete="CASCADE"),
        Index("ix_screening_step_screening_id", "workspace_id", "screening_id"),
    )

    screening_id: Mapped[str] = mapped_column(Id)
    state: Mapped[ScreeningState] = mapped_column(Word(ScreeningState))
    reason: Mapped[str | None] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class ExplanationTalk(OfWorkspace, Base):
    """A member of staff explained a document to its reader; `questions` is what the reader asked.

    `name` is theirs on that day.
    """

    __tablename__ = "explanation_talk"
    building_path = through("explanation_id")
    __table_args__ = (
        link("explanation_id", "prior_explanation", ondelete="CASCADE"),
        Index("ix_explanation_talk_explanation_id", "workspace_id", "explanation_id"),
    )

    explanation_id: Mapped[str] = mapped_column(Id)
    person_id: Mapped[str] = mapped_column(Id)
    name: Mapped[str]
    explained_at: Mapped[datetime] = mapped_column(Instant)
    way: Mapped[ExplanationWay] = mapped_column(Word(ExplanationWay))
    questions: Mapped[str | None] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class TermQuestion(OfWorkspace, Base):
    """What a resident was asked about the end of a term, and the answer."""

    __tablename__ = "term_question"
    building_path = through("reservation_id")
    noun = "question"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id", "last_on"),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    last_on: Mapped[date] = mapped_column(Date)
    asked_at: Mapped[datetime | None] = mapped_column(Instant)
    asked_by: Mapped[str | None]
    reminded_at: Mapped[datetime | None] = mapped_column(Instant)
    answer: Mapped[TermAnswer | None] = mapped_column(Word(TermAnswer))
    words: Mapped[str | None] = mapped_column(Text)
    answered_at: Mapped[datetime | None] = mapped_column(Instant)
    answered_by: Mapped[str | None]


class EndNotice(OfWorkspace, Base):
    """The notice that a fixed term ends, as it was sent, and when and how it reached the resident."""

    __tablename__ = "end_notice"
    building_path = through("reservation_id")
    noun = "notice"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        CheckConstraint("(reached_on IS NULL) = (reached_way IS NULL)", name="reached_some_way"),
        Index("ix_end_notice_reservation_id", "workspace_id", "reservation_id", "last_on"),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    first_on: Mapped[date] = mapped_column(Date)
    last_on: Mapped[date] = mapped_column(Date)
    locale: Mapped[str]
    title: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    body_hash: Mapped[str] = mapped_column(String(64))
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    reached_on: Mapped[date | None] = mapped_column(Date)
    reached_way: Mapped[NoticeWay | None] = mapped_column(Word(NoticeWay))
    reached_at: Mapped[datetime | None] = mapped_column(Instant)
    reached_by: Mapped[str | None]
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_by: Mapped[str | None]
    withdrawn_reason: Mapped[str | None] = mapped_column(Text)


class AskedOfBuilding(OfWorkspace, Base):
    """Whether a building asks its applicants for a piece; without a row it does not.

    `highest_yen` is the amount up to which a guarantor who is named on a link answers.
    """

    __tablename__ = "asked_of_building"
    building_path = through("building_id")
    __table_args__ = (
        link("building_id", "building", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "building_id", "kind"),
    )

    building_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[PeopleKind] = mapped_column(Word(PeopleKind))
    asked: Mapped[AskedFor] = mapped_column(Word(AskedFor))
    highest_yen: Mapped[int | None]


class ContractPeople(OfWorkspace, Base):
    """What the people and papers of one contract hang on.

    Those of an offer get its reservation when the offer is accepted.
    """

    __tablename__ = "contract_people"
    building_path = through("reservation_id", named_by=("reservation_link.people_id",))
    noun = "contract"
    is_referred_to = True
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str | None] = mapped_column(Id)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)


class Guarantor(OfWorkspace, Base):
    """A person who answers for the resident, up to an amount (Civil Code 465-2)."""

    __tablename__ = "guarantor"
    building_path = through("people_id")
    __table_args__ = (
        link("people_id", "contract_people", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "people_id"),
        CheckConstraint("highest_yen > 0", name="amount_above_zero"),
    )

    people_id: Mapped[str] = mapped_column(Id)
    name: Mapped[str]
    name_kana: Mapped[str | None]
    address: Mapped[str | None]
    phone: Mapped[str | None]
    born_on: Mapped[date | None] = mapped_column(Date)
    relationship: Mapped[str | None]
    highest_yen: Mapped[int | None]


class GuaranteeCompany(OfWorkspace, Base):
    """The company that guarantees a contract, with the day and the fee of the next renewal."""

    __tablename__ = "guarantee_company"
    building_path = through("people_id")
    __table_args__ = (
        link("people_id", "contract_people", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "people_id"),
        Index("ix_guarantee_company_renews_on", "workspace_id", "renews_on"),
    )

    people_id: Mapped[str] = mapped_column(Id)
    name: Mapped[str]
    number: Mapped[str | None]
    plan: Mapped[str | None]
    from_on: Mapped[date | None] = mapped_column(Date)
    renews_on: Mapped[date | None] = mapped_column(Date)
    fee_yen: Mapped[int | None]


class EmergencyContact(OfWorkspace, Base):
    """Whom the office reaches when something happens to the resident."""

    __tablename__ = "emergency_contact"
    building_path = through("people_id")
    __table_args__ = (
        link("people_id", "contract_people", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "people_id"),
    )

    people_id: Mapped[str] = mapped_column(Id)
    name: Mapped[str]
    name_kana: Mapped[str | None]
    relationship: Mapped[str | None]
    phone: Mapped[str]
    address: Mapped[str | None]


class Occupation(OfWorkspace, Base):
    """Where the resident works or studies."""

    __tablename__ = "occupation"
    building_path = through("people_id")
    __table_args__ = (
        link("people_id", "contract_people", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "people_id"),
    )

    people_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[OccupationKind] = mapped_column(Word(OccupationKind))
    name: Mapped[str]
    phone: Mapped[str | None]
    address: Mapped[str | None]


class IdentityPaper(OfWorkspace, Base):
    """A paper that shows who the resident is; its number and its picture are sealed."""

    __tablename__ = "identity_paper"
    noun = "identity paper"
    building_path = through("people_id")
    __table_args__ = (
        link("people_id", "contract_people", ondelete="CASCADE"),
        Index("ix_identity_paper_people_id", "workspace_id", "people_id"),
        Index("ix_identity_paper_expires_on", "workspace_id", "expires_on"),
    )

    people_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[IdentityKind] = mapped_column(Word(IdentityKind))
    sealed_number: Mapped[str | None] = mapped_column(Text, info=SEALED)
    expires_on: Mapped[date | None] = mapped_column(Date)
    file_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class RentProposal(OfWorkspace, Base):
    """New monthly amounts that a resident is asked to agree to from a day on, and the answer.

    Amounts are whole yen a month. `sent_at` is null where the letter was not mailed, `begun_at` the
    instant from which its price period counts: by the answer, or for `begun_reason`.
    """

    __tablename__ = "rent_proposal"
    noun = "proposal"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        CheckConstraint("rent_yen >= 0 AND maintenance_yen >= 0", name="amounts_not_negative"),
        Index("ix_rent_proposal_reservation_id", "workspace_id", "reservation_id", "from_on"),
        # At most one proposal may wait for an answer.
        Index(
            "uq_rent_proposal_open",
            "workspace_id",
            "reservation_id",
            unique=True,
            **only_where("begun_at IS NULL AND withdrawn_at IS NULL"),
        ),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    from_on: Mapped[date] = mapped_column(Date)
    rent_before_yen: Mapped[int]
    rent_yen: Mapped[int]
    maintenance_before_yen: Mapped[int]
    maintenance_yen: Mapped[int]
    locale: Mapped[str]
    title: Mapped[str]
    body: Mapped[str] = mapped_column(Text)
    body_hash: Mapped[str] = mapped_column(String(64))
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    reminded_at: Mapped[datetime | None] = mapped_column(Instant)
    answer: Mapped[RentAnswer | None] = mapped_column(Word(RentAnswer))
    words: Mapped[str | None] = mapped_column(Text)
    answered_at: Mapped[datetime | None] = mapped_column(Instant)
    answered_by: Mapped[str | None]
    begun_at: Mapped[datetime | None] = mapped_column(Instant)
    begun_by: Mapped[str | None]
    begun_reason: Mapped[str | None] = mapped_column(Text)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_by: Mapped[str | None]
    withdrawn_reason: Mapped[str | None] = mapped_column(Text)
