"""What gunicorn is told to do around its workers."""

from pathlib import Path
from types import SimpleNamespace

from gunicorn.config import Config

from pms.surfaces.command_line import gunicorn_config

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def test_workers_count_together_after_a_reload_and_nothing_is_left_at_the_end() -> None:
    server = SimpleNamespace(cfg=Config())
    gunicorn_config.on_starting(server)
    counts = server.cfg.env[FOLDER]
    # A HUP reads the configuration anew and calls no `on_starting`.
    server.cfg = Config()
    assert FOLDER not in server.cfg.env
    gunicorn_config.on_reload(server)
    assert server.cfg.env[FOLDER] == counts
    assert Path(counts).is_dir()
    gunicorn_config.on_exit(server)
    assert not Path(counts).exists()
