"""Numbers, addresses and places lead on; what was typed stays as it was and harms nobody."""

from pms.surfaces.labels.formats import contact_link, mail_link, map_link, phone_link


def test_a_number_is_called_a_mail_address_written_to_and_a_place_shown() -> None:
    assert phone_link("０９０-1234-5678") == '<a href="tel:09012345678">０９０-1234-5678</a>'
    assert phone_link("+81 3 1234") == '<a href="tel:+8131234">+81 3 1234</a>'
    assert mail_link("a&b@example.jp") == (
        '<a href="mailto:a%26b@example.jp">a&amp;b@<wbr>example.jp</a>'
    )
    assert contact_link("a@example.jp") == mail_link("a@example.jp")
    assert contact_link("03-1234") == phone_link("03-1234")
    place = map_link('墨田区"1')
    assert place is not None
    assert "query=%E5%A2%A8%E7%94%B0%E5%8C%BA%221" in place
    assert [mail_link(None), phone_link(""), map_link(None), contact_link(None)] == [None] * 4
