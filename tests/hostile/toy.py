"""Plans and folders for tests of the driver: twenty items, the small engine, and a UI of this folder."""

import hashlib
import json
import shutil
from pathlib import Path

HERE = Path(__file__).parent
WORDS = ["cat", "dog", "frog", "owl", "fox", "bear", "duck", "goat", "crab", "seal"]
TITLES = [f"{WORDS[n % 10]} and {WORDS[(n * 3 + 1) % 10]} number{n}" for n in range(20)]
LIMITS = {"time_limit_ms": 2000, "late_ms": 2000, "hold_ms": 250, "restarts": 3, "wall_limit_s": 120}


def make_corpus(folder):
    """A corpus folder of twenty items."""
    folder.mkdir(parents=True)
    items = [{"doc_id": f"m{n:04}", "title": title} for n, title in enumerate(TITLES)]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    return folder


def make_system(folder):
    """A system folder with all programs of this folder."""
    folder.mkdir(parents=True)
    for source in HERE.glob("*.py"):
        shutil.copy(source, folder)
    return folder


def queries(count, held=None):
    """`count` queries; with `held`, as they stand in a block."""
    texts = [f"{WORDS[n % 10]} {WORDS[(n + n // 10) % 10]}" for n in range(count)]
    entries = [{"query_id": f"q{n:03}", "text": text} for n, text in enumerate(texts)]
    return entries if held is None else [{**entry, "held": held} for entry in entries]


def plan(base, **changes):
    """A plan for folders `system`, `corpus` and `run` below `base`; `changes` replace its keys."""
    return {
        "system": {
            "name": "toy",
            "engine": ["python3", "engine.py"],
            "tui": ["python3", "good_ui.py"],
            "configuration": {},
        },
        "warmup": queries(3),
        "blocks": [queries(5, held=False)],
        "limits": LIMITS,
        "paths": {name: f"{base}/{name}" for name in ("system", "corpus", "models", "run")},
        "isolation": "none",
        "terminal": "full",
        "engine_path": False,
        "floors": {"echo": 0, "null_ui": 0},
        "lock": f"sha256:{'1' * 64}",
    } | changes


def system(ui="good_ui", engine="engine", **configuration):
    """The `system` key of a plan."""
    return {
        "name": "toy",
        "engine": ["python3", f"{engine}.py"],
        "tui": ["python3", f"{ui}.py"],
        "configuration": configuration,
    }


def digest(line):
    """Hex digest of a plan's line."""
    return hashlib.sha256(line).hexdigest()
