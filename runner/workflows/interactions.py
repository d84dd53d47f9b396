"""Reports on a file of interaction events, as figures and as a screen of text."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.documents import Source
from runner.retrieval.interaction_events import parse_interactions
from runner.retrieval.interactions import Figures, InteractionReport, Mean, Names, Rate, interaction_report
from runner.retrieval.interleaving import Comparison, Estimate

BAR = 40
TITLES = {
    "by_slice": "by slice",
    "by_corpus": "by corpus",
    "by_retriever": "by retriever",
    "by_interface": "by interface",
}
FOOT = (
    "Diagnostic only: none of this enters the score. Only a choice is a success; what",
    "was not chosen may never have been looked at. [95 % interval, sessions",
    "resampled] (95 % Wilson interval, n = sessions)",
)


def report_interactions(source: Source, names: Names) -> InteractionReport:
    """The report on the events in `source`; BadInput names the line that is wrong."""
    return interaction_report(parse_interactions(source), names)


def interactions_screen(report: InteractionReport) -> str:
    """The report for people."""
    lines = [*_whole(report.all)]
    for key, title in TITLES.items():
        if not getattr(report, key):
            continue
        lines += ["", f"{title:<34} lists choose 1/rank p50 wait reform. abandon."]
        lines += [_group(name, found) for name, found in getattr(report, key).items()]
    for comparison in report.interleaved:
        lines += ["", *_compared(comparison)]
    return "\n".join([*lines, "", *FOOT])


def _whole(found: Figures) -> Iterator[str]:
    yield (
        f"{counted(found.renders, 'list')} in {counted(found.sessions, 'session')}: {found.with_results} with results, "
        f"{found.empty} empty, {found.errors} failed; {counted(found.lost, 'event')} lost"
    )
    yield ""
    for name, rate in (
        ("choose", found.choose_rate), ("preview", found.preview_rate), ("open", found.open_rate),
        ("copy", found.copy_rate), ("reformulation", found.reformulation_rate), ("abandonment", found.abandonment_rate),
    ):  # fmt: skip
        yield f"{name:<24}{_rate(rate)}"
    yield f"{'reciprocal chosen rank':<24}{_mean(found.reciprocal_chosen_rank)}"
    times = found.render_to_choice_ms
    yield f"{'render to choice':<24}" + (f"p50 {times.p50} ms, p95 {times.p95} ms, n {times.n}" if times.n else "-")
    yield ""
    yield "chosen rank"
    most = max(found.chosen_ranks)
    for rank, count in enumerate(found.chosen_ranks, 1):
        yield f"{rank:>4} {count:>6} {'█' * (round(BAR * count / most) if most else 0)}".rstrip()


def _rate(rate: Rate) -> str:
    if rate.value is None or rate.wilson_low is None or rate.wilson_high is None:
        return "-"
    spread = _spread(rate.low, rate.high)
    return f"{rate.value:.3f} {spread} ({rate.wilson_low:.3f}, {rate.wilson_high:.3f})   {rate.hits} of {rate.of}"


def _mean(mean: Mean) -> str:
    return "-" if mean.value is None else f"{mean.value:.3f} {_spread(mean.low, mean.high)}   n {mean.n}"


def _spread(low: float | None, high: float | None) -> str:
    return "[needs two sessions]" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def _group(name: str, found: Figures) -> str:
    values = (
        _short(found.choose_rate.value), _short(found.reciprocal_chosen_rank.value),
        "-" if found.render_to_choice_ms.p50 is None else f"{found.render_to_choice_ms.p50} ms",
        _short(found.reformulation_rate.value), _short(found.abandonment_rate.value),
    )  # fmt: skip
    cells = "".join(f"{value:>{width}}" for value, width in zip(values, (7, 7, 9, 8, 9), strict=True))
    return f"{_beside(name)}{found.renders:>6}{cells}"


def _beside(name: str) -> str:
    """The name before its figures, on a line of its own where it is long."""
    safe = _safe(name)
    return f"{safe:<34}" if len(safe) < 34 else f"{safe}\n{'':34}"


def _safe(name: str) -> str:
    return "".join(character if character.isprintable() else "\ufffd" for character in name)


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _compared(found: Comparison) -> Iterator[str]:
    yield "interleaved by team draft"
    yield f"  A = {_safe(found.a)}"
    yield f"  B = {_safe(found.b)}"
    yield f"  {counted(found.impressions, 'list')} in {counted(found.sessions, 'session')}, {found.choices} chosen"
    yield f"  A ahead in {found.a_ahead}, B in {found.b_ahead}"
    yield f"  {'credit, A minus B':<38}{_estimate(found.credit)}"
    yield f"  {'by inverse exposure, own documents':<38}{_estimate(found.weighted)}"


def _estimate(found: Estimate) -> str:
    return f"{found.value:+.3f} " + (
        "[needs two sessions]" if found.low is None or found.high is None else f"[{found.low:+.3f}, {found.high:+.3f}]"
    )
