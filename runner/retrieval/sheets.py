"""Sheets: the pairs of a pool as one annotator meets them, blind, in an order of their own, and what came back.

Queries come in random order, and the items of one query, in random order too, right after each other: grades say how
useful an item is for a query, and whoever keeps one question in mind grades by one scale. The lots depend on the
annotator, so that tiredness and first impressions fall on other pairs for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from runner.documents import Digest, Document
from runner.errors import BadInput
from runner.retrieval.items import DocId, Item, Safety
from runner.retrieval.judgements import Judgement, Role
from runner.retrieval.lots import order_key
from runner.retrieval.qrels import Pair
from runner.retrieval.topics import QueryId, Topic

PairKey = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Grade = Annotated[int, Field(ge=0, le=3)]
Annotator = Annotated[str, Field(pattern=r"^(human|machine):[^\x00-\x1f]+$")]


class SheetRow(Document):
    """A pair as an annotator sees it, as in `sheet.jsonl`; grade and safety are null until they are given.

    No system, rank, score, class claimed or audited, and nobody else's grade stands in it; and no id of a query, which
    often says what kind of query it is. `pair` is a lot that only whoever has the pool can lead back to the ids.
    """

    number: Annotated[int, Field(ge=1)]
    pair: PairKey
    query: str
    title: str
    template: str
    entities: tuple[str, ...]
    aliases: tuple[str, ...]
    franchise: str
    action: str
    tags: tuple[str, ...]
    ocr_text: str
    visual: str
    meaning: str
    language: str
    preview: str
    grade: Grade | None
    safety: Safety | None
    note: str


class Draw(NamedTuple):
    """For whom a sheet is drawn, and from which seed."""

    annotator: str
    role: Role
    seed: int


class SheetCard(Document):
    """`sheet.json`: whose sheet it is, and what it was drawn from; the same of all that gives the same sheet."""

    format: Literal["mambomeme/sheet/v1"]
    annotator: Annotator
    role: Role
    seed: int
    rows: int
    pool: Digest
    queries: Digest
    corpus: Digest
    sheet: Digest

    @property
    def draw(self) -> Draw:
        """For whom it was drawn."""
        return Draw(self.annotator, self.role, self.seed)


class Sheet(NamedTuple):
    """A sheet with its card."""

    card: SheetCard
    rows: tuple[SheetRow, ...]


class Given(NamedTuple):
    """What an annotator gave one pair, whatever file it came in; `place` is the file and line."""

    place: str
    pair: str
    grade: int
    safety: Safety
    note: str
    at: str


def draw_rows(
    pairs: Iterable[Pair], topics: Mapping[QueryId, Topic], items: Mapping[DocId, Item], draw: Draw
) -> tuple[SheetRow, ...]:
    """The rows of one annotator's sheet: queries by lot, and by lot the items of each."""

    def lot(pair: Pair) -> tuple[str, str]:
        query_id, doc_id = pair
        own = order_key(draw.seed, "query", draw.annotator, query_id)
        return own, order_key(draw.seed, "item", draw.annotator, query_id, doc_id)

    ordered = sorted(pairs, key=lot)
    return tuple(_row(number, key_of(draw, (q, d)), topics[q], items[d]) for number, (q, d) in enumerate(ordered, 1))


def key_of(draw: Draw, pair: Pair) -> str:
    """What a pair is called on the sheet of one draw."""
    return order_key(draw.seed, "pair", draw.annotator, *pair)[:16]


def judgements_of(card: SheetCard, pairs: Iterable[Pair], given: Iterable[Given]) -> tuple[Judgement, ...]:
    """The acts that the answers on a sheet of `pairs` come to; BadInput for a pair it does not hold, or gives twice."""
    ids = {key_of(card.draw, pair): pair for pair in pairs}
    places: dict[str, str] = {}
    acts = []
    for one in given:
        if one.pair not in ids:
            raise BadInput(f"{one.place}: {one.pair} is no pair of this sheet.", advice="Take the right sheet.")
        if one.pair in places:
            raise BadInput(f"{one.place}: {one.pair} stands in {places[one.pair]} too.", advice="Keep one of them.")
        places[one.pair] = one.place
        acts.append(_judgement(card, ids[one.pair], one))
    return tuple(acts)


def given_grade(place: str, text: str) -> int:
    """The grade that an annotator wrote."""
    if text not in {"0", "1", "2", "3"}:
        raise BadInput(f"{place}: grade {text!r} is none of 0, 1, 2, 3.", advice="Write one of them.")
    return int(text)


def given_safety(place: str, text: str) -> Safety:
    """The safety class that an annotator wrote."""
    try:
        return Safety(text)
    except ValueError:
        raise BadInput(f"{place}: safety {text!r} is none of {', '.join(Safety)}.", advice="Write one.") from None


def _judgement(card: SheetCard, pair: Pair, one: Given) -> Judgement:
    return Judgement(
        query_id=pair[0],
        doc_id=pair[1],
        annotator=card.annotator,
        role=card.role,
        grade=one.grade,
        safety=one.safety,
        at=one.at,
    )


def _row(number: int, key: str, topic: Topic, item: Item) -> SheetRow:
    return SheetRow(
        number=number,
        pair=key,
        query=topic.text,
        title=item.title,
        template=item.template,
        entities=item.entities,
        aliases=item.aliases,
        franchise=item.franchise or "",
        action=item.action or "",
        tags=item.tags,
        ocr_text=item.ocr_text,
        visual=item.visual,
        meaning=item.meaning,
        language=item.language,
        preview=item.preview.path,
        grade=None,
        safety=None,
        note="",
    )
