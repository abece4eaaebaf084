"""The website's content: posts, campaigns, positions, services and texts."""

from collections.abc import Callable
from typing import NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import buildings
from pms.enquiries import enquiries
from pms.foundation.ids import is_id
from pms.foundation.markdown import to_html
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.rules.days import JAPAN
from pms.rules.enumerations import Locale
from pms.rules.message_words import ContentState
from pms.site import campaigns, content
from pms.site.content import ContentRecord
from pms.surfaces.dashboard.content_kinds import (
    CAMPAIGN,
    LATER,
    ContentKind,
    KindForm,
    Publication,
    PublicationForm,
)
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.forms import asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import Undo, go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


class Preview(NamedTuple):
    """What readers of one language are shown; a missing text is taken from the other language."""

    locale: Locale
    title: str
    lead: str
    html: str
    is_borrowed: bool
    """Whether the text is borrowed from the other language."""


def previews(form: Form) -> tuple[Preview, ...]:
    """Return the previews of the form's texts for readers of each language."""
    title = Bilingual(form["titleJa"].data, form["titleEn"].data)
    body = Bilingual(form["bodyJa"].data, form["bodyEn"].data)
    lead = _find_lead(form)
    return tuple(
        Preview(
            locale,
            title.in_language(locale) or "",
            lead.in_language(locale) or "",
            to_html(body.in_language(locale) or ""),
            not (body.ja if locale == Locale.JA else body.en),
        )
        for locale in Locale
    )


def address_of(kind: ContentKind, slug: str, locale: str) -> str | None:
    """Return the address on the website, or None while the website has no address."""
    site = content.site_record(reading())
    return f"{site.base_url}/{locale}/{kind.folder}/{slug}" if site else None


def _find_lead(form: Form) -> Bilingual:
    for name in ("summary", "place"):
        if f"{name}Ja" in form:
            return Bilingual(form[f"{name}Ja"].data, form[f"{name}En"].data)
    return Bilingual(None, None)


_PREVIEW = "preview"


def index(kind: ContentKind) -> Response:
    """Show one page of the content of a kind."""
    paging = asked_paging()
    found = kind.found(reading(), paging, today())
    return page("dashboard/content/list.html", kind=kind, found=found, paging=paging)


def new(kind: ContentKind) -> Response:
    """Show the form for new content of a kind."""
    return _render_new(kind, kind.form())


def add(kind: ContentKind) -> Response:
    """Store new content that is not public yet, or show its preview."""
    form = kind.form()
    if request.form.get("step") == _PREVIEW:
        return _show_preview(form, lambda is_tried: _render_new(kind, form, is_tried=is_tried))
    return submitted(
        form,
        act=lambda work: kind.write(work, written=form.written_content),
        then=lambda id_: go(at(kind, id_), message=_("Saved as a draft.")),
        again=lambda: _render_new(kind, form),
    )


def show(kind: ContentKind, **ids: str) -> Response:
    """Show one piece of content with the form of its texts."""
    (id_,) = ids.values()
    record = kind.record(reading(), id_, today())
    return render_content(kind, id_, Edit.of(kind.form.of(record), record.version))


