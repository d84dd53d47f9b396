"""A command at a terminal, as a person types it and sees it."""

import termios

import pexpect
from pyghostty import Terminal

ROWS, COLUMNS, PATIENCE = 24, 100, 60


class Person:
    """A command at a terminal, as a person sees it."""

    def __init__(self, project, *command, **environment):
        self._seen = []
        self._child = pexpect.spawn(
            command[0],
            [str(word) for word in command[1:]],
            cwd=str(project.root),
            env=project.environment(TERM="xterm-256color", **environment),
            dimensions=(ROWS, COLUMNS),
            timeout=PATIENCE,
        )
        self._child.delaybeforesend = None
        self._child.logfile_read = self
        self._before = termios.tcgetattr(self._child.child_fd)
        self.pid = self._child.pid
        self.last_line = ""

    def write(self, data):
        """Keep what is shown."""
        self._seen.append(data)

    def flush(self):
        """For pexpect."""

    def sees(self, words):
        """Wait for words on the screen."""
        self._child.expect_exact(words)
        return self

    def ends_within(self, seconds):
        """Look on for so long, or until the command has ended; whether it has."""
        return self._child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=seconds) == 0

    def presses_ctrl_c(self):
        """To the whole process group, as the terminal does it."""
        self._child.sendintr()
        return self

    def waits(self):
        """The exit status, once the command has ended (None: it was killed); the terminal must be as it was."""
        self._child.expect(pexpect.EOF)
        assert termios.tcgetattr(self._child.child_fd) == self._before
        self._child.close()
        screen = Terminal(COLUMNS, ROWS)
        screen.feed(b"".join(self._seen))
        assert screen.mode(25), "the cursor is hidden"
        assert not screen.mode(1049), "the other screen is shown"
        self.last_line = "".join(screen.text().rstrip().splitlines()[-1:])
        return self._child.exitstatus

    @property
    def shown(self):
        """All that was shown, as text."""
        return b"".join(self._seen).decode(errors="replace")
