"""An archive of a result holds its files and nothing else; whatever else it is, opening it ends in one line."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner.adapters.archives import archive, open_result
from runner.adapters.cards import published
from runner.errors import BadInput

FILES = {"scorecard.json": b"{}\n", "raw/bm25/block-000.jsonl": b'{"e":"out"}\n' * 400, "empty": b""}
Change = Callable[[tarfile.TarInfo], object]


def opened(data: bytes, place: Path) -> dict[str, bytes]:
    """The files in an archive with these bytes."""
    path = place / "run.tar.zst"
    path.write_bytes(data)
    folder = open_result(path)
    return {name: folder.read(name) for name in folder.names()}


def packed(tar: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(tar)


def tar_of(*members: tuple[str, bytes, Change], form: int = tarfile.USTAR_FORMAT) -> bytes:
    """As another program would write it."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=form) as tar:
        for name, data, change in members:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o600
            change(member)
            tar.addfile(member, io.BytesIO(data))
    return whole.getvalue()


def as_is(_member: tarfile.TarInfo) -> None:
    """A plain file."""


def of_kind(kind: bytes) -> Change:
    def change(member: tarfile.TarInfo) -> None:
        member.type, member.linkname = kind, "/etc/passwd"

    return change


def test_other_programs_read_it(tmp_path: Path) -> None:
    tar = zstandard.ZstdDecompressor().decompress(archive("run-1", FILES))
    subprocess.run(["tar", "-x", "-C", tmp_path], input=tar, check=True)
    assert {name: (tmp_path / "run-1" / name).read_bytes() for name in FILES} == FILES
    assert opened(archive("run-1", FILES), tmp_path) == FILES


def test_equal_files_give_equal_bytes() -> None:
    assert archive("run-1", FILES) == archive("run-1", dict(reversed(FILES.items())))


ONE = archive("run", FILES)
PLAIN = ("run/scorecard.json", b"{}", as_is)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no whole archive"),
        (b"{}", "no whole archive"),
        (packed(b""), "is not whole"),
        (packed(b"x" * 600), "holds no archive"),
        (ONE[:-1], "no whole archive"),
        (ONE[: len(ONE) // 2], "no whole archive"),
        (ONE + b"x", "no whole archive"),
        (ONE + ONE, "no whole archive"),
        (packed(tar_of(PLAIN) + b"x" * 512), "is not whole, or holds more"),
        (packed(tar_of(PLAIN)[:512]), "holds no archive, or one that is cut off"),
        (packed(tar_of(PLAIN)[:1024]), "is not whole"),
        (packed(tar_of(PLAIN, PLAIN)), "holds what is no file of its own, 'run/scorecard.json'"),
        (packed(tar_of(("run/../../x", b"", as_is))), "no file of its own"),
        (packed(tar_of(("/run/x", b"", as_is))), "no file of its own"),
        (packed(tar_of(("run/sealed//etc/x.age", b"", as_is))), "no file of its own"),
        (packed(tar_of(("run//x", b"", as_is))), "no file of its own"),
        (packed(tar_of(("run/./x", b"", as_is))), "no file of its own"),
        (packed(tar_of(("run/", b"", as_is))), "no file of its own"),
        (packed(tar_of(("run.unfinished/x", b"", as_is))), "what a run left that broke off"),
        (packed(tar_of(("run/x", b"", of_kind(tarfile.SYMTYPE)))), "no file of its own"),
        (packed(tar_of(("run/x", b"", of_kind(tarfile.LNKTYPE)))), "no file of its own"),
        (packed(tar_of(("run/x", b"", of_kind(tarfile.DIRTYPE)))), "no file of its own"),
        (packed(tar_of(("run/x", b"", of_kind(tarfile.FIFOTYPE)))), "no file of its own"),
        (packed(tar_of(("run/x", b"\0" * 512, of_kind(tarfile.GNUTYPE_SPARSE)))), "no file of its own"),
        (packed(tar_of(("run/" + "x" * 300, b"", as_is), form=tarfile.PAX_FORMAT)), "no file of its own"),
        (packed(tar_of(("run/x\ny", b"", of_kind(tarfile.SYMTYPE)))), "no file of its own"),
        (packed(tar_of(("run/x", b"", lambda member: setattr(member, "mode", 0o4755)))), "is not whole, or holds more"),
        (packed(tar_of(PLAIN, ("z/x", b"", as_is))), "does not hold one folder"),
        (packed(tar_of(("x", b"", as_is))), "does not hold one folder"),
        (packed(tar_of()), "does not hold one folder"),
    ],
)  # fmt: skip
def test_what_is_no_archive_of_a_result_is_refused_in_one_line(data: bytes, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=told) as error:
        opened(data, tmp_path)
    assert str(error.value).startswith(f"{tmp_path}/run.tar.zst: ")
    assert "\n" not in str(error.value)


def test_a_size_that_no_file_can_have_leads_nowhere(tmp_path: Path) -> None:
    """Less than nothing, or more than there is: written as numbers too large for the field are."""
    for size in (b"\xff" + b"\0" * 11, b"\x80" + b"\0" * 6 + b"\1" + b"\0" * 4):
        header = bytearray(tarfile.TarInfo("run/x").tobuf(tarfile.USTAR_FORMAT))
        header[124:136] = size
        header[148:156] = b"%06o\0 " % (sum(header) - sum(header[148:156]) + 256)
        with pytest.raises(BadInput, match="holds no archive, or one that is cut off"):
            opened(packed(bytes(header) + b"\0" * 9728), tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """A terabyte as the frame says it; and one whose frame says nothing, which could come to anything."""
    small = zstandard.ZstdCompressor().compress(b"\0" * (1 << 20))
    loud = small[:4] + b"\xe0" + (1 << 40).to_bytes(8, "little") + small[9:]
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(tar_of(PLAIN))
    assert zstandard.frame_content_size(loud) == 1 << 40
    for data in (loud, silent):
        with pytest.raises(BadInput, match="comes to more than any result, 512000000 bytes at most, or does not say"):
            opened(data, tmp_path)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, len(ONE) - 1), bit=st.integers(0, 7))
def test_one_changed_bit_is_never_taken_for_the_same(place: int, bit: int, tmp_path: Path) -> None:
    data = bytearray(ONE)
    data[place] ^= 1 << bit
    try:
        found = opened(bytes(data), tmp_path)
    except BadInput:
        return
    assert found == FILES


def test_cards_are_found_in_archives_below_a_place_each_once(tmp_path: Path) -> None:
    (tmp_path / "published/a").mkdir(parents=True)
    (tmp_path / "published/a/a.tar.zst").write_bytes(archive("a", {"scorecard.json": b"a"}))
    (tmp_path / "c.tar.zst").write_bytes(archive("c", {"scorecard.json": b"c"}))
    (tmp_path / "same.tar.zst").write_bytes(archive("c", {"scorecard.json": b"c"}))
    places = [tmp_path / "c.tar.zst", tmp_path / "published/a/a.tar.zst"]
    assert [(one.where, one.data) for one in published([tmp_path])] == [
        (f"{places[0]}: scorecard.json", b"c"),
        (f"{places[1]}: scorecard.json", b"a"),
    ]
    assert [one.where for one in published([tmp_path / "published"])] == [f"{places[1]}: scorecard.json"]


def test_an_archive_without_a_card_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.tar.zst").write_bytes(archive("run", {"run.lock.json": b"{}"}))
    with pytest.raises(BadInput, match=r"run\.tar\.zst: scorecard\.json: missing"):
        list(published([tmp_path / "run.tar.zst"]))
