"""People and papers of a contract: what a building asks for, guarantors, cards that expire."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

REMINDER_DAYS: Final = 60
"""Days before a card or a guarantee ends on which the office is reminded of it."""


class GuarantorKind(StrEnum):
    """Who guarantees: a person, or a guarantee company."""

    PERSON = "person"
    COMPANY = "company"


def may_guarantee(kind: GuarantorKind, highest_yen: int | None) -> bool:
    """Whether the paper of a guarantee may be made.

    A person's guarantee without a highest amount in writing is void (Civil Code 465-2).
    """
    return kind is GuarantorKind.COMPANY or (highest_yen is not None and highest_yen > 0)


def expiry_reminder_on(expires_on: date, days: int = REMINDER_DAYS) -> date:
    """The day on which the office is reminded of a card or a guarantee that ends."""
    return expires_on - timedelta(days=days)


class PeopleKind(StrEnum):
    """What may belong to a contract besides its holder."""

    GUARANTOR = "guarantor"
    GUARANTEE_COMPANY = "guarantee_company"
    EMERGENCY_CONTACT = "emergency_contact"
    OCCUPATION = "occupation"
    IDENTITY_PAPER = "identity_paper"


class AskedFor(StrEnum):
    """Whether a building asks for a piece before the contract."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class PeopleLack(StrEnum):
    """What is missing before a contract may be sent or signed."""

    GUARANTOR = "guarantor"
    GUARANTOR_AMOUNT = "guarantor_amount"
    GUARANTEE_COMPANY = "guarantee_company"
    EMERGENCY_CONTACT = "emergency_contact"
    OCCUPATION = "occupation"
    IDENTITY_PAPER = "identity_paper"


LEFT_TO_OFFICE: Final = frozenset({PeopleLack.GUARANTOR_AMOUNT, PeopleLack.GUARANTEE_COMPANY})
"""What the office enters, not the applicant."""


def find_lacks(
    asked: Mapping[PeopleKind, AskedFor],
    given: Collection[PeopleKind],
    *,
    highest_yen: int | None,
) -> tuple[PeopleLack, ...]:
    """What a contract still lacks by what its building asks for, in the order of the lacks.

    The amount of a guarantor who is there is needed whatever the building asks for.
    """
    lacks = {
        PeopleLack(kind.value)
        for kind in PeopleKind
        if asked.get(kind) is AskedFor.REQUIRED and kind not in given
    }
    if PeopleKind.GUARANTOR in given and not may_guarantee(GuarantorKind.PERSON, highest_yen):
        lacks.add(PeopleLack.GUARANTOR_AMOUNT)
    return tuple(lack for lack in PeopleLack if lack in lacks)


class OccupationKind(StrEnum):
    """Where a resident works or studies."""

    EMPLOYER = "employer"
    SCHOOL = "school"
    OTHER = "other"


class IdentityKind(StrEnum):
    """A paper that shows who somebody is."""

    RESIDENCE_CARD = "residence_card"
    PASSPORT = "passport"
    DRIVING_LICENCE = "driving_licence"
    MY_NUMBER_CARD = "my_number_card"
    STUDENT_CARD = "student_card"
    OTHER = "other"


EXPIRING: Final = frozenset(
    {
        IdentityKind.RESIDENCE_CARD,
        IdentityKind.PASSPORT,
        IdentityKind.DRIVING_LICENCE,
        IdentityKind.MY_NUMBER_CARD,
    }
)
"""Papers that always have a last day."""


def may_keep_number(kind: IdentityKind) -> bool:
    """Whether the number of a paper may be kept.

    An Individual Number may not be collected for a lease (Act on the Use of Numbers, Art. 20).
    """
    return kind is not IdentityKind.MY_NUMBER_CARD
