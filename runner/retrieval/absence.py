"""That no item says the words of a no-match query: the part of its audit that a machine can do (D7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import NamedTuple

from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Finding, Seen, UncheckedPartition
from runner.retrieval.items import CANONICAL_FIELDS, DocId, field_text
from runner.retrieval.partitions import QUERIES
from runner.retrieval.words import asked, content, normal, stem, stems

# One word alone stands in many an item by chance; with fewer that say something, the small words must be there as well.
FEWEST = 2

Place = tuple[DocId, str]


class Wanted(NamedTuple):
    """A query as it would stand in a field, and the stems of which all would be there."""

    phrase: str
    stems: frozenset[str]


class Said(NamedTuple):
    """What the canonical fields of the serving items say, place by place, and the places of each stem."""

    texts: Mapping[Place, str]
    unspaced: Mapping[Place, str]
    places: Mapping[str, frozenset[Place]]


class Match(NamedTuple):
    """An item with all the words of a query: the fields that have its phrase, and those that have all words."""

    doc_id: DocId
    phrase: tuple[str, ...]
    fields: tuple[str, ...]

    def __str__(self) -> str:
        if self.phrase:
            return f"the item says just that in {', '.join(self.phrase)}"
        if self.fields:
            return f"the item has all its words in {', '.join(self.fields)}"
        return "the item has all its words, though in no one field"


def canonical_fields(partition: UncheckedPartition) -> Seen:
    """No serving item says a no-match query in a canonical field, or, uninspected, has all its content words in one.

    Where an inspector looked at the item, or the words only stand in several fields, it is listed.
    """
    said = said_by(partition.corpus)
    inspected = {audit.query_id: frozenset(audit.nearest) for audit in partition.files.audits}
    rows = [(row, topic) for row, topic in enumerate(partition.files.topics) if not topic.slice.answerable]
    findings: list[Finding] = []
    listed: list[Finding] = []
    for row, topic in rows:
        seen = inspected.get(topic.query_id, frozenset())
        for match in matches(wanted_by(topic.text), said):
            wrong = match.phrase or (match.fields and match.doc_id not in seen)
            found = partition.finding(QUERIES, row, (topic.query_id, match.doc_id), str(match))
            (findings if wrong else listed).append(found)
    known = sum(wanted_by(topic.text).stems <= said.places.keys() for _, topic in rows)
    figures = {"queries": len(rows), "of corpus words only": known, "fields": len(said.texts), "listed": len(listed)}
    return Seen(figures, tuple(findings), tuple(listed))


def wanted_by(query: str) -> Wanted:
    """What is looked for; all words count where fewer than `FEWEST` say something."""
    phrase = asked(query)
    words = content(phrase.split())
    return Wanted(phrase, stems(words if len(words) >= FEWEST else phrase.split()))


def said_by(corpus: Corpus) -> Said:
    """What the serving items of a corpus say."""
    texts: dict[Place, str] = {}
    unspaced: dict[Place, str] = {}
    places: dict[str, set[Place]] = defaultdict(set)
    for doc_id in sorted(corpus.serving):
        for field in CANONICAL_FIELDS:
            text = field_text(corpus.items[doc_id], field)
            said = normal(text)
            texts[doc_id, field] = f" {said} "
            unspaced[doc_id, field] = "".join(text.casefold().split())
            for word in said.split():
                places[stem(word)].add((doc_id, field))
    return Said(texts, unspaced, {word: frozenset(found) for word, found in places.items()})


def matches(wanted: Wanted, said: Said) -> Iterator[Match]:
    """The items with every stem in some field, or with the phrase."""
    everywhere = [said.places.get(each, frozenset()) for each in wanted.stems]
    together = reduce(frozenset.__and__, everywhere) if everywhere else frozenset()
    phrases = _with_phrase(wanted.phrase, said)
    holders = [frozenset(doc_id for doc_id, _ in places) for places in everywhere]
    spread = reduce(frozenset.__and__, holders) if holders else frozenset()
    for doc_id in sorted(spread.union(doc_id for doc_id, _ in phrases)):
        phrase, fields = (_fields(doc_id, places) for places in (phrases, together | phrases))
        yield Match(doc_id, phrase, fields)


def _fields(doc_id: DocId, places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(sorted(field for other, field in places if other == doc_id))


def _with_phrase(phrase: str, said: Said) -> frozenset[Place]:
    """Where the phrase stands; in scripts that need no blanks, and for emoji, whatever stands around it."""
    if phrase.isascii():
        return frozenset(place for place, text in said.texts.items() if f" {phrase} " in text)
    bare, spaced = "".join(phrase.split()), f" {phrase} "
    return frozenset(place for place, text in said.texts.items() if spaced in text or bare in said.unspaced[place])
