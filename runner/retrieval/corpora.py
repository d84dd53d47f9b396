"""A corpus with its safety audit, checked once and trusted from then on (D4, D6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runner.documents import Digest, Source, digest
from runner.errors import BadInput
from runner.retrieval.items import CorpusCard, DocId, Item, RightsStatus, Safety, SafetyAudit
from runner.retrieval.perceptual import GroupOverride, merged_groups

OVERRIDES = "group_overrides.jsonl"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Items by id, the audited class of each, and the ids a system may display."""

    card: CorpusCard
    items: Mapping[DocId, Item]
    safety: Mapping[DocId, Safety]
    auditors: frozenset[str]
    serving: frozenset[DocId]
    overrides: tuple[GroupOverride, ...] = ()

    @property
    def digest(self) -> Digest:
        """The digest of `items.jsonl`, which names the corpus."""
        return self.card.items

    @property
    def groups(self) -> frozenset[str]:
        """All template groups."""
        return frozenset(item.template_group for item in self.items.values())

    def merged(self) -> Mapping[str, str]:
        """The group that each template group falls into once look-alikes are joined (D5)."""
        return merged_groups(tuple(self.items.values()), self.overrides)


def parse_corpus(card: Source, items: Source, audit: Source, overrides: Source | None = None) -> Corpus:
    """The corpus in `corpus.json`, `items.jsonl`, `safety_audit.jsonl` and `group_overrides.jsonl`.

    BadInput names file, line and reason. Without overrides every likeness of previews counts.
    """
    parsed = CorpusCard.parse(card.data, card.where)
    found = digest(items.data)
    if parsed.items != found:
        raise BadInput(
            f"{items.where}: expected {parsed.items}, found {found}.",
            advice=f"Restore the pinned file, or re-pin it in {card.where}.",
        )
    by_id = _items_by_id(items)
    safety, auditors = _audited(audit, by_id, found)
    serving = frozenset(doc_id for doc_id, item in by_id.items() if may_serve(item, safety[doc_id]))
    return Corpus(parsed, by_id, safety, auditors, serving, _overrides(overrides, parsed) if overrides else ())


def may_serve(item: Item, audited: Safety) -> bool:
    """Whether policy, rights and privacy let a system display `item` (D4)."""
    return audited.displayable and item.rights.status is RightsStatus.CLEARED and not item.private_data


def _overrides(source: Source, card: CorpusCard) -> tuple[GroupOverride, ...]:
    expected, found = card.sources.get(OVERRIDES), digest(source.data)
    if expected != found:
        raise BadInput(
            f"{source.where}: expected {expected or 'a digest in the card'}, found {found}.",
            advice="Restore the pinned file, or write the card anew.",
        )
    return GroupOverride.parse_lines(source.data, source.where)


def _items_by_id(items: Source) -> Mapping[DocId, Item]:
    by_id: dict[DocId, Item] = {}
    for line, item in enumerate(Item.parse_lines(items.data, items.where), 1):
        if item.doc_id in by_id:
            raise BadInput(f"{items.where}:{line}: doc_id {item.doc_id} stands twice.", advice="Keep one of them.")
        by_id[item.doc_id] = item
    return by_id


def _audited(
    audit: Source, items: Mapping[DocId, Item], corpus: Digest
) -> tuple[Mapping[DocId, Safety], frozenset[str]]:
    safety: dict[DocId, Safety] = {}
    auditors: set[str] = set()
    for line, row in enumerate(SafetyAudit.parse_lines(audit.data, audit.where), 1):
        place = f"{audit.where}:{line}: doc_id {row.doc_id}"
        if row.doc_id not in items:
            raise BadInput(f"{place} is not in the corpus.", advice="Remove the line, or audit the right corpus.")
        if row.doc_id in safety:
            raise BadInput(f"{place} is audited twice.", advice="Keep one of the lines.")
        if row.corpus_digest != corpus:
            raise BadInput(f"{place} was audited in {row.corpus_digest}, not in {corpus}.", advice="Repeat the audit.")
        safety[row.doc_id] = row.safety
        auditors.update(row.auditors)
    missing = sorted(items.keys() - safety.keys())
    if missing:
        raise BadInput(f"{audit.where}: no line for {missing[0]} ({len(missing)} missing).", advice="Audit every item.")
    return safety, frozenset(auditors)
