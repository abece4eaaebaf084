"""The audit: every audit event in the reader's language, with the values before and after."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from flask import Flask, Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from markupsafe import Markup

from pms.foundation.audit import RecordedEvent, RecordedEvents, Subject, actors, audit_events
from pms.foundation.audit import audit_events as events_of
from pms.foundation.lists import Paging
from pms.reservations import residents
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import (
    BlockSource,
    CheckedRoom,
    DebitOutcome,
    EnquirySource,
    EnquiryState,
    EsignStatus,
    FeeCategory,
    HandbookTopic,
    HoldReason,
    Lifecycle,
    Locale,
    MandateState,
    PaymentStatus,
    PaymentWay,
    ProjectState,
    RequestState,
    ReservationKind,
    RoomVerdict,
    RunKind,
    SheetKind,
    StaffRole,
    TaskKind,
    TaskState,
    TaxTreatment,
    TicketSide,
    TicketState,
    UnitType,
    ViewingStatus,
    WaitlistState,
)
from pms.rules.explanations import ExplanationWay
from pms.rules.management_forms import ManagementForm
from pms.rules.message_words import (
    Channel,
    ConversationState,
    InboundState,
    LeadState,
    SecretPurpose,
    WebhookSource,
)
from pms.rules.open_bills import AmountReason
from pms.rules.payer_search import PayerReason
from pms.rules.retention import KeptBecause
from pms.rules.tax_classes import TaxedItem
from pms.rules.term_endings import NoticeWay, TermAnswer
from pms.rules.transfer_matching import MatchCertainty
from pms.surfaces.dashboard.actor_names import actor_name, learn_resident_names
from pms.surfaces.dashboard.gate import OPERATOR, dashboard, may, reading
from pms.surfaces.fields import ChoiceField, DayField, HiddenField, Optional
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted
from pms.surfaces.hypermedia import csv_answer, page_or_block
from pms.surfaces.labels.audit_events import EVENT_LABELS, event_label, subject_label
from pms.surfaces.labels.audit_facts import fact_label
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import day, instant, month, yen
from pms.surfaces.labels.money import payment_method_label
from pms.surfaces.labels.provider_calls import event_reason_label
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

NOTHING: Final = "–"
SUBJECTS: Final[Mapping[str, str]] = {
    "unit_id": "unit",
    "building_id": "building",
    "building_ids": "building",
    "owner_id": "owner",
    "reservation_id": "reservation",
    "new_reservation_id": "reservation",
}
"""The facts whose value is the id of something with a name."""
_WORDS: Final[Mapping[str, tuple[type[StrEnum], ...]]] = {
    "lifecycle": (Lifecycle,),
    "payment_status": (PaymentStatus,),
    "esign_status": (EsignStatus,),
    "role": (StaffRole,),
    "category": (FeeCategory,),
    "tax_treatment": (TaxTreatment,),
    "item": (TaxedItem,),
    "form": (ManagementForm,),
    "locale": (Locale,),
    "default_locale": (Locale,),
    "kind": (ReservationKind, RunKind, TaskKind, SheetKind),
    "sheet": (SheetKind,),
    "channel": (Channel,),
    "state": (
        TaskState,
        ProjectState,
        RequestState,
        TicketState,
        EnquiryState,
        WaitlistState,
        LeadState,
        ConversationState,
        InboundState,
        MandateState,
    ),
    "hold_reason": (HoldReason,),
    "awaits": (TicketSide,),
    "type": (UnitType,),
    "source": (BlockSource, EnquirySource, WebhookSource),
    "purpose": (SecretPurpose,),
    "verdict": (MatchCertainty,),
    "status": (ViewingStatus,),
    "room": (CheckedRoom,),
    "condition": (RoomVerdict,),
    "way": (ExplanationWay, NoticeWay, PaymentWay),
    "answer": (TermAnswer,),
    "outcome": (DebitOutcome,),
    "visitor_locale": (Locale,),
    "topic": (HandbookTopic,),
    "kept_because": (KeptBecause,),
}
Names = Mapping[Subject, str]


def fact_value(name: str, value: Any, names: Names) -> str:
    """Return a value in the reader's language; days and instants carry machine-readable markup."""
    if value is None or value in ("", []):
        return NOTHING
    if isinstance(value, bool):
        return str(_("Yes") if value else _("No"))
    if isinstance(value, Mapping):
        return ", ".join(
            f"{fact_label(key)} {fact_value(key, part, names)}" for key, part in value.items()
        )
    if isinstance(value, list):
        return ", ".join(fact_value(name, part, names) for part in value)
    return _format_plain_value(name, value, names)


def _format_plain_value(name: str, value: str | int, names: Names) -> str:
    if isinstance(value, int):
        if name == "size_centi_sqm":
            return f"{value / 100:.2f}"
        return yen(value) if name.endswith("_yen") else f"{value:,}"
    if name in SUBJECTS:
        return names.get((SUBJECTS[name], value), NOTHING)
    if name in ("person_id", "assignee_id", "host_id"):
        return actor_name(f"person/{value}")
    if name.endswith("_by"):
        return actor_name(value)
    return payment_method_label(value) if name == "method" else _format_text_value(name, value)


