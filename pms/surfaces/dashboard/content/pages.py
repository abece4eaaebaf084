"""Lists the content of a kind, and writes one piece of it, with a look before it is saved."""

from collections.abc import Callable
from datetime import date

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import building_names
from pms.foundation.tenancy import WorkspaceSession
from pms.site.desk_content import units_of_campaign
from pms.surfaces.dashboard.content.kinds import Form, Kind
from pms.surfaces.dashboard.content.previews import address_of, previews
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.reader_choice import chosen_language

_PREVIEW = "preview"


def index(kind: Kind) -> Response:
    """Show one page of a kind."""
    paging = asked_paging()
    found = kind.found(reading(), paging, today())
    return page("dashboard/content/list.html", kind=kind, found=found, paging=paging)


def new(kind: Kind) -> Response:
    """Show the form of a new one."""
    return _new(kind, kind.form())


def add(kind: Kind) -> Response:
    """Store a new one that is not public yet, or show what it becomes."""
    form = kind.form(request.form)
    if request.form.get("step") == _PREVIEW:
        return _tried(form, lambda is_tried: _new(kind, form, is_tried=is_tried))
    return submitted(
        form,
        act=lambda session: kind.write(session, clock(), actor(), written=form.written),
        then=lambda id_: go(at(kind, id_), said=_("Saved. It is not public yet.")),
        again=lambda: _new(kind, form),
    )


def show(kind: Kind, **ids: str) -> Response:
    """Show one with its texts, ready to be corrected."""
    (id_,) = ids.values()
    record = kind.record(reading(), id_, today())
    return shown(kind, id_, Edit.of(kind.form.of(record), record.version))


def save(kind: Kind, **ids: str) -> Response:
    """Save the texts, merged with what somebody else saved meanwhile, or show what they become."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    form = kind.form(request.form)
    edit = Edit.typed(form, request.form)
    if request.form.get("step") == _PREVIEW:
        return _tried(form, lambda is_tried: shown(kind, id_, edit, is_tried=is_tried))

    def act(session: WorkspaceSession) -> str:
        record = kind.record(session, id_, today())
        now = Edit.of(kind.form.of(record), record.version)
        edit.merge(session, now, subject=(kind.name, id_), columns=kind.columns)
        return kind.write(
            session,
            clock(),
            actor(),
            written=form.written,
            version=record.version,
            **kind.named(id_),
        )

    return submitted(
        form,
        act=act,
        then=lambda _id: go(at(kind, id_), said=edit.said(_("Saved."))),
        again=lambda: shown(kind, id_, edit),
    )


def at(kind: Kind, id_: str) -> str:
    """Return the address of one piece of content at the desk."""
    return url_for(f"dashboard.{kind.name}", **kind.named(id_))


def shown(kind: Kind, id_: str, edit: Edit, *, is_tried: bool = False) -> Response:
    """Show one with what is typed of it."""
    record = kind.record(reading(), id_, today())
    is_campaign = kind.name == "campaign"
    return page(
        "dashboard/content/one.html",
        kind=kind,
        record=record,
        form=edit.form,
        edit=edit,
        is_tried=is_tried,
        previews=previews(edit.form) if is_tried else (),
        address=address_of(kind, record.slug, chosen_language()),
        units=units_of_campaign(reading(), id_) if is_campaign else (),
        buildings=building_names(reading()) if is_campaign else (),
        is_on=_is_on(record.starts_on, record.ends_on),
    )


def _is_on(starts_on: date | None, ends_on: date | None) -> bool:
    day = today()
    return starts_on is not None and starts_on <= day and (ends_on is None or ends_on > day)


def _new(kind: Kind, form: Form, *, is_tried: bool = False) -> Response:
    return page(
        "dashboard/content/new.html",
        kind=kind,
        form=form,
        is_tried=is_tried,
        previews=previews(form) if is_tried else (),
    )


def _tried(form: Form, again: Callable[[bool], Response]) -> Response:
    """Show the preview of what was typed; nothing is written."""
    is_sound = form.validate()
    response = again(is_sound)
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
