"""The surface of settlement links: a mailed link opens one deposit settlement, to answer it."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Flask, Response, g, redirect, url_for

from pms.arrivals import settlement_sheets
from pms.deposits.settlement_papers import (
    SETTLEMENT_LINK,
    OpenedPaper,
    PaperRecord,
    agree_to_paper,
    opened_paper,
)
from pms.foundation.tokens import NamedLink
from pms.surfaces import settlement_answers
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.link_gate import TOKEN, LinkGate, guard, reading
from pms.surfaces.request_scope import reading_session

MOST_BYTES: Final = 200_000

blueprint = Blueprint("settlement_links", __name__, url_prefix=f"/settlement/<{TOKEN}>")


@dataclass(frozen=True)
class PaperReader:
    """The holder of a settlement's link."""

    opened: OpenedPaper

    @property
    def actor(self) -> str:
        """The actor written to the audit."""
        return f"reservation/{self.opened.reservation_id}"


class SettlementGate(LinkGate[OpenedPaper]):
    """Give a link access to its settlement only."""

    kind = SETTLEMENT_LINK
    templates = "settlement_links"
    most_bytes = MOST_BYTES

    def find(self, named: NamedLink) -> OpenedPaper | None:
        """Return the paper of the link."""
        return opened_paper(reading_session(named.workspace_id), named)

    def language(self, link: OpenedPaper) -> str:
        """Return the language of the reservation."""
        return link.locale

    def admit(self, link: OpenedPaper, workspace_id: str) -> PaperReader:
        """Return the holder; the use of the link is recorded at most once a minute."""
        self.note_opening(workspace_id, link.id, link.last_opened_at)
        return PaperReader(link)


def _own_paper() -> PaperRecord:
    holder: PaperReader = g.link_holder
    return settlement_answers.sent_paper(reading(), holder.opened.reservation_id)


@blueprint.get("", endpoint="settlement")
def show_settlement() -> Response:
    """Show the settlement with what may be answered."""
    found = _own_paper()
    return _render_settlement(found, settlement_answers.objection_form(found))


def _render_settlement(found: PaperRecord, form: LinkForm) -> Response:
    return page(
        "settlement_links/settlement.html",
        found=found,
        form=form,
        fields=settlement_answers.fields_by_position(found, form),
        places=settlement_sheets.photos_of_places(reading(), found),
        bills=settlement_sheets.netted_bills(reading(), found.settled.settlement.id),
    )


@blueprint.post("/agreement", endpoint="agree_to_settlement")
def agree() -> Response:
    """Note that the resident agrees."""
    found, form = _own_paper(), LinkForm()
    reservation_id = found.settled.settlement.reservation_id
    return submitted(
        form,
        act=lambda work: agree_to_paper(work, reservation_id=reservation_id),
        then=lambda _none: _return_to_settlement(),
        again=lambda: _render_settlement(found, settlement_answers.objection_form(found)),
    )


@blueprint.post("/objections", endpoint="object_to_settlement")
def object_to() -> Response:
    """Keep what the resident objects to."""
    found = _own_paper()
    form = settlement_answers.objection_form(found, is_sent=True)
    return submitted(
        form,
        act=lambda work: settlement_answers.object_as_typed(work, found, form),
        then=lambda _none: _return_to_settlement(),
        again=lambda: _render_settlement(found, form),
    )


def _return_to_settlement() -> Response:
    moved: Response = redirect(url_for("settlement_links.settlement"), 303)  # type: ignore[assignment]  # werkzeug's own
    return moved


@blueprint.get("/paper", endpoint="settlement_paper")
def paper() -> Response:
    """Send the settlement as a PDF."""
    return settlement_answers.paper_answer(reading(), _own_paper())


@blueprint.get("/photos/<photo_id>/<int:width>", endpoint="settlement_photo")
def photo(photo_id: str, width: int) -> Response:
    """Send a photo of a place that the settlement is about."""
    return settlement_answers.photo_answer(reading(), _own_paper(), photo_id, width)


guard(blueprint, SettlementGate())


def install(app: Flask) -> None:
    """Register the pages of settlement links."""
    app.register_blueprint(blueprint)
