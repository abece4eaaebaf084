"""Notices about tasks, to the people they are given to."""

from collections.abc import Sequence

from pms.catalogue.place_names import name_places
from pms.foundation.work import Work
from pms.notices.notices import NoticeEvent, notify_staff
from pms.rules.notices_to_people import NoticeKind
from pms.upkeep.models import Task


def tell_assignees(work: Work, kind: NoticeKind, tasks: Sequence[Task]) -> None:
    """Tell those who have the tasks that they were given, changed or sent back.

    A task is told once in each of its versions; who did it themselves is not told.
    """
    others = [
        task for task in tasks if task.assignee_id and work.actor != f"person/{task.assignee_id}"
    ]
    if not others:
        return
    work.session.flush()
    names = name_places(work.session, [(task.building_id, task.unit_id) for task in others])
    notify_staff(
        work,
        kind,
        *(
            NoticeEvent(
                subject_id=task.id,
                path=f"/tasks/{task.id}",
                facts={
                    "place": names[task.building_id, task.unit_id]._asdict(),
                    **({"task": task.title} if task.title else {}),
                    "task_kind": task.kind.value,
                },
                person_ids=(task.assignee_id,),
                occasion=f"{task.version}.{task.moves}",
            )
            for task in others
        ),
    )
