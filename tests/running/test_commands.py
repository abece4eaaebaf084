"""The commands tell what is wrong in a line, before anything is started."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pms.foundation.clock import FixedClock
from pms.surfaces.command_line import COMMANDS, main, pms
from pms.surfaces.command_line.listing import table
from tests.servers.ports import free_port

SECRET = "a-planted-secret-of-more-than-32-characters"
Run = Callable[..., subprocess.CompletedProcess[str]]
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("PMS_")}


def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from pms.surfaces.command_line import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**OUTSIDE, **settings},
    )


@pytest.fixture
def run_here(
    clock: FixedClock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command in this process: to start another takes seconds, and shows no more."""

    def started(*_: object, **__: object) -> None:
        raise AssertionError("a command that should refuse starts a program")

    def running(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        for name in os.environ.keys() - OUTSIDE.keys():
            monkeypatch.delenv(name)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["pms", *arguments])
        for place, name in ((os, "execv"), (subprocess.Popen, "__init__")):
            monkeypatch.setattr(place, name, started)
        with pytest.raises(SystemExit) as ended:
            main(clock)
        printed = capsys.readouterr()
        code = ended.value.code or 0
        assert isinstance(code, int)
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    return running


@pytest.fixture
def migrated(tmp_path: Path, sqlite_template: Path) -> dict[str, str]:
    """The settings of a data folder with a migrated database."""
    (tmp_path / "data").mkdir()
    shutil.copy(sqlite_template, tmp_path / "data" / "pms.sqlite3")
    return {"PMS_DATA_DIR": str(tmp_path / "data")}


def test_help_lists_every_command_and_loads_none_of_them() -> None:
    loaded = "import sys; from pms.surfaces.command_line import pms; pms(['--help'], "
    loaded += "standalone_mode=False); print(sorted(m for m in sys.modules if 'sqlalchemy' in m))"
    output = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    ).stdout
    assert all(f"  {name} " in output for name in COMMANDS)
    assert output.endswith("[]\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_list_exists_and_explains_itself(name: str) -> None:
    command = pms.get_command(pms.make_context("pms", ["doctor"]), name)
    assert command is not None
    assert command.get_short_help_str()


def test_every_command_of_a_workspace_takes_it_by_the_same_short_option() -> None:
    context = pms.make_context("pms", ["doctor"])
    groups = [command for name in COMMANDS if (command := pms.get_command(context, name))]
    commands = list(groups)
    for group in groups:
        commands += getattr(group, "commands", {}).values()
    taken = [
        option.opts
        for command in commands
        for option in command.params
        if "--workspace" in option.opts
    ]
    assert len(taken) > 40
    assert all("-w" in opts for opts in taken)


def test_an_unknown_command_is_refused(run_here: Run) -> None:
    assert run_here("dance").returncode == 2


def test_a_setting_that_cannot_be_read_is_named() -> None:
    result = run("web", PMS_PORT="80a")
    assert result.returncode == 1
    assert result.stderr == "pms: PMS_PORT: '80a' is not a whole number from 1 to 65535.\n"


@pytest.mark.parametrize("command", ["run", "web", "worker"])
def test_an_unsafe_production_does_not_start(command: str, tmp_path: Path, run_here: Run) -> None:
    result = run_here(command, PMS_ENV="production", PMS_DATA_DIR=str(tmp_path))
    assert result.returncode == 1
    for name in ("PMS_SECRET_KEY", "PMS_TRUSTED_HOSTS", "PMS_BASE_URL"):
        assert name in result.stderr


def test_an_unsafe_production_does_not_start_under_another_wsgi_server_either() -> None:
    result = subprocess.run(
        [sys.executable, "-c", "import wsgi"],
        capture_output=True,
        text=True,
        check=False,
        env={**OUTSIDE, "PMS_ENV": "production"},
    )
    assert result.returncode == 1
    assert "PMS_SECRET_KEY is missing or short" in result.stderr


@pytest.mark.parametrize("command", ["run", "web"])
def test_a_taken_port_is_told_with_the_way_out(command: str, tmp_path: Path, run_here: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = run_here(command, PMS_PORT=port, PMS_DATA_DIR=str(tmp_path))
    assert result.returncode == 1
    assert result.stderr == (
        f"pms: Cannot listen on 127.0.0.1 port {port}: address already in use. "
        "Stop the other program, or choose another port: PMS_PORT=8001 make run\n"
    )


def test_an_unwritable_folder_is_told_with_the_way_out(tmp_path: Path, run_here: Run) -> None:
    (tmp_path / "file").touch()
    result = run_here(
        "run", PMS_DATA_DIR=str(tmp_path / "file" / "data"), PMS_PORT=str(free_port())
    )
    assert result.returncode == 1
    assert f"{tmp_path / 'file'} is not a folder" in result.stderr
    assert "set PMS_DATA_DIR to another folder" in result.stderr


def test_a_folder_that_may_not_be_made_is_told(tmp_path: Path, run_here: Run) -> None:
    # Root may write everywhere, only not where the system itself makes the files.
    closed = Path("/proc") if os.geteuid() == 0 else tmp_path / "closed"
    if not closed.exists():
        closed.mkdir(mode=0o500)
    result = run_here("run", PMS_DATA_DIR=str(closed / "data"), PMS_PORT=str(free_port()))
    assert result.returncode == 1
    assert result.stderr.startswith(f"pms: {closed}")
    assert "PMS_DATA_DIR to another folder" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_doctor_tells_what_is_missing_and_how_to_put_it_right(
    tmp_path: Path, run_here: Run
) -> None:
    result = run_here("doctor", PMS_DATA_DIR=str(tmp_path / "data"))
    assert result.returncode == 1
    assert "WRONG  database: unable to open database file" in result.stdout
    assert "Run `pms migrate`" in result.stdout
    assert not (tmp_path / "data").exists()


def test_the_doctor_tells_programs_the_same(migrated: dict[str, str], run_here: Run) -> None:
    result = run_here("doctor", "--json", **migrated)
    assert result.returncode == 1
    body = json.loads(result.stdout)
    wrong = [finding["name"] for finding in body["findings"] if not finding["is_well"]]
    assert wrong == ["worker"]
    assert body["versions"]["python"]
    assert body["settings"]["env"] == "development"


def test_the_doctor_finds_a_budget_server_that_is_down(
    migrated: dict[str, str], run_here: Run
) -> None:
    port = free_port()
    result = run_here("doctor", PMS_REDIS_URL=f"redis://127.0.0.1:{port}/0", **migrated)
    assert "WRONG  request budget: Valkey does not answer" in result.stdout
    assert "Check PMS_REDIS_URL and that server." in result.stdout


def test_the_doctor_finds_a_budget_server_that_is_well(
    migrated: dict[str, str], valkey_url: str
) -> None:
    result = run("doctor", PMS_REDIS_URL=valkey_url, **migrated)
    assert "ok     request budget: Valkey answers" in result.stdout


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_the_doctor_shows_no_secret(as_json: list[str], tmp_path: Path, run_here: Run) -> None:
    result = run_here(
        "doctor",
        *as_json,
        PMS_DATA_DIR=str(tmp_path),
        PMS_DATABASE_URL=f"postgresql://pms:{SECRET}@127.0.0.1:{free_port()}/pms",
        PMS_REDIS_URL=f"redis://:{SECRET}@127.0.0.1/0",
        PMS_SMTP_URL=f"smtps://mail:{SECRET}@mail.example.jp",
        PMS_SECRET_KEY=SECRET,
        PMS_METRICS_TOKEN=SECRET,
    )
    assert result.returncode == 1
    assert "connection" in result.stdout
    assert SECRET not in result.stdout + result.stderr


def test_migrating_twice_changes_nothing(migrated: dict[str, str], tmp_path: Path) -> None:
    database = tmp_path / "data" / "pms.sqlite3"
    before = database.read_bytes()
    again = run("migrate", **migrated)
    assert again.returncode == 0
    assert database.read_bytes() == before
    assert again.stdout.startswith("The database is at ")


def modes(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))}


