"""`pms probe`: asks the web server of these settings whether it is up, for a container's check."""

import http.client
import sys

import click

from pms.foundation.settings import Settings

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_PATIENCE_SECONDS = 5


@click.command()
def probe() -> None:
    """Ask /healthz of the web server on this machine; exit code 1 when nothing answers."""
    settings = Settings.from_environment()
    if not answers(settings):
        click.echo(f"Nothing answers on {settings.host} port {settings.port}.", err=True)
        sys.exit(1)


def answers(settings: Settings) -> bool:
    """Tell whether the web server answers; its host is named, for others may be refused."""
    host = _EVERYWHERE.get(settings.host, settings.host)
    connection = http.client.HTTPConnection(host, settings.port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", "/healthz", headers={"Host": _served_host(settings)})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _served_host(settings: Settings) -> str:
    return settings.base_url.partition("://")[2].partition("/")[0]
