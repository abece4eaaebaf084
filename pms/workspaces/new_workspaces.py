"""Opening a workspace with its policy and fees."""

from typing import NamedTuple

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.translations import translate
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.workspaces.models import Fee, PolicyRow, Workspace
from pms.workspaces.slugs import check_workspace_slug, hold_slug, slug_is_taken


class FirstFee(NamedTuple):
    """A monthly fee with which every catalogue begins, without an amount."""

    code: str
    label_ja: str
    label_en: str
    category: FeeCategory
    tax_treatment: TaxTreatment

    @property
    def columns(self) -> dict[str, object]:
        """The columns of the fee."""
        return {**self._asdict(), "is_monthly": True, "amount_yen": 0}


FIRST_FEES = (
    FirstFee(
        "utilities",
        translate("Utilities", "ja"),
        translate("Utilities", "en"),
        FeeCategory.UTILITIES,
        TaxTreatment.TAXABLE_10,
    ),
    FirstFee(
        "building_maintenance",
        translate("Building maintenance", "ja"),
        translate("Building maintenance", "en"),
        FeeCategory.BUILDING_MAINTENANCE,
        TaxTreatment.EXEMPT,
    ),
)


def open_workspace(
    session: Session,
    clock: Clock,
    *,
    slug: str,
    name: str,
    name_en: str | None = None,
    workspace_id: str | None = None,
) -> str:
    """Return the id of a new workspace; the session writes across workspaces.

    Raises `Collision` when the slug is taken, `Refused` when it is invalid.
    """
    slug = check_workspace_slug(slug)
    id_ = workspace_id or new_id()
    session.add(Workspace(id=id_, slug=slug, name=name, name_en=name_en, created_at=clock.now()))
    try:
        session.flush()
    except IntegrityError as taken:
        raise slug_is_taken(slug) from taken
    hold_slug(session, clock, id_, slug)
    session.add(PolicyRow(workspace_id=id_, id=id_))
    session.execute(insert(Fee), [{"workspace_id": id_, **fee.columns} for fee in FIRST_FEES])
    return id_
