"""What users of other programs reported about rent rolls and imports holds here."""

from pathlib import Path

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from tests.reports import Reports, cases_of

CASES = cases_of("takeover")


@pytest.mark.parametrize("case_id", sorted(CASES))
def test_a_reported_rent_roll_is_read_right_or_asked_about(
    case_id: str, tmp_path: Path, settings: Settings, clock: FixedClock
) -> None:
    assert not Reports(tmp_path, settings, clock).differences(CASES[case_id])