def test_nobody_else_reads_what_is_written_whatever_the_umask(tmp_path: Path) -> None:
    settings = {"PMS_DATA_DIR": str(tmp_path / "data")}
    before = os.umask(0)
    try:
        assert run("migrate", **settings).returncode == 0
        made = run(
            "demo", *["--units", "4", "--reservations", "9", "--workspaces", "1"], **settings
        )
        assert made.returncode == 0, made.stderr
        (tmp_path / "data" / "mail").mkdir()
        (tmp_path / "data" / "jobs.sqlite3").touch()
    finally:
        os.umask(before)
    assert run("migrate", **settings).returncode == 0
    assert modes(tmp_path / "data") == {0}
    assert list((tmp_path / "data" / "files").glob("*/*"))


def test_an_older_migration_asks_first_and_production_refuses_it(
    migrated: dict[str, str], run_here: Run
) -> None:
    asked = run("migrate", "--to", "0016", **migrated)
    assert asked.returncode == 1
    assert "will be deleted" in asked.stderr
    assert run("migrate", "--to", "0016", "--yes", **migrated).returncode == 0
    refused = run_here("migrate", "--to", "base", PMS_ENV="production", **migrated)
    assert refused.returncode == 1
    assert "not possible in production" in refused.stderr
    unknown = run_here("migrate", "--to", "0o16", **migrated)
    assert unknown.stderr == "pms: Migration '0o16' was not found.\n"


def test_a_probe_finds_nobody_where_nobody_listens(run_here: Run) -> None:
    port = str(free_port())
    result = run_here("probe", PMS_PORT=port)
    assert (result.returncode, result.stderr) == (
        1,
        f"Nothing answers on 127.0.0.1 port {port}.\n",
    )


@pytest.mark.parametrize("address", ["nobody", "@example.jp", "a b@example.jp", "a@b\nBcc: c@d"])
def test_a_test_mail_needs_an_address(address: str, run_here: Run) -> None:
    result = run_here("mail", "test", address)
    assert result.returncode == 1
    assert "is not an email address" in result.stderr


def test_a_test_mail_needs_a_workspace_to_come_from(
    migrated: dict[str, str], run_here: Run
) -> None:
    result = run_here("mail", "test", "hanako@example.jp", **migrated)
    assert result.returncode == 1
    assert "There is no workspace yet" in result.stderr


def test_a_table_stays_aligned_where_letters_are_two_cells_wide() -> None:
    rows: list[dict[str, object]] = [
        {"name": "カワセミ荘", "units": 12},
        {"name": "Hill", "units": None},
    ]
    assert table(rows) == "name        units\nカワセミ荘  12\nHill"
