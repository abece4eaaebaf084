"""The container files name settings that exist, and start a safe production."""

import re
from dataclasses import fields
from typing import Any

import pytest
import yaml

from pms.foundation.settings import Settings
from pms.surfaces.command_line import COMMANDS
from tests.running.watching import ROOT

NAMES = {f"PMS_{field.name.upper()}" for field in fields(Settings)}
GIVEN = {
    "PMS_SMTP_URL": "smtp://mail.example.jp",
    "POSTGRES_PASSWORD": "database-password",
    "PROGRAM_PASSWORD": "program-password",
    "PMS_SECRET_KEY": "0123456789abcdef0123456789abcdef",
    "PMS_BASE_URL": "https://pms.example.jp",
    "PMS_TRUSTED_HOSTS": "pms.example.jp",
}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    found: dict[str, Any] = compose["services"]
    return found


def filled(value: str) -> str:
    """What compose puts in for ${NAME}, ${NAME:-default} and ${NAME:?message}."""
    return re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: GIVEN.get(found[1], ""), value)


def test_every_setting_the_containers_are_given_exists(services: dict[str, Any]) -> None:
    given = {name for service in services.values() for name in service.get("environment", {})}
    assert {name for name in given if name.startswith("PMS_")} <= NAMES
    assert set(re.findall(r"PMS_[A-Z_]+", (ROOT / "Dockerfile").read_text())) <= NAMES


@pytest.mark.parametrize("name", ["migrate", "web", "worker"])
def test_every_container_starts_a_safe_production(name: str, services: dict[str, Any]) -> None:
    service = services[name]
    environment = {key: filled(value) for key, value in service["environment"].items()}
    settings = Settings.from_environment(environment)
    assert settings.is_production
    assert settings.unsafe_reasons() == ()
    assert service["command"][0] == "pms"
    assert service["command"][1] in COMMANDS


def test_web_server_and_worker_log_in_as_who_owns_nothing(services: dict[str, Any]) -> None:
    owner = services["postgres"]["environment"]["POSTGRES_USER"]
    for name in ("web", "worker"):
        environment = services[name]["environment"]
        assert f"//{owner}:" not in environment["PMS_DATABASE_URL"]
        assert "PMS_OWNER_DATABASE_URL" not in environment
    assert f"//{owner}:" in services["migrate"]["environment"]["PMS_OWNER_DATABASE_URL"]


def test_there_are_two_web_workers_and_one_job_worker(services: dict[str, Any]) -> None:
    assert services["web"]["environment"]["PMS_WORKERS"] == "2"
    assert set(services) == {"postgres", "valkey", "migrate", "web", "worker"}
    assert not any("deploy" in service for service in services.values())


def test_the_readme_names_every_setting_and_no_other() -> None:
    found = set(re.findall(r"^\| `(PMS_[A-Z_]+)`", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert found == NAMES
