"""The human work that a hidden half takes, counted, with hours that rest on stated assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from runner.counts import counted
from runner.retrieval.eligibility import is_human
from runner.retrieval.findings import UncheckedPartition
from runner.retrieval.partitions import Kind
from runner.retrieval.scaffold import FREE, FreeGroup
from runner.retrieval.sizes import FULL
from runner.retrieval.topics import ANSWERABLE, Slice


class Share(NamedTuple):
    """A figure, and where it comes from."""

    value: float
    source: str


class Work(NamedTuple):
    """One kind of work: how often, and how long each time."""

    what: str
    many: int
    seconds: int

    @property
    def hours(self) -> float:
        """How long all of it takes."""
        return self.many * self.seconds / 3600


# Nobody has been timed; a steward who has better figures puts them here.
QUERY_S, PAIR_S, DISPUTED_S, TARGET_S, AUDIT_S, CHECK_S = 360, 20, 45, 240, 720, 120
PAIRS_A_QUERY = Share(20, "assumed: three systems whose ten results overlap by half, and hard negatives")
DISPUTED = Share(0.1, "assumed")


def pairs_a_query(beside: UncheckedPartition) -> Share:
    """How many pairs of a query are judged: as in the development half, where it has any."""
    judged = sum(map(len, beside.qrels.values()))
    queries = len(beside.files.topics)
    return Share(judged / queries, "as in the partition beside") if judged and queries else PAIRS_A_QUERY


def disputed(beside: UncheckedPartition) -> Share:
    """What part of the pairs goes to a third annotator: as in the development half, where two people judged it."""
    rules = [qrel.rule for pairs in beside.qrels.values() for qrel in pairs.values() if qrel.rule != "single"]
    by_people = all(is_human(act.annotator) for act in beside.files.judgements)
    return Share(rules.count("third") / len(rules), "as in the partition beside") if rules and by_people else DISPUTED


def works(beside: UncheckedPartition) -> Sequence[Work]:
    """All that people have to do for a hidden half of full size."""
    full = FULL[Kind.HIDDEN]
    answerable = full.per_slice * len(ANSWERABLE)
    exact = sum(full.per_slice for s in ANSWERABLE if s.exact)
    queries = answerable + full.no_match
    pairs = ceil(queries * pairs_a_query(beside).value)
    third = ceil(pairs * disputed(beside).value)
    return (
        Work("write a query with slice, family, flags and groups", queries, QUERY_S),
        Work("read another's query: would someone type it?", queries, CHECK_S),
        Work("judge a pair, first annotator", pairs, PAIR_S),
        Work("judge a pair, second annotator, apart from the first", pairs, PAIR_S),
        Work("decide a pair on which the two differ, third annotator", third, DISPUTED_S),
        Work("settle the exact targets of an entity or quote query", exact, TARGET_S),
        Work("inspect the corpus for what could answer a no-match query", full.no_match, AUDIT_S),
    )


def workplan(name: str, beside: UncheckedPartition, free: Sequence[FreeGroup]) -> str:
    """`WORKPLAN.md` of the partition `name`."""
    parts = (_head(name, beside, free), _queries(), _work(beside), _RULES, _STEPS)
    return "\n".join(parts)


def _head(name: str, beside: UncheckedPartition, free: Sequence[FreeGroup]) -> str:
    items = sum(len(group.serving) for group in free)
    return (
        f"# Work plan of {name}\n\n"
        f"Corpus {beside.corpus.digest}. Beside {beside.files.card.name} {beside.files.card.version}, whose groups are "
        f"taken; free with items that may be shown: {counted(len(free), 'group')} "
        f"with {counted(items, 'item')} (`{FREE}`).\n"
    )


def _queries() -> str:
    full = FULL[Kind.HIDDEN]
    rows = [(s.value, full.per_slice) for s in ANSWERABLE] + [(Slice.NO_MATCH.value, full.no_match)]
    flags = (
        f"Of the answerable ones {full.safety_answerable} carry the safety flag, of the others {full.safety_no_match}; "
        f"{full.multi_cue} or more of all carry the multi-cue flag.\n"
    )
    return "## Queries\n\n" + _table(("slice", "queries"), [*rows, ("all", sum(n for _, n in rows))]) + "\n" + flags


def _work(beside: UncheckedPartition) -> str:
    found = works(beside)
    rows = [(work.what, str(work.many), f"{work.seconds} s", f"{work.hours:.1f}") for work in found]
    rows.append(("all", "", "", f"{sum(work.hours for work in found):.0f}"))
    pairs, third = pairs_a_query(beside), disputed(beside)
    return (
        "## Hours\n\n"
        + _table(("work", "how often", "each", "hours"), rows)
        + f"\nThe times are assumptions: nobody was timed. {pairs.value:.1f} pairs a query, {pairs.source}; "
        + f"{100 * third.value:.1f} % of them for a third annotator, {third.source}.\n"
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = (columns, ["---"] * len(columns), *rows)
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


_RULES = """## What `partition check` will ask
- Answers and targets lie in free groups alone; a family is no family of the other half; john cena is left out.
- A query as people type it, and no near copy of one in another family or in the other half.
- A `concept` query shares no content stem with any field of its relevant items.
- An entity or quote query has an exact target, adjudicated apart from the grades.
- A no-match query is said by no item; its audit names all canonical fields, who inspected, and the nearest items.
- `annotator`, `adjudicated_by` and `inspectors` name people (`human:...`); what no human gave is never called human.
"""

_STEPS = """## Steps
1. Write `queries.jsonl`, `no_match_audits.jsonl` and `exact_targets.jsonl` (docs/formats.md).
   Nobody who builds a system sees this folder.
2. `judge pool` with every system that is compared, `judge sheets` for two annotators, and on as in docs/judging.md.
3. `judge release ... --partition HERE` writes the partition with judgements, grades, counts and digests.
4. Give its card a version, and take out the provisional reasons that no longer hold.
5. `partition check DEVELOPMENT HIDDEN --certificate certificate.json` until there is no finding.
"""
