"""The demo's guests: each workspace shows a link nobody used, and between them every point of one."""

from datetime import date

from pms.demo.seed_demo import SeededWorkspace
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.stays.check_in_links import listed_links
from pms.stays.stays import stay_terms


def test_links_stand_at_every_point(
    database: Database, seeded: tuple[SeededWorkspace, ...], today: date
) -> None:
    found = set()
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            terms = stay_terms(session)
            listed = listed_links(session, terms, today, Paging(1, 50), is_past=False)
        assert terms.has_rules
        assert listed.total
        found |= {
            (len(listed.guests.get(link.id, ())), link.finished_at is not None)
            for link in listed.links
        }
    assert found == {(0, False), (1, False), (2, True)}
