"""Sheets through a spreadsheet and through Label Studio, there and back."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.adapters.sheets import (
    LABELLING,
    cells,
    given_in_csv,
    given_in_export,
    given_in_jsonl,
    read_csv,
    to_csv,
    to_tasks,
)
from runner.documents import Source, to_lines
from runner.errors import BadInput
from runner.retrieval.items import Safety
from runner.retrieval.sheets import SheetRow

NOW = "2026-12-01T10:00:00Z"


def row(number: int = 1, **changes) -> SheetRow:
    fields = {
        "number": number,
        "pair": f"{number:016x}",
        "query": f"query number {number}",
        "title": f"title number {number}",
        "template": "",
        "entities": ("Ann", "Ben"),
        "aliases": (),
        "franchise": "",
        "action": "",
        "tags": (),
        "ocr_text": "",
        "visual": "",
        "meaning": "",
        "language": "en",
        "preview": "previews/x.png",
        "grade": None,
        "safety": None,
        "note": "",
    }
    return SheetRow(**{**fields, **changes})


ROWS = [row(1), row(2, grade=2, safety=Safety.SENSITIVE, note="first; second"), row(3)]


def sheet(text: str | bytes, where: str = "ana.csv") -> Source:
    return Source(where, text if isinstance(text, bytes) else text.encode())


def refused(read, source: Source, rows=ROWS) -> str:
    with pytest.raises(BadInput) as error:
        list(read(source, rows, NOW))
    return str(error.value)


cell = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'", "''=1", "＝1", 'say "hi"', "a,b;c\td", "1e5", "007"]
)


@given(st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=5).map(lambda found: list(enumerate(found, 1))))
def test_law_a_csv_read_back_is_the_sheet(texts):
    rows = [row(number, query=one, ocr_text=two, note=three, tags=(one, two)) for number, (one, two, three) in texts]
    assert [found for _, found in read_csv(sheet(to_csv(rows)))] == [cells(one) for one in rows]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_runs_as_a_formula(start):
    table = csv.reader(io.StringIO(to_csv([row(query=f"{start}cmd|' /C calc'!A0")]).decode(), newline=""))
    assert not any(text.startswith(start) for line in table for text in line)


def test_a_filled_in_csv_gives_answers_and_passes_over_what_is_left():
    found = list(given_in_csv(sheet(to_csv(ROWS)), ROWS, NOW))
    assert found == [("ana.csv:3", f"{2:016x}", 2, Safety.SENSITIVE, "first; second", NOW)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig"])
def test_whatever_a_spreadsheet_saves_is_read(delimiter, mark):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows(csv.reader(io.StringIO(to_csv(ROWS).decode(), newline="")))
    assert len(list(given_in_csv(sheet(out.getvalue().encode(mark)), ROWS, NOW))) == 1


def test_lines_are_those_of_the_file_where_cells_hold_several():
    rows = [row(1, ocr_text="ONE\nTWO\nTHREE"), row(2, grade=1)]
    assert refused(given_in_csv, sheet(to_csv(rows)), rows) == (
        f"ana.csv:5: {2:016x} has no safety. Give both a grade and a class."
    )


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"2","sensitive"', '"4","sensitive"', "ana.csv:3: grade '4' is none of 0, 1, 2, 3."),
        ('"2","sensitive"', '"2.5","sensitive"', "ana.csv:3: grade '2.5' is none of"),
        ('"2","sensitive"', '"NaN","sensitive"', "ana.csv:3: grade 'NaN' is none of"),
        ('"2","sensitive"', '"2","fine"', "ana.csv:3: safety 'fine' is none of safe, sensitive"),
        ('"2","sensitive"', '"","sensitive"', "ana.csv:3: 0000000000000002 has no grade."),
        ('"query number 2"', '"query number two"', "ana.csv:3: query is not that of 0000000000000002"),
        ('"title number 2"', '"another"', "ana.csv:3: title is not that of 0000000000000002"),
        ('"number"', '"no"', "ana.csv:1: the columns are not number, pair"),
        (',"first; second"', "", "ana.csv:3: has 17 cells, not 18."),
        ('"first; second"', '"first', "ana.csv:4: no CSV:"),
    ],
)
def test_a_csv_that_was_spoilt_is_refused_at_its_line(old, new, why):
    assert refused(given_in_csv, sheet(to_csv(ROWS).decode().replace(old, new, 1))).startswith(why)


def test_a_csv_that_is_not_utf8_is_refused_at_its_line():
    data = to_csv(ROWS).replace(b"first; second", "première".encode("latin-1"))
    assert refused(given_in_csv, sheet(data)).startswith("ana.csv:3: is not UTF-8.")


def test_columns_that_were_sorted_apart_are_noticed():
    """Two rows whose ids changed places while their words stayed."""
    rows = [row(1, title="one"), row(2, title="two", grade=2, safety=Safety.SAFE)]
    torn = [one.model_copy(update={"pair": other.pair}) for one, other in zip(rows, reversed(rows), strict=True)]
    assert "rows or columns were moved against each other" in refused(given_in_csv, sheet(to_csv(torn)), rows)


def test_a_filled_in_jsonl_is_read_too():
    found = list(given_in_jsonl(Source("ana.jsonl", to_lines(ROWS)), ROWS, NOW))
    assert [(one.place, one.grade, one.note) for one in found] == [("ana.jsonl:2", 2, "first; second")]


def test_label_studio_tasks_show_query_and_item_and_nothing_more():
    (task, *_) = json.loads(to_tasks([row(1, meaning="meant", ocr_text="A\nB")]))
    assert task == {
        "data": {
            "number": 1,
            "pair": f"{1:016x}",
            "query": "query number 1",
            "item": "title: title number 1\nwords: A / B\nmeant: meant\nwho: Ann, Ben\nlanguage: en",
            "image": "/data/local-files/?d=previews/x.png",
        }
    }


def test_the_labelling_configuration_asks_what_acts_hold():
    tree = ElementTree.fromstring(LABELLING)
    choices = {tag.get("name"): [one.get("value") for one in tag] for tag in tree.iter("Choices")}
    assert choices == {"grade": ["0", "1", "2", "3"], "safety": [one.value for one in Safety]}
    keys = [one.get("hotkey") for one in tree.iter("Choice")]
    assert len(keys) == len(set(keys)) == 8
    shown = {tag.get("value", "").removeprefix("$") for tag in tree.iter() if tag.get("value", "").startswith("$")}
    assert shown <= json.loads(to_tasks([row()]))[0]["data"].keys()


def exported(number: int = 2, *, at: str = "2026-12-02T08:00:00.5Z", **answers: str) -> dict:
    """A task as Label Studio exports it, with more keys than anyone here reads."""
    values = {"grade": {"choices": ["1"]}, "safety": {"choices": ["safe"]}, "note": {"text": ["well"]}}
    values |= {name: {"choices": [value]} for name, value in answers.items()}
    result = [
        {"id": name, "from_name": name, "to_name": "item", "type": "choices", "value": value, "origin": "manual"}
        for name, value in values.items()
    ]
    annotation = {
        "id": 7,
        "completed_by": 1,
        "result": result,
        "was_cancelled": False,
        "lead_time": 3.25,
        "created_at": at,
        "updated_at": at,
    }
    tasks = json.loads(to_tasks([row(number)]))
    return {"id": 40, "project": 3, "predictions": [], "meta": {}, **tasks[0], "annotations": [annotation]}


def export(*tasks) -> Source:
    return Source("export.json", json.dumps(list(tasks)).encode())


def test_a_label_studio_export_gives_answers_with_their_own_times():
    found = list(given_in_export(export(exported()), ROWS, NOW))
    assert found == [("export.json: task 1", f"{2:016x}", 1, Safety.SAFE, "well", "2026-12-02T08:00:00.5Z")]


def test_skipped_and_unanswered_tasks_are_passed_over():
    skipped, open_ = exported(1), exported(3)
    skipped["annotations"][0]["was_cancelled"] = True
    open_["annotations"] = []
    assert list(given_in_export(export(skipped, open_), ROWS, NOW)) == []


def test_an_export_that_cannot_be_one_annotators_is_refused():
    twice, other, bare = exported(), exported(), exported()
    twice["annotations"] *= 2
    other["data"]["item"] = "title: another"
    bare["annotations"][0]["result"].pop(1)
    assert refused(given_in_export, export(exported(1), twice)).startswith("export.json: task 2: has 2 annotations.")
    assert refused(given_in_export, export(other)).startswith("export.json: task 1: shows another item than")
    assert refused(given_in_export, export(bare)).startswith("export.json: task 1: 0000000000000002 has no safety.")
    assert refused(given_in_export, export(exported(grade="5"))).startswith("export.json: task 1: grade '5' is none")
    assert "not as JSON-MIN" in refused(given_in_export, export({"pair": "x", "grade": "1"}))
    assert refused(given_in_export, Source("export.json", b"{}")).startswith("export.json: is no list of tasks.")
