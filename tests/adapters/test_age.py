"""An age key lies encrypted by a passphrase, as other age tools do it, and opens to that passphrase alone."""

from __future__ import annotations

import base64
import hashlib
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pyrage
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from runner.adapters.age import Identity, checkout_identity, load_identity, new_identity, seal
from runner.errors import BadInput, Unavailable
from runner.shell import ROOT
from tests.adapters.at_terminal import typed
from tests.provenance.signing import no_passphrase

WORDS = b"correct horse battery"
#: What `age-keygen` and then `age --passphrase --armor` made of version 1.1.1, with WORDS.
GOLDEN = ROOT / "tests/golden/identity.age"
RECIPIENT = "age1htpf8czrc8p3pl86eksmy43lkvhrndclvdyw8qucm6rs3rm235ssn5gd3j"


def words(_path: Path) -> bytes:
    return WORDS


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("age") / "keys/hidden.age"


@pytest.fixture(scope="module")
def made(path: Path) -> Identity:
    return new_identity(path, words)


def private(path: Path, data: bytes) -> Path:
    path.touch(mode=0o600)
    path.write_bytes(data)
    return path


def test_a_key_gets_no_name_of_what_is_handed_out(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is the name of a public key"):
        new_identity(tmp_path / "w.pub", lambda _: b"ten words of no sense")
    assert list(tmp_path.iterdir()) == []


def test_a_new_key_is_encrypted_its_owner_s_alone_and_opens_what_is_sealed_for_it(made: Identity, path: Path) -> None:
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)
    assert b"AGE-SECRET-KEY" not in path.read_bytes()
    assert load_identity(path, words).unseal(seal(b"a half", [made.recipient]), "x.age") == b"a half"


def test_it_opens_by_the_words_of_the_format_alone(made: Identity, path: Path) -> None:
    """age-encryption.org/v1: scrypt wraps the file key, HKDF gives that of the one last chunk, ChaCha20-Poly1305 is
    the cipher. What comes out is a file as `age-keygen` writes it."""
    version, stanza, body, rest = path.read_bytes().split(b"\n", 3)
    kind, salt, cost = stanza.removeprefix(b"-> ").split()
    assert (version, kind) == (b"age-encryption.org/v1", b"scrypt")
    label, n = b"age-encryption.org/v1/scrypt", 1 << int(cost)
    wrap = hashlib.scrypt(WORDS, salt=label + plain64(salt), n=n, r=8, p=1, maxmem=n * 1100, dklen=32)
    key = ChaCha20Poly1305(wrap).decrypt(bytes(12), plain64(body), None)
    payload = rest.split(b"\n", 1)[1]
    inner = HKDF(SHA256(), 32, payload[:16], b"payload").derive(key)
    lines = ChaCha20Poly1305(inner).decrypt(bytes(11) + b"\1", payload[16:], None).decode().splitlines()
    assert lines[0] == f"# public key: {made.recipient}"
    assert str(pyrage.x25519.Identity.from_str(lines[1]).to_public()) == made.recipient


def plain64(text: bytes) -> bytes:
    return base64.b64decode(text + b"=" * (-len(text) % 4))


@pytest.mark.parametrize("form", ["armoured", "binary"])
def test_what_another_tool_encrypted_opens(tmp_path: Path, form: str) -> None:
    data = GOLDEN.read_bytes()
    if form == "binary":
        data = base64.b64decode(b"".join(data.splitlines()[1:-1]))
    assert load_identity(private(tmp_path / "k", data), words).recipient == RECIPIENT


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"incorrect horse battery", "does not open with this passphrase"),
        (b"\xff\xfe", "its passphrase is not UTF-8"),
    ],
)
def test_another_passphrase_does_not_open_it(made: Identity, path: Path, given: bytes, why: str) -> None:
    with pytest.raises(BadInput, match=rf"hidden\.age: {why}\. ") as error:
        load_identity(path, lambda _path: given)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("left", [30, 100, -1])
def test_a_file_cut_short_is_found_wherever_it_ends(made: Identity, path: Path, tmp_path: Path, left: int) -> None:
    cut = private(tmp_path / "cut.age", path.read_bytes()[:left])
    with pytest.raises(BadInput, match=r"cut\.age: is damaged or cut short\. Restore it"):
        load_identity(cut, words)


