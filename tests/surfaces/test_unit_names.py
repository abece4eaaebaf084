"""The name of a unit stays on one line, wherever it is shown."""

import pytest

from pms.surfaces.labels.formats import keep_unbroken


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Minato Loft A-02", 'Minato Loft <span class="unbroken">A-02</span>'),
        (
            "B-1-2 と <C-3>",
            '<span class="unbroken">B-1-2</span> と <span class="unbroken">&lt;C-3&gt;</span>',
        ),
        ("Kawasemi House 101 - north", "Kawasemi House 101 - north"),
        ("O'Brien", "O&#39;Brien"),
        (None, ""),
    ],
)
def test_only_what_a_hyphen_joins_is_kept_together(text: str | None, shown: str) -> None:
    assert keep_unbroken(text) == shown
