"""Settings of a workspace: name, logo, policy."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar, Unpack
from unicodedata import category, normalize

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference, of_workspace, set_columns
from pms.foundation.errors import Refused, whole_number
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work, refuse_other_version
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Locale
from pms.rules.invoices import is_invoice_number
from pms.workspaces.models import PolicyRow, Workspace
from pms.workspaces.slugs import check_workspace_slug, hold_slug, slug_is_taken

if TYPE_CHECKING:
    pass


MOST_OF_A_NAME: Final = 100
MOST_OF_AN_ADDRESS: Final = 200
MOST_OF_BANK_DETAILS: Final = 500
HUES: Final = 360
_POSTCODE: Final = re.compile(r"〒? ?(\d{3})-?(\d{4})")
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")


def check_facts(stated: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stated facts that differ from before; raise `Refused` for an invalid one.

    Unchanged facts are not validated again.
    """
    changed = {name: value for name, value in stated.items() if value != before[name]}
    return {name: _CHECKS[name](value) for name, value in changed.items()}


def _check_name(value: str) -> str:
    name = _check_line("name", value, MOST_OF_A_NAME)
    if name is None:
        raise Refused("name: enter the name of the company.")
    return name


def _check_locale(value: str) -> str:
    if value not in list(Locale):
        raise Refused(
            "defaultLocale: '{given}' is not possible. Choose ja or en.", given=str(value)[:20]
        )
    return Locale(value).value


def _check_hue(value: int) -> int:
    if type(value) is not int or not 0 <= value < HUES:
        raise Refused(
            "brandHue: '{given}' is not a hue. Enter whole degrees from 0 to {most}.",
            given=str(value)[:20],
            most=HUES - 1,
        )
    return value


def check_invoice_number(value: str | None) -> str | None:
    """Return a registration number in its usual form; raise `Refused` for one that is none."""
    text = _check_line("qualifiedInvoiceNumber", value, MOST_OF_A_NAME)
    if text is None:
        return None
    number = normalize("NFKC", text).translate(_DASHES).replace("-", "").replace(" ", "").upper()
    if not is_invoice_number(number):
        raise Refused(
            "qualifiedInvoiceNumber: '{number}' is not a valid registration number. Check T "
            "and the 13 digits.",
            number=text[:40],
        )
    return number


def _check_postcode(value: str | None) -> str | None:
    text = _check_line("postcode", value, MOST_OF_A_NAME)
    if text is None:
        return None
    found = _POSTCODE.fullmatch(normalize("NFKC", text).translate(_DASHES))
    if found is None:
        raise Refused("postcode: '{given}' is not a postcode of seven digits.", given=text[:20])
    return f"{found[1]}-{found[2]}"


def _check_line(field: str, value: str | None, longest: int) -> str | None:
    return check_plain_text(field, None if value is None else " ".join(value.split()), longest)


def check_plain_text(field: str, value: str | None, longest: int) -> str | None:
    """Return a text of one or more lines without surrounding blanks; `None` for an empty one."""
    text = normalize("NFC", (value or "").replace("\r\n", "\n")).strip()
    if any(category(letter) in {"Cc", "Cs"} and letter != "\n" for letter in text):
        raise Refused(
            "{field}: this contains a character that cannot be used. Type it again.", field=field
        )
    if len(text) > longest:
        raise Refused(
            "{field}: this has {found_characters} characters. Enter at most {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=longest,
        )
    return text or None


_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "name": _check_name,
    "name_en": lambda value: _check_line("nameEn", value, MOST_OF_A_NAME),
    "slug": check_workspace_slug,
    "default_locale": _check_locale,
    "brand_hue": _check_hue,
    "qualified_invoice_number": check_invoice_number,
    "bank_details": lambda value: check_plain_text("bankDetails", value, MOST_OF_BANK_DETAILS),
    "postcode": _check_postcode,
    "address": lambda value: _check_line("address", value, MOST_OF_AN_ADDRESS),
}


Editable = TypeVar("Editable", Workspace, PolicyRow)


def workspace_to_edit(session: Session, version: int | None = None) -> Workspace:
    """Return the session's workspace, locked; raise `Collision` for an outdated version."""
    found = session.scalars(
        select(Workspace)
        .where(Workspace.id == workspace_of(session))
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).one()
    return as_seen(found, version)


def policy_to_edit(session: Session, version: int | None = None) -> PolicyRow:
    """Return the workspace's policy, locked; the defaults are inserted when it set none."""
    workspace_to_edit(session)
    found = session.scalars(
        select(PolicyRow).with_for_update(key_share=True).execution_options(populate_existing=True)
    ).one_or_none()
    if found is None:
        workspace_id = workspace_of(session)
        found = PolicyRow(workspace_id=workspace_id, id=workspace_id)
        session.add(found)
        session.flush()
    return as_seen(found, version)


def as_seen(row: Editable, version: int | None) -> Editable:
    """Return the row; raise `Collision` when its version is not the expected one."""
    refuse_other_version(row, version)
    return row


class WorkspaceFacts(TypedDict, total=False):
    """A workspace's facts; those left out stay unchanged."""

    name: str
    name_en: str | None
    slug: str
    default_locale: Locale
    brand_hue: int
    qualified_invoice_number: str | None
    bank_details: str | None
    postcode: str | None
    address: str | None