def _format_text_value(name: str, value: str) -> str:
    """Return a day, an instant or a label as text; an unreadable value is shown as stored."""
    if name == "reason":
        # Why a transfer matched or a payer disputes; another reason is shown as stored.
        matched = [
            label_of(words(part))
            for part in value.split()
            for words in (PayerReason, AmountReason)
            if part in list(words)
        ]
        return _(", ").join(matched) if matched else event_reason_label(value)
    if name == "month_on":
        return _or_as_kept(value, lambda text: month(date.fromisoformat(text)))
    if name == "sheet":
        value = value.replace("-", "_")
    if name.endswith(("_on", "_date")):
        return _or_as_kept(value, lambda text: day(date.fromisoformat(text)))
    if name.endswith(("_at", "_since")):
        return _or_as_kept(value, lambda text: instant(datetime.fromisoformat(text)))
    words = next((words for words in _WORDS.get(name, ()) if value in list(words)), None)
    return label_of(words(value)) if words else value


def _or_as_kept(value: str, formatter: Callable[[str], str]) -> str:
    try:
        return formatter(value)
    except ValueError:
        return value


_PAGES: Final[Mapping[str, tuple[str, str]]] = {
    "reservation": ("reservation", "reservation_id"),
    "unit": ("unit", "unit_id"),
    "building": ("building", "building_id"),
    "owner": ("owner", "owner_id"),
    "fee": ("fee", "fee_id"),
    "api_key": ("key", "key_id"),
    "run": ("run", "run_id"),
    "sent_sheet": ("sheet", "sheet_id"),
    "task": ("task", "task_id"),
    "maintenance_request": ("request", "request_id"),
    "maintenance_project": ("project", "project_id"),
    "visit": ("visit", "visit_id"),
    "inbound_event": ("inbound_event", "event_id"),
    "ticket": ("ticket", "ticket_id"),
    "conversation": ("conversation", "conversation_id"),
    "reply_template": ("reply_template", "reply_template_id"),
    "share_link": ("share_link", "share_link_id"),
    "reservation_link": ("reservation_link", "reservation_link_id"),
    "enquiry": ("enquiry", "enquiry_id"),
    "viewing": ("viewing", "viewing_id"),
    "lead": ("lead", "lead_id"),
    "supplier_order": ("supplier_order", "order_id"),
    "post": ("post", "post_id"),
    "campaign": ("campaign", "campaign_id"),
    "position": ("position", "position_id"),
    "service": ("service", "service_id"),
}


def page_of(kind: str, id_: str) -> str | None:
    """Return the address of the subject's page, or None if this person may not open it."""
    endpoint, argument = _PAGES.get(kind, ("", ""))
    place: dict[str, Any] = {argument: id_}
    return url_for(f"dashboard.{endpoint}", **place) if may(endpoint) else None


_LATEST: Final = 10


class ShownChange(NamedTuple):
    """The change of one fact; `before` is None where the audit event has only the new value."""

    fact: str
    before: str | None
    after: str | None


class ShownAuditEvent(NamedTuple):
    """One audit event in the reader's language; `href` is its subject's page, if accessible."""

    at: datetime
    who: str
    what: str
    kind: str
    name: str
    href: str | None
    changes: tuple[ShownChange, ...]


def install(app: Flask) -> None:
    """Register the filter `shown_events` and `latest_events(kind, id)` for templates."""
    app.jinja_env.filters["shown_events"] = shown_events
    app.jinja_env.globals["latest_events"] = latest_events


def latest_events(kind: str, id_: str) -> RecordedEvents:
    """Return the newest ten audit events about a subject."""
    return events_of(reading(), subject=(kind, id_), limit=_LATEST)


def shown_events(audit_events: Sequence[RecordedEvent]) -> list[ShownAuditEvent]:
    """Return the audit events in the reader's language; all their names are read at once."""
    asked = {subject for audit_event in audit_events for subject in _list_subjects(audit_event)}
    locale = chosen_language()
    found = residents.subject_names(reading(), asked)
    names = {subject: name.in_language(locale) or "" for subject, name in found.items()}
    return [_event_text(audit_event, names) for audit_event in audit_events]


def _event_text(audit_event: RecordedEvent, names: Names) -> ShownAuditEvent:
    kind, id_ = subject = audit_event.subject_kind, audit_event.subject_id
    changes: list[ShownChange] = []
    for name in dict.fromkeys((*audit_event.before, *audit_event.after)):
        before = _format_side(audit_event.before, name, names, is_after=False)
        after = _format_side(audit_event.after, name, names, is_after=True)
        # The id of something without a name means nothing to a reader.
        is_shown = not name.endswith("_id") or name in SUBJECTS or name == "person_id"
        if is_shown and (before, after) != (None, None):
            changes.append(ShownChange(fact_label(name), before, after))
    return ShownAuditEvent(
        at=audit_event.at,
        who=actor_name(audit_event.actor),
        what=event_label(audit_event.audit_event),
        kind=subject_label(kind),
        name=names.get(subject, ""),
        href=page_of(kind, id_),
        changes=tuple(changes),
    )


