"""A verb that asks for a passphrase, at a terminal."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

import pexpect

from runner.shell import ROOT


class Typed(NamedTuple):
    """How the verb ended, and all that it showed."""

    status: int
    shown: str


def typed(command: Sequence[object], prompts: Sequence[str], words: str) -> Typed:
    """Run a verb and answer each prompt with `words`, once nothing is echoed any longer."""
    child = pexpect.spawn(
        sys.executable, ["-m", "runner", *map(str, command)], cwd=str(ROOT), timeout=60, encoding="utf-8"
    )
    shown = ""
    for prompt in prompts:
        child.expect(prompt)
        child.expect(": ")
        child.waitnoecho()
        child.sendline(words)
        shown += child.before
    child.expect(pexpect.EOF)
    child.close()
    return Typed(child.exitstatus, shown + child.before)
