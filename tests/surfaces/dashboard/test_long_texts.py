"""A form with too much in it comes back with what was typed, and is not thrown away."""

from tests.staff import Browser

_LONG = "長" * 10_000


def test_very_long_texts_are_refused_beside_their_fields(operator: Browser) -> None:
    names = ("name", "nameEn", "qualifiedInvoiceNumber", "postcode", "address", "bankDetails")
    fields = dict.fromkeys(names, _LONG) | {"defaultLocale": "ja", "brandHue": "250"}
    answer = operator.post("/settings", {**fields, "version": "1"})
    assert answer.status_code == 422
    assert _LONG[:500] in answer.text
