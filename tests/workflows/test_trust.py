"""Whose name stands in a trust file is a line that can be printed, and what is printed steers no terminal."""

from __future__ import annotations

import pytest

from runner.errors import UsageError
from runner.provenance.trust import Role
from runner.shell import print_lines
from runner.workflows.trust import Newcomer, add, trust_lines
from tests.provenance.signing import NOW, STRANGER, public, trust


@pytest.mark.parametrize("person", ["", " ", "\u00a0", "Ann\x1b[2J", "Ann\x07", "\u202ennA"])
def test_a_person_without_a_name_to_print_is_refused(person: str) -> None:
    with pytest.raises(UsageError, match=r"--person (is blank|holds control or format characters)"):
        add(trust(), Newcomer(public(STRANGER), Role.WITNESS, person, 30), NOW)


@pytest.mark.parametrize("person", ["José Ñ", "王 小明", "O'Neill-Смит 3"])
def test_any_other_name_stands_in_its_line(person: str) -> None:
    made = add(trust(), Newcomer(public(STRANGER), Role.WITNESS, f"  {person} ", 30), NOW)
    assert sum(f" {person}, " in line for line in trust_lines(made)) == 1


def test_no_line_of_a_result_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_lines(["a\x1b[2Jb", "c\u202ed", "e\x9bf"])
    assert capsys.readouterr().out == "a\\x1b[2Jb\nc\\u202ed\ne\\x9bf\n"
