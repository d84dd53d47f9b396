"""What the real driver notices of itself on the null UI, and what it is told where it has a fault."""

import pytest

from runner.errors import Findings
from runner.workflows import observe
from runner.workflows.evidence import read_evidence
from tests.driver.conftest import Drive
from tests.hostile import toy

TITLES = {f"m{n:04}": title for n, title in enumerate(toy.TITLES)}
BOUNDS = observe.Bounds(2000, 250)


def read(evidence):
    """All that the scoring side makes of a drive."""
    files = {f"raw/toy/{name}": data for name, data in evidence.files.items()}
    files |= {"raw/toy/plan.json": evidence.plan_line + b"\n"}
    files |= {"raw/toy/driver.json": (evidence.folder / "driver.json").read_bytes()}
    return read_evidence("toy", files, TITLES, BOUNDS)


@pytest.fixture(scope="module")
def sound(module_drive):
    """A drive without a fault."""
    return module_drive(None)


@pytest.fixture(scope="module")
def module_drive(tmp_path_factory):
    """Run the driver with one of the faults of `blind.py`, or with none."""

    def run(fault):
        base = tmp_path_factory.mktemp("base")
        toy.make_corpus(base / "corpus")
        toy.make_system(base / "system")
        words = ["runner.driver"] if fault is None else ["tests.driver.blind", fault]
        drive = Drive(base, toy.plan(base), words)
        assert drive.finish()[0] == 0
        return drive.evidence()

    return run


def test_a_sound_instrument_notices_all_four(sound):
    """Delays, limit and lists as they are published (docs/raw-log.md), the record as it stands in the file."""
    found = read(sound).instrument
    assert (found.slow.delay_ns, len(found.slow.latencies_ns)) == (100_000_000, 3)
    assert min(found.slow.latencies_ns) >= 100_000_000
    assert found.timeout.model_dump(mode="json") == {
        "limit_ns": 400_000_000,
        "delay_ns": 600_000_000,
        "result": "timeout",
        "outcome": "timeout",
        "charged_ns": 400_000_000,
    }
    assert found.frame.returned[:3] == ("null-01", "null-02", "null-03")
    assert found.frame.drawn[:3] == ("null-02", "null-01", "null-03")
    assert found.frame.right == 3
    assert found.record.of == sum(data.count(b"\n") for data in sound.files.values())
    assert found.record.line <= sound.files[found.record.file].count(b"\n")
    assert found.drift.n == 5


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("deaf_to_limits", "instrument check 'injected timeout': expected the driver's record to say timeout"),
        ("early_clock", "instrument check 'slow canary': expected a median of 100000000 ns to 25000000 ns more"),
        ("true_frames", "instrument check 'known bad frame': .* found the same list drawn"),
        ("impatient", "instrument check 'known bad frame': expected an answer of the null UI, found none"),
    ],
)
def test_a_driver_with_a_fault_is_caught_by_name(module_drive, fault, words):
    with pytest.raises(Findings, match=f"raw/toy/instrument.jsonl: {words}"):
        read(module_drive(fault))


def test_a_comparison_that_calls_everything_equal_is_caught(sound, monkeypatch):
    monkeypatch.setattr(observe, "drawn_differs", lambda _evidence, _titles: None)
    with pytest.raises(Findings, match=r"instrument check 'known bad frame': .* it passed as the same"):
        read(sound)


def test_a_chain_check_that_follows_anything_is_caught(sound, monkeypatch):
    """It gives the right last link for every file, and looks at none of its lines."""
    monkeypatch.setattr("runner.provenance.rawlog.follow", lambda _head, lines: follow_blindly(b"".join(lines)))
    with pytest.raises(Findings, match=r"instrument check 'tampered record': expected the altered line \d+ .* nothing"):
        read(sound)


def follow_blindly(data):
    """The digest that the last line says it has."""
    return data.splitlines()[-1].rpartition(b'"chain":"')[2][:64].decode()
