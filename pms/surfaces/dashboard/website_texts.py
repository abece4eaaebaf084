"""The texts on every page of the website, and the routes, order and removal of its content."""

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any, Final, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.message_words import LeafletKind
from pms.site import configuration, content, written_content
from pms.site.configuration import WrittenSite
from pms.site.content import SiteRecord
from pms.surfaces.dashboard import content as content_pages
from pms.surfaces.dashboard.content import address_of, index
from pms.surfaces.dashboard.content_kinds import KINDS, LEAFLETS, ContentKind
from pms.surfaces.dashboard.gate import CONTENT_BYTES, OFFICE, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import EmailField, LongTextField, Optional, PhoneField, Required, TextField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import Undo, go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


def check(kind: ContentKind, **ids: str) -> Response:
    """Ask for confirmation: a removed text cannot be restored."""
    (id_,) = ids.values()
    return _render_removal(kind, id_, FlaskForm())


def remove(kind: ContentKind, **ids: str) -> Response:
    """Remove the text."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: kind.remove(work, id_),
        then=lambda _none: go(url_for(f"dashboard.{kind.tab}"), message=_("Removed.")),
        again=lambda: _render_removal(kind, id_, form),
    )


def _render_removal(kind: ContentKind, id_: str, form: Form) -> Response:
    record = kind.record(reading(), id_, today())
    address = address_of(kind, record.slug, chosen_language())
    return page(
        "dashboard/content/removal.html", kind=kind, record=record, form=form, address=address
    )


_PLACES: Final = {"up": -1, "down": 1}
_BACK: Final = {"up": "down", "down": "up"}


def move(kind: ContentKind, **ids: str) -> Response:
    """Move the text one place up or down."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    way = request.form.get("way", "")
    address = url_for(f"dashboard.move_{kind.name}", **kind.id_argument(id_))
    return submitted(
        FlaskForm(),
        act=lambda work: written_content.move_leaflet(
            work, kind=LeafletKind(kind.name), leaflet_id=id_, places=_PLACES.get(way, 0)
        ),
        then=lambda is_moved: go(
            url_for(f"dashboard.{kind.tab}"),
            message=_("Moved.") if is_moved else None,
            undo=Undo(address, {"way": _BACK[way]}) if is_moved else None,
        ),
        again=lambda: index(kind),
    )


class WebsiteForm(FlaskForm):
    """The address of the website, and the texts on all its pages."""

    baseUrl = TextField(lazy_gettext("Website address"), [Required()])
    titleJa = TextField(lazy_gettext("Name of the website in Japanese"), [Required()])
    titleEn = TextField(lazy_gettext("Name of the website in English"), [Optional()])
    taglineJa = TextField(lazy_gettext("Tagline in Japanese"), [Optional()])
    taglineEn = TextField(lazy_gettext("Tagline in English"), [Optional()])
    contactEmail = EmailField(lazy_gettext("Email for visitors"), [Optional()])
    contactPhone = PhoneField(lazy_gettext("Phone for visitors"), [Optional()])
    addressJa = TextField(lazy_gettext("Address in Japanese"), [Optional()])
    addressEn = TextField(lazy_gettext("Address in English"), [Optional()])
    socialLinks = LongTextField(lazy_gettext("Links"), [Optional()])

    @classmethod
    def of(cls, record: SiteRecord | None) -> Self:
        """Return the form filled with the recorded website; empty before one is recorded."""
        if record is None:
            return cls(formdata=None)
        links = "\n".join(f"{name} {address}" for name, address in record.social_links.items())
        return cls(
            formdata=None,
            data={
                "baseUrl": record.base_url,
                "titleJa": record.title.ja,
                "titleEn": record.title.en,
                "taglineJa": record.tagline.ja,
                "taglineEn": record.tagline.en,
                "contactEmail": record.contact_email,
                "contactPhone": record.contact_phone,
                "addressJa": record.address.ja,
                "addressEn": record.address.en,
                "socialLinks": links,
            },
        )

    @property
    def written_site(self) -> WrittenSite:
        """The website of a valid form; raises `Refused` for a line that is no link."""
        links = []
        for line in filter(None, map(str.strip, (self.socialLinks.data or "").splitlines())):
            name, _blank, address = line.partition(" ")
            if not address.strip():
                raise Refused(
                    "socialLinks: '{line}' is not a name, a space and an address.",
                    line=line[:60],
                )
            links.append((name, address))
        return WrittenSite(
            base_url=self.baseUrl.data,
            title_ja=self.titleJa.data,
            title_en=self.titleEn.data,
            tagline_ja=self.taglineJa.data,
            tagline_en=self.taglineEn.data,
            contact_email=self.contactEmail.data,
            contact_phone=self.contactPhone.data,
            address_ja=self.addressJa.data,
            address_en=self.addressEn.data,
            social_links=tuple(links),
        )


