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


SOUND = {
    "PMS_ENV": "production",
    "PMS_SECRET_KEY": "0f9b2c7d41e86a53" * 2,
    "PMS_TRUSTED_HOSTS": "pms.example.jp",
    "PMS_BASE_URL": "https://pms.example.jp",
    "PMS_SMTP_URL": "smtp://mail.example.jp",
}
UNSAFE = {
    "PMS_SMTP_URL": ("", "PMS_SMTP_URL is missing"),
    "PMS_TRUSTED_HOSTS": ("*", "PMS_TRUSTED_HOSTS holds a host that stands for all"),
    "PMS_SECRET_KEY": ("x" * 40, "PMS_SECRET_KEY holds fewer than 8 different characters"),
}


def test_a_sound_production_has_nothing_against_it() -> None:
    assert Settings.from_environment(SOUND).unsafe_reasons() == ()


@pytest.mark.parametrize("name", UNSAFE)
def test_production_refuses_what_would_be_unsafe(name: str) -> None:
    value, said = UNSAFE[name]
    (reason,) = Settings.from_environment({**SOUND, name: value}).unsafe_reasons()
    assert reason.startswith(said)


@pytest.mark.parametrize("hosts", ["pms.example.jp *", "*.example.jp", "."])
def test_no_host_stands_for_all(hosts: str) -> None:
    assert Settings.from_environment({**SOUND, "PMS_TRUSTED_HOSTS": hosts}).unsafe_reasons()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "pms.example.jp"])
def test_development_lets_other_machines_in_only_when_told_so(host: str) -> None:
    given = {"PMS_HOST": host}
    (reason,) = Settings.from_environment(given).unsafe_reasons()
    assert "PMS_PUBLIC_DEVELOPMENT=yes" in reason
    meant = {**given, "PMS_PUBLIC_DEVELOPMENT": "yes"}
    assert Settings.from_environment(meant).unsafe_reasons() == ()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.1.1", "::1", "localhost"])
def test_development_on_ones_own_machine_needs_no_word(host: str) -> None:
    assert Settings.from_environment({"PMS_HOST": host}).unsafe_reasons() == ()
