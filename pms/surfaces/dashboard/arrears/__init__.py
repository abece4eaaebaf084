"""Who owes what and since when, and reminding them."""

from typing import Final

from pms.surfaces.dashboard.arrears import arrears, reminders
from pms.surfaces.dashboard.reach import OFFICE, Address

ADDRESSES: Final = (
    Address("/arrears", "arrears", arrears.show, OFFICE),
    Address("/arrears/reminders", "check_reminders", reminders.check, OFFICE),
    Address("/arrears/reminders", "send_reminders", reminders.send, OFFICE, "POST"),
)