def describe_workspace(
    work: Work, *, expected_version: int | None = None, **stated: Unpack[WorkspaceFacts]
) -> Workspace:
    """Set facts of the session's workspace; issued documents keep those of their day.

    Addresses with a former short name lead to the new one for ever. Raises `Refused` naming the
    invalid fact, and `Collision` for an outdated version or a short name that is taken.
    """
    row = workspace_to_edit(work.session, expected_version)
    before = {name: getattr(row, name) for name in stated}
    after = check_facts(stated, before)
    if before != before | after:
        about = of_workspace(work.session)
        if "slug" in after:
            _take_slug(work, row, after.pop("slug"))
        set_columns(work, AuditEvent.WORKSPACE_DESCRIBED, row, after, about=about)
    return row


def _take_slug(work: Work, row: Workspace, slug: str) -> None:
    """Give the workspace another short name; the former one stays its own."""
    before = row.slug
    hold_slug(work.session, work.clock, row.id, before)
    hold_slug(work.session, work.clock, row.id, slug)
    row.slug = slug
    try:
        work.session.flush()
    except IntegrityError as taken:
        raise slug_is_taken(slug) from taken
    note_difference(
        work,
        AuditEvent.WORKSPACE_DESCRIBED,
        of_workspace(work.session),
        before={"short_name": before},
        after={"short_name": slug},
    )


def set_logo(work: Work, *, file_key: str | None, expected_version: int | None = None) -> Workspace:
    """Set the logo to a picture that `store_logo` stored, or remove it.

    Raises `Collision` for an outdated version.
    """
    row = workspace_to_edit(work.session, expected_version)
    before = {"logo_file_key": row.logo_file_key}
    after = {"logo_file_key": file_key}
    if before != after:
        row.logo_file_key = file_key
        row.version += 1
        about = of_workspace(work.session)
        note_difference(work, AuditEvent.WORKSPACE_DESCRIBED, about, before=before, after=after)
        work.session.flush()
    return row


DAYS: Final = {
    "short_contract_days": ("shortContractDays", 1, 366),
    "short_notice_days": ("shortNoticeDays", 0, 366),
    "long_notice_days": ("longNoticeDays", 0, 366),
    "billing_day": ("billingDay", 1, 31),
    "turnover_days": ("turnoverDays", 0, 90),
    "longest_guest_stay": ("longestGuestStay", 1, 366),
    "objection_days": ("objectionDays", 0, 90),
    "term_lead_days": ("termLeadDays", 1, 730),
    "short_term_lead_days": ("shortTermLeadDays", 1, 366),
    "quiet_from_hour": ("quietFromHour", 0, 23),
    "quiet_until_hour": ("quietUntilHour", 0, 23),
    "expiry_reminder_days": ("expiryReminderDays", 1, 366),
}
"""The policy figures in whole days, nights or hours: name, field, and allowed range."""
MOST_MONTHS: Final = Decimal(12)
_CHOICES: Final = frozenset(
    {"full_calendar_month_is_long", "overpayments_pay_next_bills"}
    | {"explanation_by_person", "screening_before_contract", "declined_rent_stays"}
)


class PolicyFigures(TypedDict, total=False):
    """The figures of `pms.rules.policy.Policy`; those left out stay unchanged."""

    full_calendar_month_is_long: bool
    short_contract_days: int
    short_notice_days: int
    long_notice_days: int
    early_exit_cap_months: Decimal
    billing_day: int
    turnover_days: int
    longest_guest_stay: int
    term_lead_days: int
    short_term_lead_days: int
    overpayments_pay_next_bills: bool
    objection_days: int
    expiry_reminder_days: int
    explanation_by_person: bool
    screening_before_contract: bool
    quiet_from_hour: int
    quiet_until_hour: int
    declined_rent_stays: bool


def set_policy(
    work: Work, *, expected_version: int | None = None, **stated: Unpack[PolicyFigures]
) -> PolicyRow:
    """Set figures that apply from now on; what was issued or filed is unchanged.

    Raises `Refused` for a figure out of its range, and `Collision` for an outdated version.
    """
    row = policy_to_edit(work.session, expected_version)
    before = {name: getattr(row, name) for name in stated}
    after = {name: _check_value(name, value) for name, value in stated.items()}
    if before != after:
        about = of_workspace(work.session)
        set_columns(work, AuditEvent.POLICY_SET, row, after, about=about)
    return row


def _check_value(name: str, value: Any) -> bool | int | Decimal:
    if name in _CHOICES:
        return bool(value)
    if name == "early_exit_cap_months":
        return _check_months(value)
    field, least, most = DAYS[name]
    return whole_number(field, value, least, most)


def _check_months(value: Any) -> Decimal:
    months = Decimal(value) if isinstance(value, Decimal | int) else None
    # Parts of a month are agreed in tenths or quarters; more digits are a typing error.
    is_sound = months is not None and months.is_finite() and 0 <= months <= MOST_MONTHS
    if months is None or not is_sound or months != round(months, 2):
        raise Refused(
            "earlyExitCapMonths: '{given}' is not possible. Enter 0 to {most} with at most two "
            "decimals.",
            given=str(value)[:20],
            most=MOST_MONTHS,
        )
    return months
