"""The owners, their shares of a building, and the invoices of the management fee."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import HiddenInput

from pms.access import own_sessions
from pms.catalogue import owner_lists, records
from pms.catalogue import owners as catalogue_owners
from pms.catalogue.checks import WrittenOwner
from pms.catalogue.owners import MOST_OWNERS, SharesFrom, owner_names, shares_of_buildings
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.rules.days import month_first
from pms.rules.enumerations import Locale, UserKind
from pms.rules.owner_income import read_share
from pms.statements import (
    fee_invoices,
    owner_publishing,
    owner_terms,
    owner_years,
)
from pms.statements.owner_figures import USUAL_PAYOUT_DAY
from pms.statements.owner_years import OwnerYear
from pms.surfaces.dashboard.gate import OFFICE, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.statements import read_month
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    PercentField,
    Printable,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import RecipientForm, asked_paging, submitted
from pms.surfaces.hypermedia import csv_file_answer, go, page, page_or_block, pdf_answer
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.surfaces.signed_in import auth_context


class OwnerForm(RecipientForm):
    """The facts of an owner; the owner signs in to the portal with the email address."""

    @classmethod
    def of(cls, written: WrittenOwner) -> Self:
        """Return the form filled with the recorded owner."""
        return cls(
            formdata=None,
            data={
                **asdict(written),
                "nameKana": written.name_kana,
                "locale": written.locale.value,
            },
        )

    @property
    def written_owner(self) -> WrittenOwner:
        """The owner of a valid form."""
        return WrittenOwner(
            name=self.name.data or "",
            name_kana=self.nameKana.data,
            email=self.email.data,
            phone=self.phone.data,
            locale=Locale(self.locale.data),
            note=self.note.data,
        )


@dashboard.get("/owners", roles=OFFICE)
def owners() -> Response:
    """Show one page of the owners with their buildings."""
    paging = asked_paging()
    lines, total = owner_lists.owner_lines(reading(), paging)
    # When each of the addresses last signed in to the owners' portal, if ever.
    emails = [line.email for line in lines]
    with auth_context().reading() as session:
        known = own_sessions.last_sign_ins(
            session, user_kind=UserKind.OWNER, workspace_id=current_member().workspace_id
        )
    folded = {email: known.get(folded_address(email)) for email in emails if email}
    came_in = {email: at for email, at in folded.items() if at is not None}
    return page_or_block(
        "dashboard/owners/list.html",
        "results",
        lines=lines,
        total=total,
        paging=paging,
        came_in=came_in,
    )


@dashboard.get("/owners/new", roles=OFFICE, is_of_all_buildings=True)
def new_owner() -> Response:
    """Show the empty form for an owner."""
    return _render_new_owner(OwnerForm(data={"locale": Locale.JA.value}))


@dashboard.post("/owners", roles=OFFICE, is_of_all_buildings=True)
def add_owner() -> Response:
    """Add the owner and show them."""
    form = OwnerForm()
    return submitted(
        form,
        act=lambda work: catalogue_owners.add_owner(work, written=form.written_owner),
        then=lambda owner_id: go(
            url_for("dashboard.owner", owner_id=owner_id), message=_("Owner added.")
        ),
        again=lambda: _render_new_owner(form),
    )


def _render_new_owner(form: OwnerForm) -> Response:
    return page("dashboard/owners/new.html", form=form)


@dashboard.get("/owners/<owner_id>", roles=OFFICE)
def owner(owner_id: str) -> Response:
    """Show the owner."""
    owner = records.owner_record(reading(), owner_id)
    return page(
        "dashboard/owners/owner.html",
        owner=owner,
        buildings=owner_lists.list_owned_buildings(reading(), [owner_id]).get(owner_id, ()),
        years=owner_years.years_of_owner(
            reading(), catalogue_owners.ever_owned_buildings(reading(), [owner_id])
        ),
    )


@dashboard.get("/owners/<owner_id>/years/<int:year>", roles=OFFICE, is_of_all_buildings=True)
def owner_year(owner_id: str, year: int) -> Response:
    """Show the totals of the published months of a calendar year."""
    owner = records.owner_record(reading(), owner_id)
    return page("dashboard/owners/year.html", owner=owner, found=_read_year(owner_id, year))


@dashboard.get("/owners/<owner_id>/years/<int:year>/paper", roles=OFFICE, is_of_all_buildings=True)
def owner_year_paper(owner_id: str, year: int) -> Response:
    """Show a year as a PDF."""
    found = _read_year(owner_id, year)
    content = owner_years.year_pdf(reading(), found, chosen_language(), today())
    return pdf_answer(content, f"owner-statement-{found.year}.pdf")


@dashboard.get("/owners/<owner_id>/years/<int:year>.csv", roles=OFFICE, is_of_all_buildings=True)
def owner_year_csv(owner_id: str, year: int) -> Response:
    """Give a year as CSV."""
    found = _read_year(owner_id, year)
    content = owner_years.year_csv(found, chosen_language())
    return csv_file_answer(content, f"owner-statement-{found.year}.csv")


def _read_year(owner_id: str, year: int) -> OwnerYear:
    return owner_years.owner_year(reading(), [owner_id], year, today())


@dashboard.get("/owners/<owner_id>/facts", roles=OFFICE, is_of_all_buildings=True)
def owner_facts(owner_id: str) -> Response:
    """Show the form with the owner's facts."""
    record = records.owner_record(reading(), owner_id)
    return _render_edit(owner_id, Edit.of(OwnerForm.of(record.written), record.version))


