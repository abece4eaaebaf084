"""The audit: every audit event with its actor, its time, and the values before and after."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from flask import Response, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from markupsafe import Markup

from pms.foundation.audit import RecordedEvents, Subject, actors, audit_events
from pms.foundation.lists import Paging
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.surfaces.dashboard.actor_names import actor_name
from pms.surfaces.dashboard.audit_entries import ShownChange, ShownEvent, shown_events
from pms.surfaces.dashboard.blueprint import OPERATOR, dashboard
from pms.surfaces.dashboard.current_member import reading
from pms.surfaces.downloads import csv_answer
from pms.surfaces.fields import ChoiceField, DayField, HiddenField, Optional
from pms.surfaces.forms import QueryForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.labels.audit_events import EVENT_LABELS
from pms.surfaces.paging import asked_paging
from pms.surfaces.request_scope import today

PEOPLE: Final = "people"
_PROGRAMS: Final = {
    "worker": lazy_gettext("System: daily jobs"),
    "command line": lazy_gettext("System: commands"),
}


class AuditForm(QueryForm):
    """The filters of the audit: actor, event, days and, set by a link, the subject."""

    actor = ChoiceField(lazy_gettext("Person"), [Optional()])
    audit_event = ChoiceField(lazy_gettext("Audit event"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    throughOn = DayField(lazy_gettext("Through"), [Optional()])
    subject = HiddenField()

    def offer(self, actors: Iterable[str]) -> None:
        """Fill the lists with the actors of the audit and with every audit event."""
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

    def asked(self) -> dict[str, Any]:
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
_ROWS_A_PAGE: Final = 40  # the rows are tall, because each lists its changes


@dashboard.get("/audit", roles=OPERATOR)
def audit() -> Response:
    """Show one page of the filtered audit events."""
    form, is_sound = _asked()
    paging = asked_paging(_ROWS_A_PAGE)
    found = _found(form, paging) if is_sound else RecordedEvents((), 0)
    response = page_or_block(
        "dashboard/audit/page.html",
        "results",
        form=form,
        audit_events=found.audit_events,
        total=found.total,
        paging=paging,
        is_filtered=any(field.data for field in form),
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


@dashboard.get("/audit.csv", roles=OPERATOR)
def audit_table() -> Response:
    """Give the filtered audit events as CSV, the newest first."""
    form, is_sound = _asked()
    found = _found(form, Paging(1, _MOST_ROWS)) if is_sound else RecordedEvents((), 0)
    heads = [_("When"), _("Who"), _("Audit event"), _("Kind"), _("About"), _("Changes")]
    name = f"audit-{today().isoformat()}.csv"
    return csv_answer(name, heads, _rows(shown_events(found.audit_events)))


def _asked() -> tuple[AuditForm, bool]:
    form = AuditForm(request.args)
    form.offer(actors(reading()))
    return form, form.validate()


def _found(form: AuditForm, paging: Paging) -> RecordedEvents:
    return audit_events(reading(), **form.asked(), page=paging.page, limit=paging.limit)


def _rows(events: list[ShownEvent]) -> Iterator[list[str]]:
    for audit_event in events:
        at = f"{audit_event.at.astimezone(JAPAN):%Y-%m-%d %H:%M:%S}"
        changes = "; ".join(_in_words(change) for change in audit_event.changes)
        yield [at, audit_event.who, audit_event.what, audit_event.kind, audit_event.name, changes]


def _in_words(change: ShownChange) -> str:
    sides = [_bare(side) for side in (change.before, change.after) if side is not None]
    return f"{change.fact}: {' → '.join(sides)}"


def _bare(text: str) -> str:
    """Return the text without the markup that pages put around days."""
    return text.striptags() if isinstance(text, Markup) else text
