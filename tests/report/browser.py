"""A real browser without a screen, that looks at one page and talks to nobody else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

PROGRAMS = ("chromium", "chromedriver")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
_QUIET = (
    "headless no-sandbox disable-gpu disable-dev-shm-usage disable-quic no-first-run disable-background-networking "
    "disable-component-update disable-sync hide-scrollbars"
)


@contextmanager
def browser(profile: Path) -> Iterator[Chrome]:
    """A browser of its own, gone at the end; `profile` is a new folder."""
    options = ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for word in _QUIET.split():
        options.add_argument(f"--{word}")
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    try:
        yield driver
    finally:
        driver.quit()


def look(driver: Chrome, page: Path, *, width: int, scheme: str = "light", medium: str = "screen") -> None:
    """Open `page` on a screen `width` pixels wide, with everything unfolded."""
    visit(driver, page, width=width, scheme=scheme, medium=medium)
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")


def visit(driver: Chrome, page: Path, *, width: int, scheme: str = "light", medium: str = "screen") -> None:
    """Open `page` on a screen `width` pixels wide, as it comes."""
    sizes = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})
    driver.get(page.as_uri())


def ask(driver: Chrome, script: str, *words: object) -> Any:
    """What a script finds in the page."""
    return driver.execute_script(script, *words)


#: Text whose contrast with what lies behind it is below 4.5, and how many texts there are (WCAG 2.2, 1.4.3).
CONTRAST = """
const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
const luminance = rgb => rgb.slice(0, 3).map(value => value / 255)
  .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
const behind = node => {
  for (; node; node = node.parentElement) {
    const found = numbers(getComputedStyle(node).backgroundColor);
    if (found.length === 3 || found[3] > 0) return found;
  }
  return [255, 255, 255];
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const faint = new Set();
let texts = 0;
while (walker.nextNode()) {
  const parent = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || parent.closest('title')) continue;
  texts += 1;
  const style = getComputedStyle(parent);
  const ink = luminance(numbers(parent.closest('svg') ? style.fill : style.color));
  const paper = luminance(behind(parent));
  const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  if (ratio < 4.5) faint.add(`${ratio.toFixed(2)} ${walker.currentNode.data.trim()}`);
}
return [[...faint], texts];
"""

#: Elements that reach past the sides of the screen.
OUTSIDE = """
const wide = document.documentElement.clientWidth;
return [...document.querySelectorAll('body *')].filter(one => !one.closest('thead, .skip'))
  .filter(one => { const at = one.getBoundingClientRect(); return at.width && (at.right > wide + 1 || at.left < -1); })
  .map(one => `${one.tagName} ${one.textContent.trim().slice(0, 40)}`);
"""
