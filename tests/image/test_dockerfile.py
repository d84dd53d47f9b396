"""The Dockerfile subset is read as an engine reads it, and nothing beyond it is let in."""

from __future__ import annotations

import pytest

from runner.errors import BadInput
from runner.provenance.dockerfile import Recipe, parse_dockerfile
from tests.image.tiny import ROOT

GOOD = """\
# words
FROM scratch

ADD base.tar /
ADD site.tar /
ENV A=1 B="two words"
LABEL z=last a=first
USER 0
WORKDIR /opt/driver
ENTRYPOINT ["python3", "-m", "x"]
"""


def test_every_instruction_of_the_subset_is_read():
    assert parse_dockerfile(GOOD, "Dockerfile") == Recipe(
        layers=("base", "site"),
        env=("A=1", "B=two words"),
        labels=(("a", "first"), ("z", "last")),
        user="0",
        workdir="/opt/driver",
        entrypoint=("python3", "-m", "x"),
    )


@pytest.mark.parametrize(
    ("line", "instead", "words"),
    [
        (2, "FROM debian", "FROM must be"),
        (2, "ADD base.tar /", "FROM scratch must come first"),
        (4, "FROM scratch", "FROM must be"),
        (4, "ADD base.tar /opt", "ADD must be"),
        (4, "ADD site.tar /", "ADD must be"),
        (4, "ADD http://host/base.tar /", "ADD must be"),
        (4, "ADD ../base.tar /", "ADD must be"),
        (4, "RUN true", "RUN is not in the subset"),
        (4, "COPY base.tar /", "COPY is not in the subset"),
        (4, "add base.tar /", "add is not in the subset"),
        (6, "ENV A=1 \\", "continuation"),
        (6, "ENV A=$B", "variables"),
        (6, "ENV A 1", "name=value"),
        (6, "ENV A=1 A=2", "stand once"),
        (6, 'ENV A="1', "quotation"),
        (7, "HEALTHCHECK NONE", "HEALTHCHECK is not in the subset"),
        (8, "USER root", "USER"),
        (9, "WORKDIR driver", "WORKDIR"),
        (9, "USER 1", "USER"),
        (10, "ENTRYPOINT python3", "JSON list"),
        (10, "ENTRYPOINT [1]", "JSON list"),
        (10, "ENTRYPOINT []", "JSON list"),
        (1, "# syntax=docker/dockerfile:1", "directive"),
        (1, "# escape=`", "directive"),
    ],
)
def test_anything_else_is_refused_with_its_line(line, instead, words):
    lines = GOOD.splitlines()
    lines[line - 1] = instead
    # Where the line is refused for what an earlier or later line says, the later one is the one at fault.
    number = {"ADD site.tar /": 5, "USER 1": 9}.get(instead, line)
    with pytest.raises(BadInput, match=words) as refused:
        parse_dockerfile("\n".join(lines), "Dockerfile")
    assert refused.value.what.startswith(f"Dockerfile:{number}: ")
    assert "FROM scratch, ADD" in refused.value.advice


@pytest.mark.parametrize("text", ["", "FROM scratch\n", "FROM scratch\nADD base.tar /\n"])
def test_a_file_that_describes_no_image_is_refused(text):
    with pytest.raises(BadInput, match="names no layer or no ENTRYPOINT"):
        parse_dockerfile(text, "Dockerfile")


def test_the_projects_own_file_is_in_the_subset():
    recipe = parse_dockerfile((ROOT / "Dockerfile").read_text(), "Dockerfile")
    assert recipe.layers == ("base", "site", "corpus", "models", "system", "driver")
    assert recipe.entrypoint == ("python3", "-m", "runner.driver")
    assert "PYTHONPATH=/opt/site" in recipe.env
