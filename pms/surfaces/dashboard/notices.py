"""Notifications: a person's own, what they choose to be mailed, and what was sent to whom."""

from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_pgettext
from flask_wtf import FlaskForm

from pms.notices import choices, notices, sent_notices
from pms.notices.sent_notices import SentSearch
from pms.notices.wordings import notice_text
from pms.rules.notices_to_people import NoticeGroup
from pms.surfaces.dashboard.gate import EVERYBODY, OFFICE, current_member, dashboard, reading
from pms.surfaces.fields import ChoiceField, FlagField, Optional
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices as choices_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database
from pms.upkeep import task_visibility

_MAIL, _PAGE = "mail", "page"
_WANTED = {_MAIL: True, _PAGE: False}


def notice_line(notice: Any) -> str:
    """Return the sentence of a notice in the reader's language."""
    return notice_text(notice.kind, notice.facts, chosen_language())


@dashboard.get("/notices", roles=EVERYBODY)
def own_notices() -> Response:
    """Show the person's own notices, the newest first."""
    paging = asked_paging()
    found = notices.own_notices(reading(), current_member().person_id, paging)
    return page("dashboard/notices/own.html", found=found, paging=paging)


@dashboard.get("/notices/<notice_id>", roles=EVERYBODY)
def open_notice(notice_id: str) -> Response:
    """Note that a notice was opened, and go on to the page that it is about."""
    person_id = current_member().person_id
    notice = notices.find_own_notice(reading(), notice_id, person_id)
    database().note(
        current_member().workspace_id,
        lambda session: notices.note_opened(session, clock(), person_id, [notice_id]),
    )
    return go(f"/dashboard/{current_member().slug}{notice.path}")


@dashboard.post("/notices/opened", roles=EVERYBODY)
def open_all_notices() -> Response:
    """Note that the person has read all their notices."""
    return submitted(
        FlaskForm(),
        act=lambda work: notices.note_opened(work.session, work.clock, current_member().person_id),
        then=lambda __: go(url_for("dashboard.own_notices"), message=_("All marked as read.")),
        again=own_notices,
    )


class _GroupChoice(ChoiceField):
    """Whether a person is mailed about a group."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        words = [
            ("", lazy_pgettext("notification choice", "As usual for my role")),
            (_MAIL, lazy_pgettext("notification choice", "By email")),
            (_PAGE, lazy_pgettext("notification choice", "Here only")),
        ]
        super().__init__(*args, choices=words, **kwargs)


class NoticeChoiceForm(FlaskForm):
    """What a person is mailed about, a field for each group."""

    tasks = _GroupChoice(lazy_pgettext("notification group", "Tasks"))
    messages = _GroupChoice(lazy_pgettext("notification group", "Messages and reports"))
    money = _GroupChoice(lazy_pgettext("notification group", "Money"))
    contracts = _GroupChoice(lazy_pgettext("notification group", "Contracts and move-outs"))
    runs = _GroupChoice(lazy_pgettext("notification group", "Long-running work"))


@dashboard.get("/me/notices", roles=EVERYBODY)
def notice_choices() -> Response:
    """Show what the person is mailed about."""
    chosen = choices.mail_choices(reading(), current_member().person_id)
    ways = {group.value: _MAIL if is_wanted else _PAGE for group, is_wanted in chosen.items()}
    return _render_choices(NoticeChoiceForm(formdata=None, data=ways))


@dashboard.post("/me/notices", roles=EVERYBODY)
def choose_notices() -> Response:
    """Store what the person is mailed about."""
    form = NoticeChoiceForm()
    wanted = {group: _WANTED.get(form[group.value].data or "") for group in NoticeGroup}
    return submitted(
        form,
        act=lambda work: choices.set_mail_choices(
            work, person_id=current_member().person_id, wanted=wanted
        ),
        then=lambda __: go(url_for("dashboard.notice_choices"), message=_("Saved.")),
        again=lambda: _render_choices(form),
    )


def _render_choices(form: NoticeChoiceForm) -> Response:
    return page("dashboard/notices/choices.html", form=form)


class SentNoticeFilter(QueryForm):
    """Which of the sent notices are listed."""

    group = ChoiceField(lazy_pgettext("notification", "About"), [Optional()])
    reader = ChoiceField(lazy_pgettext("notification", "To"), [Optional()])
    isUnsent = FlagField(lazy_pgettext("notification", "Only those without an email"))


@dashboard.get("/notices/sent", roles=OFFICE, is_of_all_buildings=True)
def all_sent_notices() -> Response:
    """Show what was sent to whom, by which way, opened or not, and why not."""
    return _render_sent()


@dashboard.post("/notices/<notice_id>/sending", roles=OFFICE, is_of_all_buildings=True)
def send_notice_again(notice_id: str) -> Response:
    """Send a notice by mail once more."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: sent_notices.send_notice_again(work, notice_id=notice_id),
        then=lambda __: go(
            url_for("dashboard.all_sent_notices"), message=_("The email will be sent in a moment.")
        ),
        again=lambda: _render_sent(form),
    )


def _render_sent(again: FlaskForm | None = None) -> Response:
    form, paging = SentNoticeFilter(request.args), asked_paging()
    everyone = ("", _("All"))
    form.group.choices = [everyone, *choices_of(NoticeGroup)]
    form.reader.choices = [
        everyone,
        *((person.person_id, person.name) for person in task_visibility.assignees(reading())),
    ]
    search, is_sound = SentSearch(), form.validate()
    if is_sound:
        search = SentSearch(
            NoticeGroup(form.group.data) if form.group.data else None,
            form.reader.data or None,
            form.isUnsent.data,
        )
    response = page(
        "dashboard/notices/sent.html",
        form=form,
        again=again,
        found=sent_notices.list_sent(reading(), search, paging),
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)
