"""Makes the system of the hostile rows in a project, and reads a run of them."""

import json
import os
import shutil
import subprocess
import sys

from runner.adapters.image.system import source_digest
from tests.faults.project import ROOT

HOSTILE, OWN = ROOT / "tests/hostile", ROOT / "tests/faults/system"
FOLDER = "systems/hostile"


def make_system(project):
    """The bundled engine with every UI of `tests/hostile`, as a system folder of the project, its index ready-made."""
    folder = project.path(FOLDER)
    shutil.copytree(project.path("images/mambomeme"), folder)
    for source in (*HOSTILE.glob("*ui*.py"), *OWN.glob("*.py")):
        shutil.copy(source, folder)
    card = json.loads((folder / "system.json").read_bytes())
    card.update(name="hostile", engine=["python3", "engine_bundled.py"], tui=["python3", "ui_chosen.py"], prepare=None)
    (folder / "system.json").write_text(json.dumps(card))
    corpus = {"MAMBO_CORPUS": str(project.path("images/corpus"))}
    subprocess.run([sys.executable, "-m", "mambomeme.index"], cwd=folder, env=os.environ | corpus, check=True)


def make_row(project, name, ui, **configuration):
    """A system manifest for one UI; its path."""
    bundled = json.loads(project.path("manifests/systems/bm25.json").read_bytes())["configuration"]
    row = {
        "name": name,
        "title": f"The bundled engine behind {ui}",
        "folder": FOLDER,
        "files": source_digest(project.path(FOLDER), project.path("images/mambomeme")),
        "configuration": {"engine": bundled, "ui": ui, **configuration},
    }
    path = f"manifests/systems/{name}.json"
    project.path(path).write_text(json.dumps(row))
    return path


class Run:
    """A sealed result."""

    def __init__(self, folder):
        self.folder = folder
        self.card = json.loads((folder / "scorecard.json").read_bytes())
        lines = (folder / "observations.jsonl").read_text().splitlines()
        self.observations = [json.loads(line) for line in lines]

    def row(self, system):
        """A system's row of the card."""
        return next(row for row in self.card["systems"] if row["system"] == system)

    def violations(self, system):
        """The kinds of its critical violations."""
        return {violation["kind"] for violation in self.row(system)["violations"]}

    def outcomes(self, system):
        """How many requests ended in each way."""
        found = [seen["outcome"] for seen in self.observations if seen["system"] == system]
        return {outcome: found.count(outcome) for outcome in found}

    def report(self, system):
        """What the driver says of its run."""
        return json.loads((self.folder / "raw" / system / "driver.json").read_bytes())
