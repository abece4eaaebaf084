"""Starts the worker: `python -m pms.jobs`, which is what `pms worker` and `pms run` call."""

from pms.foundation.settings import Settings
from pms.jobs.worker import run_worker

if __name__ == "__main__":
    run_worker(Settings.from_environment())
