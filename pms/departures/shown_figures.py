"""The figures of a departure as a resident saw them before agreeing, to tell whether they stand."""

from pms.departures.preview_notice import NoticePreview
from pms.foundation.errors import Collision


def shown_figures(preview: NoticePreview) -> str:
    """Return what a page sends back: the days, the penalty, the last rent, the deposit.

    Another filing day, another version of the notice and another yen make another text.
    """
    rent, deposit = preview.last_rent, preview.deposit
    told = (
        preview.filed_on,
        preview.move_out_on,
        preview.penalty.yen,
        rent.total_yen if rent else "-",
        deposit.held_yen,
        deposit.remainder_yen,
        deposit.owed_yen,
        preview.notice_version or "-",
    )
    return " ".join(map(str, told))


def refuse_unseen(preview: NoticePreview, seen: str | None) -> None:
    """Raise `Collision` unless the figures are those that were seen."""
    if seen != shown_figures(preview):
        raise Collision(
            "figures: the figures changed since they were shown to you. These are the new ones;"
            " nothing is filed yet."
        )
