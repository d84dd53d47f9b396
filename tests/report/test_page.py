"""The page is one inert file: valid inside itself, asking for nothing, and the same bytes wherever it is made."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from runner.shell import ROOT, tools
from tests.report.pages import MARKUP, TURNED, Made, hidden_page, long_page, text

DIGEST = "import hashlib, tests.report.pages as p; print(hashlib.sha256(p.small_page().html).hexdigest())"
#: What a browser may fetch, run or send.
ACTIVE = "script iframe object embed link base form input img image audio video source foreignObject animate set"


def test_the_same_bytes_in_other_processes_whatever_is_around_them(small: Made, tmp_path: Path) -> None:
    """Another hash seed, zone, language, home, folder and processor; and matplotlib settings that draw otherwise."""
    (tmp_path / "matplotlibrc").write_text(
        "svg.fonttype: path\nfont.size: 30\nlines.linewidth: 9\naxes.facecolor: red\n"
    )
    for seed, zone, language in (("1", "Asia/Kathmandu", "C"), ("77", "UTC", "tr_TR.UTF-8")):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LC_ALL": language,
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "images/corpus", ROOT / "images/mambomeme"))),
            "HOME": str(tmp_path),
            "MPLCONFIGDIR": str(tmp_path),
            "OPENBLAS_CORETYPE": "Prescott",
            "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4",
        }
        found = subprocess.run(
            [sys.executable, "-c", DIGEST], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        assert found.stdout.strip() == sha256(small.html).hexdigest()


def test_no_coordinate_is_finer_than_processors_agree_on(small: Made) -> None:
    drawn = small.tree.xpath("//svg//@d | //svg//@x | //svg//@y | //svg//@style")
    assert len(drawn) > 500
    assert not [value for value in drawn if re.search(r"\.[0-9]{4}|[0-9]e-", value)]


def test_hostile_titles_and_queries_are_shown_and_do_nothing(small: Made) -> None:
    """Controls as pictures, what turns the direction replaced, markup as text."""
    page = small.html.decode()
    strange = {c for c in page if unicodedata.category(c) in {"Cc", "Cf", "Cs"}} - {"\n"}
    assert strange == set()
    query = small.tree.get_element_by_id("query-q-entity-1")
    assert text(query.find("summary")).startswith(f"q-entity-1 {MARKUP}")
    assert MARKUP in text(query.xpath(".//li")[0])
    shown = TURNED.replace("\u202e", "\ufffd").replace("\u202c", "\ufffd")
    assert shown in text(small.tree.get_element_by_id("query-q-entity-2").find("summary"))
    assert "x \u241b[2J\u2407\u2400" in page
    assert f"Title of bm25 {MARKUP}" in text(small.tree.xpath("//tbody//th")[0])


def test_it_asks_for_nothing_and_runs_nothing(small: Made) -> None:
    tags = {one.tag for one in small.tree.iter() if isinstance(one.tag, str)}
    assert not tags & set(ACTIVE.split())
    attributes = {(name, value) for one in small.tree.iter() for name, value in one.attrib.items()}
    assert not [name for name, _ in attributes if name.startswith("on") or name in {"src", "srcset", "background"}]
    assert not [value for _, value in attributes if re.search(r"(https?:|data:|javascript:|^//)", value)]
    assert not re.search(r"url\((?!#)|@import", small.html.decode())
    (policy,) = small.tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def test_every_link_within_the_page_has_a_target_and_no_name_stands_twice(small: Made) -> None:
    names = [one.get("id") for one in small.tree.iter() if one.get("id")]
    assert len(names) == len(set(names))
    within = [link[1:] for link in small.tree.xpath("//@href") if link.startswith("#")]
    assert {"status", "queries", "query-q-topic-1"} <= set(within) <= set(names)
    labels = {name for value in small.tree.xpath("//@aria-labelledby") for name in value.split()}
    assert labels <= set(names)
    others = {link.partition("#")[0] for link in small.tree.xpath("//@href") if not link.startswith("#")}
    assert others == {f"casts/{row.system}/block-001.cast" for row in small.card.systems}


def test_headings_go_down_one_step_at_a_time_below_one_title(small: Made) -> None:
    levels = [int(one.tag[1]) for one in small.tree.xpath("//h1|//h2|//h3|//h4|//h5|//h6")]
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert not [one for one in small.tree.xpath("//h1|//h2|//h3|//h4") if not text(one)]


def test_tables_and_pictures_say_what_they_are(small: Made) -> None:
    assert small.tree.get("lang") == "en"
    assert len(small.tree.xpath("//main")) == 1
    for table in small.tree.xpath("//table"):
        assert text(table.find("caption"))
        assert {one.get("scope") for one in table.xpath(".//th")} == {"col", "row"}
    pictures = small.tree.xpath("//svg")
    assert len(pictures) == 4 + len(small.card.pairs)
    for picture in pictures:
        assert (picture.get("role"), bool(picture.get("aria-label"))) == ("img", True)
        assert text(picture.getparent().find("figcaption"))


def test_a_cell_bears_the_name_of_its_column_for_screens_too_narrow_for_columns(small: Made) -> None:
    for table in small.tree.xpath("//table[contains(@class, 'stack')]"):
        columns = [text(one) for one in table.xpath("./thead/tr/th")]
        for row in table.xpath("./tbody/tr"):
            for column, cell in list(zip(columns, row, strict=True))[1:]:
                assert cell.get("data-label", column) == column
                assert cell.get("data-label") or len(columns) == 2 or "none" in cell.get("class", "")


def test_a_page_of_three_systems_and_a_thousand_searches_each_is_small_enough_to_send() -> None:
    """The bundled partition of 120 queries, asked nine times of each system, ten results each."""
    inputs = tools().inputs(ROOT / "manifests/quick.json")
    made = long_page(inputs.partition, inputs.corpus)
    assert [row.performance.ui.n for row in made.card.systems] == [1080] * 3
    assert len(made.html) < 3_000_000
    assert len(made.tree.xpath("//details[@class='query']")) == 120


def test_a_page_of_a_hidden_partition_warns_who_would_publish_it(small: Made) -> None:
    assert "hidden partition" not in text(small.tree.find("body"))
    assert "Who publishes it exposes them" in text(hidden_page().tree.find("body"))
