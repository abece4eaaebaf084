"""The first day somebody may leave without owing a penalty, when the notice is filed on a day."""

from datetime import date, timedelta

from pms.rules.contract_dates import Term
from pms.rules.notice_period import ForcedFlag, notice_owed_days
from pms.rules.policy import Policy


def earliest_without_penalty(
    term: Term, filed_on: date, forced: ForcedFlag | None, policy: Policy
) -> date:
    """The first day with enough notice that is not before the contract end (penalties 1 and 8).

    The filing day counts as a day of notice.
    """
    owed_days = notice_owed_days(term, filed_on, forced, policy)
    noticed_on = filed_on + timedelta(days=max(owed_days - 1, 0))
    return max(noticed_on, term.end_on or noticed_on, term.start_on)
