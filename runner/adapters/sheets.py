"""Sheets as other programs take them, and the answers read back: CSV for spreadsheets, tasks for Label Studio."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from runner.counts import counted
from runner.documents import Source, first_finding, parse_json, pretty_bytes
from runner.errors import BadInput
from runner.retrieval.sheets import Given, SheetRow, given_grade, given_safety

COLUMNS = tuple(SheetRow.model_fields)

# A spreadsheet takes a cell that starts with one of the first for a formula; the last is what such a cell is marked
# with, so it is marked itself.
_MARKED = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "'")

_BOM = b"\xef\xbb\xbf"


def cells(row: SheetRow) -> dict[str, str]:
    """A row as text by column; lists as JSON, what is not given as nothing."""
    return {name: _text(getattr(row, name)) for name in COLUMNS}


def to_csv(rows: Sequence[SheetRow]) -> bytes:
    """A sheet for spreadsheets: every cell quoted, and an apostrophe before whatever would run as a formula."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([_disarmed(text) for text in cells(row).values()] for row in rows)
    return out.getvalue().encode()


def read_csv(source: Source) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The rows of a sheet that a spreadsheet saved, each with its file and line; commas, semicolons or tabs part them.

    The byte order mark that spreadsheets put before UTF-8 is passed over.
    """
    try:
        text = source.data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        line = source.data[: error.start].count(b"\n") + 1
        raise BadInput(f"{source.where}:{line}: is not UTF-8.", advice="Save it as CSV UTF-8.") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, source.where), strict=True)
    line = 1
    try:
        next(reader)
        for found in reader:
            place, line = f"{source.where}:{line + 1}", reader.line_num
            if len(found) != len(COLUMNS):
                raise BadInput(
                    f"{place}: has {counted(len(found), 'cell')}, not {len(COLUMNS)}.", advice="Restore the row."
                )
            yield place, dict(zip(COLUMNS, map(_armed, found), strict=True))
    except csv.Error as error:
        raise BadInput(f"{source.where}:{reader.line_num}: no CSV: {error}.", advice="Save it anew.") from None


def given_in_csv(source: Source, rows: Sequence[SheetRow], at: str) -> Iterator[Given]:
    """The answers in a filled-in CSV of the sheet `rows`; pairs without any are passed over. `at` is their time."""
    own = {row.pair: row for row in rows}
    for place, found in read_csv(source):
        pair = found["pair"]
        if pair in own:
            _refuse_torn(place, found, own[pair])
        if found["grade"] or found["safety"]:
            yield _given(place, pair, found, at)


def given_in_jsonl(source: Source, rows: Sequence[SheetRow], at: str) -> Iterator[Given]:
    """The answers in a filled-in `sheet.jsonl`."""
    own = {row.pair: row for row in rows}
    for line, found in enumerate(SheetRow.parse_lines(source.data, source.where), 1):
        place = f"{source.where}:{line}"
        if found.pair in own:
            _refuse_torn(place, cells(found), own[found.pair])
        if found.grade is not None or found.safety is not None:
            yield _given(place, found.pair, cells(found), at)


def to_tasks(rows: Sequence[SheetRow]) -> bytes:
    """A sheet as Label Studio imports it: one task a pair, in the order of the sheet."""
    tasks = [
        {
            "data": {
                **{name: getattr(row, name) for name in ("number", "pair", "query")},
                "item": described(row),
                "image": f"/data/local-files/?d={row.preview}",
            }
        }
        for row in rows
    ]
    return pretty_bytes(tasks)


#: The labelling configuration that belongs to `to_tasks`; keys as in the terminal annotator.
LABELLING = b"""<View>
  <Header value="$query"/>
  <View style="display: flex; gap: 2em">
    <Text name="item" value="$item"/>
    <Image name="picture" value="$image" maxWidth="480px"/>
  </View>
  <Choices name="grade" toName="item" choice="single" required="true" showInline="true">
    <Choice value="0" hotkey="0" hint="not useful"/>
    <Choice value="1" hotkey="1" hint="related, but not what was asked"/>
    <Choice value="2" hotkey="2" hint="useful"/>
    <Choice value="3" hotkey="3" hint="exactly what was asked"/>
  </Choices>
  <Choices name="safety" toName="item" choice="single" required="true" showInline="true">
    <Choice value="safe" hotkey="s"/>
    <Choice value="sensitive" hotkey="n"/>
    <Choice value="unsafe" hotkey="u"/>
    <Choice value="critical" hotkey="c"/>
  </Choices>
  <TextArea name="note" toName="item" placeholder="note" maxSubmissions="1"/>
