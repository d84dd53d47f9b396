"""Facts of the machine are what other tools say of it, and `unknown` where it says nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from runner.driver import machine


def test_it_is_what_lscpu_says() -> None:
    rows = json.loads(subprocess.run(["lscpu", "-J"], capture_output=True, check=True).stdout)["lscpu"]
    told = {row["field"].rstrip(":"): row["data"] for row in flat(rows)}
    assert set(machine.machine_facts()["cpu_flags"].split()) == set(told["Flags"].split())
    assert machine.processors("model name") == told["Model name"]


def flat(rows: list[dict]) -> list[dict]:
    """Newer versions nest their rows."""
    return [one for row in rows for one in (row, *flat(row.get("children", [])))]


def test_the_clock_source_is_one_that_the_kernel_has() -> None:
    known = Path("/sys/devices/system/clocksource/clocksource0/available_clocksource").read_text()
    assert machine.machine_facts()["clock_source"] in known.split()


def test_what_a_machine_does_not_say_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a virtual machine without a governor, and a kernel without the rest."""
    monkeypatch.setattr(machine, "_text", lambda _path: "")
    facts = machine.machine_facts()
    assert {facts[name] for name in facts if name != "cgroup_version"} == {"unknown"}


def test_processors_that_differ_are_each_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "processor : 0\nmicrocode : 0x2\n\nprocessor : 1\nmicrocode : 0x1\n\nprocessor : 2\nmicrocode : 0x2\n"
    monkeypatch.setattr(machine, "_text", lambda _path: text)
    assert machine.processors("microcode") == "0x1; 0x2"
