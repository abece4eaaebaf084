"""Who asks the floor: one statement for the key and the figures of its workspace."""

from typing import NamedTuple

KEY = """
SELECT k.workspace_id, w.slug, p.turnover_days, p.short_contract_days, p.short_notice_days,
  p.long_notice_days, p.full_calendar_month_is_long
FROM api_key k JOIN workspace w ON w.id = k.workspace_id JOIN policy p ON p.workspace_id = w.id
WHERE k.hash = ? AND k.revoked_at IS NULL
"""


class Asking(NamedTuple):
    """Who asks, and the figures of their workspace."""

    workspace_id: str
    slug: str
    turnover_days: int
    short_contract_days: int
    short_notice_days: int
    long_notice_days: int
    full_calendar_month_is_long: int
