"""What an offer's forms do not offer is refused, and nothing of it is stored."""

from pms.foundation.database import Database
from tests.surfaces.choices import NOT_OFFERED, send_what_is_not_offered
from tests.surfaces.reservation_links.conftest import Phone


@NOT_OFFERED
def test_a_choice_that_the_offer_does_not_offer_is_refused(
    phone: Phone, database: Database, sent: list[str]
) -> None:
    starts = [f"{phone.home}/{page}" for page in ("details", "explanation", "contract")]
    assert send_what_is_not_offered(phone.client, database, phone.home, sent, *starts) > 1