</View>
"""


def described(row: SheetRow) -> str:
    """The fields of an item that hold something, one a line."""
    fields = {
        "title": row.title,
        "words": row.ocr_text.replace("\n", " / "),
        "seen": row.visual,
        "meant": row.meaning,
        "who": ", ".join(row.entities),
        "template": row.template,
        "franchise": row.franchise,
        "action": row.action,
        "tags": ", ".join(row.tags),
        "aliases": ", ".join(row.aliases),
        "language": row.language,
    }
    return "\n".join(f"{name}: {value}" for name, value in fields.items() if value)


class _Foreign(BaseModel):
    """A part of somebody else's format; what we do not need of it is passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Answer(_Foreign):
    from_name: str
    value: dict[str, Any]

    def text(self) -> str:
        """What was chosen or written."""
        found = self.value.get("choices", self.value.get("text", []))
        return " ".join(map(str, found)) if isinstance(found, list) else str(found)


class _Annotation(_Foreign):
    result: tuple[_Answer, ...]
    was_cancelled: bool = False
    created_at: str = ""
    updated_at: str = ""


class _Task(_Foreign):
    data: dict[str, Any]
    annotations: tuple[_Annotation, ...]


def given_in_export(source: Source, rows: Sequence[SheetRow], at: str) -> Iterator[Given]:
    """The answers in a Label Studio export (JSON); skipped tasks are passed over. `at` stands in for missing times."""
    own = {row.pair: row for row in rows}
    tasks = parse_json(source.data, source.where)
    if not isinstance(tasks, list):
        raise BadInput(f"{source.where}: is no list of tasks.", advice="Export the project as JSON.")
    for number, raw in enumerate(tasks, 1):
        place = f"{source.where}: task {number}"
        task = _task(place, raw)
        answers = [one for one in task.annotations if not one.was_cancelled]
        pair = str(task.data.get("pair"))
        if pair in own and task.data.get("item") != described(own[pair]):
            raise BadInput(f"{place}: shows another item than {pair}.", advice="Import the tasks of this sheet.")
        if len(answers) > 1:
            raise BadInput(f"{place}: has {len(answers)} annotations.", advice="Give each annotator a project apart.")
        for answer in answers:
            found = {"grade": "", "safety": "", "note": ""} | {one.from_name: one.text() for one in answer.result}
            yield _given(place, pair, found, answer.updated_at or answer.created_at or at)


def _task(place: str, raw: object) -> _Task:
    try:
        return _Task.model_validate(raw)
    except ValidationError as error:
        advice = "Export the project as JSON, not as JSON-MIN or CSV."
        raise BadInput(f"{place}: {first_finding(error)}", advice=advice) from None


def _given(place: str, pair: str, found: Mapping[str, str], at: str) -> Given:
    """Both answers, or BadInput."""
    grade, safety = (found[name].strip() for name in ("grade", "safety"))
    for name, text in (("grade", grade), ("safety", safety)):
        if not text:
            raise BadInput(f"{place}: {pair} has no {name}.", advice="Give both a grade and a class.")
    return Given(place, pair, given_grade(place, grade), given_safety(place, safety), found["note"], at)


def _refuse_torn(place: str, found: Mapping[str, str], row: SheetRow) -> None:
    """A sorted column tears ids from their texts; what is compared are letters, which no spreadsheet reformats."""
    for name in ("query", "title"):
        if _letters(found[name]) != _letters(getattr(row, name)):
            what = f"{place}: {name} is not that of {row.pair}: rows or columns were moved against each other."
            raise BadInput(what, advice="Sort whole rows only; start again from the sheet.")


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalpha())


def _delimiter(text: str, where: str) -> str:
    first = text.splitlines()[0] if text else ""
    for delimiter in (",", ";", "\t"):
        if next(csv.reader([first], delimiter=delimiter), []) == list(COLUMNS):
            return delimiter
    raise BadInput(f"{where}:1: the columns are not {', '.join(COLUMNS)}.", advice="Keep the first row as it was.")


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _disarmed(text: str) -> str:
    return "'" + text if text.startswith(_MARKED) else text


def _armed(text: str) -> str:
    return text.removeprefix("'")
