"""The colour of a hue, as mails write it."""

import pytest

from pms.rules.brand_colour import brand_colour, contrast_with_white


@pytest.mark.parametrize(
    ("hue", "colour"),
    [
        (0, "#843753"),
        (45, "#853e19"),
        (54, "#834105"),
        (56, "#824200"),
        (90, "#6d5100"),
        (135, "#39621c"),
        (180, "#006858"),
        (225, "#006083"),
        (245, "#075a8e"),
        (270, "#3e5092"),
        (315, "#6c407f"),
        (360, "#843753"),
    ],
)
def test_each_hue_has_its_one_colour(hue: int, colour: str) -> None:
    assert brand_colour(hue) == colour


@pytest.mark.parametrize(
    ("hue", "contrast"), [(0, 7.9171), (45, 7.7766), (54, 7.7110), (135, 7.1482), (225, 6.9979)]
)
def test_the_contrast_is_counted_as_the_standard_has_it(hue: int, contrast: float) -> None:
    assert contrast_with_white(hue) == pytest.approx(contrast, abs=0.0001)


@pytest.mark.parametrize("hue", range(0, 360, 10))
def test_white_letters_can_be_read_on_every_hue(hue: int) -> None:
    assert contrast_with_white(hue) >= 4.5
