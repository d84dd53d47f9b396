"""The page in a real browser, from a file: a reviewer finds the bad frame, reads it, marks it, and takes notes away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from runner.adapters.folders import write_folder
from runner.adapters.progress import SilentProgress
from runner.adapters.review.player import fetch_player
from runner.adapters.store import OpenedResult
from runner.shell import ROOT
from runner.workflows.review.page import review
from tests.report.browser import CONTRAST, MISSING, ask, browser, look
from tests.report.pages import MARKUP
from tests.review.results import CAST, made

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"NOT TRIED IN A BROWSER: {' and '.join(MISSING)} missing (Debian: chromium chromium-driver)"
)
WHERE = "return document.getElementById('where').textContent"
SCREEN = "return document.querySelector('.ap-term').textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = made()
    files = review(OpenedResult(result.files), result.ground, fetch_player(ROOT / ".cache"), SilentProgress())
    folder = tmp_path_factory.mktemp("out") / "review"
    write_folder(folder, {name: [data] for name, data in files.items()})
    return folder / "index.html"


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def opened(driver: Chrome, page: Path) -> Chrome:
    """The page anew, its first request on the screen, no note kept."""
    look(driver, page, width=1440)
    ask(driver, "localStorage.clear(); location.hash = ''; location.reload()")
    until(driver, "return document.getElementById('where')?.textContent.includes('done frame')")
    return driver


def until(driver: Chrome, script: str, *words: object) -> Any:
    """What a script finds once it finds something."""
    return WebDriverWait(driver, 20).until(lambda _: ask(driver, script, *words))


def click(driver: Chrome, selector: str) -> None:
    driver.find_element(By.CSS_SELECTOR, selector).click()


def press(driver: Chrome, key: str) -> None:
    driver.find_element(By.TAG_NAME, "body").send_keys(key)


def table(driver: Chrome, name: str) -> list[list[str]]:
    rows = driver.find_elements(By.CSS_SELECTOR, f"#{name} tbody tr")
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in rows]


def test_the_planted_bad_frame_is_found_by_its_filter_and_its_list_read(opened: Chrome) -> None:
    click(opened, "[name=only][value=differs]")
    (entry,) = opened.find_elements(By.CSS_SELECTOR, "#requests button")
    assert "q-topic-1" in entry.text
    entry.click()
    until(opened, "return document.getElementById('title').textContent.startsWith('q-topic-1')")
    until(opened, SCREEN + ".includes('Title of x03')")
    verdicts = [one.text for one in opened.find_elements(By.CSS_SELECTOR, ".verdict")]
    assert verdicts == [
        f"{name}: drawn a-topic-1 x03 where a-topic-1 x02 was returned"
        for name in ("Ghostty", "avt, the web player", "pyte, the third opinion")
    ]
    (_, one, *same), (_, returned, *drawn) = table(opened, "lists")
    assert one == "3 a-topic-1 Title of a-topic-1 (lexical)"
    assert same == ["a-topic-1 Title of a-topic-1"] * 3
    assert returned == "0 x02 Title of x02 (lexical)"
    assert drawn == ["x03 Title of x03"] * 3


def test_a_note_on_a_frame_is_exported_and_outlives_the_page(opened: Chrome, tmp_path: Path) -> None:
    opened.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    click(opened, "#requests button[data-number='4']")
    until(opened, SCREEN + ".includes('Title of x03')")
    note = f"not what was returned {MARKUP}"
    opened.find_element(By.ID, "note").send_keys(note)
    click(opened, "[data-do=mark]")
    opened.refresh()
    until(
        opened,
        "return document.querySelectorAll('#marks li').length === 1 && document.getElementById('where').textContent",
    )
    click(opened, "[data-do=export]")
    WebDriverWait(opened, 20).until(lambda _: list(tmp_path.glob("*.json")))
    kept = json.loads(next(tmp_path.glob("*.json")).read_text())
    (found,) = kept["notes"]
    assert kept["format"] == "mambomeme/review-notes/v1"
    assert {name: found[name] for name in ("system", "block", "position", "query_id", "cast", "note")} == {
        "system": "bm25",
        "block": 1,
        "position": 5,
        "query_id": "q-topic-1",
        "cast": CAST,
        "note": note,
    }
    click(opened, "[name=only][value=marked]")
    assert len(opened.find_elements(By.CSS_SELECTOR, "#requests button")) == 1


def test_steps_by_frame_by_marker_and_by_request_with_the_keyboard(opened: Chrome) -> None:
    first = ask(opened, WHERE)
    press(opened, ".")
    after = until(opened, WHERE.replace("return ", "const now = ") + "; return now !== arguments[0] && now", first)
    assert frame(after) == frame(first) + 1
    press(opened, ",")
    until(opened, f"return {WHERE[7:]} === arguments[0]", first)
    press(opened, "]")
    until(opened, "return document.getElementById('title').textContent.startsWith('q-entity-2')")
    press(opened, "d")
    until(opened, f"return {WHERE[7:]}.endsWith('the done frame')")
    press(opened, "j")
    until(opened, "return document.getElementById('title').textContent.startsWith('q-quote-1')")
    assert ask(opened, SCREEN).count("Title of a-quote-1") == 1


def frame(where: str) -> int:
    return int(where.split("frame ")[1].split(" ", maxsplit=1)[0])


def test_filters_and_search_narrow_the_list(opened: Chrome) -> None:
    counts = {one.get_dom_attribute("data-of"): one.text for one in opened.find_elements(By.CSS_SELECTOR, ".count")}
    found = {"error": "1", "slow": "1", "differs": "1", "disagree": "0", "third": "0", "unsafe": "1", "marked": "0"}
    assert counts == found
    search = opened.find_element(By.ID, "query")
    search.send_keys("onerror")
    assert [one.text.split("\n")[1] for one in opened.find_elements(By.CSS_SELECTOR, "#requests button")] == [MARKUP]
    search.send_keys(Keys.BACKSPACE * 7, "q-topic")
    click(opened, "[name=only][value=unsafe]")
    (entry,) = opened.find_elements(By.CSS_SELECTOR, "#requests button")
    entry.click()
    until(opened, "return document.getElementById('title').textContent.startsWith('q-topic-2')")
    assert "x09 Title of x09 unsafe" in table(opened, "lists")[1][1]
    assert table(opened, "times")[0][4] == "41.002"


def test_a_link_of_the_card_opens_its_moment(driver: Chrome, page: Path) -> None:
    driver.get((page.parent / "scorecard.html").as_uri())
    ask(driver, "document.querySelectorAll('details').forEach(one => one.open = true)")
    link = driver.find_element(By.CSS_SELECTOR, f"a[href^='index.html#{CAST}&t=0.000000']")
    ask(driver, "arguments[0].scrollIntoView({block: 'center'}); arguments[0].click()", link)
    until(
        driver, "return document.getElementById('where')?.textContent.startsWith(arguments[0])", f"{CAST}, second 0.005"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1024, 1440])
def test_it_fits_can_be_read_asks_nobody_and_has_no_complaints(
    driver: Chrome, page: Path, width: int, scheme: str
) -> None:
    look(driver, page, width=width, scheme=scheme)
    until(driver, "return document.getElementById('where').textContent")
    assert ask(driver, "return document.documentElement.scrollWidth") == width
    faint, texts = ask(driver, CONTRAST.replace("'title'", "'title, .ap-wrapper, #player'"))
    assert (faint, texts > 50) == ([], True)
    assert driver.get_log("browser") == []
    asked = ask(driver, "return performance.getEntriesByType('resource').map(one => one.name)")
    assert all(one.startswith(page.parent.as_uri()) for one in asked)


def test_markup_in_a_recording_or_title_makes_no_element(opened: Chrome) -> None:
    assert ask(opened, "return document.querySelectorAll('img, script:not([src])').length") == 0
    assert MARKUP in opened.find_element(By.ID, "title").text
