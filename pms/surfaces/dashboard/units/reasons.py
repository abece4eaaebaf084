"""Says in words why a unit's label is what it is."""

from datetime import date

from flask_babel import gettext as _

from pms.foundation.wording import said_day
from pms.rules.availability_reasons import Reason, ReasonKind
from pms.rules.days import CorruptDay
from pms.surfaces.reader_choice import chosen_language


def reason_words(reason: Reason) -> str:
    """Return the sentence for the fact that decided, with its day."""
    if isinstance(reason.on, CorruptDay):
        unread = _("The day on record, '%(text)s', cannot be read.", text=reason.on.text)
        return f"{_plain(reason.kind)} {unread}"
    if reason.on is None:
        return _plain(reason.kind)
    return _dated(reason, reason.on)


def _plain(kind: ReasonKind) -> str:
    said: dict[ReasonKind, str] = {
        ReasonKind.FORCED: _(
            "The office keeps this tenancy month to month. It blocks the unit without an end."
        ),
        ReasonKind.BLOCKED: _("The unit is taken outside the service."),
        ReasonKind.NEXT_STAY: _("A stay is booked."),
        ReasonKind.NEXT_BLOCK: _("The unit will be taken outside the service."),
        ReasonKind.OWNER_LIVES: _("The owner lives here, so the unit is never free."),
        ReasonKind.DEPARTURE_PASSED: _("The expected departure no longer counts."),
        ReasonKind.NO_END: _("Somebody lives here and no notice is filed."),
        ReasonKind.DEPARTURE_EXPECTED: _("The resident said they will leave."),
        ReasonKind.NOTICE_FILED: _("A move-out is filed."),
        ReasonKind.CHECK_OUT: _("The guest checks out."),
        ReasonKind.FREE: _("Nobody lives here, nothing is booked and nothing blocks the unit."),
    }
    return said[kind]


def _dated(reason: Reason, on: date) -> str:
    day = said_day(on, chosen_language())
    said = {
        ReasonKind.BLOCKED: _(
            "The unit is taken outside the service until %(day)s, that day included.", day=day
        ),
        ReasonKind.NEXT_STAY: _("The next stay begins on %(day)s.", day=day),
        ReasonKind.NEXT_BLOCK: _("The unit is taken outside the service from %(day)s.", day=day),
        ReasonKind.DEPARTURE_PASSED: _(
            "The expected departure on %(day)s passed without a notice, so it no longer counts.",
            day=day,
        ),
        ReasonKind.NO_END: _(
            "Somebody lives here and no notice is filed. The contract end on %(day)s does not"
            " end the tenancy by itself.",
            day=day,
        ),
        ReasonKind.DEPARTURE_EXPECTED: _(
            "The resident said they will leave on %(day)s, but no notice is filed: use the day"
            " for the waitlist only.",
            day=day,
        ),
        ReasonKind.NOTICE_FILED: _("A move-out is filed for %(day)s.", day=day),
        ReasonKind.CHECK_OUT: _("The guest checks out on %(day)s.", day=day),
    }.get(reason.kind, _plain(reason.kind))
    return f"{said} {_turnover(reason.turnover_days)}".strip()


def _turnover(days: int) -> str:
    if not days:
        return ""
    return str(_("The workspace keeps %(days)s days free after that.", days=days))
