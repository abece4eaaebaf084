"""Has the provider asked at once how a visit stands, for its payer is back and waits."""

from sqlalchemy.orm import Session

from pms.checkouts.queries import next_look
from pms.foundation.clock import Clock


def look_up_soon(session: Session, clock: Clock, checkout_id: str) -> None:
    """Bring the next look at a visit forward, once; one that is under way is left alone."""
    call = session.scalar(next_look(checkout_id).with_for_update())
    if call is not None and "is_back" not in call.facts:
        call.due_at, call.facts = clock.now(), {"is_back": True}
        session.flush()
