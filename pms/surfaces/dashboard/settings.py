"""The workspace's settings: its facts, its logo, its policy and its rules of sign-in."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final, Self

from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import FileField

from pms.access import members, sign_in_events
from pms.access.sign_in_events import IDLE_MINUTES, KEPT_DAYS, SignInRules, StatedRules
from pms.foundation.work import Work
from pms.rules.brand_colour import contrast_with_white
from pms.rules.enumerations import Locale
from pms.rules.policy import Policy
from pms.surfaces.dashboard.gate import (
    EVERYBODY,
    LOGO_BYTES,
    OPERATOR,
    current_member,
    dashboard,
    reading,
)
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    DayField,
    FlagField,
    LongTextField,
    Optional,
    PercentField,
    PickField,
    Printable,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import files
from pms.workspaces import logos, queries
from pms.workspaces import settings as workspaces_settings
from pms.workspaces.queries import SettingsRecord
from pms.workspaces.settings import DAYS, PolicyFigures, WorkspaceFacts


def _build_days_field(name: str, label: object) -> WholeNumberField:
    _field, least, most = DAYS[name]
    return WholeNumberField(label, [Required()], least=least, most=most)


class PolicyForm(FlaskForm):
    """The policy figures that a workspace may set."""

    shortContractDays = _build_days_field(
        "short_contract_days", lazy_gettext("Longest short contract (days)")
    )
    shortNoticeDays = _build_days_field(
        "short_notice_days", lazy_gettext("Notice for a short contract (days)")
    )
    longNoticeDays = _build_days_field(
        "long_notice_days", lazy_gettext("Notice for a long contract (days)")
    )
    fullCalendarMonthIsLong = FlagField(
        lazy_gettext("A contract over a whole calendar month is a long one")
    )
    earlyExitCapMonths = PercentField(
        lazy_gettext("Early-departure charge at most (months of rent)"), [Required()]
    )
    billingDay = _build_days_field("billing_day", lazy_gettext("Billing day of the month"))
    turnoverDays = _build_days_field("turnover_days", lazy_gettext("Days between tenancies"))
    longestGuestStay = _build_days_field(
        "longest_guest_stay", lazy_gettext("Longest stay of a guest (nights)")
    )
    termLeadDays = _build_days_field(
        "term_lead_days", lazy_gettext("Reminder of the end of a term of a year or longer (days)")
    )
    shortTermLeadDays = _build_days_field(
        "short_term_lead_days", lazy_gettext("Reminder of the end of a shorter term (days)")
    )
    expiryReminderDays = _build_days_field(
        "expiry_reminder_days", lazy_gettext("Reminder of expiring cards and guarantees (days)")
    )
    quietFromHour = _build_days_field(
        "quiet_from_hour", lazy_gettext("Notifications wait from (hour, Japan time)")
    )
    quietUntilHour = _build_days_field(
        "quiet_until_hour", lazy_gettext("Notifications wait until (hour, Japan time)")
    )
    overpaymentsPayNextBills = FlagField(
        lazy_gettext("Apply overpayments to open bills when billing")
    )
    explanationByPerson = FlagField(lazy_gettext("Staff explain a fixed term before it is signed"))
    screeningBeforeContract = FlagField(lazy_gettext("Approve applicants before their contract"))
    declinedRentStays = FlagField(lazy_gettext("A declined rent proposal leaves the rent as it is"))

    @classmethod
    def of(cls, policy: Policy) -> Self:
        """Return the form filled with the figures."""
        return cls(
            formdata=None,
            shortContractDays=policy.short_contract_days,
            shortNoticeDays=policy.short_notice_days,
            longNoticeDays=policy.long_notice_days,
            fullCalendarMonthIsLong=policy.full_calendar_month_is_long,
            earlyExitCapMonths=Decimal(
                format(Decimal(policy.early_exit_cap_months).normalize(), "f")
            ),
            billingDay=policy.billing_day,
            turnoverDays=policy.turnover_days,
            longestGuestStay=policy.longest_guest_stay,
            termLeadDays=policy.term_lead_days,
            shortTermLeadDays=policy.short_term_lead_days,
            quietFromHour=policy.quiet_from_hour,
            quietUntilHour=policy.quiet_until_hour,
            expiryReminderDays=policy.expiry_reminder_days,
            overpaymentsPayNextBills=policy.overpayments_pay_next_bills,
            explanationByPerson=policy.explanation_by_person,
            screeningBeforeContract=policy.screening_before_contract,
            declinedRentStays=policy.declined_rent_stays,
        )

    @property
    def figures(self) -> PolicyFigures:
        """The typed figures as the use case takes them."""
        return {
            "full_calendar_month_is_long": self.fullCalendarMonthIsLong.data,
            "short_contract_days": self.shortContractDays.data,
            "short_notice_days": self.shortNoticeDays.data,
            "long_notice_days": self.longNoticeDays.data,
            "early_exit_cap_months": Decimal(self.earlyExitCapMonths.data),
            "billing_day": self.billingDay.data,
            "turnover_days": self.turnoverDays.data,
            "longest_guest_stay": self.longestGuestStay.data,
            "term_lead_days": self.termLeadDays.data,
            "short_term_lead_days": self.shortTermLeadDays.data,
            "quiet_from_hour": self.quietFromHour.data,
            "quiet_until_hour": self.quietUntilHour.data,
            "expiry_reminder_days": self.expiryReminderDays.data,
            "overpayments_pay_next_bills": self.overpaymentsPayNextBills.data,
            "explanation_by_person": self.explanationByPerson.data,
            "screening_before_contract": self.screeningBeforeContract.data,
            "declined_rent_stays": self.declinedRentStays.data,
        }


@dashboard.get("/settings/figures", roles=OPERATOR)
def policy() -> Response:
    """Show the form of the figures."""
    record = queries.settings_record(reading())
    return _render_policy(Edit.of(PolicyForm.of(record.policy), record.policy_version))


@dashboard.post("/settings/figures", roles=OPERATOR)
def set_policy() -> Response:
    """Write the figures; earlier bills and notices keep theirs."""
    form = PolicyForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> object:
        record = queries.settings_record(work.session)
        now = Edit.of(PolicyForm.of(record.policy), record.policy_version)
        typed.merge(work, now, subject=("workspace", current_member().workspace_id))
        return workspaces_settings.set_policy(work, **form.figures)

    return submitted(
        form,
        act,
        then=lambda _row: go(url_for("dashboard.policy"), message=typed.message(_("Saved."))),
        again=lambda: _render_policy(typed),
    )


def _render_policy(edit: Edit) -> Response:
    return page("dashboard/settings/policy.html", form=edit.form, edit=edit)


class SignInPolicyForm(FlaskForm):
    """The day a second factor is required from, the inactivity limit, and the retention in days."""

    factorRequiredOn = DayField(lazy_gettext("Two-step sign-in required from"), [Optional()])
    idleMinutes = WholeNumberField(
        lazy_gettext("Sign out after inactivity (minutes)"),
        [Optional()],
        least=IDLE_MINUTES[0],
        most=IDLE_MINUTES[1],
    )
    keptDays = WholeNumberField(
        lazy_gettext("Keep sign-ins for (days)"),
        [Required()],
        least=KEPT_DAYS[0],
        most=KEPT_DAYS[1],
    )

    @classmethod
    def of(cls, rules: SignInRules) -> Self:
        """Return the form filled with the rules."""
        return cls(
            formdata=None,
            factorRequiredOn=rules.factor_required_on,
            idleMinutes=rules.idle_minutes,
            keptDays=rules.kept_days,
        )

    @property
    def stated_rules(self) -> StatedRules:
        """The typed rules as the use case takes them."""
        return {
            "factor_required_on": self.factorRequiredOn.data,
            "idle_minutes": self.idleMinutes.data,
            "kept_days": self.keptDays.data,
        }


@dashboard.get("/settings/sign-in", roles=OPERATOR)
def sign_in_rules() -> Response:
    """Show the form of the rules."""
    rules = sign_in_events.sign_in_policy(reading())
    return _render_sign_in(Edit.of(SignInPolicyForm.of(rules), rules.version))


@dashboard.post("/settings/sign-in", roles=OPERATOR)
def set_sign_in_rules() -> Response:
    """Write the rules; they apply from the next request of every member."""
    form = SignInPolicyForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> object:
        rules = sign_in_events.sign_in_policy(work.session)
        now = Edit.of(SignInPolicyForm.of(rules), rules.version)
        typed.merge(work, now, subject=("workspace", current_member().workspace_id))
        return sign_in_events.set_sign_in_policy(work, **form.stated_rules)

    return submitted(
        form,
        act,
        then=lambda _rules: go(
            url_for("dashboard.sign_in_rules"), message=typed.message(_("Saved."))
        ),
        again=lambda: _render_sign_in(typed),
    )


def _render_sign_in(edit: Edit) -> Response:
    without = [member.name for member in members.members(reading()) if not member.has_second_factor]
    return page("dashboard/settings/sign_in.html", form=edit.form, edit=edit, without=without)


class LogoForm(FlaskForm):
    """The picture of the logo; none removes the logo."""

    logo = FileField(lazy_gettext("Picture"))


@dashboard.get("/settings/logo", roles=OPERATOR)
def settings_logo() -> Response:
    """Show the logo and the form to change it."""
    return _render_logo(LogoForm())


@dashboard.post("/settings/logo", roles=OPERATOR, most_bytes=LOGO_BYTES)
def set_logo() -> Response:
    """Store the sent picture, or remove the logo."""
    form = LogoForm(formdata=None)
    sent = request.files.get("logo")
    is_removal = "removal" in request.form
    stored: list[str] = []

    def prepare() -> None:
        if not is_removal:
            stored.append(logos.store_logo(sent.read() if sent else b"", files()))

    return submitted(
        form,
        prepare=prepare,
        act=lambda work: workspaces_settings.set_logo(work, file_key=next(iter(stored), None)),
        then=lambda _row: go(url_for("dashboard.settings_logo"), message=_("Saved.")),
        again=lambda: _render_logo(form),
    )


@dashboard.get("/logo/<digest>", roles=EVERYBODY)
def logo(digest: str) -> Response:
    """Give the logo; its address changes with its content, so it may be cached."""
    key = current_member().logo_file_key
    if key is None or not key.startswith(digest):
        abort(404)
    content = files().get(key) or abort(404)
    response = Response(content, mimetype="image/webp")
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


def _render_logo(form: LogoForm) -> Response:
    record = queries.settings_record(reading())
    return page("dashboard/settings/logo.html", form=form, logo_file_key=record.logo_file_key)


class WorkspaceForm(FlaskForm):
    """The names, the language, the colour, and the facts on documents."""

    name = TextField(lazy_gettext("Name"), [Required(), Printable()])
    nameEn = TextField(lazy_gettext("Name in English"), [Optional(), Printable()])
    slug = TextField(lazy_gettext("Short name in addresses"), [Required()])
    defaultLocale = PickField(lazy_gettext("Default language"), [Required()])
    brandHue = WholeNumberField(lazy_gettext("Colour"), [Required()], most=359)
    qualifiedInvoiceNumber = TextField(lazy_gettext("Qualified invoice number"), [Optional()])
    postcode = TextField(lazy_gettext("Postcode"), [Optional()])
    address = TextField(lazy_gettext("Postal address"), [Optional(), Printable()])
    bankDetails = LongTextField(lazy_gettext("Bank details on invoices"), [Optional(), Printable()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.defaultLocale.choices = choices(Locale)

    @classmethod
    def of(cls, record: SettingsRecord) -> Self:
        """Return the form filled with a workspace."""
        return cls(
            formdata=None,
            name=record.name,
            nameEn=record.name_en,
            slug=record.slug,
            defaultLocale=record.default_locale,
            brandHue=record.brand_hue,
            qualifiedInvoiceNumber=record.qualified_invoice_number,
            postcode=record.postcode,
            address=record.address,
            bankDetails=record.bank_details,
        )

    @property
    def facts(self) -> WorkspaceFacts:
        """The typed facts as the use case takes them."""
        return {
            "name": self.name.data or "",
            "name_en": self.nameEn.data,
            "slug": self.slug.data or "",
            "default_locale": Locale(self.defaultLocale.data),
            "brand_hue": self.brandHue.data,
            "qualified_invoice_number": self.qualifiedInvoiceNumber.data,
            "postcode": self.postcode.data,
            "address": self.address.data,
            "bank_details": self.bankDetails.data,
        }


_HUES: Final = (
    (0, lazy_gettext("Pink")),
    (30, lazy_gettext("Red")),
    (50, lazy_gettext("Orange")),
    (70, lazy_gettext("Brown")),
    (100, lazy_gettext("Olive")),
    (130, lazy_gettext("Leaf green")),
    (150, lazy_gettext("Green")),
    (180, lazy_gettext("Teal")),
    (210, lazy_gettext("Cyan")),
    (250, lazy_gettext("Blue")),
    (280, lazy_gettext("Indigo")),
    (300, lazy_gettext("Violet")),
    (330, lazy_gettext("Plum")),
)


def _list_hues(current: object) -> Sequence[tuple[int, str, str]]:
    """Return the hues with name and contrast; a current one that is not listed comes first."""
    known = {hue: str(name) for hue, name in _HUES}
    if isinstance(current, int) and current not in known:
        known = {current: _("Current colour"), **known}
    return [(hue, name, f"{contrast_with_white(hue):.1f}") for hue, name in known.items()]


@dashboard.get("/settings", roles=OPERATOR)
def settings() -> Response:
    """Show the form of the workspace's facts."""
    record = queries.settings_record(reading())
    return _render_workspace(Edit.of(WorkspaceForm.of(record), record.version))


@dashboard.post("/settings", roles=OPERATOR)
def describe_workspace() -> Response:
    """Save the workspace's facts."""
    form = WorkspaceForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> str:
        record = queries.settings_record(work.session)
        now = Edit.of(WorkspaceForm.of(record), record.version)
        typed.merge(work, now, subject=("workspace", current_member().workspace_id))
        described = workspaces_settings.describe_workspace(
            work, expected_version=record.version, **form.facts
        )
        return described.slug

    return submitted(
        form,
        act,
        then=lambda slug: go(
            url_for("dashboard.settings", workspace=slug), message=typed.message(_("Saved."))
        ),
        again=lambda: _render_workspace(typed),
    )


def _render_workspace(edit: Edit) -> Response:
    hues = _list_hues(edit.form["brandHue"].data)
    return page("dashboard/settings/workspace.html", form=edit.form, edit=edit, hues=hues)
