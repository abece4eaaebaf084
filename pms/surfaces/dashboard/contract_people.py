"""The people and papers of a contract, of a tenancy or of an offer, and what a building asks for."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.arrivals import reservation_headers
from pms.catalogue import records
from pms.contracts import people_changes
from pms.contracts.contract_people import (
    asked_of_building,
    lacking_people,
    named_paper,
    named_people,
    people_of_reservation,
)
from pms.contracts.expiring_people import expiring_pieces
from pms.foundation.work import Work
from pms.offers.applicants import holder_of_people
from pms.offers.applications import hold_people_of_offer
from pms.offers.offers import offer_record
from pms.rules.contract_people import AskedFor, PeopleKind
from pms.surfaces.dashboard.gate import (
    OFFICE,
    PHOTO_BYTES,
    actor,
    current_member,
    dashboard,
    reading,
)
from pms.surfaces.fields import ChoiceField, Optional, Required, YenField
from pms.surfaces.forms import asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.people_forms import (
    PARTY_FORMS,
    IdentityPaperForm,
    PartyForm,
    party_of,
    submit_paper,
)
from pms.surfaces.request_scope import clock, database, files, today
from pms.workspaces.queries import policy

_PARTY: Final = "<any(guarantor, guarantee_company, emergency_contact, occupation):party>"


def shown_people(building_id: str, people_id: str | None, **holder: str) -> dict[str, Any]:
    """Return what the card of a contract's people shows; `holder` names the booking or the offer."""
    return {
        "named": named_people(reading(), people_id),
        "asked": asked_of_building(reading(), building_id),
        "lacks": lacking_people(reading(), people_id, building_id),
        "holder": holder,
        "today": today(),
    }


def people_of_tenancy(reservation_id: str) -> dict[str, Any]:
    """Return what the card of a tenancy's people shows."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    people_id = people_of_reservation(reading(), reservation_id)
    return shown_people(header.building_id, people_id, reservation_id=reservation_id)


def people_of_offer(reservation_link_id: str) -> dict[str, Any]:
    """Return what the card of an offer's people shows; an accepted one has those of its booking."""
    offer = offer_record(reading(), reservation_link_id, clock().now())
    if offer.reservation_id is not None:
        return people_of_tenancy(offer.reservation_id)
    return shown_people(offer.building_id, offer.people_id, reservation_link_id=offer.id)


def _shown_of(holder: Mapping[str, str]) -> dict[str, Any]:
    reservation_id = holder.get("reservation_id")
    if reservation_id is not None:
        return people_of_tenancy(reservation_id)
    return people_of_offer(holder["reservation_link_id"])


def _hold_people(work: Work, holder: Mapping[str, str]) -> str:
    if "reservation_id" in holder:
        return people_changes.hold_people(
            work.session, work.clock, reservation_id=holder["reservation_id"]
        )
    return hold_people_of_offer(work.session, work.clock, link_id=holder["reservation_link_id"])


def _way_back(holder: Mapping[str, Any]) -> str:
    if "reservation_id" in holder:
        return f"{url_for('dashboard.reservation_people', **holder)}#contract-people"
    offer = offer_record(reading(), holder["reservation_link_id"], clock().now())
    if offer.screening_id is not None:
        return url_for("dashboard.screening", screening_id=offer.screening_id)
    return url_for("dashboard.reservation_link", **holder)


@dashboard.get(f"/reservations/<reservation_id>/contract-people/{_PARTY}", roles=OFFICE)
@dashboard.get(f"/reservation-links/<reservation_link_id>/contract-people/{_PARTY}", roles=OFFICE)
def contract_party(party: str, **holder: str) -> Response:
    """Show the form of the guarantor, the guarantee company, the contact or the employer."""
    kind = PeopleKind(party)
    shown = _shown_of(holder)
    known: dict[str, Any] = {}
    asked = shown["asked"].get(kind)
    if kind is PeopleKind.GUARANTOR and asked is not None and asked.highest_yen:
        known["highestYen"] = asked.highest_yen
    form = PARTY_FORMS[kind].of(party_of(shown["named"], kind), **known)
    return _render_party(kind, holder, form, shown)


