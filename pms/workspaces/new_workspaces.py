"""Opening a workspace with its policy and fees."""

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.translations import translate
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.workspaces.models import Fee, PolicyRow, Workspace
from pms.workspaces.slugs import check_workspace_slug, hold_slug, slug_is_taken

FIRST_FEES = (
    (
        "utilities",
        translate("Utilities", "ja"),
        translate("Utilities", "en"),
        FeeCategory.UTILITIES,
    ),
    (
        "building_maintenance",
        translate("Building maintenance", "ja"),
        translate("Building maintenance", "en"),
        FeeCategory.BUILDING_MAINTENANCE,
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
    session.execute(insert(Fee), [_build_first_fee(id_, *fee) for fee in FIRST_FEES])
    return id_


def _build_first_fee(
    workspace_id: str, code: str, label_ja: str, label_en: str, category: FeeCategory
) -> dict[str, object]:
    return {
        "workspace_id": workspace_id,
        "code": code,
        "label_ja": label_ja,
        "label_en": label_en,
        "category": category,
        "is_monthly": True,
        "amount_yen": 0,
        "tax_treatment": TaxTreatment.EXEMPT,
    }
