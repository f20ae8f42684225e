"""The set-up scripts: they say what is missing, and how to get it, on machines of any kind.

The machine is played by small stand-ins for its commands, so that nothing is installed here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ("prepare.sh", "run.sh", "test.sh")
NEEDED_TOOLS = ("bash", "dirname", "cat", "cksum", "grep", "env", "awk", "mkdir", "rm")


class Machine:
    """A copy of the scripts in a folder with a space, and a PATH of stand-ins."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "my project"
        shutil.copytree(ROOT / "packaging", self.project / "packaging")
        shutil.copy(ROOT / "pyproject.toml", self.project)
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in NEEDED_TOOLS:
            found = shutil.which(tool)
            assert found, tool
            (self.bin / tool).symlink_to(found)
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        self.stand_in("apt-get", "echo UNWANTED apt-get >&2; exit 1")
        self.stand_in("apt-cache", "exit 1")
        self.stand_in("dpkg-query", "echo installed")
        self.stand_in("python3", "exit 1")

    def stand_in(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def run(self, script: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.bin / "bash"), str(self.project / "packaging" / script), *arguments],
            capture_output=True,
            text=True,
            cwd="/",
            env={"PATH": str(self.bin), "HOME": str(self.project.parent), **env},
            timeout=60,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_missing_libraries_are_named_with_the_command_that_installs_them(machine: Machine) -> None:
    machine.stand_in("dpkg-query", '[[ "${@: -1}" == libgl1 ]] && echo installed')
    machine.stand_in("apt-cache", '[[ "$2" == libglib2.0-0t64 ]]')
    done = machine.run("run.sh", DISPLAY=":0")
    assert done.returncode == 1
    command = next(line for line in done.stderr.splitlines() if "apt-get install" in line)
    packages = command.split("--no-install-recommends")[1].split()
    assert "libglib2.0-0t64" in packages
    assert {"libegl1", "libxkbcommon0", "libxcb-cursor0", "libxkbcommon-x11-0"} <= set(packages)
    assert "libgl1" not in packages
    assert "UNWANTED" not in done.stderr


def test_the_older_name_of_a_library_is_used_where_it_is_known(machine: Machine) -> None:
    machine.stand_in("dpkg-query", "exit 1")
    machine.stand_in("apt-cache", '[[ "$2" == libglib2.0-0 ]]')
    done = machine.run("test.sh")
    assert " libglib2.0-0\n" in done.stderr
    assert "libxcb-cursor0" not in done.stderr  # tests need no screen


def test_a_machine_without_a_new_enough_python_is_told(machine: Machine) -> None:
    done = machine.run("run.sh")
    assert done.returncode == 1
    assert "mvdesk needs Python 3.11 or newer" in done.stderr


def test_a_python_that_makes_no_environments_is_told(machine: Machine) -> None:
    machine.stand_in(
        "python3",
        'case "$2" in *ensurepip*) exit 1;; *print*) echo 3.12;; esac',
    )
    done = machine.run("run.sh")
    assert done.returncode == 1
    assert "sudo apt-get install -y --no-install-recommends python3.12-venv" in done.stderr


def test_root_installs_only_what_is_missing(machine: Machine, tmp_path: Path) -> None:
    log = tmp_path / "log"
    machine.stand_in("id", "echo 0")
    machine.stand_in("apt-get", f'echo "$@" >>"{log}"')
    machine.stand_in("dpkg-query", '[[ "${@: -1}" != libegl1 ]] && echo installed')
    machine.run("test.sh")
    installs = [line for line in log.read_text().splitlines() if line.startswith("install")]
    assert [line.split()[-1] for line in installs if "libegl1" in line] == ["libegl1"]
    assert "libgl1 " not in installs[0]


def test_a_system_without_apt_is_told_what_has_to_be_there(machine: Machine) -> None:
    (machine.bin / "apt-get").unlink()
    done = machine.run("run.sh")
    assert "no apt" in done.stdout
    assert "mvdesk needs Python 3.11 or newer" in done.stderr


def test_help_does_nothing_else(machine: Machine) -> None:
    done = machine.run("run.sh", "--help")
    assert done.returncode == 0
    assert "bash packaging/run.sh VAULT" in done.stdout
    assert not (machine.project / ".venv").exists()


def test_without_a_display_the_command_for_a_picture_is_printed(
    machine: Machine, tmp_path: Path
) -> None:
    venv = machine.project / ".venv"
    (venv / "bin").mkdir(parents=True)
    for name, body in (
        ("python", '[ "$1" != -c ] || echo 3.12'),
        ("mvdesk", f'echo "$@" >>"{tmp_path}/calls"; [ "$1" != demo ] || : >"$2"'),
    ):
        machine.stand_in(name, body)
        (machine.bin / name).rename(venv / "bin" / name)
    first = machine.run("run.sh", XDG_DATA_HOME=str(tmp_path / "my data"))
    assert first.returncode == 1
    assert "no display" in first.stderr
    vault = tmp_path / "my data" / "mvdesk" / "demo.sqlite"
    shell = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {first.stderr.splitlines()[-1]}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert shell[:3] == [str(venv / "bin" / "mvdesk"), "screenshot", str(vault)]
    assert vault.exists()
    # The second run finds everything; with a display it opens the window on the demo.
    machine.stand_in("apt-get", "exit 1")
    second = machine.run("run.sh", XDG_DATA_HOME=str(tmp_path / "my data"), DISPLAY=":0")
    assert second.returncode == 0
    assert "installing" not in second.stdout
    third = machine.run("run.sh", str(vault), DISPLAY=":0")
    assert third.returncode == 0
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == [f"demo {vault}", str(vault), str(vault)]


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_sound_and_name_no_registry(script: str) -> None:
    path = ROOT / "packaging" / script
    assert subprocess.run(["bash", "-n", str(path)], check=False).returncode == 0
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text


def test_continuous_integration_runs_what_the_readme_says() -> None:
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert "bash packaging/test.sh" in run.read_text(encoding="utf-8")
    assert "bash packaging/test.sh" in (ROOT / "README.md").read_text(encoding="utf-8")
