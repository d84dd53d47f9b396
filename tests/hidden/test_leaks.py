"""The search for leaks finds a planted word in every form that is looked for, so that finding none says something."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hidden.leaks import leaks, said

SECRET = 'bakadu "ü" gilo'
TEXT = f"before {SECRET} after ".encode()


def tarred(data: bytes) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        member = tarfile.TarInfo("x")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return whole.getvalue()


def zipped(data: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", data)
    return whole.getvalue()


@pytest.mark.parametrize(
    "form",
    [
        lambda data: data,
        lambda data: data.upper().replace("Ü".encode(), "ü".encode()),
        lambda data: json.dumps({"text": data.decode()}).encode(),
        lambda data: json.dumps({"text": data.decode()}, ensure_ascii=False).encode(),
        lambda data: data.decode().encode("utf-16-le"),
        gzip.compress,
        zlib.compress,
        bz2.compress,
        lzma.compress,
        tarred,
        zipped,
        base64.b64encode,
        lambda data: base64.b64encode(data[1:]),
        lambda data: base64.b64encode(data[2:]),
        lambda data: b'{"b64":"' + base64.urlsafe_b64encode(data) + b'"}',
        lambda data: b"xyz" + base64.b64encode(data),
        lambda data: gzip.compress(json.dumps({"b64": base64.b64encode(data).decode()}).encode()),
        lambda data: base64.b64encode(gzip.compress(data)),
    ],
)
def test_each_form_is_found(form: Callable[[bytes], bytes]) -> None:
    assert said(form(TEXT), [SECRET, "never"]) == [SECRET]


def test_names_of_files_are_searched_and_what_is_apart_is_not(tmp_path: Path) -> None:
    for name in ("open/a", "open/gilo", "sealed/b"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("bakadu")
    found = leaks([tmp_path], ["bakadu", "gilo"], apart=[tmp_path / "sealed"])
    assert found == [
        f"{tmp_path}/open/a: bakadu",
        f"{tmp_path}/open/gilo (name): gilo",
        f"{tmp_path}/open/gilo: bakadu",
    ]


def test_what_was_clean_is_searched_again_once_it_is_written_to(tmp_path: Path) -> None:
    path, clean = tmp_path / "log", set()
    path.write_text("nothing")
    assert leaks([tmp_path], ["bakadu"], clean=clean) == []
    with path.open("a") as file:
        file.write(" but bakadu")
    for _ in range(2):
        assert leaks([tmp_path], ["bakadu"], clean=clean) == [f"{path}: bakadu"]
    path.write_text("nothing")
    assert leaks([tmp_path], ["bakadu"], clean=clean) == []
