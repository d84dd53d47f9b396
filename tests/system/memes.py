"""Small corpora for tests of the bundled system."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SYSTEM = Path(__file__).parents[2] / "images" / "mambomeme"


def item(doc_id: str, **changes: Any) -> dict[str, Any]:
    """A displayable item; `changes` replace its fields."""
    plain: dict[str, Any] = {
        "doc_id": doc_id,
        "title": f"title {doc_id}",
        "template": "Doge",
        "template_group": "doge",
        "entities": ["Kabosu"],
        "aliases": [],
        "franchise": None,
        "tags": ["dogs"],
        "action": None,
        "ocr_text": "wow",
        "visual": "a dog",
        "meaning": "joy",
        "language": "en",
        "safety": "safe",
        "rights": {"status": "cleared", "license": "CC0-1.0", "attribution": "someone", "source": None},
        "private_data": False,
        "preview": {"path": f"previews/{doc_id}.png", "digest": "sha256:" + "0" * 64, "phash": "0" * 16},
    }
    return plain | changes


def write_corpus(folder: Path, items: list[dict[str, Any]]) -> Path:
    """A corpus folder that holds `items`."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(entry, ensure_ascii=False) + "\n" for entry in items]
    (folder / "items.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder
