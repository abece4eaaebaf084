"""Rents proposed to many residents: chosen, previewed, sent, answered, and withdrawn."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final, Self

from flask import Response, current_app, request, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form, ValidationError

from pms.contracts import rent_proposals
from pms.contracts.contract_papers import letter_pdf
from pms.contracts.rent_proposals import ListedProposal, RentWishes
from pms.foundation.phrases import Bilingual
from pms.rules.rent_proposals import ROUNDING_UNITS, AmountChange, AmountWay, RentAnswer
from pms.surfaces.dashboard.ending_terms import MOST_AT_ONCE
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    Spot,
    Tags,
    ValueKind,
    ask,
    listing,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.reservation_terms import (
    DeclinedRentForm,
    ProposalReasonForm,
    RentAnswerForm,
    render_terms,
)
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FigureField,
    LongTextField,
    Optional,
    Required,
)
from pms.surfaces.forms import QueryForm, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page, page_or_block, pdf_answer
from pms.surfaces.labels.enumerations import choices, label_of, tone
from pms.surfaces.labels.formats import yen
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.workspaces.queries import policy


class RentProposalForm(FlaskForm):
    """The new amounts, from when, and why, in one language or both."""

    fromOn = DayField(lazy_gettext("New rent from"), [Required()])
    rentWay = ChoiceField(lazy_gettext("Base rent"), [Required()])
    rentFigure = FigureField(lazy_gettext("Yen or percent"))
    maintenanceWay = ChoiceField(lazy_gettext("Building maintenance"), [Required()])
    maintenanceFigure = FigureField(lazy_gettext("Yen or percent"))
    unitYen = ChoiceField(lazy_gettext("Round percentages to"), [Required()])
    reasonJa = LongTextField(lazy_gettext("Reason (Japanese)"))
    reasonEn = LongTextField(lazy_gettext("Reason (English)"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rentWay.choices = self.maintenanceWay.choices = choices(AmountWay)
        self.building.choices = building_choices()
        self.unitYen.choices = [(str(unit), yen(unit)) for unit in ROUNDING_UNITS]

    @classmethod
    def of(cls, *, is_sent: bool) -> Self:
        """Return the form as it was sent, else with its first choices."""
        usual = {"rentWay": AmountWay.RAISE_YEN, "maintenanceWay": AmountWay.KEEP, "unitYen": "100"}
        return cls(request.form if is_sent else None, data=usual)

    def validate_rentFigure(self, field: FigureField) -> None:  # noqa: N802  # WTForms' name
        """Refuse a figure that its way cannot take, or that is missing."""
        _check_figure(self.rentWay.offered_data, field.data)

    def validate_maintenanceFigure(  # noqa: N802  # WTForms' name
        self, field: FigureField
    ) -> None:
        """Refuse a figure that its way cannot take, or that is missing."""
        _check_figure(self.maintenanceWay.offered_data, field.data)

    def validate_reasonJa(self, field: LongTextField) -> None:  # noqa: N802  # WTForms' name
        """Ask for the reason in one of the languages."""
        if not (field.data or self.reasonEn.data):
            raise ValidationError(_("Enter the reason in at least one language."))

    def read_wishes(self) -> RentWishes:
        """Return what is proposed, from a sound form."""
        return RentWishes(
            from_on=self.fromOn.data,
            rent=_read_change(self.rentWay, self.rentFigure),
            maintenance=_read_change(self.maintenanceWay, self.maintenanceFigure),
            unit_yen=int(self.unitYen.data),
            reason=Bilingual(self.reasonJa.data or None, self.reasonEn.data or None),
        )


def _check_figure(way: str | None, figure: Decimal | None) -> None:
    if way in (None, AmountWay.KEEP):
        return
    if figure is None:
        raise ValidationError(_("Enter by how much."))
    is_percent = way in (AmountWay.RAISE_PERCENT, AmountWay.LOWER_PERCENT)
    if is_percent and figure > 100:
        raise ValidationError(_("Enter a percentage from 0 to 100, such as 5 or 2.75."))
    if not is_percent and figure != figure.to_integral_value():
        raise ValidationError(_("Whole yen only, e.g. 86000."))


def _read_change(way: ChoiceField, figure: FigureField) -> AmountChange:
    return AmountChange(AmountWay(way.data), figure.data or Decimal(0))


class RentProposalsForm(QueryForm):
    """The filters of the proposals: building and answer."""

    building = ChoiceField(lazy_gettext("Building"), [Optional()])
    answer = ChoiceField(lazy_gettext("Answer"), [Optional()])


def tags_of_proposal(row: ListedProposal) -> Tags:
    """Return where a proposal has come: agreed, an answer, or how long it waits."""
    proposal = row.proposal
    if proposal.begun_at is not None:
        return [(_("Agreed"), "ok") if not proposal.begun_reason else (_("Applied"), "info")]
    if proposal.answer is not None:
        return [(label_of(proposal.answer), tone(proposal.answer))]
    if row.is_silent_on(today()):
        return [(_("No answer"), "bad")]
    if proposal.sent_at is None:
        return [(_("To be printed"), "warn")]
    return [(_("Reminded"), "warn") if proposal.reminded_at else (_("Sent"), "info")]


RENT_PROPOSALS: Final[Listing[ListedProposal]] = listing(
    "rent_proposals",
    lazy_gettext("Rent proposals"),
    ListColumn(
        "resident",
        lazy_gettext("Resident"),
        lambda row: row.name,
        spot=Spot.NAME,
        href=lambda row: url_for(
            "dashboard.reservation_terms", reservation_id=row.proposal.reservation_id
        ),
    ),
    ListColumn(
        "unit",
        lazy_gettext("Unit"),
        lambda row: f"{row.building.in_language(chosen_language())} {row.unit}",
        spot=Spot.PLACE,
    ),
    ListColumn(
        "from", lazy_gettext("From"), lambda row: row.proposal.from_on, ValueKind.DAY, Spot.DAY
    ),
    ListColumn(
        "rent_before",
        lazy_gettext("Base rent now"),
        lambda row: row.proposal.rent_before_yen,
        ValueKind.YEN,
    ),
    ListColumn(
        "rent",
        lazy_gettext("New base rent"),
        lambda row: row.proposal.rent_yen,
        ValueKind.YEN,
        Spot.AMOUNT,
    ),
    ListColumn(
        "maintenance_before",
        lazy_gettext("Building maintenance now"),
        lambda row: row.proposal.maintenance_before_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "maintenance",
        lazy_gettext("New building maintenance"),
        lambda row: row.proposal.maintenance_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn("answer", lazy_gettext("Answer"), tags_of_proposal, ValueKind.TAGS, Spot.STATE),
    ListColumn(
        "words",
        lazy_gettext("In their words"),
        lambda row: row.proposal.words,
        is_first_shown=False,
    ),
)


@dashboard.get("/rent-proposals", roles=OFFICE, endpoint="rent_proposals")
def show_rent_proposals() -> Response:
    """Show the proposals with their answers counted, or give them as a file."""
    form, asked = RentProposalsForm(request.args), ask(RENT_PROPOSALS)
    form.building.choices = [("", lazy_gettext("All buildings")), *building_choices()]
    form.answer.choices = [
        ("", lazy_gettext("Any answer")),
        ("none", lazy_gettext("No answer")),
        *choices(RentAnswer),
    ]
    is_sound = form.validate()
    everyone = (
        rent_proposals.listed_proposals(reading(), today(), form.building.data or None)
        if is_sound
        else ()
    )
    wanted = form.answer.data
    found = [row for row in everyone if not wanted or (row.proposal.answer or "none") == wanted]
    in_order = asked.in_order(found)
    if asked.file_type:
        return asked.file_of(in_order)
    silent = sum(row.is_silent_on(today()) for row in everyone)
    counts = [(_("No answer"), silent, "bad")] + [
        (label_of(answer), sum(row.proposal.answer is answer for row in everyone), tone(answer))
        for answer in RentAnswer
    ]
    response = page_or_block(
        "dashboard/rents/list.html",
        "results",
        form=form,
        asked=asked,
        rows=asked.page_of(in_order),
        total=len(found),
        counts=[each for each in counts if each[1]],
        is_filtered=bool(form.building.data or wanted),
    )
    return response if is_sound else mark_unaccepted(response)


def _asked_ids() -> list[str]:
    """Return the chosen residents; those of a whole building where only that is named."""
    ids = list(dict.fromkeys(request.values.getlist("reservation")))
    building_id = request.args.get("building")
    if building_id and not ids and request.method == "GET":
        ids = list(rent_proposals.residents_of_building(reading(), building_id))
    return ids[:MOST_AT_ONCE]


@dashboard.get("/rent-proposals/new", roles=OFFICE)
def check_rent_proposals() -> Response:
    """Show the form with the chosen residents, or those of a building."""
    ids = _asked_ids()
    return _render_check(RentProposalForm.of(is_sent=False), ids, ids)


@dashboard.post("/rent-proposals/preview", roles=OFFICE)
def preview_rent_proposals() -> Response:
    """Show the new amounts with what was typed, and send nothing."""
    form = RentProposalForm.of(is_sent=True)
    is_sound = form.validate_on_submit()
    response = _render_check(form, request.form.getlist("listed"), _asked_ids())
    return response if is_sound else mark_unaccepted(response)


@dashboard.post("/rent-proposals", roles=OFFICE)
def propose_rents() -> Response:
    """Write a letter to each chosen resident to whom it is possible, and mail a link."""
    form, ids = RentProposalForm.of(is_sent=True), _asked_ids()
    return submitted(
        form,
        act=lambda work: rent_proposals.propose_rents(
            work,
            reservation_ids=ids,
            wishes=form.read_wishes(),
            base_url=current_app.config["BASE_URL"],
        ),
        then=lambda written: go(
            url_for("dashboard.rent_proposals"),
            message=ngettext(
                "%(num)d rent has been proposed.", "%(num)d rents have been proposed.", written
            ),
        ),
        again=lambda: _render_check(form, request.form.getlist("listed"), ids),
    )


def _render_check(form: RentProposalForm, listed: Sequence[str], chosen: Sequence[str]) -> Response:
    listed = list(dict.fromkeys([*listed, *chosen]))[:MOST_AT_ONCE]
    # Without sound wishes the present amounts are shown.
    is_planned = not form.errors and form.fromOn.data is not None
    keep = AmountChange(AmountWay.KEEP)
    wishes = (
        form.read_wishes()
        if is_planned
        else RentWishes(
            from_on=today(), rent=keep, maintenance=keep, unit_yen=1, reason=Bilingual(None, None)
        )
    )
    planned = rent_proposals.plan_rents(reading(), today(), listed, wishes)
    return page(
        "dashboard/rents/check.html",
        form=form,
        lines=[(each, refusal_text(each.refusal) if each.refusal else None) for each in planned],
        chosen=frozenset(chosen),
        is_planned=is_planned,
        stays=policy(reading()).declined_rent_stays,
    )


@dashboard.get("/rent-proposals/<rent_proposal_id>/paper", roles=OFFICE)
def rent_proposal_paper(rent_proposal_id: str) -> Response:
    """Give the letter of a proposal as a PDF."""
    proposal = rent_proposals.proposal_of(reading(), rent_proposal_id)
    return pdf_answer(letter_pdf(reading(), proposal), f"{proposal.title}.pdf")


@dashboard.post("/rent-proposals/<rent_proposal_id>/answer", roles=OFFICE)
def record_rent_answer(rent_proposal_id: str) -> Response:
    """Store what a resident answered on paper or by phone."""
    form = RentAnswerForm.of(request.form)
    return _change_proposal(
        rent_proposal_id,
        form,
        lambda work: rent_proposals.answer_rent(
            work,
            proposal_id=rent_proposal_id,
            answer=RentAnswer(form.rentAnswer.data),
            words=form.words.data,
            is_own=False,
        ),
        _("Answer recorded."),
        "rent_answer_form",
    )


@dashboard.post("/rent-proposals/<rent_proposal_id>/withdrawal", roles=OFFICE)
def withdraw_rent_proposal(rent_proposal_id: str) -> Response:
    """Withdraw a proposal, an agreed one before its first day."""
    form = ProposalReasonForm()
    return _change_proposal(
        rent_proposal_id,
        form,
        lambda work: rent_proposals.withdraw_rent(
            work, proposal_id=rent_proposal_id, reason=form.proposalReason.data or ""
        ),
        _("Rent proposal withdrawn."),
        "proposal_reason_form",
    )


@dashboard.post("/rent-proposals/<rent_proposal_id>/application", roles=OFFICE)
def apply_declined_rent(rent_proposal_id: str) -> Response:
    """Begin a rent without agreement, with a reason, where the workspace allows it."""
    form = DeclinedRentForm()
    return _change_proposal(
        rent_proposal_id,
        form,
        lambda work: rent_proposals.apply_declined_rent(
            work, proposal_id=rent_proposal_id, reason=form.because.data or ""
        ),
        _("The new rent applies."),
        "declined_rent_form",
    )


def _change_proposal(proposal_id: str, form: Form, act: Any, words: str, name: str) -> Response:
    """Do something with a proposal and return to its resident's page."""
    reservation_id = rent_proposals.proposal_of(reading(), proposal_id).reservation_id
    return submitted(
        form,
        act=act,
        then=lambda _proposal: go(
            url_for("dashboard.reservation_terms", reservation_id=reservation_id), message=words
        ),
        again=lambda: render_terms(reservation_id, **{name: form}),
    )
