"""The verbs about whose word counts: keys, the trust file, the witness's signature, the log of runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Annotated

import typer

from runner.adapters.age import new_identity
from runner.adapters.archives import open_result, result_name
from runner.adapters.formats import name_of, read_document
from runner.adapters.host import SystemClock
from runner.adapters.keys import load_key, new_key
from runner.adapters.passphrase import new_passphrase, passphrase
from runner.adapters.signer import key_place
from runner.adapters.store import replace, write_once
from runner.counts import counted
from runner.errors import BadInput, CannotDecide
from runner.hidden import here
from runner.provenance.journal import read_log
from runner.provenance.public_key import PublicKey
from runner.provenance.statement import WITNESS
from runner.provenance.trust import Memory, Role, Trust, hold_current, open_trust, remember
from runner.shell import ROOT, HiddenKey, hidden_key, print_lines, source, tools
from runner.tools import LOG
from runner.workflows.nonce import give, told
from runner.workflows.trust import Newcomer, add, begin, renew, revoke, sign_trust, trust_lines
from runner.workflows.witness import Desk, joined, witness

keys = typer.Typer(no_args_is_help=True, help="Private keys, each in an encrypted file of its own.")
trust_verbs = typer.Typer(no_args_is_help=True, help="The trust file: whose signatures count, signed by a root key.")
witnessing = typer.Typer()

TrustFile = Annotated[Path, typer.Option("--trust", help="The trust file: whose keys count.")]
RootId = Annotated[str | None, typer.Option("--root-id", help="The id of its root key, as its holder told you.")]
TrustPath = Annotated[Path, typer.Argument(metavar="TRUST", help="The trust file.")]
RootKey = Annotated[Path, typer.Option("--root", help="The private root key.")]
LogFile = Annotated[Path, typer.Option("--log", help="The steward's log of runs.")]
Days = Annotated[int, typer.Option(min=1, max=3650, help="How many days it counts, from now.")]


@keys.command("new")
def keys_new(path: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")]) -> None:
    """A new key, encrypted, its public half beside it. Example: `./bench run keys new ~/keys/witness.pem`"""
    made = new_key(key_place(path, ROOT), new_passphrase)
    print_lines([made.public_key.key_id])


@keys.command("age")
def keys_age(path: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")]) -> None:
    """A new age key, encrypted; prints whom to seal for. Example: `./bench run keys age ~/hidden.age-key`"""
    print_lines([new_identity(key_place(path, ROOT), new_passphrase).recipient])


@trust_verbs.command("init")
def trust_init(path: TrustPath, root: RootKey, days: Days = 365) -> None:
    """A new trust file that names no key yet. Example: `./bench run trust init trust.json --root root.pem`"""
    signer = load_key(root, passphrase)
    made = begin(signer.public_key, SystemClock().now(), days)
    write_once(path, sign_trust(made, signer))
    print_lines(trust_lines(made))


@trust_verbs.command("add")
def trust_add(
    path: TrustPath,
    key: Annotated[Path, typer.Argument(metavar="KEY", help="The public key, a `.pub` file.")],
    role: Annotated[Role, typer.Option(help="What its signatures stand for.")],
    person: Annotated[str, typer.Option(help="Whose key it is.")],
    root: RootKey,
    days: Days = 365,
) -> None:
    """Trust one more key. Example: `./bench run trust add T.json W.pub --role witness --person P --root root.pem`"""
    newcomer = Newcomer(read_document(key, PublicKey), role, person, days)
    _changed(path, root, lambda trust, now: add(trust, newcomer, now))


@trust_verbs.command("revoke")
def trust_revoke(
    path: TrustPath,
    key: Annotated[str, typer.Argument(metavar="KEY_ID", help="The id of the key, or how it begins.")],
    entry: Annotated[int, typer.Option("--from", min=0, help="The first entry of the log it no longer counts on.")],
    root: RootKey,
) -> None:
    """Let a key no longer count. Example: `./bench run trust revoke trust.json 3fa9 --from 7 --root root.pem`"""
    _changed(path, root, lambda trust, now: revoke(trust, key, entry, now))


@trust_verbs.command("renew")
def trust_renew(path: TrustPath, root: RootKey, days: Days = 365) -> None:
    """Let the file itself be valid for longer. Example: `./bench run trust renew trust.json --root root.pem`"""
    _changed(path, root, lambda trust, now: renew(trust, now, days))


@trust_verbs.command("show")
def trust_show(path: TrustPath) -> None:
    """Whose signatures count. Example: `./bench run trust show trust.json`"""
    print_lines(trust_lines(open_trust(source(path))))


@witnessing.command("witness")
def witness_(
    results: Path,
    key: Annotated[Path, typer.Option(help="The witness's private key.")],
    trust: TrustFile,
    log: LogFile = ROOT / LOG,
    root: RootId = None,
    identity: HiddenKey = None,
) -> None:
    """Verify, then sign as second person. Example: `./bench run witness results/RUN --key w.pem --trust trust.json`"""
    kit, now = tools(), SystemClock().now()
    known, memory = known_trust(trust, root, now)
    desk = Desk(load_key(key, passphrase), known, read_log(source(log)), memory)
    made = witness(open_result(results), desk, now, here(kit, hidden_key(identity)), kit.progress)
    kit.memory.change(lambda now_kept: joined(made.memory, now_kept, known.root.key_id))
    place = results / WITNESS if results.is_dir() else results.with_name(f"{result_name(results)}.{WITNESS}")
    write_once(place, made.envelope)
    entries = counted(desk.log.size, "entry", "entries")
    print_lines([f"{place}: the log has {entries} and ends in {desk.log.head}", told(made.said)])


@witnessing.command("nonce")
def nonce_() -> None:
    """A nonce for a steward's next run, remembered here. Example: `./bench run official --nonce "$NONCE"`"""
    made, now = token_hex(16), SystemClock().now()
    tools().memory.change(lambda memory: give(memory, made, now))
    print_lines([made])


@witnessing.command("log")
def log_(path: Annotated[Path, typer.Argument(metavar="LOG", help="The log.")] = ROOT / LOG) -> None:
    """Every run that was begun, and how it ended. Example: `./bench run log`"""
    if not path.exists():
        raise BadInput(f"{name_of(path)}: no run was begun in this checkout.", advice="Name the steward's log.")
    found = read_log(source(path))
    print_lines(f"{entry.index:<6}{entry.at}  {entry.outcome:<8}{entry.run.run_id}" for entry in found.entries)
    print_lines([f"head  {found.head}"])


def known_trust(path: Path, root: str | None, now: str) -> tuple[Trust, Memory]:
    """The trust in a file, if it is current, of the root that was asked for, and no older than what was seen here.

    It is remembered at once, whatever comes of the result.
    """
    if not path.exists():
        what = f"{name_of(path)}: no such file."
        raise BadInput(what, advice="Name whose keys count with --trust; beside a published result lies its own.")
    trust = open_trust(source(path))
    hold_current(trust, now)
    if root is not None and trust.root.key_id != root:
        what = f"{name_of(path)}: is signed by root {trust.root.key_id}, not by {root}."
        raise CannotDecide(what, advice="Get the file again, from the holder of the root key.")
    return trust, tools().memory.change_if_allowed(lambda memory: remember(memory, trust))


def _changed(path: Path, root: Path, change: Callable[[Trust, str], Trust]) -> None:
    """Write what `change` makes of a trust file, over it."""
    before = open_trust(source(path))
    made = change(before, SystemClock().now())
    replace(path, sign_trust(made, load_key(root, passphrase)))
    print_lines(trust_lines(made))
