"""Looks before starting whether it can work, and says in one line why not."""

import socket
from contextlib import suppress

from pms.foundation.errors import Refused
from pms.foundation.readiness import folder_findings, powers_of_login
from pms.foundation.settings import Settings


def check_safe(settings: Settings) -> None:
    """Refuse a production that would be unsafe, and development that other machines reach."""
    reasons = settings.unsafe_reasons()
    if reasons:
        kind = settings.env.capitalize()
        raise Refused(f"{kind} does not start with these settings:\n  " + "\n  ".join(reasons))


def check_login(settings: Settings) -> None:
    """Refuse a production whose login at PostgreSQL no wall between workspaces binds."""
    powers = powers_of_login(settings) if settings.is_production else None
    if powers:
        raise Refused(
            f"PMS_DATABASE_URL: the login is {powers}, so workspaces are not separated. Give"
            " the program its own login that may only take on the role pms_app."
        )


def check_folders(settings: Settings) -> None:
    """Make the data folder; refuse when data could not be written."""
    for finding in folder_findings(settings):
        if not finding.is_well:
            raise Refused(f"{finding.detail}. {finding.remedy}")
    try:
        # It will hold residents' names and dates: for this user's eyes alone.
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(
            f"{settings.data_dir} cannot be made: {reason}. Set PMS_DATA_DIR to another folder."
        ) from error
    _close_to_others(settings)


def _close_to_others(settings: Settings) -> None:
    """Take from group and others what an earlier release, or another umask, let them read."""
    own = (
        settings.files_dir,
        settings.budget_dir,
        settings.mail_dir,
        settings.data_dir / "metrics",
    )
    databases = (*settings.data_dir.glob("*.sqlite3"), *settings.data_dir.glob("*.sqlite3-*"))
    for path in (*own, *databases):
        with suppress(OSError):  # not there, or somebody else's
            path.chmod(path.stat().st_mode & 0o700)


def check_port(settings: Settings) -> None:
    """Refuse when somebody else listens on the port already, or nobody may."""
    try:
        address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(address[0], address[1]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(
            f"Cannot listen on {settings.host} port {settings.port}: {reason}. "
            "Stop the other program, or choose another port: PMS_PORT=8001 make run"
        ) from error
