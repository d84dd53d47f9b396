"""BEIR folders: queries and documents as JSON Lines, grades as columns with tabs between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from pydantic import ConfigDict, Field, JsonValue

from runner.documents import Document, Source, canonical_bytes, to_lines
from runner.errors import BadInput
from runner.retrieval.exchange.grades import Row, collect_grades, graded_pairs, whole_grades
from runner.retrieval.exchange.lines import ANY, Ids, read_lines, refuse_blanks
from runner.retrieval.exchange.remarks import Read, Remark, lost
from runner.retrieval.exchange.topics import PlainTopic
from runner.retrieval.items import Item
from runner.retrieval.plain_judgements import Grades, Name
from runner.retrieval.topics import Topic

HEADER = "query-id\tcorpus-id\tscore"

D = TypeVar("D", bound=Document)


class BeirLine(Document):
    """A line of `queries.jsonl` or `corpus.jsonl` as BEIR's loader takes it; other keys may stand there."""

    model_config = ConfigDict(extra="allow", validate_by_name=True, serialize_by_alias=True)

    name: Name = Field(alias="_id")
    title: str = ""
    text: str
    metadata: dict[str, JsonValue] = Field(default_factory=dict)


class BeirQuery(Document):
    """A line of `queries.jsonl` as it is written: what BEIR has no key for stands in `metadata`."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    name: Name = Field(alias="_id")
    text: str
    metadata: dict[str, JsonValue]


class BeirDocument(BeirQuery):
    """A line of `corpus.jsonl` as it is written; `text` is what a system may index, the fields are in `metadata`."""

    title: str


class PlainDocument(Document):
    """An item of which only title and text are known, as other tools keep it."""

    doc_id: Name
    title: str
    text: str


class Queries(NamedTuple):
    """The queries of a folder: whole topics if the folder was written from such, else their words."""

    whole: tuple[Topic, ...]
    plain: tuple[PlainTopic, ...]


class Documents(NamedTuple):
    """The documents of a folder: whole items if the folder was written from such, else title and text."""

    whole: tuple[Item, ...]
    plain: tuple[PlainDocument, ...]


def parse_qrels(source: Source, ids: Ids = ANY) -> Read[Grades]:
    """The grades of `qrels/*.tsv`, which starts with its header."""
    lines, remarks = read_lines(source)
    if lines[:1] != [HEADER]:
        advice = f"Start with {HEADER!r}: loaders skip the first line, whatever it holds."
        raise BadInput(f"{source.where}:1: is not the header.", advice=advice)
    return Read(collect_grades(source.where, _rows(source.where, lines), ids), remarks)


def write_qrels(where: str, grades: Grades) -> Read[bytes]:
    """The grades as a file, half ones written down to the whole one below."""
    whole, remarks = whole_grades(where, grades)
    rows = [f"{HEADER}\n"]
    for query_id, doc_id, grade in graded_pairs(whole):
        refuse_blanks(where, query_id, doc_id)
        rows.append(f"{query_id}\t{doc_id}\t{grade}\n")
    return Read("".join(rows).encode(), remarks)


def parse_queries(source: Source) -> Read[Queries]:
    """The queries of `queries.jsonl`."""
    lines, remarks = _lines(source)
    for number, line in enumerate(lines, 1):
        if not line.text.strip():
            raise BadInput(f"{source.where}:{number}: {line.name} has no text.", advice="Add it, or remove the line.")
    plain = tuple(PlainTopic(query_id=line.name, text=line.text) for line in lines)
    whole, more = _whole(source.where, lines, _topic_of)
    return Read(Queries(whole, plain), remarks + more)


def write_queries(topics: Iterable[Topic]) -> bytes:
    """Whole topics as `queries.jsonl`; nothing is lost."""
    return to_lines(_query_of(topic) for topic in topics)


def parse_documents(source: Source) -> Read[Documents]:
    """The documents of `corpus.jsonl`."""
    lines, remarks = _lines(source)
    plain = tuple(PlainDocument(doc_id=line.name, title=line.title, text=line.text) for line in lines)
    whole, more = _whole(source.where, lines, _item_of)
    return Read(Documents(whole, plain), remarks + more)


def write_documents(items: Iterable[Item]) -> bytes:
    """Whole items as `corpus.jsonl`; nothing is lost."""
    return to_lines(_document_of(item) for item in items)


def _rows(where: str, lines: Sequence[str]) -> Iterator[Row]:
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != 3 or any(field.split() != [field] for field in fields):
            advice = "Mend or remove the line."
            raise BadInput(f"{where}:{number}: is not a query, an item and a grade with tabs between.", advice=advice)
        if '"' in line:
            raise BadInput(f"{where}:{number}: holds a quote, which loaders take away.", advice="Use ids without.")
        yield number, fields[0], fields[1], fields[2]


def _lines(source: Source) -> Read[tuple[BeirLine, ...]]:
    """The lines of a file; BadInput for an id twice, a remark on keys that are not BEIR's."""
    texts, remarks = read_lines(source)
    found: dict[str, BeirLine] = {}
    for number, text in enumerate(texts, 1):
        place = f"{source.where}:{number}"
        line = BeirLine.parse(text.encode(), place)
        refuse_blanks(place, line.name)
        if line.name in found:
            raise BadInput(f"{place}: {line.name} stands twice.", advice="Keep one of the lines.")
        if not (line.title + line.text).strip():
            raise BadInput(f"{place}: {line.name} has no text.", advice="Add it, or remove the line.")
        found[line.name] = line
    if not found:
        raise BadInput(f"{source.where}: holds no line.", advice="Give at least one.")
    other = sorted({key for line in found.values() for key in line.model_extra or ()})
    if other:
        remarks += (lost(source.where, "keys that are not BEIR's", other),)
    return Read(tuple(found.values()), remarks)


def _whole(
    where: str, lines: Sequence[BeirLine], read: Callable[[BeirLine, str], D]
) -> tuple[tuple[D, ...], tuple[Remark, ...]]:
    """What the lines were written from; nothing if one of them was not, and a remark if its metadata says more."""
    try:
        return tuple(read(line, f"{where}:{number}") for number, line in enumerate(lines, 1)), ()
    except BadInput as error:
        if not any(line.metadata for line in lines):
            return (), ()
        return (), (lost(where, f"metadata, as it is not that of this benchmark ({error.what.rstrip('.')})"),)


def _query_of(topic: Topic) -> BeirQuery:
    rest = topic.model_dump(mode="json", exclude={"query_id", "text"})
    return BeirQuery(name=topic.query_id, text=topic.text, metadata=rest)


def _topic_of(line: BeirLine, place: str) -> Topic:
    return Topic.parse(canonical_bytes({**line.metadata, "query_id": line.name, "text": line.text}), place)


def _document_of(item: Item) -> BeirDocument:
    rest = item.model_dump(mode="json", exclude={"doc_id", "title"})
    return BeirDocument(name=item.doc_id, title=item.title, text=_words(item), metadata=rest)


def _item_of(line: BeirLine, place: str) -> Item:
    item = Item.parse(canonical_bytes({**line.metadata, "doc_id": line.name, "title": line.title}), place)
    if line.text != _words(item):
        raise BadInput(f"{place}: text: is not made of the fields in metadata.")
    return item


def _words(item: Item) -> str:
    """All that an item says of itself beside its title, for systems that index one text."""
    fields = (*item.entities, *item.aliases, item.franchise, *item.tags, item.action)
    return "\n".join(text for text in (*fields, item.ocr_text, item.visual, item.meaning) if text)
