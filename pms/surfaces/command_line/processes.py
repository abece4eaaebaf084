"""The command lines of the two processes this program consists of."""

import sys

from pms.surfaces.command_line import __name__ as command_line

WEB = (sys.executable, "-m", "gunicorn", "-c", f"python:{command_line}.gunicorn_config", "wsgi:app")
# By name: the command line may start the jobs, and imports nothing of them.
WORKER = (sys.executable, "-m", "pms.jobs")
