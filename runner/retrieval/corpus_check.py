"""`corpus check`: whether a corpus is the pinned one, what a change of it voids, and which groups joined by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Digest, Source, digest
from runner.errors import BadInput
from runner.retrieval.corpora import OVERRIDES
from runner.retrieval.findings import Finding
from runner.retrieval.items import CorpusCard, Item, SafetyAudit
from runner.retrieval.partitions import AUDITS, CARD, JUDGEMENTS, PartitionFiles
from runner.retrieval.perceptual import GroupOverride, grown_too_large, likenesses, merged_groups

ITEMS = "items.jsonl"


class CorpusFiles(NamedTuple):
    """The parsed files of a corpus; nothing is checked across them."""

    card: CorpusCard
    card_place: str
    sources: Mapping[str, Source]
    items: tuple[Item, ...]
    overrides: tuple[GroupOverride, ...]

    @property
    def digest(self) -> Digest:
        """The digest that the items have, whatever the card says."""
        return digest(self.sources[ITEMS].data)

    def place(self, name: str) -> str:
        """The name of a file in messages."""
        return self.sources[name].where if name in self.sources else name


class Dependents(NamedTuple):
    """What was made for one corpus and for no other: the safety audit, and partitions with their labels."""

    audit: Source
    partitions: tuple[PartitionFiles, ...]


def parse_corpus_files(card: Source, sources: Mapping[str, Source]) -> CorpusFiles:
    """The corpus in `sources` (by file name), or BadInput naming file, line and field."""
    if ITEMS not in sources:
        raise BadInput(f"{card.where}: there is no {ITEMS} beside it.", advice="Give the whole folder.")
    items, overrides = sources[ITEMS], sources.get(OVERRIDES)
    return CorpusFiles(
        card=CorpusCard.parse(card.data, card.where),
        card_place=card.where,
        sources=sources,
        items=Item.parse_lines(items.data, items.where),
        overrides=GroupOverride.parse_lines(overrides.data, overrides.where) if overrides else (),
    )


def pinned(corpus: CorpusFiles, _: Dependents) -> Iterator[Finding]:
    """The items, and what they were made from, are the files that corpus.json names."""
    for name, expected in {ITEMS: corpus.card.items, **corpus.card.sources}.items():
        found = digest(corpus.sources[name].data) if name in corpus.sources else "no such file"
        if found != expected:
            yield _finding(corpus.place(name), None, (), f"expected {expected}, found {found}")


def safety_audit(corpus: CorpusFiles, dependents: Dependents) -> Iterator[Finding]:
    """Every class was given in this corpus (D6)."""
    where = dependents.audit.where
    rows = SafetyAudit.parse_lines(dependents.audit.data, where)
    yield from _void(corpus, where, [row.corpus_digest for row in rows], "safety class", "safety classes")


def labels(corpus: CorpusFiles, dependents: Dependents) -> Iterator[Finding]:
    """Partitions, their judgements and their no-match audits were made for this corpus (D7)."""
    for files in dependents.partitions:
        made_for, acts = files.card.corpus, len(files.judgements)
        yield from _void(corpus, files.place(CARD), [made_for], "partition")
        yield from _void(corpus, files.place(JUDGEMENTS), [made_for] * acts, "judgement")
        yield from _void(corpus, files.place(AUDITS), [row.corpus_digest for row in files.audits], "no-match audit")


def _void(
    corpus: CorpusFiles, file: str, made_for: Sequence[Digest], one: str, many: str | None = None
) -> Iterator[Finding]:
    """One finding for each other corpus that lines of `file` were made for, at the first such line."""
    for other, count in Counter(made_for).items():
        if other != corpus.digest:
            what = one if one == "partition" else counted(count, one, many)
            reason = f"{what} void: made for corpus {other}, and this is {corpus.digest}"
            yield _finding(file, None if one == "partition" else made_for.index(other) + 1, (), reason)


def joined_groups(corpus: CorpusFiles, _: Dependents) -> Iterator[Finding]:
    """No group joined by likeness grew too large (D5)."""
    merged = merged_groups(corpus.items, corpus.overrides)
    for templates, many in grown_too_large(corpus.items, merged):
        reason = f"{many} items joined by likeness: look at them, and keep chance likenesses apart in {OVERRIDES}"
        yield _finding(corpus.place(ITEMS), None, templates, reason)


def overrides(corpus: CorpusFiles, _: Dependents) -> Iterator[Finding]:
    """Every override keeps two template groups apart that would be joined without it."""
    alike = {likeness.templates for likeness in likenesses(corpus.items)}
    for row, override in enumerate(corpus.overrides, 1):
        if frozenset(override.template_groups) not in alike:
            names = override.template_groups
            yield _finding(corpus.place(OVERRIDES), row, names, "do not look alike: remove the line")


def _finding(file: str, line: int | None, ids: tuple[str, ...], reason: str) -> Finding:
    return Finding(check="", file=file, line=line, ids=ids, reason=reason)


Check = Callable[[CorpusFiles, Dependents], Iterator[Finding]]
CHECKS: tuple[Check, ...] = (pinned, safety_audit, labels, joined_groups, overrides)


def look_at_corpus(corpus: CorpusFiles, dependents: Dependents, checks: Iterable[Check] = CHECKS) -> list[Finding]:
    """All that `checks` find, in their order."""
    return [
        finding.model_copy(update={"check": check.__name__.replace("_", " ")})
        for check in checks
        for finding in check(corpus, dependents)
    ]
