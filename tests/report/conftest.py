"""One small page, made once."""

from __future__ import annotations

import pytest

from tests.report.pages import Made, small_page


@pytest.fixture(scope="session")
def small() -> Made:
    return small_page()