def save(kind: ContentKind, **ids: str) -> Response:
    """Save the texts, merged with changes that others saved meanwhile, or show their preview."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    form = kind.form()
    edit = Edit.from_typed(form, request.form)
    if request.form.get("step") == _PREVIEW:
        return _show_preview(
            form, lambda is_tried: render_content(kind, id_, edit, is_tried=is_tried)
        )

    def act(work: Work) -> str:
        record = kind.record(work.session, id_, today())
        now = Edit.of(kind.form.of(record), record.version)
        edit.merge(work, now, subject=(kind.name, id_), columns=kind.columns)
        return kind.write(
            work, written=form.written_content, version=record.version, **kind.id_argument(id_)
        )

    return edit.save(act, at(kind, id_), again=lambda: render_content(kind, id_, edit))


def at(kind: ContentKind, id_: str) -> str:
    """Return the address of a piece of content in the dashboard."""
    return url_for(f"dashboard.{kind.name}", **kind.id_argument(id_))


def render_content(kind: ContentKind, id_: str, edit: Edit, *, is_tried: bool = False) -> Response:
    """Show a piece of content with the typed texts."""
    record = kind.record(reading(), id_, today())
    is_campaign = kind.name == "campaign"
    day = today()
    is_on = (
        record.starts_on is not None
        and record.starts_on <= day
        and (record.ends_on is None or record.ends_on > day)
    )
    return page(
        "dashboard/content/one.html",
        kind=kind,
        record=record,
        form=edit.form,
        edit=edit,
        is_tried=is_tried,
        previews=previews(edit.form) if is_tried else (),
        address=address_of(kind, record.slug, chosen_language()),
        units=content.units_of_campaign(reading(), id_) if is_campaign else (),
        buildings=buildings.building_names(reading()) if is_campaign else (),
        is_on=is_on,
    )


def _render_new(kind: ContentKind, form: KindForm, *, is_tried: bool = False) -> Response:
    return page(
        "dashboard/content/new.html",
        kind=kind,
        form=form,
        is_tried=is_tried,
        previews=previews(form) if is_tried else (),
    )


def _show_preview(form: KindForm, again: Callable[[bool], Response]) -> Response:
    """Show the preview of the typed texts without writing anything."""
    is_sound = form.validate()
    response = again(is_sound)
    return response if is_sound else mark_unaccepted(response)


_MOST: int = 2_000


@dashboard.post(
    "/content/campaigns/<campaign_id>/units",
    roles=OFFICE,
    endpoint="choose_campaign_units",
    is_of_all_buildings=True,
)
def submit_choose_campaign_units(campaign_id: str) -> Response:
    """Add a unit, or all units of a building, to the campaign."""
    CAMPAIGN.record(reading(), campaign_id, today())
    form = FlaskForm()
    given = request.form.get("buildingId", "")
    building_id = given if is_id(given) else None
    room = request.form.get("unit", "").strip()[:100] or None

    def act(work: Work) -> int:
        return campaigns.choose_campaign_units(
            work,
            campaign_id=campaign_id,
            building_id=building_id,
            unit_id=enquiries.room_of(work.session, building_id, room),
        )

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            f"{at(CAMPAIGN, campaign_id)}#units", message=_("Units added: %(count)s.", count=count)
        ),
        again=lambda: _show_again(campaign_id, form),
    )


@dashboard.post(
    "/content/campaigns/<campaign_id>/units/removal",
    roles=OFFICE,
    endpoint="drop_campaign_units",
    is_of_all_buildings=True,
)
def submit_drop_campaign_units(campaign_id: str) -> Response:
    """Remove the ticked units from the campaign."""
    CAMPAIGN.record(reading(), campaign_id, today())
    form, unit_ids = FlaskForm(), request.form.getlist("unitIds")[:_MOST]

    def act(work: Work) -> int:
        gone = campaigns.drop_campaign_units(work, campaign_id=campaign_id, unit_ids=unit_ids)
        return len(gone)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            f"{at(CAMPAIGN, campaign_id)}#units",
            message=_("Units removed: %(count)s.", count=count),
        ),
        again=lambda: _show_again(campaign_id, form),
    )


def _show_again(campaign_id: str, refused: Form) -> Response:
    record = CAMPAIGN.record(reading(), campaign_id, today())
    edit = Edit.of(CAMPAIGN.form.of(record), record.version)
    edit.form.form_errors.extend(refused.form_errors)
    return render_content(CAMPAIGN, campaign_id, edit)


def check(kind: ContentKind, **ids: str) -> Response:
    """Show the page as visitors will see it, before it is published."""
    (id_,) = ids.values()
    return _render_publication(kind, id_, PublicationForm(formdata=None))


def publish(kind: ContentKind, **ids: str) -> Response:
    """Publish it; a post may be scheduled for a later instant."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    form = PublicationForm()

    def act(work: Work) -> ContentState:
        kind.publish(work, id_, Publication(form.at, form.version.seen_value))
        return kind.record(work.session, id_, today()).state

    return submitted(
        form,
        act=act,
        then=lambda state: _answer_published(kind, id_, state),
        again=lambda: _render_publication(kind, id_, form),
    )


def withdraw(kind: ContentKind, **ids: str) -> Response:
    """Withdraw it from the website; the confirmation offers to undo this."""
    (id_,) = ids.values()
    before = kind.record(reading(), id_, today())

    def act(work: Work) -> int:
        kind.withdraw(work, id_)
        return kind.record(work.session, id_, today()).version

    return submitted(
        FlaskForm(),
        act=act,
        then=lambda version: go(
            at(kind, id_),
            message=_("Moved back to drafts."),
            undo=Undo(f"{at(kind, id_)}/publication", _as_it_was(before, version)),
        ),
        again=lambda: _render_refused(kind, id_),
    )


@dashboard.post(
    "/content/campaigns/<campaign_id>/end",
    roles=OFFICE,
    endpoint="end_campaign",
    is_of_all_buildings=True,
)
def submit_end_campaign(campaign_id: str) -> Response:
    """Make today the last day of a campaign."""
    CAMPAIGN.record(reading(), campaign_id, today())
    form = FlaskForm()

    def act(work: Work) -> None:
        campaigns.end_campaign(work, campaign_id=campaign_id)

    return submitted(
        form,
        act=act,
        then=lambda _none: go(at(CAMPAIGN, campaign_id), message=_("It ends today.")),
        again=lambda: _render_refused(CAMPAIGN, campaign_id, form),
    )


def _answer_published(kind: ContentKind, id_: str, state: ContentState) -> Response:
    published = {
        ContentState.PUBLIC: _("Published."),
        ContentState.SCHEDULED: _("It will be published automatically."),
        ContentState.OVER: _("Its period is over, so visitors cannot see it."),
    }[state]
    return go(at(kind, id_), message=published, undo=Undo(f"{at(kind, id_)}/withdrawal", {}))


def _as_it_was(record: ContentRecord, version: int) -> dict[str, str]:
    seen = {"version": str(version)}
    if record.published_at is None:
        return seen
    local = record.published_at.astimezone(JAPAN)
    return {**seen, "when": LATER, "onDay": f"{local:%Y-%m-%d}", "atTime": f"{local:%H:%M}"}


def _render_publication(kind: ContentKind, id_: str, form: PublicationForm) -> Response:
    record = kind.record(reading(), id_, today())
    return page(
        "dashboard/content/publication.html",
        kind=kind,
        record=record,
        form=form,
        previews=previews(kind.form.of(record)),
        addresses=[address_of(kind, record.slug, locale) for locale in Locale],
    )


def _render_refused(kind: ContentKind, id_: str, refused: Form | None = None) -> Response:
    record = kind.record(reading(), id_, today())
    edit = Edit.of(kind.form.of(record), record.version)
    if refused is not None:
        edit.form.form_errors.extend(refused.form_errors)
    return render_content(kind, id_, edit)