@dashboard.post(
    f"/reservations/<reservation_id>/contract-people/{_PARTY}",
    endpoint="name_party",
    roles=OFFICE,
)
@dashboard.post(
    f"/reservation-links/<reservation_link_id>/contract-people/{_PARTY}",
    endpoint="name_party",
    roles=OFFICE,
)
def name_party(party: str, **holder: str) -> Response:
    """Save the guarantor, the guarantee company, the contact or the employer."""
    kind = PeopleKind(party)
    form = PARTY_FORMS[kind].of(None, is_sent=True)
    return submitted(
        form,
        act=lambda work: people_changes.write_party(
            work, people_id=_hold_people(work, holder), kind=kind, written=form.written
        ),
        then=lambda _none: go(_way_back(holder), message=_("Saved.")),
        again=lambda: _render_party(kind, holder, form, _shown_of(holder)),
    )


@dashboard.post(
    f"/reservations/<reservation_id>/contract-people/{_PARTY}/removal",
    endpoint="remove_party",
    roles=OFFICE,
)
@dashboard.post(
    f"/reservation-links/<reservation_link_id>/contract-people/{_PARTY}/removal",
    endpoint="remove_party",
    roles=OFFICE,
)
def remove_party(party: str, **holder: str) -> Response:
    """Remove the guarantor, the guarantee company, the contact or the employer."""
    kind, form = PeopleKind(party), FlaskForm()
    return submitted(
        form,
        act=lambda work: people_changes.remove_party(
            work, people_id=_hold_people(work, holder), kind=kind
        ),
        then=lambda _none: go(
            _way_back(holder), message=_("%(what)s removed.", what=label_of(kind))
        ),
        again=lambda: _render_party(kind, holder, form, _shown_of(holder)),
    )


def _render_party(
    kind: PeopleKind, holder: Mapping[str, str], form: Form, shown: Mapping[str, Any]
) -> Response:
    if not isinstance(form, PartyForm):
        form = PARTY_FORMS[kind].of(party_of(shown["named"], kind))
    return page(
        "dashboard/contract_people/party.html",
        kind=kind,
        form=form,
        is_there=party_of(shown["named"], kind) is not None,
        holder=holder,
        back=_way_back(holder),
    )


@dashboard.get("/reservations/<reservation_id>/identity-papers/new", roles=OFFICE, is_secret=True)
@dashboard.get(
    "/reservation-links/<reservation_link_id>/identity-papers/new", roles=OFFICE, is_secret=True
)
def new_identity_paper(**holder: str) -> Response:
    """Show the form of another identity paper."""
    _shown_of(holder)
    return _render_paper(IdentityPaperForm(formdata=None), holder)


@dashboard.post(
    "/reservations/<reservation_id>/identity-papers/new",
    endpoint="add_identity_paper",
    roles=OFFICE,
    most_bytes=PHOTO_BYTES,
)
@dashboard.post(
    "/reservation-links/<reservation_link_id>/identity-papers/new",
    endpoint="add_identity_paper",
    roles=OFFICE,
    most_bytes=PHOTO_BYTES,
)
def add_identity_paper(**holder: str) -> Response:
    """Add an identity paper, with a picture or as it was seen."""
    _shown_of(holder)
    form = IdentityPaperForm()

    def act(work: Work, written: people_changes.WrittenPaper) -> None:
        people_changes.add_paper(work, people_id=_hold_people(work, holder), written=written)

    return submit_paper(
        form,
        act=act,
        then=lambda: go(_way_back(holder), message=_("Saved.")),
        again=lambda: _render_paper(form, holder),
    )


@dashboard.get("/identity-papers/<identity_paper_id>", roles=OFFICE, is_secret=True)
def identity_paper(identity_paper_id: str) -> Response:
    """Show an identity paper without what is sealed, with the form to correct it."""
    paper = named_paper(reading(), identity_paper_id)
    data = {"kind": paper.kind.value, "expiresOn": paper.expires_on}
    return _render_paper_of(identity_paper_id, IdentityPaperForm(formdata=None, data=data))


@dashboard.post("/identity-papers/<identity_paper_id>", roles=OFFICE, most_bytes=PHOTO_BYTES)
def correct_identity_paper(identity_paper_id: str) -> Response:
    """Correct an identity paper; without a new number or picture it keeps the old one."""
    form = IdentityPaperForm()
    back = _way_back(
        holder_of_people(reading(), named_paper(reading(), identity_paper_id).people_id)
    )
    return submit_paper(
        form,
        act=lambda work, written: people_changes.correct_paper(
            work, paper_id=identity_paper_id, written=written
        ),
        then=lambda: go(back, message=_("Saved.")),
        again=lambda: _render_paper_of(identity_paper_id, form),
    )


