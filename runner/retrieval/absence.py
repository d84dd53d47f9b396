"""That no item says the words of a no-match query: the part of its audit that a machine can do (D7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import reduce
from typing import NamedTuple

from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Seen, UncheckedPartition
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


def canonical_fields(partition: UncheckedPartition) -> Seen:
    """No serving item that no inspector looked at has all content words of a no-match query in one canonical field.

    What only looks like a match (the words in one field of an inspected item, or spread over several) is listed.
    """
    said = said_by(partition.corpus)
    inspected = {audit.query_id: set(audit.nearest) for audit in partition.files.audits}
    findings, listed, known, queries = [], [], 0, 0
    for row, topic in enumerate(partition.files.topics):
        if topic.slice.answerable:
            continue
        queries += 1
        wanted = wanted_by(topic.text)
        known += wanted.stems <= said.places.keys()
        found = in_one_field(wanted, said)
        for doc_id, fields in found.items():
            ids, reason = (topic.query_id, doc_id), f"the item has its words in {', '.join(fields)}"
            looked_at = doc_id in inspected.get(topic.query_id, ())
            (listed if looked_at else findings).append(partition.finding(QUERIES, row, ids, reason))
        for doc_id in sorted(in_one_item(wanted, said) - found.keys()):
            ids, reason = (topic.query_id, doc_id), "the item has its words, though in no one field: was it inspected?"
            listed.append(partition.finding(QUERIES, row, ids, reason))
    figures = {"queries": queries, "of corpus words only": known, "fields": len(said.texts), "listed": len(listed)}
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


def in_one_field(wanted: Wanted, said: Said) -> Mapping[DocId, list[str]]:
    """The items that have every stem, or the phrase, in one field, and in which."""
    everywhere = (said.places.get(each, frozenset()) for each in wanted.stems)
    together = reduce(frozenset.__and__, everywhere) if wanted.stems else frozenset()
    found: dict[DocId, list[str]] = {}
    for doc_id, field in sorted(together | _with_phrase(wanted.phrase, said)):
        found.setdefault(doc_id, []).append(field)
    return found


def in_one_item(wanted: Wanted, said: Said) -> frozenset[DocId]:
    """The items that have every stem in some field."""
    holders = [frozenset(doc_id for doc_id, _ in said.places.get(each, ())) for each in wanted.stems]
    return reduce(frozenset.__and__, holders) if holders else frozenset()


def _with_phrase(phrase: str, said: Said) -> frozenset[Place]:
    """Where the phrase stands; in scripts that need no blanks, and for emoji, whatever stands around it."""
    if phrase.isascii():
        return frozenset(place for place, text in said.texts.items() if f" {phrase} " in text)
    bare, spaced = "".join(phrase.split()), f" {phrase} "
    return frozenset(place for place, text in said.texts.items() if spaced in text or bare in said.unspaced[place])
