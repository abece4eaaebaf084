"""Says what a workspace is called, how it looks, and what stands on its papers."""

from typing import TypedDict, Unpack

from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference, of_workspace
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import Locale
from pms.workspaces.checked_facts import checked_facts
from pms.workspaces.models import Workspace
from pms.workspaces.settings_to_edit import workspace_to_edit


class WorkspaceFacts(TypedDict, total=False):
    """What a workspace says of itself; what is left out stays as it is."""

    name: str
    name_en: str | None
    default_locale: Locale
    brand_hue: int
    qualified_invoice_number: str | None
    bank_details: str | None
    postcode: str | None
    address: str | None


def describe_workspace(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    expected_version: int | None = None,
    **stated: Unpack[WorkspaceFacts],
) -> Workspace:
    """Write the facts of the session's workspace; a paper tells those of the day it is set.

    Raises `Refused` naming the fact that is unsound, and `Collision` when somebody else edited
    the workspace since that version was seen.
    """
    row = workspace_to_edit(session, expected_version)
    before = {name: getattr(row, name) for name in stated}
    after = checked_facts(stated, before)
    if before != before | after:
        for name, value in after.items():
            setattr(row, name, value)
        row.version += 1
        about = of_workspace(session)
        note_difference(
            session, clock, actor, Deed.WORKSPACE_DESCRIBED, about, before=before, after=after
        )
        session.flush()
    return row
