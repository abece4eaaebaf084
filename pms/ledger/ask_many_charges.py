"""Asks for the run that posts one charge to many tenancies."""

from typing import Final

from sqlalchemy.orm import Session

from pms.foundation.asked_runs import ask_run
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.runs import Run, newest_run
from pms.ledger.many_charges import ManyCharge
from pms.ledger.plan_charges import plan_charges
from pms.rules.enumerations import RunKind

_KIND: Final = RunKind.CHARGES.value


def ask_many_charges(
    session: Session, clock: Clock, actor: str, *, charge_id: str, charge: ManyCharge
) -> Run:
    """Return the run of this charge; the same check page sent again leads to the same run."""
    if not is_id(charge_id):
        raise Refused("charge: this check page is not ours; look at the charge again.")
    former = newest_run(session, _KIND, charge_id)
    if former is not None and former.finished_at is not None:
        return former
    if former is None and not plan_charges(session, clock.today(), charge).charged:
        raise Refused("charge: nobody lives in these buildings who could be charged.")
    return ask_run(session, clock, actor, kind=_KIND, subject=charge_id, **charge.asked)
