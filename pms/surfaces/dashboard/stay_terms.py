"""The terms of guests' stays: times, codes, the fields of the register, and the house rules."""

from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.work import Work
from pms.rules.enumerations import RegisterField
from pms.stays import stays
from pms.stays.stays import NUMBERS, GuestTerms, StatedTerms
from pms.surfaces.dashboard.gate import OPERATOR, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    FlagField,
    LongTextField,
    ManyField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices


def _build_number_field(name: str, label: object) -> WholeNumberField:
    _field, least, most = NUMBERS[name]
    return WholeNumberField(label, [Required()], least=least, most=most)


class StayTermsForm(FlaskForm):
    """The times, what opens the codes, the fields of the register, and the house rules."""

    checkInTime = TextField(lazy_gettext("Check-in from"), [Required()])
    checkOutTime = TextField(lazy_gettext("Check-out by"), [Required()])
    releaseMinutes = _build_number_field(
        "release_minutes", lazy_gettext("Show codes before check-in (minutes)")
    )
    codesNeedRegister = FlagField(lazy_gettext("Show codes only when the register is complete"))
    wantsPassportCopy = FlagField(lazy_gettext("Ask guests from abroad for a passport photo"))
    registerFields = ManyField(lazy_gettext("Additional register fields"), [Optional()])
    registerKeptYears = _build_number_field(
        "register_kept_years", lazy_gettext("Keep the register for (years)")
    )
    rulesJa = LongTextField(lazy_gettext("House rules in Japanese"), [Optional()])
    rulesEn = LongTextField(lazy_gettext("House rules in English"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.registerFields.choices = choices(RegisterField)

    @classmethod
    def of(cls, terms: GuestTerms) -> Self:
        """Return the form filled with the terms."""
        return cls(
            formdata=None,
            data={
                "checkInTime": terms.check_in_time,
                "checkOutTime": terms.check_out_time,
                "releaseMinutes": terms.release_minutes,
                "codesNeedRegister": terms.codes_need_register,
                "wantsPassportCopy": terms.wants_passport_copy,
                "registerFields": [
                    register_field.value for register_field in terms.register_fields
                ],
                "registerKeptYears": terms.register_kept_years,
                "rulesJa": terms.rules.ja,
                "rulesEn": terms.rules.en,
            },
        )

    @property
    def stated_terms(self) -> StatedTerms:
        """The typed terms as the use case takes them."""
        return {
            "check_in_time": self.checkInTime.data,
            "check_out_time": self.checkOutTime.data,
            "release_minutes": self.releaseMinutes.data,
            "codes_need_register": self.codesNeedRegister.data,
            "wants_passport_copy": self.wantsPassportCopy.data,
            "register_fields": self.registerFields.data or [],
            "register_kept_years": self.registerKeptYears.data,
            "rules_ja": self.rulesJa.data,
            "rules_en": self.rulesEn.data,
        }


@dashboard.get("/settings/stays", roles=OPERATOR)
def stay_terms() -> Response:
    """Show the form of the terms."""
    terms = stays.stay_terms(reading())
    return _render_terms(Edit.of(StayTermsForm.of(terms), terms.version))


@dashboard.post("/settings/stays", roles=OPERATOR)
def set_stay_terms() -> Response:
    """Write the terms; they apply to every stay at once."""
    form = StayTermsForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> object:
        terms = stays.stay_terms(work.session)
        now = Edit.of(StayTermsForm.of(terms), terms.version)
        typed.merge(work, now, subject=("workspace", current_member().workspace_id))
        return stays.set_stay_terms(work, **form.stated_terms)

    return submitted(
        form,
        act,
        then=lambda _terms: go(url_for("dashboard.stay_terms"), message=typed.message(_("Saved."))),
        again=lambda: _render_terms(typed),
    )


def _render_terms(edit: Edit) -> Response:
    return page("dashboard/stay_terms/terms.html", form=edit.form, edit=edit)