def test_one_that_would_take_hours_to_open_is_refused(made: Identity, path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[1] = lines[1].rpartition(b" ")[0] + b" 40"
    with pytest.raises(BadInput, match=r"k: takes too long to open on this machine\. Try again"):
        load_identity(private(tmp_path / "k", b"\n".join(lines)), words)


def test_a_machine_that_seemed_too_slow_for_a_moment_opens_it_all_the_same(
    made: Identity, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library times itself, and refuses what it thinks would take long; here three times, as seen under load."""
    really, slow = pyrage.passphrase.decrypt, iter(range(3))

    def seemingly(data: bytes, given: str) -> bytes:
        if next(slow, None) is not None:
            raise pyrage.DecryptError(
                "Excessive work parameter for passphrase.\nDecryption would take around 32 seconds."
            )
        return bytes(really(data, given))

    monkeypatch.setattr("runner.adapters.age.passphrase", SimpleNamespace(decrypt=seemingly))
    assert load_identity(path, words).recipient == made.recipient


def test_a_busy_machine_makes_no_weak_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under load the library was seen to choose 13, an eighth of the least that is taken: 2 to the 16."""
    work = iter([13, 15, 16, 18])
    monkeypatch.setattr("runner.adapters.age.passphrase", SimpleNamespace(encrypt=lambda *_: stanza(next(work))))
    new_identity(tmp_path / "k", words)
    assert (tmp_path / "k").read_bytes() == stanza(16)
    monkeypatch.setattr("runner.adapters.age.passphrase", SimpleNamespace(encrypt=lambda *_: stanza(13)))
    with pytest.raises(Unavailable, match=r"other: this machine is too busy .* Try again when it is less busy"):
        new_identity(tmp_path / "other", words)
    assert not (tmp_path / "other").exists()


def stanza(work: int) -> bytes:
    return f"age-encryption.org/v1\n-> scrypt NVk7Q5ab5nLyMpxAq99waA {work}\nbody\n--- mac\n".encode()


def test_what_is_sealed_for_a_key_is_no_key(made: Identity, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"k: is sealed for a key, not by a passphrase"):
        load_identity(private(tmp_path / "k", seal(b"a half", [made.recipient])), words)


def test_what_a_passphrase_hid_must_be_a_key(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"k: does not hold one age key\. Make one with `./bench run keys age`"):
        load_identity(private(tmp_path / "k", pyrage.passphrase.encrypt(b"a diary", WORDS.decode())), words)


def test_a_key_in_the_clear_asks_for_nothing(tmp_path: Path) -> None:
    key = pyrage.x25519.Identity.generate()
    assert load_identity(private(tmp_path / "k", f"{key}\n".encode()), no_passphrase).recipient == str(key.to_public())


def test_nothing_is_overwritten_and_a_short_passphrase_makes_no_key(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="fewer than 12 characters"):
        new_identity(tmp_path / "k", lambda _path: b"elevenchars")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "k").write_text("mine")
    with pytest.raises(BadInput, match="k: exists already"):
        new_identity(tmp_path / "k", no_passphrase)
    assert (tmp_path / "k").read_text() == "mine"


def test_the_key_of_a_checkout_is_made_once_and_encrypted(tmp_path: Path) -> None:
    first = checkout_identity(tmp_path / "keys/k", no_passphrase, words).recipient
    assert checkout_identity(tmp_path / "keys/k", words, no_passphrase).recipient == first
    assert b"AGE-SECRET-KEY" not in (tmp_path / "keys/k").read_bytes()


def test_it_is_asked_for_at_a_terminal_and_not_shown(made: Identity, path: Path, tmp_path: Path) -> None:
    """Both of the verb that makes one and of a verb that takes one."""
    (tmp_path / "x.age").write_bytes(seal(b"no archive", [made.recipient]))
    opening = ["partition", "open", str(tmp_path / "x.age"), "--to", str(tmp_path / "out"), "--identity", str(path)]
    for command, prompts, status in (
        (["keys", "age", str(tmp_path / "new.age")], ("New passphrase of", "Once more of"), 0),
        (opening, ("Passphrase of",), 65),
    ):
        said = typed(command, prompts, WORDS.decode())
        assert (said.status, WORDS.decode() in said.shown) == (status, False)
    assert load_identity(tmp_path / "new.age", words)


def test_one_passphrase_of_the_environment_opens_every_key_and_no_child_inherits_it(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, subprocess\n"
        "from runner.adapters.passphrase import new_passphrase, passphrase\n"
        "one, other, new = (pathlib.Path(name) for name in ('one', 'other', 'new'))\n"
        "said = {passphrase(one), passphrase(other), new_passphrase(new)}\n"
        "print(said, b'MAMBO_PASSPHRASE' in subprocess.run(['env'], capture_output=True).stdout)\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"MAMBO_PASSPHRASE": WORDS.decode()},
        capture_output=True,
        check=True,
    ).stdout
    assert shown.decode().strip() == f"{{{WORDS!r}}} False"
