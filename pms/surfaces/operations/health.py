"""Answers whether the process is up, and whether everything it needs works."""

from http import HTTPStatus

import msgspec
from flask import Response

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.readiness import Finding, readiness


def process() -> Response:
    """Say that this process answers; nothing else is looked at."""
    return _json({"ok": True})


def ready(database: Database, clock: Clock) -> Response:
    """Say whether requests may be sent here; 503 with what is wrong when they may not."""
    findings = readiness(database, clock)
    is_ready = all(finding.is_well for finding in findings)
    checks = {finding.name: _spoken(finding) for finding in findings}
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return _json({"ok": is_ready, "checks": checks}, status)


def _spoken(finding: Finding) -> dict[str, object]:
    told: dict[str, object] = {"ok": finding.is_well, "detail": finding.detail}
    return told if finding.is_well else {**told, "remedy": finding.remedy}


def _json(body: dict[str, object], status: int = HTTPStatus.OK) -> Response:
    response = Response(msgspec.json.encode(body), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
