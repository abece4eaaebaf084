"""What a person chose to be mailed, where it is not what their role is mailed."""

from collections.abc import Mapping

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference
from pms.foundation.work import Work
from pms.notices.models import NoticeChoice
from pms.rules.audit_events import AuditEvent
from pms.rules.notices_to_people import NoticeGroup, SendingWay


def mail_choices(session: Session, person_id: str) -> Mapping[NoticeGroup, bool]:
    """Return the groups about which a person chose to be mailed, or not."""
    rows = session.execute(
        select(NoticeChoice.notice_group, NoticeChoice.is_wanted).where(
            NoticeChoice.person_id == person_id, NoticeChoice.way == SendingWay.MAIL
        )
    )
    return {row.notice_group: row.is_wanted for row in rows}


def set_mail_choices(
    work: Work, *, person_id: str, wanted: Mapping[NoticeGroup, bool | None]
) -> None:
    """Set what a person is mailed about; `None` is what is usual for their role."""
    before = mail_choices(work.session, person_id)
    after = {group: choice for group, choice in wanted.items() if choice is not None}
    if before == after:
        return
    work.session.execute(
        delete(NoticeChoice).where(
            NoticeChoice.person_id == person_id, NoticeChoice.way == SendingWay.MAIL
        )
    )
    work.session.add_all(
        NoticeChoice(person_id=person_id, notice_group=group, way=SendingWay.MAIL, is_wanted=choice)
        for group, choice in after.items()
    )
    note_difference(
        work,
        AuditEvent.NOTICES_CHOSEN,
        ("person", person_id),
        before={"mailed_groups": _list_wanted(before)},
        after={"mailed_groups": _list_wanted(after)},
    )
    work.session.flush()


def _list_wanted(choices: Mapping[NoticeGroup, bool]) -> str:
    return ", ".join(
        f"{group.value}: {'mail' if is_wanted else 'page'}"
        for group, is_wanted in sorted(choices.items())
    )
