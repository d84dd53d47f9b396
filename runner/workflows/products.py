"""Makes the files that follow from the records of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.documents import to_lines
from runner.provenance.acceptance import decide, lacking
from runner.provenance.card import Scorecard
from runner.provenance.card_markdown import render
from runner.provenance.inputs import Inputs
from runner.provenance.sbom import Built, sbom
from runner.workflows.casts import casts
from runner.workflows.evidence import SystemEvidence
from runner.workflows.names import ACCEPTANCE, CARD, CARD_PAGE, CARD_TEXT, OBSERVATIONS, SBOM, gates_file
from runner.workflows.report.traces import Ground, trace


def products(card: Scorecard, evidence: Sequence[SystemEvidence], inputs: Inputs) -> dict[str, bytes]:
    """Every file of a result that is made of others, by name."""
    return {
        **dict(_casts(evidence)),
        **_acceptance(card),
        **_sbom(card, inputs),
        **{gates_file(report.system): report.pretty() for report in card.gates},
        OBSERVATIONS: to_lines(seen for one in evidence for seen in one.observations),
        CARD: card.pretty(),
        CARD_TEXT: render(card).encode(),
        CARD_PAGE: _page(card, evidence, inputs),
    }


def public_products(card: Scorecard) -> dict[str, bytes]:
    """Every file about the public card of a hidden run, by name."""
    data = card.pretty()
    # Tables in the order of the file, so that whoever has the file alone makes the same.
    read = Scorecard.parse(data, CARD)
    return {**_acceptance(read), CARD: data, CARD_TEXT: render(read).encode()}


def _page(card: Scorecard, evidence: Sequence[SystemEvidence], inputs: Inputs) -> bytes:
    # Here, since the library that draws takes half a second to load, and most verbs draw nothing.
    from runner.workflows.report.page import card_page

    manifests = tuple(system.manifest for system in inputs.systems)
    return card_page(card, Ground(inputs.partition, inputs.corpus, manifests), [trace(one) for one in evidence])


def _acceptance(card: Scorecard) -> dict[str, bytes]:
    """What the acceptance rule says, where the card has the rows that it needs."""
    return {} if lacking(card) else {ACCEPTANCE: decide(card, card.run_id).pretty()}


def _sbom(card: Scorecard, inputs: Inputs) -> dict[str, bytes]:
    """What the images hold that the run was made in; a plain process has none."""
    images = {version.system: version.image_id for version in card.versions if version.image_id is not None}
    built = [Built(images[one.manifest.name], one) for one in inputs.systems if one.manifest.name in images]
    return {SBOM: sbom(built)} if built else {}


def _casts(evidence: Sequence[SystemEvidence]) -> Iterator[tuple[str, bytes]]:
    for one in evidence:
        for name, cast in casts(one.log.searches):
            yield f"casts/{one.system}/{name}", cast
