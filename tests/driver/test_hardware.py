"""The pinned hardware: what it must forbid, whatever else changes in it."""

import hashlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROFILE = json.loads((ROOT / "manifests/hardware/two-core-v1.json").read_text())
SECCOMP = ROOT / PROFILE["seccomp"]["path"]
RULES = json.loads(SECCOMP.read_text())["syscalls"]

FORBIDDEN = [
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "unshare",
    "setns",
    "mount",
    "umount2",
    "move_mount",
    "fsopen",
    "pivot_root",
    "chroot",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "pidfd_getfd",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "add_key",
    "request_key",
    "keyctl",
    "kexec_load",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "swapon",
    "syslog",
    "acct",
    "personality",
    "mknod",
    "mknodat",
    "open_by_handle_at",
    "name_to_handle_at",
    "shmget",
    "shmat",
    "msgget",
    "semget",
    "mq_open",
    "settimeofday",
    "clock_settime",
    "adjtimex",
    "iopl",
    "ioperm",
]


def allowed(name):
    """The rules that let a system call pass."""
    return [rule for rule in RULES if name in rule["names"] and rule["action"] == "SCMP_ACT_ALLOW"]


def test_seccomp_profile_is_the_pinned_one():
    assert PROFILE["seccomp"]["digest"] == "sha256:" + hashlib.sha256(SECCOMP.read_bytes()).hexdigest()


def test_what_is_not_named_is_denied():
    assert json.loads(SECCOMP.read_text())["defaultAction"] == "SCMP_ACT_ERRNO"


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(name):
    assert allowed(name) == []


def test_sockets_are_unix_and_internet_only():
    """Numbers of linux/socket.h. VSOCK (40) is neither namespaced nor counted; by netlink (16), user to user or by the
    names that its sockets bear, UI and engine could talk past the driver."""
    conditions = [rule["args"] for rule in allowed("socket")]
    assert sorted(args[0]["value"] for args in conditions) == [1, 2, 10]
    assert {(args[0]["index"], args[0]["op"]) for args in conditions} == {(0, "SCMP_CMP_EQ")}


def test_no_new_namespace_by_clone():
    """All CLONE_NEW… flags of linux/sched.h together; clone3, whose flags cannot be seen, does not exist."""
    flags = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
    ((condition,),) = (rule["args"] for rule in allowed("clone"))
    assert (condition["op"], condition["value"], condition["valueTwo"]) == ("SCMP_CMP_MASKED_EQ", flags, 0)
    assert allowed("clone3") == []


def test_no_place_is_shared_by_engine_and_ui():
    """Docker's own shared-memory and message-queue mounts are writable for all; they are covered."""
    owners = {path: options.split(",") for path, options in PROFILE["tmpfs"].items()}
    assert {path for path, options in owners.items() if "uid=0" in options} == {
        "/run/driver",
        "/dev/shm",
        "/dev/mqueue",
    }
    assert {"mode=0770", "uid=10001", "gid=0"} <= set(owners["/run/engine"])
    assert {"mode=0770", "uid=10002", "gid=0"} <= set(owners["/run/ui"])
    assert PROFILE["memory_bytes"] == PROFILE["memory_swap_bytes"]
