"""For what a workspace uses personal data, and for how many years it keeps them."""

from dataclasses import asdict
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import of_workspace, set_columns
from pms.foundation.errors import whole_number
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work, refuse_other_version
from pms.rules.audit_events import AuditEvent
from pms.rules.retention import RetentionYears
from pms.workspaces.models import PersonalDataTermsRow
from pms.workspaces.settings import check_plain_text, workspace_to_edit

LONGEST_PURPOSE: Final = 2_000
BOUNDS: Final = {
    "fiscal_year_ends_in": ("fiscalYearEndsIn", 1, 12),
    "ledger_years": ("ledgerYears", 7, 30),
    "contract_years": ("contractYears", 1, 30),
    "former_years": ("formerYears", 1, 30),
    "enquiry_years": ("enquiryYears", 1, 30),
    "waitlist_years": ("waitlistYears", 1, 30),
}
"""The figure, its field, and what is possible: the law requires books for seven years."""


class PersonalDataTerms(NamedTuple):
    """The terms in force; a text that is not set is the program's own."""

    purpose: Bilingual
    years: RetentionYears
    version: int


def personal_data_terms(session: Session) -> PersonalDataTerms:
    """Return the terms of the session's workspace, or the defaults without a row."""
    row = session.scalars(select(PersonalDataTermsRow)).one_or_none()
    if row is None:
        return PersonalDataTerms(Bilingual(None, None), RetentionYears(), 0)
    years = RetentionYears(**{name: getattr(row, name) for name in BOUNDS})
    return PersonalDataTerms(Bilingual(row.purpose_ja, row.purpose_en), years, row.version)


def set_personal_data_terms(
    work: Work, *, purpose: Bilingual, years: RetentionYears, expected_version: int | None = None
) -> None:
    """Save the terms; they apply at once, also to what was collected before.

    Raises `Refused` for a figure or a text that is not possible, and `Collision` when a colleague
    changed the terms in the meantime.
    """
    values = asdict(years)
    for name, (field, least, most) in BOUNDS.items():
        whole_number(field, values[name], least, most)
    values["purpose_ja"] = check_plain_text("purposeJa", purpose.ja, LONGEST_PURPOSE)
    values["purpose_en"] = check_plain_text("purposeEn", purpose.en, LONGEST_PURPOSE)
    workspace_to_edit(work.session)  # serialises two first saves of the terms
    row = work.session.scalars(select(PersonalDataTermsRow).with_for_update()).one_or_none()
    refuse_other_version(row, expected_version)
    if row is None:
        workspace_id = workspace_of(work.session)
        row = PersonalDataTermsRow(workspace_id=workspace_id, id=workspace_id, version=0)
        work.session.add(row)
    about = of_workspace(work.session)
    set_columns(work, AuditEvent.PERSONAL_DATA_TERMS_SET, row, values, about=about)
