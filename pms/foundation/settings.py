"""Reads the settings from the environment, with defaults that are safe on a local machine."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

DEVELOPMENT_SECRET = "development-only-secret-change-me"  # refused in production
PASSWORD_MEMORY_KIB = 19_456  # memory of one password hash


FEWEST_LETTERS = 8  # a random key has more different characters
_PUBLIC_DEVELOPMENT = (
    "PMS_HOST lets other machines in while PMS_ENV is development, where everybody reads all mail"
    " and codes at /mail and the secret key is known. Set PMS_ENV=production, or"
    " PMS_PUBLIC_DEVELOPMENT=yes if this is meant."
)


SECRETS = (
    *("SECRET_KEY", "DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "SMTP_URL"),
    "METRICS_TOKEN",
)
"""The settings that hold a secret."""


class SettingsError(Exception):
    """A setting is invalid; the message names it, its value and what is allowed."""


def secret_keys(secret_key: str) -> tuple[str, ...]:
    """Return the keys of a `PMS_SECRET_KEY`, separated by commas, newest first."""
    return tuple(key for part in secret_key.split(",") if (key := part.strip())) or (secret_key,)


@dataclass(frozen=True)
class Settings:
    """The configuration of the program."""

    env: str
    data_dir: Path
    database_url: str
    owner_database_url: str
    redis_url: str | None
    host: str
    port: int
    base_url: str
    secret_key: str
    smtp_url: str | None
    mail_from: str
    workers: int
    trusted_hosts: tuple[str, ...]
    debug: bool
    metrics_token: str | None
    password_memory_kib: int = PASSWORD_MEMORY_KIB
    proxies: int = 0
    public_development: bool = False
    sign_up: bool = False
    """Whether anyone may open a workspace by confirming an address."""
    hsts_subdomains: bool = True
    """Whether browsers open hosts below the one of the base URL over HTTPS only, too."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Return the settings of the `PMS_` variables; raise `SettingsError` for an invalid one.

        A secret may be in a file that its variable with `_FILE` names, as orchestrators mount them.
        """
        given = {
            name.removeprefix("PMS_"): value.strip()
            for name, value in (os.environ if environ is None else environ).items()
            if name.startswith("PMS_") and value.strip()
        }
        given |= _read_secret_files(given)
        data_dir = Path(given.get("DATA_DIR", "var")).absolute()
        host = given.get("HOST", "127.0.0.1")
        port = _whole_number(given, "PORT", default=8000, least=1, most=65535)
        database_url = _database_url(given, "DATABASE_URL", f"sqlite:///{data_dir / 'pms.sqlite3'}")
        return cls(
            env=_one_of(given, "ENV", ("development", "production", "test")),
            data_dir=data_dir,
            database_url=database_url,
            owner_database_url=_database_url(given, "OWNER_DATABASE_URL", database_url),
            redis_url=given.get("REDIS_URL"),
            host=host,
            port=port,
            base_url=given.get("BASE_URL", f"http://{_spoken_host(host)}:{port}").rstrip("/"),
            secret_key=given.get("SECRET_KEY", DEVELOPMENT_SECRET),
            smtp_url=given.get("SMTP_URL"),
            mail_from=_mail_from(given),
            workers=_whole_number(
                given, "WORKERS", default=max(2, (os.cpu_count() or 1) + 1), least=1, most=256
            ),
            trusted_hosts=tuple(given.get("TRUSTED_HOSTS", "").replace(",", " ").split()),
            debug=_one_of(given, "DEBUG", ("0", "1")) == "1",
            metrics_token=given.get("METRICS_TOKEN"),
            password_memory_kib=_whole_number(
                given,
                "PASSWORD_MEMORY_KIB",
                default=PASSWORD_MEMORY_KIB,
                least=8,
                most=1024 * 1024,
            ),
            proxies=_whole_number(given, "PROXIES", default=0, least=0, most=9),
            public_development=_one_of(given, "PUBLIC_DEVELOPMENT", ("no", "yes")) == "yes",
            sign_up=_one_of(given, "SIGN_UP", ("no", "yes")) == "yes",
            hsts_subdomains=_one_of(given, "HSTS_SUBDOMAINS", ("yes", "no")) == "yes",
        )

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """The keys of `PMS_SECRET_KEY`: the first signs and seals, all of them verify and open."""
        return secret_keys(self.secret_key)

    @property
    def is_production(self) -> bool:
        return self.env == "production"

    @property
    def is_development(self) -> bool:
        return self.env == "development"

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @property
    def has_secure_cookies(self) -> bool:
        """Whether cookies are sent over HTTPS only: when the base URL is HTTPS."""
        return self.base_url.startswith("https://")

    @property
    def is_exposed(self) -> bool:
        """Whether development is reachable from other machines without being allowed explicitly."""
        is_local = self.host == "localhost" or (
            _is_address(self.host) and ip_address(self.host).is_loopback
        )
        return self.is_development and not is_local and not self.public_development

    @property
    def budget_dir(self) -> Path:
        return self.data_dir / "budget"

    @property
    def jobs_path(self) -> Path:
        return self.data_dir / "jobs.sqlite3"

    @property
    def files_dir(self) -> Path:
        return self.data_dir / "files"

    @property
    def mail_dir(self) -> Path:
        return self.data_dir / "mail"

    def unsafe_reasons(self) -> tuple[str, ...]:
        """Return the reasons not to serve with these settings; empty when there are none."""
        if not self.is_production:
            return (_PUBLIC_DEVELOPMENT,) if self.is_exposed else ()
        checks = (
            (self.debug, "PMS_DEBUG is on; production runs without it."),
            (
                any(key == DEVELOPMENT_SECRET or len(key) < 32 for key in self.secret_keys),
                "PMS_SECRET_KEY is missing or short; set 32 or more random characters, or several"
                " such keys with commas between them, the newest first.",
            ),
            (
                self.password_memory_kib < PASSWORD_MEMORY_KIB,
                f"PMS_PASSWORD_MEMORY_KIB is below {PASSWORD_MEMORY_KIB}; guessing would be cheap.",
            ),
            (
                len(set(self.secret_key)) < FEWEST_LETTERS,
                f"PMS_SECRET_KEY holds fewer than {FEWEST_LETTERS} different characters; make it by"
                " rng, for example: openssl rand -hex 32",
            ),
            (not self.trusted_hosts, "PMS_TRUSTED_HOSTS is empty; name the hosts that are served."),
            (
                any("*" in host or not host.strip(".") for host in self.trusted_hosts),
                "PMS_TRUSTED_HOSTS holds a host that stands for all; name the hosts that are served,"
                " .example.jp for all below one.",
            ),
            (
                not self.smtp_url,
                "PMS_SMTP_URL is missing, so no code and no invoice would reach anybody.",
            ),
            (
                not self.has_secure_cookies,
                "PMS_BASE_URL is not https://, so cookies would travel in the clear.",
            ),
        )
        return tuple(reason for is_unsafe, reason in checks if is_unsafe)


def _read_secret_files(given: Mapping[str, str]) -> dict[str, str]:
    """Return the secrets that are in files; refuse one that is also in its variable."""
    found: dict[str, str] = {}
    for name in SECRETS:
        path = given.get(f"{name}_FILE")
        if path is None:
            continue
        if name in given:
            raise SettingsError(f"PMS_{name} and PMS_{name}_FILE are both set; set one of them.")
        try:
            found[name] = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as unreadable:
            reason = getattr(unreadable, "strerror", None) or "it is no text"
            raise SettingsError(f"PMS_{name}_FILE: '{path}' cannot be read: {reason}.") from None
        if not found[name]:
            raise SettingsError(f"PMS_{name}_FILE: '{path}' is empty.")
    return found


def _whole_number(
    given: Mapping[str, str], name: str, *, default: int, least: int, most: int
) -> int:
    text = given.get(name, str(default))
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise SettingsError(f"PMS_{name}: '{text}' is not a whole number from {least} to {most}.")
    return int(text)


def _one_of(given: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    text = given.get(name, allowed[0])
    if text not in allowed:
        raise SettingsError(f"PMS_{name}: '{text}' is not one of {', '.join(allowed)}.")
    return text


def _mail_from(given: Mapping[str, str]) -> str:
    if "MAIL_FROM" not in given:
        return "no-reply@localhost"
    # Imported here: most programs start without parsing an address.
    from email.errors import HeaderParseError
    from email.headerregistry import Address
    from email.utils import getaddresses

    text = given["MAIL_FROM"]
    found = getaddresses([text])
    try:
        if len(found) != 1:
            raise ValueError("none, or several")
        Address(found[0][0], addr_spec=found[0][1])
    except (ValueError, IndexError, HeaderParseError) as error:
        raise SettingsError(
            f"PMS_MAIL_FROM: '{text}' is not one address like desk@example.jp or"
            " Desk <desk@example.jp>."
        ) from error
    return text


def _database_url(given: Mapping[str, str], name: str, default: str) -> str:
    url = given.get(name, default)
    scheme = urlsplit(url).scheme
    if scheme in ("postgres", "postgresql"):
        return "postgresql+psycopg" + url[len(scheme) :]
    if scheme not in ("sqlite", "postgresql+psycopg"):
        raise SettingsError(f"PMS_{name}: '{scheme}' is not one of sqlite, postgresql.")
    return url


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _spoken_host(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::") else host
