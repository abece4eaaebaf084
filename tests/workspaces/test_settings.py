"""A workspace says what it is called and which figures count; each slip is named by its field."""

import io
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from PIL import Image

from pms.foundation.audit import RecordedEvent, audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, Refused
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Locale
from pms.rules.policy import DEFAULT_POLICY
from pms.workspaces.logos import store_logo
from pms.workspaces.new_workspaces import open_workspace
from pms.workspaces.queries import branding, policy
from pms.workspaces.settings import describe_workspace, set_logo, set_policy

NUMBER = "T7000012050002"


class Operator:
    """Somebody who sets up one of two workspaces."""

    def __init__(self, database: Database, clock: FixedClock) -> None:
        self.database, self.clock = database, clock
        with database.across_workspaces_writing() as session:
            self.id = open_workspace(session, clock, slug="midori", name="みどり")
            self.other_id = open_workspace(session, clock, slug="kaze", name="かぜ")

    def do(self, audit_event: Callable[..., Any], *more: Any, **facts: Any) -> Any:
        with self.database.writing(self.id) as session:
            return audit_event(Work(session, self.clock, "person/1"), *more, **facts)

    def ask(self, question: Callable[..., Any], workspace_id: str | None = None) -> Any:
        with self.database.reading(workspace_id or self.id) as session:
            return question(session)

    def noted(self) -> list[RecordedEvent]:
        return list(self.ask(audit_events).audit_events)


@pytest.fixture
def operator(database: Database, clock: FixedClock) -> Operator:
    return Operator(database, clock)


def test_every_fact_of_a_workspace_can_be_said(operator: Operator) -> None:
    row = operator.do(
        describe_workspace,
        name=" みどりリビング ",
        name_en="Midori Living",
        default_locale=Locale.EN,
        brand_hue=120,
        qualified_invoice_number="ｔ7000-0120-50002",
        bank_details="みどり野銀行\r\n普通 0021788",
        postcode="〒１３１ー００３２",
        address="東京都墨田区東向島1-1",
    )
    assert (row.name, row.name_en, row.default_locale) == ("みどりリビング", "Midori Living", "en")
    assert row.qualified_invoice_number == NUMBER
    assert row.bank_details == "みどり野銀行\n普通 0021788"
    assert (row.postcode, row.address) == ("131-0032", "東京都墨田区東向島1-1")
    assert (row.brand_hue, row.version) == (120, 2)
    assert operator.ask(branding).name.en == "Midori Living"
    assert operator.ask(branding, operator.other_id).name.ja == "かぜ"


def test_what_is_left_out_stays_and_what_does_not_change_is_no_audit_event(
    operator: Operator,
) -> None:
    operator.do(describe_workspace, name_en="Midori", address="東京都")
    row = operator.do(describe_workspace, name="みどり", name_en=" Midori ")
    assert (row.name_en, row.address, row.version) == ("Midori", "東京都", 2)
    (audit_event,) = operator.noted()
    assert audit_event.audit_event == "workspace.described"
    assert audit_event.after == {"name_en": "Midori", "address": "東京都"}


