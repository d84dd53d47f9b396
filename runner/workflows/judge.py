"""The judging chain from what systems showed to each annotator's acts; every step gives the files that it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from runner.documents import Source, digest, to_lines
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.annotation import Progress, replay
from runner.retrieval.judgements import Judgement, Role
from runner.retrieval.lists import Lists
from runner.retrieval.pooling import PooledPair, make_pool, pairs_of, read_pairs
from runner.retrieval.qrels import Pair
from runner.retrieval.questions import Questions
from runner.retrieval.sheets import Draw, Given, Sheet, SheetCard, SheetRow, draw_rows, judgements_of, unfinished

Files = Mapping[str, Iterable[bytes]]
Reader = Callable[[Source, Sequence[SheetRow], str], Iterable[Given]]
Writer = Callable[[Sequence[SheetRow]], bytes]

POOL, POOL_SOURCES = "pool.jsonl", "pool.sources.jsonl"
SHEET_CARD, SHEET, STROKES = "sheet.json", "sheet.jsonl", "strokes.jsonl"


class Proposals(NamedTuple):
    """Who proposes pairs: systems by name, and pairs made by hand; and the files of acts already given."""

    systems: Mapping[str, Lists]
    by_hand: Sequence[Source]
    judged: Sequence[Source]


class Collected(NamedTuple):
    """One annotator's acts, their notes, and the pairs of the sheet that have no act yet."""

    acts: tuple[Judgement, ...]
    notes: Mapping[Pair, str]
    missing: tuple[Pair, ...]


def pool(proposals: Proposals, questions: Questions) -> tuple[PooledPair, ...]:
    """What is to be judged."""
    by_hand = {source.where: read_pairs(source, questions.known) for source in proposals.by_hand}
    judged = {act.pair for source in proposals.judged for act in read_acts(source)}
    found = make_pool(proposals.systems, by_hand, judged)
    if not found:
        raise BadInput("no pair is left to be judged.", advice="Name a system or a file of pairs that is not judged.")
    return found


def pool_files(found: Sequence[PooledPair]) -> Files:
    """The pool for annotators, and apart from it who proposed what."""
    return {POOL: [to_lines(pairs_of(found))], POOL_SOURCES: [to_lines(found)]}


def deal(pairs: Source, questions: Questions, draws: Sequence[Draw]) -> tuple[Sheet, ...]:
    """A sheet for each annotator."""
    names = [draw.annotator for draw in draws]
    if len(set(names)) < len(names) or len({draw.role for draw in draws}) < len(draws):
        raise BadInput("an annotator or a role is named twice.", advice="The acts on a pair come from different ones.")
    found = read_pairs(pairs, questions.known)
    if not found:
        raise BadInput(f"{pairs.where}: holds no pair.", advice="There is nothing to judge.")
    return tuple(_sheet(pairs, found, questions, draw) for draw in draws)


def sheet_files(sheet: Sheet, forms: Mapping[str, Writer]) -> Files:
    """The sheet with its card, and in each of the other `forms` by file name."""
    return {
        SHEET_CARD: [sheet.card.pretty()],
        SHEET: [to_lines(sheet.rows)],
        **{name: [write(sheet.rows)] for name, write in forms.items()},
    }


def open_sheet(card: Source, rows: Source) -> Sheet:
    """A dealt sheet, as it was dealt."""
    found = SheetCard.parse(card.data, card.where)
    if digest(rows.data) != found.sheet:
        advice = "Restore it; answers belong in a copy, or in the annotator."
        raise BadInput(f"{rows.where}: expected {found.sheet}, found {digest(rows.data)}.", advice=advice)
    return Sheet(found, SheetRow.parse_lines(rows.data, rows.where))


def resume(sheet: Sheet, strokes: Source) -> Progress:
    """Where an annotator stands."""
    return replay([row.pair for row in sheet.rows], strokes)


def given_in_strokes(source: Source, rows: Sequence[SheetRow], _at: str) -> Iterable[Given]:
    """The answers in the log of the terminal annotator; each has a time of its own."""
    return replay([row.pair for row in rows], source).given(source.where)


def collect(sheet: Sheet, answers: Source, read: Reader, at: str) -> Collected:
    """What an annotator gave, whatever form it came in; `at` is the time of answers that have none of their own."""
    given = tuple(read(answers, sheet.rows, at))
    acts = judgements_of(sheet, given)
    notes = {(one.query_id, one.doc_id): one.note for one in given if one.note}
    return Collected(acts, notes, unfinished(sheet, acts))


def finished_acts(collected: Collected) -> tuple[Judgement, ...]:
    """All acts of a sheet, or BadInput while some are missing."""
    if collected.missing:
        query_id, doc_id = collected.missing[0]
        what = f"{query_id} {doc_id} has no answer yet ({len(collected.missing)} such pairs)."
        raise BadInput(what, advice="Finish the sheet, or collect what there is with --partial.")
    return collected.acts


def slug(role: Role, annotator: str) -> str:
    """The name of an annotator's folder."""
    return f"{role}-" + "".join(c if c.isalnum() or c in "._-" else "-" for c in annotator)


def _sheet(source: Source, pairs: Sequence[Pair], questions: Questions, draw: Draw) -> Sheet:
    rows = draw_rows(pairs, questions.topics, questions.items, draw)
    card = SheetCard(
        format="mambomeme/sheet/v1",
        annotator=draw.annotator,
        role=draw.role,
        seed=draw.seed,
        rows=len(rows),
        pool=digest(source.data),
        queries=questions.queries,
        corpus=questions.corpus,
        sheet=digest(to_lines(rows)),
    )
    return Sheet(card, rows)
