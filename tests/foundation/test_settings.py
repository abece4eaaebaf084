"""A setting that cannot be used is named before anything starts."""

from pathlib import Path

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


SECRETS = {
    "SECRET_KEY": "0f9b2c7d41e86a53" * 2,
    "DATABASE_URL": "postgresql+psycopg://pms:secret@db/pms",
    "OWNER_DATABASE_URL": "postgresql+psycopg://owner:secret@db/pms",
    "REDIS_URL": "redis://:secret@cache:6379",
    "SMTP_URL": "smtp://user:secret@mail.example.jp",
    "METRICS_TOKEN": "secret",
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_may_be_in_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "secret"
    path.write_text(f"{SECRETS[name]}\n")
    settings = Settings.from_environment({f"PMS_{name}_FILE": str(path)})
    assert getattr(settings, name.lower()) == SECRETS[name]


def test_a_secret_that_is_in_both_places_or_in_no_readable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    named = {"PMS_SECRET_KEY_FILE": str(path)}
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        Settings.from_environment(named)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="it is no text"):
        Settings.from_environment(named)
    path.write_text(" \n")
    with pytest.raises(SettingsError, match="is empty"):
        Settings.from_environment(named)
    path.write_text(SECRETS["SECRET_KEY"])
    with pytest.raises(SettingsError, match="both set"):
        Settings.from_environment(named | {"PMS_SECRET_KEY": "x"})