@dashboard.post("/identity-papers/<identity_paper_id>/removal", roles=OFFICE)
def remove_identity_paper(identity_paper_id: str) -> Response:
    """Remove an identity paper with its picture."""
    form = FlaskForm()
    back = _way_back(
        holder_of_people(reading(), named_paper(reading(), identity_paper_id).people_id)
    )

    def then(freed: str | None) -> Response:
        if freed is not None:
            files().delete(freed)
        return go(back, message=_("The identity paper is removed."))

    return submitted(
        form,
        act=lambda work: people_changes.remove_paper(work, paper_id=identity_paper_id),
        then=then,
        again=lambda: mark_unaccepted(identity_paper(identity_paper_id)),
    )


@dashboard.post("/identity-papers/<identity_paper_id>/opening", roles=OFFICE)
def open_identity_paper(identity_paper_id: str) -> Response:
    """Show the number and the picture of an identity paper; each view is noted, none is cached."""
    opened = database().write_as(
        current_member().workspace_id,
        clock(),
        actor(),
        lambda work: people_changes.open_paper(work, paper_id=identity_paper_id),
    )
    content = files().get(opened.file_key) if opened.file_key is not None else None
    paper = named_paper(reading(), identity_paper_id)
    response = page(
        "dashboard/contract_people/opened_paper.html",
        paper=paper,
        number=opened.number,
        picture=None if content is None else b64encode(content).decode(),
        back=_way_back(holder_of_people(reading(), paper.people_id)),
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _render_paper(form: Form, holder: Mapping[str, str], **shown: Any) -> Response:
    return page(
        "dashboard/contract_people/paper.html",
        form=form,
        holder=holder,
        back=_way_back(holder),
        **shown,
    )


def _render_paper_of(identity_paper_id: str, form: Form) -> Response:
    paper = named_paper(reading(), identity_paper_id)
    return _render_paper(form, holder_of_people(reading(), paper.people_id), paper=paper)


@dashboard.get("/residents/expiring-papers", roles=OFFICE)
def expiring_people() -> Response:
    """Show the identity papers that expire and the guarantees to be renewed, the earliest first."""
    paging = asked_paging()
    pieces = expiring_pieces(reading(), today())
    return page(
        "dashboard/contract_people/expiring.html",
        pieces=pieces[paging.offset : paging.offset + paging.limit],
        total=len(pieces),
        paging=paging,
        days=policy(reading()).expiry_reminder_days,
        today=today(),
    )


class BuildingAsksForm(FlaskForm):
    """What a building asks its applicants for."""

    guarantor = ChoiceField(lazy_gettext("Guarantor (a person)"), [Required()])
    highestYen = YenField(lazy_gettext("Highest amount of the guarantee"), [Optional()])
    guarantee_company = ChoiceField(lazy_gettext("Guarantee company"), [Required()])
    emergency_contact = ChoiceField(lazy_gettext("Emergency contact"), [Required()])
    occupation = ChoiceField(lazy_gettext("Employer or school"), [Required()])
    identity_paper = ChoiceField(lazy_gettext("Identity papers"), [Required()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        for kind in PeopleKind:
            self[kind.value].choices = choices(AskedFor)


@dashboard.get("/buildings/<building_id>/asked-of-applicants", roles=OFFICE)
def building_asks(building_id: str) -> Response:
    """Show what a building asks its applicants for."""
    asked = asked_of_building(reading(), building_id)
    data: dict[str, Any] = dict.fromkeys((kind.value for kind in PeopleKind), AskedFor.NONE.value)
    data |= {kind.value: row.asked.value for kind, row in asked.items()}
    if PeopleKind.GUARANTOR in asked:
        data["highestYen"] = asked[PeopleKind.GUARANTOR].highest_yen
    return _render_asks(building_id, BuildingAsksForm(formdata=None, data=data))


@dashboard.post("/buildings/<building_id>/asked-of-applicants", roles=OFFICE)
def set_building_asks(building_id: str) -> Response:
    """Set what a building asks its applicants for."""
    form = BuildingAsksForm()
    return submitted(
        form,
        act=lambda work: people_changes.ask_of_building(
            work,
            building_id=building_id,
            asked={kind: AskedFor(form[kind.value].data) for kind in PeopleKind},
            highest_yen=form.highestYen.data,
        ),
        then=lambda _none: go(
            url_for("dashboard.building", building_id=building_id), message=_("Saved.")
        ),
        again=lambda: _render_asks(building_id, form),
    )


def _render_asks(building_id: str, form: BuildingAsksForm) -> Response:
    return page(
        "dashboard/contract_people/building_asks.html",
        form=form,
        building=records.building_record(reading(), building_id),
    )
