"""How two processes share the tests: folder by folder where its tests share a system or a run, else module by module,
and the long ones first."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from xdist.scheduler import LoadScopeScheduling

#: Folders, the longest first, whose tests share what takes long to make.
TOGETHER = ("faults", "second_system", "workflows", "report")
#: Modules that make a whole run, an image or a browser of their own.
LONG = ("hidden/test_hidden_run.py", "image/test_twice.py", "docs/test_score_your_system.py", "docs/test_keys_page.py")


def share(nodeid: str) -> str:
    """What a test, as pytest names it, is done together with."""
    path = PurePosixPath(nodeid.partition("::")[0]).relative_to("tests")
    return path.parts[0] if path.parts[0] in TOGETHER else str(path)


def long_first(items: list[pytest.Item]) -> None:
    """So that no process is left alone with a long one at the end."""
    order = {name: place for place, name in enumerate((*TOGETHER[:1], *LONG, *TOGETHER[1:]))}
    items.sort(key=lambda item: order.get(share(item.nodeid), len(order)))


class Sharing(LoadScopeScheduling):
    """Deals out whole shares, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return share(nodeid)
