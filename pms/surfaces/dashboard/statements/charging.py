"""Charges what projects cost into a month at once, exactly as it was shown."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
import re
from collections.abc import Mapping, Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.errors import Refused
from pms.foundation.wording import said_yen
from pms.rules.enumerations import FeeCategory
from pms.statements.charge_into_month import charge_into_month as charge_into_month_verb
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.statements.asked_month import month_named
from pms.surfaces.dashboard.statements.publishing import shown
from pms.surfaces.hypermedia import go
from pms.surfaces.page_words import month as said_month

_LINE: Final = re.compile(r"([0-9a-f]{32}):([a-z_]+):(-?[0-9]{1,12})")


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/charges", roles=OFFICE)
def charge_into_month(month: str, building_id: str) -> Response:
    """Charge everything that was shown into the month and show its statement."""
    form, month_on = Form(request.form), month_named(month)
    return submitted(
        form,
        act=lambda session: charge_into_month_verb(
            session,
            clock(),
            actor(),
            building_id=building_id,
            month_on=month_on,
            seen=_seen(request.form.getlist("charge")),
        ),
        then=lambda yen: go(
            url_for("dashboard.owner_statement", month=month, building_id=building_id),
            said=_("Charged to %(month)s: %(yen)s", month=said_month(month_on), yen=said_yen(yen)),
        ),
        again=lambda: shown(month, building_id, form),
    )


def _seen(texts: Sequence[str]) -> Mapping[str, Mapping[FeeCategory, int]]:
    seen: dict[str, dict[FeeCategory, int]] = {}
    for text in texts:
        found = _LINE.fullmatch(text)
        if found is None or found[2] not in list(FeeCategory):
            raise Refused("charge: '{given}' is no amount of this page.", given=text[:40])
        seen.setdefault(found[1], {})[FeeCategory(found[2])] = int(found[3])
    if not seen:
        raise Refused("charge: choose at least one amount.")
    return seen
