"""Describes the corpus as a whole: `corpus.json`."""

from __future__ import annotations

import json
from pathlib import Path

from drawing import records

NAME, VERSION = "mambomeme-corpus", "1"


def corpus_card(items_file: Path, *sources: Path) -> bytes:
    """The card's bytes; counts are for readers, the digest of the items names the corpus."""
    items = records.read_lines(items_file)
    card = {
        "name": NAME,
        "version": VERSION,
        "items": records.digest(items_file.read_bytes()),
        "counts": {
            "items": len(items),
            "groups": len({item["template_group"] for item in items}),
            "entities": len({entity for item in items for entity in item["entities"]}),
            "quotes": len({item["ocr_text"] for item in items if item["ocr_text"].strip()}),
            "franchises": len({item["franchise"] for item in items if item["franchise"]}),
            "languages": len({item["language"] for item in items}),
            "not_english": sum(item["language"] != "en" for item in items),
            "topics": len({tag for item in items for tag in item["tags"]}),
            "actions": len({item["action"] for item in items if item["action"]}),
        },
        "sources": {path.name: records.digest(path.read_bytes()) for path in sources},
    }
    return (json.dumps(card, sort_keys=True, indent=2, ensure_ascii=False) + "\n").encode()
