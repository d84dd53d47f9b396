"""The page in a real browser: narrow to wide, light, dark and on paper; read by sight, by keyboard and aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.report.browser import CONTRAST, MISSING, OUTSIDE, ask, browser, look, visit
from tests.report.pages import SYSTEMS, Made

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"NOT TRIED IN A BROWSER: {' and '.join(MISSING)} missing (Debian: chromium chromium-driver)"
)
WIDTHS = (360, 768, 1024, 1280)
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def page(small: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page where a result has it: beside its casts."""
    folder = tmp_path_factory.mktemp("result")
    for name in SYSTEMS:
        cast = folder / f"casts/{name}/block-001.cast"
        cast.parent.mkdir(parents=True)
        cast.write_text('{"version": 2, "width": 80, "height": 24}\n')
    (folder / "scorecard.html").write_bytes(small.html)
    return folder / "scorecard.html"


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_can_be_read_and_has_no_complaints(driver: Chrome, page: Path, width: int, scheme: str) -> None:
    look(driver, page, width=width, scheme=scheme)
    assert ask(driver, "return document.documentElement.scrollWidth") == width
    assert ask(driver, OUTSIDE) == []
    faint, texts = ask(driver, CONTRAST)
    assert (faint, texts > 1000) == ([], True)
    assert driver.get_log("browser") == []
    assert ask(driver, "return performance.getEntriesByType('resource').map(one => one.name)") == []


def test_on_a_small_screen_what_is_long_is_folded_and_opens_by_hand_or_by_its_link(driver: Chrome, page: Path) -> None:
    visible = "return document.querySelector('section:has(#slices) table').checkVisibility()"
    visit(driver, page, width=1280)
    assert ask(driver, visible) is True
    visit(driver, page, width=360)
    folded = ask(driver, "return document.documentElement.scrollHeight")
    assert ask(driver, visible) is False
    driver.find_element(By.CSS_SELECTOR, "summary:has(#slices)").click()
    assert ask(driver, visible) is True
    visit(driver, page, width=360)
    driver.find_element(By.CSS_SELECTOR, "nav a[href='#slices']").click()
    assert ask(driver, visible) is True
    look(driver, page, width=360)
    assert ask(driver, "return document.documentElement.scrollHeight") > 3 * folded


def test_dark_is_dark_and_paper_is_white_whatever_the_screen_likes(driver: Chrome, page: Path) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    found = {}
    for scheme, medium in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        look(driver, page, width=794, scheme=scheme, medium=medium)
        found[scheme, medium] = [sum(map(int, ask(driver, paper)[4:-1].split(","))), ask(driver, CONTRAST)[0]]
    assert found["light", "screen"] == found["dark", "print"] == [3 * 255, []]
    assert found["dark", "screen"][0] < 100


def test_what_tells_systems_apart_in_the_figures_is_seen_on_both_grounds(driver: Chrome, page: Path) -> None:
    """At least 3 to 1 for graphics (WCAG 2.2, 1.4.11)."""
    script = (
        CONTRAST[: CONTRAST.index("const walker")]
        + """
    const paper = luminance(behind(document.body));
    return [...document.querySelectorAll('figcaption .swatch')].map(one => {
      const ink = luminance(numbers(getComputedStyle(one).backgroundColor));
      return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    });"""
    )
    for scheme in SCHEMES:
        look(driver, page, width=1280, scheme=scheme)
        found = ask(driver, script)
        assert len(found) >= len(SYSTEMS)
        assert min(found) >= 3


def test_every_link_leads_where_it_says(driver: Chrome, page: Path) -> None:
    look(driver, page, width=1280)
    links = driver.find_elements(By.CSS_SELECTOR, "nav a, details a[href^='#']")
    assert len(links) > 10
    for link in links:
        target = link.get_dom_attribute("href")[1:]
        ask(driver, "arguments[0].scrollIntoView()", link)
        link.click()
        assert driver.current_url == f"{page.as_uri()}#{target}"
        top = ask(driver, "return document.getElementById(arguments[0]).getBoundingClientRect().top", target)
        assert -1 <= top < 900
    casts = {link.get_property("href") for link in driver.find_elements(By.CSS_SELECTOR, ".answer a")}
    files = {Path(link.partition("#")[0].removeprefix("file://")) for link in casts}
    assert files == {page.parent / f"casts/{name}/block-001.cast" for name in SYSTEMS}
    assert all(file.exists() for file in files)


def test_the_keyboard_reaches_the_result_first(driver: Chrome, page: Path) -> None:
    look(driver, page, width=360)
    ActionChains(driver).send_keys(Keys.TAB).perform()
    assert driver.switch_to.active_element.text == "Skip to the result"
    assert driver.switch_to.active_element.is_displayed()
    ActionChains(driver).send_keys(Keys.ENTER).perform()
    assert driver.current_url.endswith("#status")


@pytest.mark.parametrize("width", [WIDTHS[0], WIDTHS[-1]])
def test_a_screen_reader_meets_tables_figures_and_headings(driver: Chrome, page: Path, width: int) -> None:
    """Also where a narrow screen shows the rows of a table as blocks."""
    look(driver, page, width=width)
    found = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nodes = [node for node in found if not node["ignored"]]
    roles = Counter(node["role"]["value"] for node in nodes)
    for role, selector in {
        "table": "table",
        "row": "tr",
        "columnheader": "thead th",
        "rowheader": "tbody th",
        "cell": "td:not(.none)",
        "main": "main",
        "navigation": "nav",
        "heading": "h1, h2, h3, h4",
    }.items():
        assert roles[role] >= len(driver.find_elements(By.CSS_SELECTOR, selector)) > 0, role
    named = [node["name"]["value"] for node in nodes if node["role"]["value"] in {"table", "image", "img"}]
    assert len(named) > 20
    assert all(named)
