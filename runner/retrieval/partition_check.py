"""`partition check`: every rule, those that a poor benchmark breaks as well as those that make scoring impossible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from runner.counts import counted
from runner.documents import digest
from runner.errors import BadInput
from runner.retrieval.absence import canonical_fields
from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Check, Finding, Seen, UncheckedPartition, check, unchecked
from runner.retrieval.halves import group_use
from runner.retrieval.integrity import INTEGRITY
from runner.retrieval.judgement_sets import JUDGEMENT_SET, JudgementSet
from runner.retrieval.overlap import concept_overlap
from runner.retrieval.partitions import CARD, JUDGEMENTS, QRELS, QUERIES, TARGETS, Kind, Partition, PartitionFiles
from runner.retrieval.prompts import spelled_alike, within
from runner.retrieval.qrels import derive_qrels
from runner.retrieval.sizes import found_and_least, shortfalls
from runner.retrieval.topics import ANSWERABLE, Slice
from runner.retrieval.words import normal

PUBLIC_EXAMPLE = "john cena"


def sizes(partition: UncheckedPartition) -> Iterator[Finding]:
    """D1's sizes, unless the partition calls itself provisional; balance between slices always."""
    found = Counter(topic.slice for topic in partition.files.topics)
    if len({found[s] for s in ANSWERABLE}) > 1:
        shown = ", ".join(f"{s} {found[s]}" for s in ANSWERABLE)
        yield partition.finding(QUERIES, None, (), f"slices are not balanced: {shown}")
    if not partition.files.card.provisional:
        for reason in shortfalls(partition.files):
            yield partition.finding(QUERIES, None, (), f"{reason} queries, and {CARD} gives no provisional reason")


def counts(partition: UncheckedPartition) -> Iterator[Finding]:
    """The counts that partition.json gives are those of the files; a count under a name of its own is left alone."""
    found = counts_of(partition)
    for name, said in partition.files.card.counts.items():
        if name in found and found[name] != said:
            yield partition.finding(CARD, None, (f"counts.{name}",), f"says {said}, found {found[name]}")


def counts_of(partition: UncheckedPartition) -> Mapping[str, int]:
    """What there is to count in the files of a partition, by the names of partition.json."""
    files = partition.files
    flagged = [topic.slice.answerable for topic in files.topics if topic.safety_flag]
    return {
        **{s.value: sum(t.slice is s for t in files.topics) for s in Slice},
        "queries": len(files.topics),
        "families": len({t.family for t in files.topics}),
        "multi_cue_flag": sum(t.multi_cue_flag for t in files.topics),
        "safety_flag_answerable": sum(flagged),
        "safety_flag_no_match": len(flagged) - sum(flagged),
        "template_groups": len(frozenset().union(*map(partition.groups, files.topics))),
        "judgements": len(files.judgements),
        "exact_targets": len(files.targets),
        "no_match_audits": len(files.audits),
    }


def near_prompts(partition: UncheckedPartition) -> Seen:
    """No prompt is nearly the same as one of another family."""
    return spelled_alike(within(partition))


def named_groups(partition: UncheckedPartition) -> Iterator[Finding]:
    """`template_groups` of a query exist, and name every group its relevant items and targets fall into."""
    for row, topic in enumerate(partition.files.topics):
        said = set(topic.template_groups)
        for group in sorted(said - partition.corpus.groups):
            yield partition.finding(QUERIES, row, (topic.query_id, group), "is no template group of the corpus")
        for group in sorted(partition.groups(topic) - said):
            yield partition.finding(QUERIES, row, (topic.query_id, group), "is used, but not among its template_groups")


def a_third(partition: UncheckedPartition) -> Iterator[Finding]:
    """Development leaves two thirds of the groups to the hidden half (D5)."""
    if partition.files.card.kind is not Kind.DEVELOPMENT:
        return
    use = group_use([partition]).figures
    if 3 * use["used"] > use["groups"]:
        reason = f"uses {use['used']} of {use['groups']} groups (look-alikes joined), more than a third"
        yield partition.finding(QUERIES, None, (), reason)


def public_example(partition: UncheckedPartition) -> Iterator[Finding]:
    """john cena is an example of the development half only."""
    if partition.files.card.kind is Kind.DEVELOPMENT:
        return
    for row, topic in enumerate(partition.files.topics):
        if PUBLIC_EXAMPLE in normal(topic.text):
            yield partition.finding(QUERIES, row, (topic.query_id,), f"{PUBLIC_EXAMPLE} belongs to development only")
        for doc_id in sorted(partition.answering(topic)):
            if PUBLIC_EXAMPLE in normal(" ".join(partition.corpus.items[doc_id].entities)):
                reason = f"shows {PUBLIC_EXAMPLE}, who belongs to development only"
                yield partition.finding(QUERIES, row, (topic.query_id, doc_id), reason)


def released_set(partition: UncheckedPartition) -> Iterator[Finding]:
    """judgement_set.json, where it is kept, is about the acts, grades, targets and corpus beside it."""
    source = partition.files.sources.get(JUDGEMENT_SET)
    if source is None:
        return
    said = JudgementSet.parse(source.data, source.where).model_dump()
    named = {"judgements": JUDGEMENTS, "qrels": QRELS, "exact_targets": TARGETS}
    found = {
        key: digest(partition.files.sources[name].data)
        for key, name in named.items()
        if name in partition.files.sources
    }
    for key, value in ({"corpus": partition.corpus.digest} | found).items():
        if said[key] != value:
            yield partition.finding(JUDGEMENT_SET, None, (key,), f"says {said[key]}, found {value}")


CHECKS: tuple[Check[UncheckedPartition], ...] = (
    *INTEGRITY,
    check(sizes, lambda it: {name: n for name, (n, _) in found_and_least(it.files).items()}),
    check(counts, lambda it: {"counts": len(it.files.card.counts)}),
    Check.of(near_prompts),
    check(named_groups, lambda it: {"named": sum(len(topic.template_groups) for topic in it.files.topics)}),
    check(a_third, lambda it: group_use([it]).figures),
    check(released_set, lambda it: {"kept": int(JUDGEMENT_SET in it.files.sources)}),
    check(public_example, lambda it: {"queries": len(it.files.topics)}),
    Check.of(concept_overlap),
    Check.of(canonical_fields),
)


def look(
    files: PartitionFiles, corpus: Corpus, checks: Iterable[Check[UncheckedPartition]] = CHECKS
) -> tuple[Finding, ...]:
    """All that `checks` find wrong, in their order."""
    partition = unchecked(files, corpus)
    return tuple(finding for each in checks for finding in each.see(partition).findings)


def admit(files: PartitionFiles, corpus: Corpus) -> Partition:
    """The partition, fit to be scored on `corpus`, or BadInput with the first thing that stands against it."""
    found = look(files, corpus, INTEGRITY)
    if found:
        more = f" ({counted(len(found) - 1, 'more finding')})" if len(found) > 1 else ""
        raise BadInput(f"{found[0]}{more}.", advice="`partition check` lists all findings.")
    return Partition(files, derive_qrels(files.judgements), {row.query_id: row for row in files.targets})