@dashboard.get("/content/website", roles=OFFICE, endpoint="website", is_of_all_buildings=True)
def show_website() -> Response:
    """Show the form of the website's texts."""
    return _render_website(_edit_of(content.site_record(reading())))


@dashboard.post("/content/website", roles=OFFICE, is_of_all_buildings=True)
def set_website() -> Response:
    """Save the texts; every address of the website follows the new base address."""
    form = WebsiteForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = content.site_record(work.session)
        if record is not None:
            subject = ("site_configuration", current_member().workspace_id)
            edit.merge(work, _edit_of(record), subject=subject)
        return configuration.set_site_configuration(
            work, written=form.written_site, version=record.version if record else None
        )

    return edit.save(act, url_for("dashboard.website"), again=lambda: _render_website(edit))


def _edit_of(record: SiteRecord | None) -> Edit:
    return Edit.of(WebsiteForm.of(record), record.version if record else 0)


def _render_website(edit: Edit) -> Response:
    record = content.site_record(reading())
    missing = (
        content.missing_languages(record.title, record.tagline, record.address) if record else ()
    )
    return page(
        "dashboard/content/website.html",
        form=edit.form,
        edit=edit,
        record=record,
        missing=missing,
    )


View = Callable[..., Response]


def _add_content_route(
    rule: str, endpoint: str, view: View, kind: Any, method: str = "GET"
) -> None:
    most_bytes = CONTENT_BYTES if endpoint.startswith(("add_", "edit_")) else None
    dashboard.add_url_rule(
        rule,
        endpoint,
        update_wrapper(partial(view, kind), view),  # Flask-WTF needs the name of the view
        methods=[method],
        roles=OFFICE,
        is_of_all_buildings=True,
        most_bytes=most_bytes,
    )


def _add_routes(kind: ContentKind) -> None:
    """Add the routes of a kind; they are the same for all kinds."""
    name, every = kind.name, f"/content/{kind.folder}"
    address = f"{every}/<{name}_id>"
    _add_content_route(kind.list_rule, kind.tab, content_pages.index, kind)
    _add_content_route(f"{every}/new", f"new_{name}", content_pages.new, kind)
    _add_content_route(f"{every}/new", f"add_{name}", content_pages.add, kind, "POST")
    _add_content_route(address, name, content_pages.show, kind)
    _add_content_route(address, f"edit_{name}", content_pages.save, kind, "POST")
    _add_content_route(
        f"{address}/publication", f"check_{name}_publication", content_pages.check, kind
    )
    _add_content_route(
        f"{address}/publication", f"publish_{name}", content_pages.publish, kind, "POST"
    )
    _add_content_route(
        f"{address}/withdrawal", f"withdraw_{name}", content_pages.withdraw, kind, "POST"
    )
    _add_content_route(f"{address}/removal", f"check_{name}_removal", check, kind)
    _add_content_route(f"{address}/removal", f"remove_{name}", remove, kind, "POST")


for _kind in KINDS:
    _add_routes(_kind)
for _kind in LEAFLETS:
    _add_content_route(
        f"/content/{_kind.folder}/<{_kind.name}_id>/place",
        f"move_{_kind.name}",
        move,
        _kind,
        "POST",
    )
