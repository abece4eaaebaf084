"""The people and papers that the building asks an applicant for: what is missing, and each form."""

from typing import Final

from flask import Response, url_for
from wtforms import Form

from pms.contracts.people_changes import WrittenPaper
from pms.foundation.errors import NotFound
from pms.foundation.work import Work
from pms.offers import applications
from pms.rules.contract_people import LEFT_TO_OFFICE, PeopleKind
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.people_forms import PARTY_FORMS, IdentityPaperForm, party_of, submit_paper
from pms.surfaces.request_scope import files
from pms.surfaces.reservation_links.applicant import applicant, blueprint, to

_PARTY: Final = "<any(guarantor, emergency_contact, occupation):party>"


def _find_page_first() -> str | None:
    """Return the page to go to instead, or None while the building's pieces can be given."""
    if not applicant().is_deciding:
        return "offer"
    if applicant().offer.details is None:
        return "details"
    return None if applicant().asked_kinds else "contract"


@blueprint.get("/people", endpoint="people")
def show_people() -> Response:
    """Show what the building asks for, what is there and what is missing."""
    page_first = _find_page_first()
    if page_first is not None:
        return to(page_first)
    return page(
        "reservation_links/people.html",
        offer=applicant().offer,
        named=applicant().named,
        missing=[lack for lack in applicant().lacks if lack not in LEFT_TO_OFFICE],
        page_address=url_for("reservation_links.people"),
    )


@blueprint.get(f"/people/{_PARTY}", endpoint="party")
def show_party(party: str) -> Response:
    """Show the form of one piece, filled with what was entered before."""
    kind = _find_kind(party)
    if kind is None:
        return to(_find_page_first() or "people")
    form = PARTY_FORMS[kind].of(party_of(applicant().named, kind), is_applicants=True)
    return _render_party(kind, form)


@blueprint.post(f"/people/{_PARTY}", endpoint="name_party")
def keep_party(party: str) -> Response:
    """Save one piece and go back to what is asked."""
    kind = _find_kind(party)
    if kind is None:
        return to(_find_page_first() or "people")
    form = PARTY_FORMS[kind].of(None, is_sent=True, is_applicants=True)
    return submitted(
        form,
        act=lambda work: applications.name_party_of_offer(
            work, link_id=applicant().offer.id, kind=kind, written=form.written
        ),
        then=lambda _none: to("people"),
        again=lambda: _render_party(kind, form),
    )


@blueprint.get("/people/identity-paper", endpoint="identity_paper")
def show_paper() -> Response:
    """Show the form of another identity paper."""
    if _find_kind(PeopleKind.IDENTITY_PAPER) is None:
        return to(_find_page_first() or "people")
    return _render_paper(IdentityPaperForm(formdata=None))


@blueprint.post("/people/identity-paper", endpoint="send_paper")
def keep_paper() -> Response:
    """Save an identity paper with its picture, and go back to what is asked."""
    if _find_kind(PeopleKind.IDENTITY_PAPER) is None:
        return to(_find_page_first() or "people")
    form = IdentityPaperForm()
    form.is_applicants = True

    def act(work: Work, written: WrittenPaper) -> None:
        applications.send_paper_of_offer(work, link_id=applicant().offer.id, written=written)

    return submit_paper(form, act=act, then=lambda: to("people"), again=lambda: _render_paper(form))


@blueprint.post("/people/identity-paper/<paper_id>/removal", endpoint="remove_paper")
def remove_paper(paper_id: str) -> Response:
    """Remove an identity paper that was sent by mistake."""
    page_first = _find_page_first()
    if page_first is not None:
        return to(page_first)
    if paper_id not in [paper.id for paper in applicant().named.papers]:
        raise NotFound("There is no identity paper '{id}'.", id=paper_id[:60])

    def then(freed: str | None) -> Response:
        if freed is not None:
            files().delete(freed)
        return to("people")

    return submitted(
        LinkForm(),
        act=lambda work: applications.remove_paper_of_offer(
            work, link_id=applicant().offer.id, paper_id=paper_id
        ),
        then=then,
        again=lambda: to("people"),
    )


def _find_kind(name: str) -> PeopleKind | None:
    """Return the kind of a piece that is asked for now, or None."""
    kind = PeopleKind(name)
    is_open = _find_page_first() is None and kind in applicant().asked_kinds
    return kind if is_open else None


def _render_party(kind: PeopleKind, form: Form) -> Response:
    return page(
        "reservation_links/party.html",
        form=form,
        kind=kind,
        offer=applicant().offer,
        highest_yen=applicant().asked[kind].highest_yen,
        page_address=url_for("reservation_links.party", party=kind.value),
    )


def _render_paper(form: Form) -> Response:
    return page(
        "reservation_links/paper.html",
        form=form,
        offer=applicant().offer,
        page_address=url_for("reservation_links.identity_paper"),
    )
