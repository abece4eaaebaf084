"""One transaction of somebody: where it writes, what time it is, and who acts."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock


@dataclass(frozen=True, slots=True)
class Work:
    """What a use case works with; it is the first argument of each.

    `actor` is who acts as the audit keeps it, such as `person/<id>`, `key/<id>` or `worker`.
    """

    session: Session
    clock: Clock
    actor: str
