"""TREC topics: the classic form with `<top>`, and one query a line with a tab in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from runner.documents import Document, Source
from runner.errors import BadInput
from runner.retrieval.exchange.lines import read_lines, refuse_blanks
from runner.retrieval.exchange.remarks import Read, Remark, lost
from runner.retrieval.plain_judgements import Name

_TAG = re.compile(r"\s*<(/?[A-Za-z]+)>(.*)")


class PlainTopic(Document):
    """A query of which only the words are known, as other tools keep it."""

    query_id: Name
    text: Name


Parser = Callable[[Source], Read[tuple[PlainTopic, ...]]]


@dataclass(slots=True)
class _Open:
    """A topic that is being read: the line it starts in, and the text below each tag so far."""

    line: int
    parts: dict[str, list[str]] = field(default_factory=dict)
    tag: str = ""


def parse_classic(source: Source) -> Read[tuple[PlainTopic, ...]]:
    """Topics between `<top>` and `</top>`, of which `<num>` and `<title>` are taken; tags stand first in a line."""
    lines, remarks = read_lines(source)
    found = list(_classic(source.where, lines))
    unused = sorted({tag for one in found for tag in one.parts} - {"num", "title"})
    if unused:
        remarks += (lost(source.where, "only num and title are taken, not", [f"<{tag}>" for tag in unused]),)
    topics = [(one.line, _text(one, "num").removeprefix("Number:").strip(), _text(one, "title")) for one in found]
    return Read(_topics(source.where, topics), remarks)


def parse_tabbed(source: Source) -> Read[tuple[PlainTopic, ...]]:
    """Topics in lines of query and text, with one tab between them."""
    lines, remarks = read_lines(source)
    rows = []
    for number, line in enumerate(lines, 1):
        query_id, tab, text = line.partition("\t")
        if not tab or "\t" in text:
            what = f"{source.where}:{number}: has {line.count(chr(9))} tabs, not one between query and text."
            raise BadInput(what, advice="Mend the line.")
        rows.append((number, query_id, text))
    return Read(_topics(source.where, rows), remarks)


def write_classic(where: str, topics: Iterable[PlainTopic]) -> Read[bytes]:
    """The topics in the classic form."""
    rows = [(topic, f"<top>\n<num> Number: {topic.query_id}\n<title> {topic.text}\n</top>\n\n") for topic in topics]
    return _written(where, rows, parse_classic)


def write_tabbed(where: str, topics: Iterable[PlainTopic]) -> Read[bytes]:
    """The topics, one a line."""
    return _written(where, [(topic, f"{topic.query_id}\t{topic.text}\n") for topic in topics], parse_tabbed)


def _classic(where: str, lines: Sequence[str]) -> Iterator[_Open]:
    """Each topic once it is closed."""
    topic: _Open | None = None
    for number, line in enumerate(lines, 1):
        tag, rest = _tag(line)
        if tag in {"top", "/top"} and rest.strip():
            raise BadInput(f"{where}:{number}: text after <{tag}>.", advice="Begin a line of its own with each tag.")
        if tag == "top":
            if topic is not None:
                raise BadInput(f"{where}:{number}: <top> within the topic of line {topic.line}.", advice="Close it.")
            topic = _Open(number)
        elif topic is None:
            if line.strip():
                raise BadInput(f"{where}:{number}: stands outside <top>.", advice="Move or remove the line.")
        elif tag == "/top":
            yield topic
            topic = None
        else:
            _add(where, number, topic, (tag, rest))
    if topic is not None:
        raise BadInput(f"{where}:{topic.line}: the topic is not closed.", advice="Add </top>.")


def _tag(line: str) -> tuple[str, str]:
    """The tag that a line starts with, in small letters, and the rest of the line; no tag where none is."""
    found = _TAG.fullmatch(line)
    return (found[1].lower(), found[2]) if found else ("", line)


def _add(where: str, number: int, topic: _Open, line: tuple[str, str]) -> None:
    tag, rest = line
    if tag.startswith("/"):
        topic.tag = ""
    elif tag:
        if tag in topic.parts:
            raise BadInput(f"{where}:{number}: the topic has <{tag}> twice.", advice="Keep one of them.")
        topic.tag = tag
        topic.parts[tag] = []
    if topic.tag:
        topic.parts[topic.tag].append(rest.removesuffix(f"</{topic.tag}>").strip(" \t"))
    elif rest.strip():
        raise BadInput(f"{where}:{number}: text below no tag.", advice="Move or remove the line.")


def _text(topic: _Open, tag: str) -> str:
    """The lines of a part as one; none where it is missing."""
    return " ".join(line for line in topic.parts.get(tag, ()) if line)


def _topics(where: str, rows: Iterable[tuple[int, str, str]]) -> tuple[PlainTopic, ...]:
    """Topics of line, query and text; BadInput for one without either, and for a query twice."""
    found: dict[str, PlainTopic] = {}
    for line, query_id, text in rows:
        place = f"{where}:{line}"
        if not text.strip():
            raise BadInput(f"{place}: the topic has no text.", advice="Add it.")
        refuse_blanks(place, query_id)
        if query_id in found:
            raise BadInput(f"{place}: {query_id} stands twice.", advice="Keep one of them.")
        found[query_id] = PlainTopic(query_id=query_id, text=text)
    if not found:
        raise BadInput(f"{where}: holds no topic.", advice="Give at least one.")
    return tuple(found.values())


def _written(
    where: str,
    rows: Sequence[tuple[PlainTopic, str]],
    parse: Parser,
) -> Read[bytes]:
    """The file, and whose text does not come back as it was: found by reading each one again."""
    for topic, _ in rows:
        refuse_blanks(where, topic.query_id)
        if any(character in topic.text for character in "\t\n\r"):
            raise BadInput(f"{where}: the text of {topic.query_id} holds a tab or a line end.", advice="Mend the text.")
    changed = [topic.query_id for topic, text in rows if not _comes_back(where, topic, parse, text)]
    what = "texts that the form changes (blanks or a tag at an end)"
    remarks: tuple[Remark, ...] = (lost(where, what, changed),) if changed else ()
    return Read("".join(text for _, text in rows).encode(), remarks)


def _comes_back(where: str, topic: PlainTopic, parse: Parser, text: str) -> bool:
    return parse(Source(where, text.encode())).value == (topic,)
