"""Start the worker: `python -m pms.jobs`, which `pms worker` and `pms run` call."""

import os

from pms.foundation.settings import Settings
from pms.jobs.worker import run_worker

if __name__ == "__main__":
    os.umask(0o077)  # files are readable by this user only
    run_worker(Settings.from_environment())
