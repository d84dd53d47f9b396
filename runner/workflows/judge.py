"""The judging chain from what systems showed to each annotator's acts; every step gives the files that it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Source, digest, to_lines
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.annotation import Progress, replay
from runner.retrieval.judgements import Judgement, Role
from runner.retrieval.lists import Lists
from runner.retrieval.pooling import PooledPair, PoolPair, make_pool, pairs_of, read_pairs
from runner.retrieval.qrels import Pair
from runner.retrieval.questions import Questions
from runner.retrieval.sheets import Draw, Given, Sheet, SheetCard, SheetRow, draw_rows, judgements_of

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


class Answers(NamedTuple):
    """A filled-in sheet, how to read it, and the time of answers that have none of their own."""

    source: Source
    read: Reader
    at: str


class Collected(NamedTuple):
    """One annotator's acts, their notes by pair, and the rows of the sheet that have no answer yet."""

    acts: tuple[Judgement, ...]
    notes: Mapping[str, str]
    missing: tuple[SheetRow, ...]


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


def collect(sheet: Sheet, pairs: Source, answers: Answers) -> Collected:
    """What an annotator gave, whatever form it came in, led back to the ids in the pool of the sheet."""
    if digest(pairs.data) != sheet.card.pool:
        raise BadInput(f"{pairs.where}: is not the pool of this sheet, {sheet.card.pool}.", advice="Name that one.")
    given = tuple(answers.read(answers.source, sheet.rows, answers.at))
    ids = [(row.query_id, row.doc_id) for row in PoolPair.parse_lines(pairs.data, pairs.where)]
    acts = judgements_of(sheet.card, ids, given)
    done = {one.pair for one in given}
    notes = {f"{act.query_id} {act.doc_id}": one.note for act, one in zip(acts, given, strict=True) if one.note}
    return Collected(acts, notes, tuple(row for row in sheet.rows if row.pair not in done))


def finished_acts(collected: Collected) -> tuple[Judgement, ...]:
    """All acts of a sheet, or BadInput while some are missing."""
    if collected.missing:
        row = collected.missing[0]
        what = f"pair {row.number} of the sheet has no answer yet ({counted(len(collected.missing), 'such pair')})."
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
