"""Whether the dense route earns its place in the default system, by the acceptance rule (D30)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal

from runner.documents import Document
from runner.errors import CannotDecide
from runner.provenance.card import Scorecard, Standing, against
from runner.retrieval.estimates import Interval, Rounded
from runner.retrieval.gates import Verdict
from runner.retrieval.paired import QUALITY, Difference, slice_figure
from runner.retrieval.partitions import Kind
from runner.retrieval.scorecard import SystemRow
from runner.retrieval.topics import Slice

BM25, DENSE, HYBRID = "bm25", "dense", "hybrid"
NEEDED = (BM25, DENSE, HYBRID)

#: By how much hybrid must improve over BM25, in one of these.
IMPROVEMENTS = {QUALITY: 0.03, slice_figure(Slice.CONCEPT): 0.05}
#: By how much it may fall behind, in each of these.
ALLOWED_LOSS = 0.02
PROTECTED = (slice_figure(Slice.ENTITY), slice_figure(Slice.QUOTE))


class Heading(StrEnum):
    """What the outcome may be taken for."""

    DECISION = "decision"
    REHEARSAL = "rehearsal, not a decision"


class Term(Document):
    """One term of the rule: hybrid less BM25. The one on gates has no figure; `detail` says what it rests on."""

    name: str
    rule: str
    value: Rounded | None
    interval: Interval | None
    verdict: Verdict
    detail: str


class Acceptance(Document):
    """`acceptance.json`: the rule term by term, and which of the two rows is to be the default system.

    Only on a hidden partition is it a decision. `against` says why the row that would ship fails, if it does.
    `improved` names the figures that improved enough, so that their intervals count.
    """

    format: Literal["mambomeme/acceptance/v1"]
    run_id: str
    partition: str
    heading: Heading
    accepted: bool
    ships: str
    against: str
    improved: tuple[str, ...]
    terms: tuple[Term, ...]
    standing: Standing
    reasons: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The outcome for readers: first what the row that ships fails, then what it is to be, and why.

        A decision states it as fact; a rehearsal says what would be.
        """
        decided = self.heading is Heading.DECISION
        fails = f"{self.ships} {'ships' if decided else 'would ship'}, and it fails: {self.against}. "
        is_default = f"{'is' if decided else 'would be'} the default system"
        outcome = f"hybrid {is_default}" if self.accepted else f"bm25 alone {is_default}, without the dense route"
        return f"{fails if self.against else ''}{self.heading}: {outcome}, since {self._why()}."

    def _why(self) -> str:
        if self.accepted:
            return f"it improves {' and '.join(self.improved)}, and no other term stands against it"
        failed = ", ".join(term.name for term in self.terms if term.verdict is not Verdict.PASS)
        least = "hybrid improves neither figure enough" if not self.improved else "not every other term holds"
        return f"{least} (FAIL: {failed})"


def lacking(card: Scorecard) -> tuple[str, ...]:
    """The rows that the rule needs and the card has not; a public card may have rows and no difference between them."""
    names = {row.system for row in card.systems} if card.pairs or len(card.systems) == 1 else set()
    return tuple(name for name in NEEDED if name not in names)


def decide(card: Scorecard, where: str) -> Acceptance:
    """What the rule says of a card; CannotDecide where it lacks one of the three rows. `where` names the card."""
    if lacking(card):
        what = f"{where}: has no row named {' nor '.join(lacking(card))}, and the rule needs {', '.join(NEEDED)}."
        raise CannotDecide(what, advice="Run a manifest that has all three.")
    rows = {row.system: row for row in card.systems}
    improvements = [_improvement(_hybrid_less_bm25(card, figure), least) for figure, least in IMPROVEMENTS.items()]
    improved = tuple(term.name for term in improvements if term.verdict is Verdict.PASS)
    others = [_gates(rows[BM25], rows[HYBRID]), *(_kept(_hybrid_less_bm25(card, figure)) for figure in PROTECTED)]
    accepted = bool(improved) and all(term.verdict is Verdict.PASS for term in others)
    ships = HYBRID if accepted else BM25
    return Acceptance(
        format="mambomeme/acceptance/v1",
        run_id=card.run_id,
        partition=f"{card.partition.name} {card.partition.version} ({card.partition.kind})",
        heading=Heading.DECISION if card.partition.kind is Kind.HIDDEN else Heading.REHEARSAL,
        accepted=accepted,
        ships=ships,
        against=against(rows[ships]),
        improved=improved,
        terms=(*improvements, *others),
        standing=card.standing,
        reasons=card.reasons,
    )


def _hybrid_less_bm25(card: Scorecard, figure: str) -> Difference:
    """The pair as the rule has it, whichever of the two rows stands first on the card."""
    (pair,) = (pair for pair in card.pairs if {pair.one, pair.other} == {BM25, HYBRID})
    found = pair.of(figure)
    return found if pair.one == HYBRID else found.turned()


def _improvement(found: Difference, least: float) -> Term:
    """At least so much better, by an interval that lies above zero. The six decimals on the card decide."""
    enough, sure = found.value >= least, found.interval.low > 0
    return Term(
        name=found.figure,
        rule=f">= +{least:.2f} with a 95 % interval above 0 (one of the two suffices)",
        value=found.value,
        interval=found.interval,
        verdict=Verdict.PASS if enough and sure else Verdict.FAIL,
        detail=_from_to(found) + ("" if sure or not enough else "; large enough, but not told from noise"),
    )


def _kept(found: Difference) -> Term:
    return Term(
        name=found.figure,
        rule=f">= -{ALLOWED_LOSS:.2f}",
        value=found.value,
        interval=found.interval,
        verdict=Verdict.PASS if found.value >= -ALLOWED_LOSS else Verdict.FAIL,
        detail=_from_to(found),
    )


def _gates(bm25: SystemRow, hybrid: SystemRow) -> Term:
    lost = list(_regressions(bm25, hybrid))
    return Term(
        name="hard gates",
        rule="none that bm25 passes and hybrid does not",
        value=None,
        interval=None,
        verdict=Verdict.FAIL if lost else Verdict.PASS,
        detail="; ".join(lost) or "no regression",
    )


def _regressions(bm25: SystemRow, hybrid: SystemRow) -> Iterator[str]:
    before = {gate.name: gate for gate in bm25.gates}
    for gate in hybrid.gates:
        if before[gate.name].verdict is Verdict.PASS and gate.verdict is not Verdict.PASS:
            yield f"{gate.name}: {gate.verdict}"


def _from_to(found: Difference) -> str:
    return f"bm25 {found.other:.6f}, hybrid {found.one:.6f}"
