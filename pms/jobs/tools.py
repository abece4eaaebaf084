"""What every job is handed: settings, database, clock and the way out for mail."""

from dataclasses import dataclass, field

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.postbox import MailLane, Postbox


@dataclass(frozen=True)
class Tools:
    """The worker's tools; tests put their own clock and postbox in."""

    settings: Settings
    database: Database
    clock: Clock
    postbox: Postbox
    mail: MailLane = field(init=False, default_factory=MailLane)
    urgent_mail: MailLane = field(init=False, default_factory=MailLane)