def _format_side(
    facts: Mapping[str, Any], name: str, names: Names, *, is_after: bool
) -> str | None:
    """Return one side of a change; a fact that was empty before has only its new value."""
    if name not in facts or (facts[name] is None and not is_after):
        return None
    return fact_value(name, facts[name], names)


def _list_subjects(audit_event: RecordedEvent) -> Iterator[Subject]:
    yield audit_event.subject_kind, audit_event.subject_id
    for facts in (audit_event.before, audit_event.after):
        for name, kind in SUBJECTS.items():
            value = facts.get(name)
            ids = value if isinstance(value, list) else [value]
            yield from ((kind, str(id_)) for id_ in ids if id_ is not None)


PEOPLE: Final = "people"
_PROGRAMS: Final = {
    "worker": lazy_gettext("System: daily jobs"),
    "command line": lazy_gettext("System: commands"),
}


class AuditForm(QueryForm):
    """The filters of the audit: actor, event, days and, set by a link, the subject."""

    actor = ChoiceField(lazy_gettext("Who"), [Optional()])
    audit_event = ChoiceField(lazy_gettext("Audit event"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    throughOn = DayField(lazy_gettext("Through"), [Optional()])
    subject = HiddenField()

    def offer(self, actors: Iterable[str]) -> None:
        """Fill the lists with the actors of the audit and with every audit event."""
        actors = list(actors)
        learn_resident_names(actors)
        self.actor.choices = [
            ("", lazy_gettext("Everyone")),
            (PEOPLE, lazy_gettext("People only")),
            *((actor, _PROGRAMS.get(actor) or actor_name(actor)) for actor in actors),
        ]
        labels = sorted(
            (str(text), audit_event.value) for audit_event, text in EVENT_LABELS.items()
        )
        self.audit_event.choices = [
            ("", lazy_gettext("All audit events")),
            *((value, text) for text, value in labels),
        ]

    def query(self) -> dict[str, Any]:
        """Return the query of a valid form."""
        is_by_people = self.actor.data == PEOPLE
        return {
            "actor": None if is_by_people else self.actor.data,
            "is_by_people": is_by_people,
            "audit_event": AuditEvent(self.audit_event.data) if self.audit_event.data else None,
            "from_on": self.fromOn.data,
            "through_on": self.throughOn.data,
            "subject": self.about,
        }

    @property
    def about(self) -> Subject | None:
        """The subject that a link named, as in `unit/…`."""
        kind, _, id_ = (self.subject.data or "").partition("/")
        return (kind, id_) if kind and id_ else None


_MOST_ROWS: Final = 10_000
_ROWS_A_PAGE: Final = 22  # the rows are tall, because each lists its changes


@dashboard.get("/audit", roles=OPERATOR, is_secret=True)
def audit() -> Response:
    """Show one page of the filtered audit events."""
    form, is_sound = _asked_form()
    paging = asked_paging(_ROWS_A_PAGE)
    found = _find_events(form, paging) if is_sound else RecordedEvents((), 0)
    response = page_or_block(
        "dashboard/audit/page.html",
        "results",
        form=form,
        audit_events=found.audit_events,
        total=found.total,
        paging=paging,
        is_filtered=any(field.data for field in form),
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/audit.csv", roles=OPERATOR)
def audit_table() -> Response:
    """Give the filtered audit events as CSV, the newest first."""
    form, is_sound = _asked_form()
    found = _find_events(form, Paging(1, _MOST_ROWS)) if is_sound else RecordedEvents((), 0)
    heads = [_("When"), _("Who"), _("Audit event"), _("Kind"), _("About"), _("Changes")]
    name = f"audit-{today().isoformat()}.csv"
    return csv_answer(name, heads, _build_csv_rows(shown_events(found.audit_events)))


def _asked_form() -> tuple[AuditForm, bool]:
    form = AuditForm(request.args)
    form.offer(actors(reading()))
    return form, form.validate()


def _find_events(form: AuditForm, paging: Paging) -> RecordedEvents:
    return audit_events(reading(), **form.query(), page=paging.page, limit=paging.limit)


def _build_csv_rows(events: list[ShownAuditEvent]) -> Iterator[list[str]]:
    for audit_event in events:
        at = f"{audit_event.at.astimezone(JAPAN):%Y-%m-%d %H:%M:%S}"
        in_words: list[str] = []
        for change in audit_event.changes:
            sides = [
                # The text without the markup that pages put around days.
                (side.striptags() if isinstance(side, Markup) else side)
                for side in (change.before, change.after)
                if side is not None
            ]
            in_words.append(f"{change.fact}: {' → '.join(sides)}")
        changes = "; ".join(in_words)
        yield [at, audit_event.who, audit_event.what, audit_event.kind, audit_event.name, changes]
