"""Publishes, after a look at both languages, and withdraws; ends a campaign."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.channel_words import ContentState
from pms.rules.days import JAPAN
from pms.rules.enumerations import Locale
from pms.site.desk_content import ContentRecord
from pms.site.end_campaign import end_campaign
from pms.surfaces.dashboard.content.content_form import LATER, PublicationForm
from pms.surfaces.dashboard.content.kinds import CAMPAIGN, Kind, Publication
from pms.surfaces.dashboard.content.pages import at, shown
from pms.surfaces.dashboard.content.previews import address_of, previews
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import Undo, go, page


def check(kind: Kind, **ids: str) -> Response:
    """Show what visitors will see, before they see it."""
    (id_,) = ids.values()
    return _check(kind, id_, PublicationForm())


def publish(kind: Kind, **ids: str) -> Response:
    """Publish it, a post perhaps at an instant to come."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    form = PublicationForm(request.form)

    def act(session: WorkspaceSession) -> ContentState:
        kind.publish(session, clock(), actor(), id_, Publication(form.at, form.seen))
        return kind.record(session, id_, today()).state

    return submitted(
        form,
        act=act,
        then=lambda state: _published(kind, id_, state),
        again=lambda: _check(kind, id_, form),
    )


def withdraw(kind: Kind, **ids: str) -> Response:
    """Take it off the website; one press brings it back as it was."""
    (id_,) = ids.values()
    before = kind.record(reading(), id_, today())

    def act(session: WorkspaceSession) -> int:
        kind.withdraw(session, clock(), actor(), id_)
        return kind.record(session, id_, today()).version

    return submitted(
        Form(),
        act=act,
        then=lambda version: go(
            at(kind, id_),
            said=_("It is a draft again."),
            undo=Undo(f"{at(kind, id_)}/publication", _as_it_was(before, version)),
        ),
        again=lambda: _shown(kind, id_),
    )


@dashboard.post("/content/campaigns/<campaign_id>/end", roles=OFFICE, endpoint="end_campaign")
def submit_end_campaign(campaign_id: str) -> Response:
    """Make today the last day of a campaign."""
    CAMPAIGN.record(reading(), campaign_id, today())
    form = Form()

    def act(session: WorkspaceSession) -> None:
        end_campaign(session, clock(), actor(), campaign_id=campaign_id)

    return submitted(
        form,
        act=act,
        then=lambda _none: go(at(CAMPAIGN, campaign_id), said=_("Today is its last day.")),
        again=lambda: _shown(CAMPAIGN, campaign_id, form),
    )


def _published(kind: Kind, id_: str, state: ContentState) -> Response:
    said = {
        ContentState.PUBLIC: _("It is public now."),
        ContentState.SCHEDULED: _("It comes out by itself."),
        ContentState.OVER: _("Its days are over, so visitors do not see it."),
    }[state]
    return go(at(kind, id_), said=said, undo=Undo(f"{at(kind, id_)}/withdrawal", {}))


def _as_it_was(record: ContentRecord, version: int) -> dict[str, str]:
    seen = {"version": str(version)}
    if record.published_at is None:
        return seen
    local = record.published_at.astimezone(JAPAN)
    return {**seen, "when": LATER, "onDay": f"{local:%Y-%m-%d}", "atTime": f"{local:%H:%M}"}


def _check(kind: Kind, id_: str, form: PublicationForm) -> Response:
    record = kind.record(reading(), id_, today())
    return page(
        "dashboard/content/publication.html",
        kind=kind,
        record=record,
        form=form,
        previews=previews(kind.form.of(record)),
        addresses=[address_of(kind, record.slug, locale) for locale in Locale],
    )


def _shown(kind: Kind, id_: str, refused: Form | None = None) -> Response:
    record = kind.record(reading(), id_, today())
    edit = Edit.of(kind.form.of(record), record.version)
    if refused is not None:
        edit.form.form_errors.extend(refused.form_errors)
    return shown(kind, id_, edit)
