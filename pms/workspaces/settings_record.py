"""The settings of a workspace as a person reads and edits them."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.rules.policy import Policy
from pms.workspaces.models import PolicyRow, Workspace
from pms.workspaces.queries import policy


class SettingsRecord(NamedTuple):
    """What a workspace says of itself and its figures, with the version of each."""

    name: str
    name_en: str | None
    default_locale: str
    brand_hue: int
    qualified_invoice_number: str | None
    bank_details: str | None
    postcode: str | None
    address: str | None
    logo_file_key: str | None
    version: int
    policy: Policy
    policy_version: int


def settings_record(session: Session) -> SettingsRecord:
    """Return the settings of the session's workspace; figures nobody set are the defaults."""
    row = session.scalars(select(Workspace)).one()
    policy_version = session.scalar(select(PolicyRow.version))
    return SettingsRecord(
        row.name,
        row.name_en,
        row.default_locale,
        row.brand_hue,
        row.qualified_invoice_number,
        row.bank_details,
        row.postcode,
        row.address,
        row.logo_file_key,
        row.version,
        policy(session),
        policy_version or 1,
    )
