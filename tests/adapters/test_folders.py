"""A new folder holds what it was given and nothing outside of it, and lies in no finished result."""

from pathlib import Path

import pytest

from runner.adapters.folders import write_folder
from runner.errors import BadInput


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x"])
def test_a_name_that_leads_out_of_it_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="would lie outside of it"):
        write_folder(tmp_path / "to", {name: [b""]})
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_into_a_finished_result(tmp_path: Path) -> None:
    (tmp_path / "run/raw").mkdir(parents=True)
    (tmp_path / "run/statement.dsse.json").touch()
    for place in ("run/review", "run/raw/review"):
        with pytest.raises(BadInput, match="lies inside the result run"):
            write_folder(tmp_path / place, {"index.html": [b""]})
    write_folder(tmp_path / "run.review", {"index.html": [b""]})
    assert (tmp_path / "run.review/index.html").is_file()


def test_a_link_that_leads_nowhere_is_no_new_folder(tmp_path: Path) -> None:
    (tmp_path / "to").symlink_to(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="exists already"):
        write_folder(tmp_path / "to", {"x": [b""]})
