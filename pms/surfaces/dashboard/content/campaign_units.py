"""Chooses the units of a campaign: one, all of a building, or fewer."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request
from flask_babel import gettext as _
from wtforms import Form

from pms.enquiries.room_of import room_of
from pms.foundation.ids import is_id
from pms.foundation.tenancy import WorkspaceSession
from pms.site.choose_campaign_units import choose_campaign_units
from pms.site.drop_campaign_units import drop_campaign_units
from pms.surfaces.dashboard.content.kinds import CAMPAIGN
from pms.surfaces.dashboard.content.pages import at, shown
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go

_MOST: int = 2_000


@dashboard.post("/content/campaigns/<campaign_id>/units", roles=OFFICE, endpoint="choose_campaign_units")
def submit_choose_campaign_units(campaign_id: str) -> Response:
    """Put a unit into it, or all units of a building."""
    CAMPAIGN.record(reading(), campaign_id, today())
    form = Form()
    given = request.form.get("buildingId", "")
    building_id = given if is_id(given) else None
    room = request.form.get("unit", "").strip()[:100] or None

    def act(session: WorkspaceSession) -> int:
        return choose_campaign_units(
            session,
            clock(),
            actor(),
            campaign_id=campaign_id,
            building_id=building_id,
            unit_id=room_of(session, building_id, room),
        )

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            f"{at(CAMPAIGN, campaign_id)}#units", said=_("Units added: %(count)s.", count=count)
        ),
        again=lambda: _again(campaign_id, form),
    )


@dashboard.post("/content/campaigns/<campaign_id>/units/removal", roles=OFFICE, endpoint="drop_campaign_units")
def submit_drop_campaign_units(campaign_id: str) -> Response:
    """Take the ticked ones out."""
    CAMPAIGN.record(reading(), campaign_id, today())
    form, unit_ids = Form(), request.form.getlist("unitIds")[:_MOST]

    def act(session: WorkspaceSession) -> int:
        gone = drop_campaign_units(
            session, clock(), actor(), campaign_id=campaign_id, unit_ids=unit_ids
        )
        return len(gone)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            f"{at(CAMPAIGN, campaign_id)}#units",
            said=_("Units taken out: %(count)s.", count=count),
        ),
        again=lambda: _again(campaign_id, form),
    )


def _again(campaign_id: str, refused: Form) -> Response:
    record = CAMPAIGN.record(reading(), campaign_id, today())
    edit = Edit.of(CAMPAIGN.form.of(record), record.version)
    edit.form.form_errors.extend(refused.form_errors)
    return shown(CAMPAIGN, campaign_id, edit)
