"""Every component of the pages in every state, for developers and for the tests."""

from typing import Final, NamedTuple

from flask import Response
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import FileField

from pms.foundation.lists import Paging
from pms.surfaces.dashboard.gate import EVERYBODY, dashboard
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    FlagField,
    KanaField,
    LongTextField,
    ManyField,
    Optional,
    PercentField,
    PickField,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.hypermedia import Undo, page
from pms.surfaces.request_scope import today


class SpecimenRun(NamedTuple):
    """A long-running job at one point of its progress."""

    done: int
    total: int
    problems: int = 0
    finished_at: str | None = None
    failure: str | None = None


MONTHS: Final = tuple(
    (str(number), (income, cost))
    for number, income, cost in (
        (12, 8_420_000, 3_110_000),
        (1, 8_610_000, 3_050_000),
        (2, 8_590_000, 4_900_000),
        (3, 9_240_000, 3_700_000),
        (4, 9_310_000, 3_260_000),
        (5, 9_180_000, 3_190_000),
        (6, 8_870_000, 9_420_000),
        (7, 8_930_000, 3_300_000),
        (8, 9_020_000, 3_280_000),
        (9, 9_400_000, 3_410_000),
        (10, 9_550_000, 3_390_000),
        (11, 9_610_000, 3_520_000),
    )
)
RESULT: Final = tuple(income - cost for _, (income, cost) in MONTHS)
OCCUPANCY: Final = tuple(
    (label, share)
    for (label, _), share in zip(
        MONTHS, (88, 89, 91, 96, 95, 93, 92, 90, 91, 94, 95, 97), strict=True
    )
)
RUNS: Final = (
    SpecimenRun(done=214, total=1_000, problems=3),
    SpecimenRun(done=0, total=0),
    SpecimenRun(done=1_000, total=1_000, finished_at="now"),
    SpecimenRun(done=1_000, total=1_000, problems=1, finished_at="now"),
    SpecimenRun(done=430, total=1_000, failure="The mail server refuses to take any more."),
)


_REASONS = [
    ("work", lazy_gettext("New work in another city")),
    ("home", lazy_gettext("Bought a home")),
    ("other", lazy_gettext("Another reason")),
]


class SpecimenForm(FlaskForm):
    """A form that shows the kinds of fields; it is never sent."""

    name = TextField(lazy_gettext("Name"), [Required()], render_kw={"autocomplete": "name"})
    kana = KanaField(lazy_gettext("Reading of the name"), [Optional()])
    email = EmailField(lazy_gettext("Email"), [Required()], render_kw={"autocomplete": "email"})
    amountYen = YenField(lazy_gettext("Amount in yen"), [Required()])
    moveOutDate = DayField(lazy_gettext("Last day"), [Required()])
    code = TextField(lazy_gettext("Code from the email"), [Required()])
    guests = WholeNumberField(lazy_gettext("Guests"), [Optional()], least=1, most=9)
    percent = PercentField(lazy_gettext("Share in percent"), [Optional()])
    building = ChoiceField(
        lazy_gettext("Building"),
        [Required()],
        choices=[("", lazy_gettext("Choose")), ("a", "Fuji House"), ("b", "Sumida")],
    )
    reason = PickField(lazy_gettext("Reason"), [Required()], choices=_REASONS)
    days = ManyField(
        lazy_gettext("Days"),
        [Optional()],
        choices=[("sat", lazy_gettext("Saturday")), ("sun", lazy_gettext("Sunday"))],
    )
    note = LongTextField(lazy_gettext("Note"), [Optional()])
    photo = FileField(lazy_gettext("Photo"), [Optional()])
    mayEnter = FlagField(lazy_gettext("You may enter when no one is at home"))


_REFUSED = {
    "name": "",
    "amountYen": "86,00.5",
    "moveOutDate": "2026-13-40",
    "code": "12 34",
    "percent": "140",
    "building": "nowhere",
    "reason": "nothing",
}


@dashboard.get("/gallery", roles=EVERYBODY)
def gallery() -> Response:
    """Show every component in every state."""
    refused = SpecimenForm(MultiDict(_REFUSED))
    refused.validate()
    refused.form_errors.append(_("The unit was let to someone else a moment ago."))
    filled = SpecimenForm(data={"amountYen": 93_000, "moveOutDate": today(), "reason": "work"})
    return page(
        "dashboard/gallery/page.html",
        empty_form=SpecimenForm(prefix="empty-"),
        filled_form=filled,
        refused_form=refused,
        runs=RUNS,
        paging=Paging(page=3, limit=50),
        undo=Undo(action="#", fields={"version": "3"}),
        on=today(),
    )


@dashboard.get("/gallery/charts", roles=EVERYBODY)
def gallery_charts() -> Response:
    """Show the charts: a stylesheet of their own keeps that of the other pages small."""
    return page(
        "dashboard/gallery/pictures.html", months=MONTHS, result=RESULT, occupancy=OCCUPANCY
    )
