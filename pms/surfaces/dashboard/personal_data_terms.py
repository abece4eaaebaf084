"""For what the workspace uses personal data, and how long it keeps them."""

from typing import Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.rules.retention import RetentionYears
from pms.surfaces.dashboard.gate import OPERATOR, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import LongTextField, Optional, Required, WholeNumberField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.purpose_of_use import default_purpose_of_use
from pms.workspaces import personal_data_terms as terms
from pms.workspaces.personal_data_terms import BOUNDS, PersonalDataTerms


def _build_years_field(name: str, label: object) -> WholeNumberField:
    _field, least, most = BOUNDS[name]
    return WholeNumberField(label, [Required()], least=least, most=most)


class PersonalDataTermsForm(FlaskForm):
    """The purpose of use in both languages, and the years that records are kept."""

    purposeJa = LongTextField(lazy_gettext("Purpose of use in Japanese"), [Optional()])
    purposeEn = LongTextField(lazy_gettext("Purpose of use in English"), [Optional()])
    enquiryYears = _build_years_field(
        "enquiry_years", lazy_gettext("Keep enquiries, offers and viewings for (years)")
    )
    waitlistYears = _build_years_field(
        "waitlist_years", lazy_gettext("Keep ended places on the waitlist for (years)")
    )
    formerYears = _build_years_field(
        "former_years", lazy_gettext("Keep contacts and messages of former residents for (years)")
    )
    contractYears = _build_years_field(
        "contract_years", lazy_gettext("Keep contracts after their end for (years)")
    )
    ledgerYears = _build_years_field("ledger_years", lazy_gettext("Keep bills for (years)"))
    fiscalYearEndsIn = _build_years_field(
        "fiscal_year_ends_in", lazy_gettext("Last month of your fiscal year")
    )

    @classmethod
    def of(cls, current: PersonalDataTerms) -> Self:
        """Return the form filled with the terms."""
        return cls(
            formdata=None,
            data={
                "purposeJa": current.purpose.ja,
                "purposeEn": current.purpose.en,
                **{field: getattr(current.years, name) for name, (field, *_) in BOUNDS.items()},
            },
        )

    @property
    def stated_years(self) -> RetentionYears:
        """The typed years as the use case takes them."""
        return RetentionYears(**{name: self[field].data for name, (field, *_) in BOUNDS.items()})


@dashboard.get("/settings/personal-data", roles=OPERATOR)
def personal_data_terms() -> Response:
    """Show the form of the terms."""
    current = terms.personal_data_terms(reading())
    return _render_terms(Edit.of(PersonalDataTermsForm.of(current), current.version))


@dashboard.post("/settings/personal-data", roles=OPERATOR)
def set_personal_data_terms() -> Response:
    """Write the terms; they apply at once to all that is kept."""
    form = PersonalDataTermsForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> None:
        current = terms.personal_data_terms(work.session)
        now = Edit.of(PersonalDataTermsForm.of(current), current.version)
        typed.merge(work, now, subject=("workspace", current_member().workspace_id))
        terms.set_personal_data_terms(
            work,
            purpose=Bilingual(form.purposeJa.data, form.purposeEn.data),
            years=form.stated_years,
        )

    return submitted(
        form,
        act,
        then=lambda _done: go(
            url_for("dashboard.personal_data_terms"), message=typed.message(_("Saved."))
        ),
        again=lambda: _render_terms(typed),
    )


def _render_terms(edit: Edit) -> Response:
    purpose = default_purpose_of_use()
    return page(
        "dashboard/personal_data_terms/terms.html", form=edit.form, edit=edit, purpose=purpose
    )
