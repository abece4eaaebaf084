"""A setting that cannot be used is named before anything starts."""

import pytest

from pms.foundation.settings import Settings, SettingsError


@pytest.mark.parametrize(
    "mail_from", ["desk@example.jp", "Desk <desk@example.jp>", '"Desk, Inc." <desk@example.jp>']
)
def test_a_sender_of_mail_may_have_a_name(mail_from: str) -> None:
    assert Settings.from_environment({"PMS_MAIL_FROM": mail_from}).mail_from == mail_from


@pytest.mark.parametrize("mail_from", ["desk", "Desk <desk>", "<>", "a@b.jp, c@d.jp", "Desk, Inc."])
def test_a_sender_that_is_no_address_is_refused(mail_from: str) -> None:
    with pytest.raises(SettingsError, match=r"PMS_MAIL_FROM: '.*' is not one address like"):
        Settings.from_environment({"PMS_MAIL_FROM": mail_from})