def test_a_fact_is_taken_back_by_an_empty_one(operator: Operator) -> None:
    operator.do(describe_workspace, qualified_invoice_number=NUMBER, postcode="131-0032")
    row = operator.do(describe_workspace, qualified_invoice_number=" ", postcode=None)
    assert (row.qualified_invoice_number, row.postcode) == (None, None)


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name_en": "a\x00b"}, "nameEn"),
        ({"default_locale": "fr"}, "defaultLocale"),
        ({"brand_hue": 360}, "brandHue"),
        ({"brand_hue": True}, "brandHue"),
        ({"qualified_invoice_number": "T1000012050002"}, "qualifiedInvoiceNumber"),
        ({"qualified_invoice_number": "T700001205000"}, "qualifiedInvoiceNumber"),
        ({"bank_details": "x" * 501}, "bankDetails"),
        ({"postcode": "131"}, "postcode"),
        ({"address": "x" * 201}, "address"),
    ],
)
def test_an_unsound_fact_is_refused_by_its_field(
    operator: Operator, facts: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        operator.do(describe_workspace, **facts)
    assert refusal.value.field == field
    assert not operator.noted()


def test_every_figure_of_the_policy_can_be_set(operator: Operator) -> None:
    figures = {
        "full_calendar_month_is_long": False,
        "short_contract_days": 90,
        "short_notice_days": 10,
        "long_notice_days": 60,
        "early_exit_cap_months": Decimal("1.5"),
        "billing_day": 20,
        "turnover_days": 3,
        "longest_guest_stay": 90,
        "term_lead_days": 300,
        "short_term_lead_days": 60,
        "overpayments_pay_next_bills": True,
        "objection_days": 21,
        "expiry_reminder_days": 45,
    }
    row = operator.do(set_policy, **figures)
    assert row.version == 2
    found = operator.ask(policy)
    assert {name: getattr(found, name) for name in figures} == figures
    assert operator.ask(policy, operator.other_id) == DEFAULT_POLICY
    (audit_event,) = operator.noted()
    assert (
        audit_event.audit_event,
        audit_event.before["billing_day"],
        audit_event.after["billing_day"],
    ) == (
        "policy.set",
        25,
        20,
    )


def test_a_figure_set_to_what_it_is_is_no_audit_event(operator: Operator) -> None:
    assert operator.do(set_policy, billing_day=25).version == 1
    assert not operator.noted()


@pytest.mark.parametrize(
    ("figure", "value", "field"),
    [
        ("short_contract_days", 0, "shortContractDays"),
        ("short_notice_days", -1, "shortNoticeDays"),
        ("long_notice_days", 367, "longNoticeDays"),
        ("billing_day", 32, "billingDay"),
        ("billing_day", True, "billingDay"),
        ("turnover_days", 91, "turnoverDays"),
        ("longest_guest_stay", 0, "longestGuestStay"),
        ("objection_days", 91, "objectionDays"),
        ("expiry_reminder_days", 367, "expiryReminderDays"),
        ("term_lead_days", 731, "termLeadDays"),
        ("short_term_lead_days", 0, "shortTermLeadDays"),
        ("early_exit_cap_months", Decimal("12.01"), "earlyExitCapMonths"),
        ("early_exit_cap_months", Decimal("0.125"), "earlyExitCapMonths"),
        ("early_exit_cap_months", Decimal("NaN"), "earlyExitCapMonths"),
        ("early_exit_cap_months", 1.5, "earlyExitCapMonths"),
    ],
)
def test_a_figure_out_of_its_range_is_refused_by_its_field(
    operator: Operator, figure: str, value: Any, field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        operator.do(set_policy, **{figure: value})
    assert refusal.value.field == field
    assert operator.ask(policy) == DEFAULT_POLICY


def test_who_saw_an_earlier_version_is_told(operator: Operator) -> None:
    operator.do(set_policy, billing_day=20, expected_version=1)
    operator.do(describe_workspace, name_en="Midori", expected_version=1)
    for audit_event, facts in (
        (set_policy, {"billing_day": 21}),
        (describe_workspace, {"name": "緑"}),
    ):
        with pytest.raises(Collision, match=r"opened it \(version 1, now 2\)"):
            operator.do(audit_event, expected_version=1, **facts)


def drawn(kind: str, size: tuple[int, int]) -> bytes:
    buffer = io.BytesIO()
    mode = "RGB" if kind == "JPEG" else "RGBA"
    Image.new(mode, size, "green").save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_logo_is_stored_small_and_taken_away(
    operator: Operator, settings: Settings, kind: str
) -> None:
    files = Files(settings)
    row = operator.do(set_logo, file_key=store_logo(drawn(kind, (1_600, 400)), files))
    stored = files.get(row.logo_file_key)
    assert stored is not None
    with Image.open(io.BytesIO(stored)) as picture:
        assert (picture.format, picture.size) == ("WEBP", (640, 160))
    again = operator.do(set_logo, file_key=store_logo(drawn(kind, (1_600, 400)), files))
    assert again.version == 2
    assert operator.do(set_logo, file_key=None).logo_file_key is None


@pytest.mark.parametrize(
    "content",
    [b"", b"<svg/>", drawn("PNG", (31, 200)), drawn("PNG", (64, 64))[:60], b"x" * 2_097_153],
    ids=["nothing", "a drawing", "too small", "damaged", "too large"],
)
def test_what_is_no_sound_logo_is_refused(settings: Settings, content: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        store_logo(content, Files(settings))
    assert refusal.value.field == "logo"