@dashboard.post("/owners/<owner_id>/facts", roles=OFFICE, is_of_all_buildings=True)
def edit_owner(owner_id: str) -> Response:
    """Save the facts, merged with changes that others saved meanwhile."""
    form = OwnerForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = records.owner_record(work.session, owner_id)
        now = Edit.of(OwnerForm.of(record.written), record.version)
        edit.merge(work, now, subject=("owner", owner_id))
        return catalogue_owners.edit_owner(
            work, owner_id=owner_id, version=record.version, written=form.written_owner
        )

    return edit.save(
        act,
        url_for("dashboard.owner", owner_id=owner_id),
        again=lambda: _render_edit(owner_id, edit),
    )


def _render_edit(owner_id: str, edit: Edit) -> Response:
    owner = records.owner_record(reading(), owner_id)
    return page("dashboard/owners/edit.html", form=edit.form, edit=edit, owner=owner)


_PLACES: Final = tuple(range(1, MOST_OWNERS + 1))


class SharesForm(FlaskForm):
    """The owners of a building in order with their shares, from a day on."""

    fromOn = DayField(lazy_gettext("From"), [Required()])
    owner1 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share1 = TextField(lazy_gettext("Share"), [Optional()])
    owner2 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share2 = TextField(lazy_gettext("Share"), [Optional()])
    owner3 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share3 = TextField(lazy_gettext("Share"), [Optional()])
    owner4 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share4 = TextField(lazy_gettext("Share"), [Optional()])
    owner5 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share5 = TextField(lazy_gettext("Share"), [Optional()])
    owner6 = ChoiceField(lazy_gettext("Owner"), [Optional()])
    share6 = TextField(lazy_gettext("Share"), [Optional()])
    version = WholeNumberField(validators=[Required()], widget=HiddenInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [
            ("", lazy_gettext("No owner")),
            *((i, n) for i, n in owner_lists.owner_choices(reading())),
        ]
        for owner, _share in self.rows():
            owner.choices = named

    def rows(self) -> Iterator[tuple[ChoiceField, TextField]]:
        """Return the fields of each owner."""
        return ((self[f"owner{place}"], self[f"share{place}"]) for place in _PLACES)

    def shown_rows(self, *, are_all: bool) -> Sequence[tuple[ChoiceField, TextField]]:
        """Return the fields up to the last that is filled, and one more; at least two.

        Each names all owners of the workspace, of whom there may be hundreds.
        """
        rows = list(self.rows())
        filled = [place for place, row in enumerate(rows, 1) if any(field.data for field in row)]
        return rows if are_all else rows[: max(1, *filled[-1:], 0) + 1]

    def parts(self) -> list[tuple[str, Fraction]]:
        """Return the chosen owners; raise `Refused` for a share that cannot be read."""
        found = []
        for owner, share in self.rows():
            if not owner.data and not share.data:
                continue
            part = read_share(share.data or "")
            if part is None:
                raise Refused(
                    "{field}: '{given}' is not a share. Enter 1/3 or 25%.",
                    field=share.name,
                    given=(share.data or "")[:40],
                )
            if not owner.data:
                raise Refused("{field}: choose the owner of this share.", field=owner.name)
            found.append((owner.data, part))
        return found


@dashboard.get("/buildings/<building_id>/shares", roles=OFFICE)
def building_shares(building_id: str) -> Response:
    """Show the form of the building's owners, from a day on."""
    record = records.building_record(reading(), building_id)
    data: dict[str, Any] = {"fromOn": today(), "version": record.version}
    history = _read_share_history(building_id)
    if history:
        for place, share in enumerate(history[-1].shares, 1):
            data |= {f"owner{place}": share.owner_id, f"share{place}": share.text}
    else:
        data |= {"owner1": record.owner_id}
    return _show_shares(building_id, SharesForm(data=data))


@dashboard.post("/buildings/<building_id>/shares", roles=OFFICE)
def set_building_shares(building_id: str) -> Response:
    """Write the building's owners from a day on."""
    form = SharesForm()
    return submitted(
        form,
        act=lambda work: fee_invoices.set_shares(
            work,
            building_id=building_id,
            from_on=form.fromOn.data,
            parts=form.parts(),
            version=form.version.data,
        ),
        then=lambda _version: go(
            url_for("dashboard.building", building_id=building_id), message=_("Saved.")
        ),
        again=lambda: _show_shares(building_id, form),
    )


def _read_share_history(building_id: str) -> list[SharesFrom]:
    return list(shares_of_buildings(reading(), [building_id]).get(building_id, ()))


def _show_shares(building_id: str, form: SharesForm) -> Response:
    history = _read_share_history(building_id)
    shares = [share for span in history for share in span.shares]
    return page(
        "dashboard/buildings/shares.html",
        form=form,
        rows=form.shown_rows(are_all="all" in request.args),
        building=records.building_record(reading(), building_id),
        history=history[::-1],
        names=owner_names(reading(), shares),
    )


class OwnerTermsForm(FlaskForm):
    """The terms agreed with the owner of a building, from a month on."""

    fromOn = DayField(lazy_gettext("From"), [Required()])
    managementPercent = PercentField(lazy_gettext("Management fee (%)"), [Required()])
    payoutDay = WholeNumberField(lazy_gettext("Payout day"), [Required()], least=1, most=31)
    payoutAccount = TextField(lazy_gettext("Payout account"), [Optional(), Printable()])
    version = WholeNumberField(validators=[Required()], widget=HiddenInput())


@dashboard.get("/buildings/<building_id>/owner-terms", roles=OFFICE)
def building_terms(building_id: str) -> Response:
    """Show the form of the terms with the owner, filled with those in force."""
    record = records.building_record(reading(), building_id)
    data: dict[str, Any] = {
        "fromOn": month_first(today()),
        "payoutDay": USUAL_PAYOUT_DAY,
        "version": record.version,
    }
    agreed = owner_terms.terms_of_building(reading(), building_id)
    if agreed:
        data |= {
            "managementPercent": agreed[-1].management_percent,
            "payoutDay": agreed[-1].payout_day,
            "payoutAccount": agreed[-1].payout_account,
        }
    return _show_terms(building_id, OwnerTermsForm(data=data))


@dashboard.post("/buildings/<building_id>/owner-terms", roles=OFFICE)
def agree_building_terms(building_id: str) -> Response:
    """Write the terms with the owner from a month on."""
    form = OwnerTermsForm()
    return submitted(
        form,
        act=lambda work: owner_terms.agree_terms(
            work,
            building_id=building_id,
            from_on=form.fromOn.data,
            management_percent=form.managementPercent.data,
            payout_day=form.payoutDay.data,
            payout_account=form.payoutAccount.data or None,
            version=form.version.data,
        ),
        then=lambda _terms: go(
            url_for("dashboard.building", building_id=building_id), message=_("Saved.")
        ),
        again=lambda: _show_terms(building_id, form),
    )


def _show_terms(building_id: str, form: OwnerTermsForm) -> Response:
    return page(
        "dashboard/buildings/terms.html",
        form=form,
        building=records.building_record(reading(), building_id),
        agreed=owner_terms.terms_of_building(reading(), building_id)[::-1],
    )


@dashboard.get("/fee-invoices/<fee_invoice_id>/paper", roles=OFFICE)
def fee_invoice_paper(fee_invoice_id: str) -> Response:
    """Show an invoice of the management fee as a PDF."""
    row = fee_invoices.fee_invoice_of(reading(), fee_invoice_id)
    return pdf_answer(fee_invoices.fee_invoice_pdf(row, chosen_language()), f"{row.number}.pdf")


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/fee-invoices", roles=OFFICE)
def issue_fee_invoices(month: str, building_id: str) -> Response:
    """Issue the fee invoices that are missing for a month published by an earlier release."""
    form, month_on = FlaskForm(), read_month(month)
    back = url_for("dashboard.owner_statement", month=month, building_id=building_id)
    return submitted(
        form,
        act=lambda work: owner_publishing.issue_missing_fee_invoices(
            work, building_id=building_id, month_on=month_on
        ),
        then=lambda _count: go(back, message=_("Management fee invoice issued.")),
        again=lambda: go(back),
    )
