"""Who has a vault open and who writes to it, among processes, and whether its file is still there.

All that have it open share one lock, and who replaces the file has it alone: whoever had the old
file open would go on writing to it, and lose what it wrote. Writers take turns. Before a write the
file's identity is compared with the one that was opened.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from store.errors import Busy

Identity = tuple[int, int]  # device and inode: one file's as long as somebody has it open
Birth = list[int]  # inode and time of birth: no later file has both
Left = tuple[Path | None, Path | None]  # an index and a log

NOTHING: Left = (None, None)
_LOG, _INDEX, _NOTE = "-wal", "-shm", ".open"
_NOTE_BYTES = 256  # always, so that it is written anew in one step


class OpenedFile(NamedTuple):
    """A vault's file, its log and the log's index, as this process has them open."""

    path: str
    beside: str  # what the names of the other two begin with: the path without links
    file: Identity | None
    log: Identity | None
    log_index: Identity | None

    @classmethod
    def at(cls, path: Path) -> OpenedFile:
        beside = str(path.resolve())
        found = (_identity(name) for name in (str(path), beside + _LOG, beside + _INDEX))
        return cls(str(path), beside, *found)

    def in_place(self) -> bool:
        """Whether what is written now is found by who opens the path next. Asked before every
        write: two looks at the folder."""
        return (self.file is None or _identity(self.path) == self.file) and (
            self.log is None or _identity(self.beside + _LOG) == self.log
        )

    def left(self) -> Left:
        """The index and the log of this file where they lie beside another one. Beside none they
        may stay: the file may come back. To be asked before the engine closes them, which gives
        their numbers to others."""
        now = _identity(self.path)
        if now is None or self.file is None or now == self.file:
            return NOTHING
        return self._ours(_INDEX, self.log_index), self._ours(_LOG, self.log)

    def _ours(self, end: str, identity: Identity | None) -> Path | None:
        there = _identity(self.beside + end)
        return Path(self.beside + end) if there is not None and there == identity else None

    def note(self) -> None:
        """For who opens the path when nobody knows any more whose log it is. It names itself too:
        copied to another place it says nothing. The caller is the only one who opens the vault."""
        note = Path(self.beside + _NOTE)
        text = json.dumps([_birth(name) for name in _named(self.beside)])
        with suppress(OSError):
            if note.read_text("utf-8").rstrip() != text:
                with note.open("r+b") as out:
                    out.write(text.encode().ljust(_NOTE_BYTES))


def left_beside(path: Path) -> Left:
    """The index and the log beside a vault that are, by the note, of a file that was there before
    it. The caller is the only one who opens the vault."""
    beside = str(path.resolve())
    if _identity(beside + _LOG) is None and _identity(beside + _INDEX) is None:
        return NOTHING
    try:
        file, log, index, note = json.loads(Path(beside + _NOTE).read_text("utf-8"))
    except (OSError, ValueError, TypeError):
        return NOTHING
    now = [_birth(name) for name in _named(beside)]
    if note != now[3] or None in (file, now[0]) or file == now[0]:
        return NOTHING
    if now[1] is not None and now[1] != log:
        return NOTHING  # another has begun one, and the index goes with it
    same = now[2] is not None and now[2] == index
    return Path(beside + _INDEX) if same else None, Path(beside + _LOG) if now[1] else None


def _named(beside: str) -> tuple[str, ...]:
    return beside, beside + _LOG, beside + _INDEX, beside + _NOTE


def _identity(path: str) -> Identity | None:
    """None where nothing is, and where the system does not tell files apart."""
    try:
        status = os.stat(path)  # noqa: PTH116  (a Path would take longer than the look)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _birth(path: str) -> Birth | None:
    found = _identity(path)
    return None if found is None else [found[1], _born(path)]


if sys.platform == "linux":
    import ctypes

    _HERE, _BORN, _BORN_AT = -100, 0x800, 80  # AT_FDCWD, STATX_BTIME, where stx_btime is
    _statx = getattr(ctypes.CDLL(None), "statx", None)  # an old C library has none

    def _born(path: str) -> int:
        """Nanoseconds; 0 where the file system does not say."""
        if _statx is None:
            return 0
        found = ctypes.create_string_buffer(256)
        failed = _statx(_HERE, os.fsencode(path), 0, _BORN, found)
        told, seconds, nanoseconds = struct.unpack_from(f"=I{_BORN_AT - 4}xqI", found)
        return 0 if failed or not told & _BORN else seconds * 10**9 + nanoseconds

elif sys.platform == "win32":

    def _born(path: str) -> int:
        return os.stat(path).st_ctime_ns  # noqa: PTH116  (as above)

else:

    def _born(path: str) -> int:
        return int(getattr(os.stat(path), "st_birthtime", 0) * 10**9)  # noqa: PTH116  (as above)


SHARE_SECONDS = 60.0  # how long a vault may be on its way from one form to the other
ALONE_SECONDS = 5.0
_POLL_SECONDS = 0.05
_OPENING_POLL_SECONDS = 0.005  # it is over soon, and many may wait for it

if sys.platform != "win32":
    import fcntl

    def _taken(handle: int, alone: bool) -> bool:
        try:
            fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

else:
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _EXCLUSIVE, _AT_ONCE, _HELD_BY_ANOTHER = 2, 1, 33

    class _Overlapped(ctypes.Structure):
        _fields_ = (
            ("internal", ctypes.c_void_p),
            ("internal_high", ctypes.c_void_p),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    def _taken(handle: int, alone: bool) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        flags = _AT_ONCE | (_EXCLUSIVE if alone else 0)
        file = wintypes.HANDLE(msvcrt.get_osfhandle(handle))
        if kernel.LockFileEx(file, flags, 0, 1, 0, ctypes.byref(_Overlapped())):
            return True
        if ctypes.get_last_error() == _HELD_BY_ANOTHER:
            return False
        raise ctypes.WinError(ctypes.get_last_error())


class Hold:
    """A lock that is held until it is closed, or its process ends."""

    def __init__(self, handle: int | None) -> None:
        self._handle = handle

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)  # the lock goes with the handle
            self._handle = None

    def __del__(self) -> None:
        self.close()


def share(vault: Path, seconds: float = SHARE_SECONDS) -> Hold:
    """For everybody who opens the vault. Raises Busy while another replaces its file.

    Where no lock can be made (a folder that cannot be written, a full disk, a file system without
    locks) nobody can replace the file either, and the vault opens without it."""
    try:
        held = _waited_for(vault, False, seconds)
    except OSError:
        return Hold(None)
    if held is None:
        raise Busy(
            f"{vault} is being encrypted or decrypted by another program. Try again when that is "
            "done."
        )
    return held


def opening(vault: Path, seconds: float = SHARE_SECONDS) -> Hold:
    """For who opens the vault, from its look at what lies there to its note of what it opened, and
    for who moves a log away from it: one at a time. Nothing is asked of the owner meanwhile.

    Where no lock can be made nobody can move a log either."""
    try:
        held = _waited_for(vault, True, seconds, ".opening", _OPENING_POLL_SECONDS)
    except OSError:
        return Hold(None)
    if held is None:
        raise Busy(
            f"Another program has been opening {vault} for more than {seconds:.0f} seconds. Try "
            "again, or end the program that is stuck."
        )
    return held


def alone(vault: Path, seconds: float = ALONE_SECONDS) -> Hold:
    """For who puts another file in its place. Raises Busy while anybody has the vault open."""
    try:
        held = _waited_for(vault, True, seconds)
    except OSError as error:
        raise Busy(
            f"{vault} cannot be locked ({error.strerror}), so others could write to it meanwhile. "
            "Move it to a folder of this machine's own disk."
        ) from error
    if held is None:
        holders = ", ".join(holders_of(vault)) or "another program"
        raise Busy(
            f"{vault} is open in {holders}. Close the window, end keepsake serve and the clients "
            "that use it, then try again; nothing was changed."
        )
    return held


def nobody_has_open(vault: Path) -> bool:
    """Whether no program has the vault open at this moment."""
    try:
        held = _waited_for(vault, True, 0.0)
    except OSError:
        return False
    if held is not None:
        held.close()
    return held is not None


def erasing(vault: Path, seconds: float) -> Hold | None:
    """For who cleans the vault's copies and files after an erase, one at a time. None while
    another does."""
    try:
        return _waited_for(vault, True, seconds, ".erasing")
    except OSError:
        return Hold(None)


def marker_of(file: Path) -> Path:
    """Stands beside a vault while its file is being replaced, and after that was cut short."""
    return Path(f"{file}.conversion")


def _waited_for(
    vault: Path,
    exclusively: bool,
    seconds: float,
    end: str = _NOTE,
    poll: float = _POLL_SECONDS,
) -> Hold | None:
    handle = os.open(_path(vault, end), os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    until = time.monotonic() + seconds
    try:
        while not _taken(handle, exclusively):
            if time.monotonic() >= until:
                os.close(handle)
                return None
            time.sleep(poll)
    except BaseException:
        os.close(handle)
        raise
    return Hold(handle)


def _path(vault: Path, end: str = _NOTE) -> str:
    """The path of the lock file: the same one through whichever links the vault is reached."""
    return f"{vault.resolve()}{end}"


def holders_of(vault: Path) -> list[str]:
    """The programs that have the vault open, where the system tells."""
    try:
        inode = os.stat(_path(vault)).st_ino  # noqa: PTH116  (the name is a string here)
        lines = Path("/proc/locks").read_text("ascii").splitlines()
    except (OSError, ValueError):
        return []
    found = set()
    for line in lines:
        parts = line.split()
        if parts[1] == "FLOCK" and parts[5].rpartition(":")[2] == str(inode):
            found.add(int(parts[4]))
    return [_program(pid) for pid in sorted(found)]


def _program(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        words = []
    names = [Path(word).name for word in words if word]
    if "keepsake" not in names:
        return f"process {pid}"
    doing = next((f" {name}" for name in names if name in ("serve", "mcp")), "")
    return f"keepsake{doing} (process {pid})"


if sys.platform != "win32":
    import fcntl

    class WriteLock:
        """Held by one process at a time; the caller sees to its own threads."""

        def __init__(self, vault: Path) -> None:
            self._turn = f"{vault}.turn"
            self._pen = f"{vault}.lock"
            self._held: int | None = None

        def acquire(self, timeout: float) -> bool:
            """Whether it was got in time. Raises OSError where lock files cannot be made."""
            asking = _Asking(_opened(self._turn), _opened(self._pen))
            self._held = asking.result(timeout)
            return self._held is not None

        def release(self) -> None:
            if self._held is not None:
                os.close(self._held)  # the lock goes with the last handle
                self._held = None

    class _Asking:
        """One writer in the queue. A thread waits in the kernel, which wakes it at once; if the
        caller gives up first, the thread hands on what it gets."""

        def __init__(self, turn: int, pen: int) -> None:
            self._turn, self._pen = turn, pen
            self._decided = threading.Lock()
            self._got = threading.Event()
            self._given_up = False

        def result(self, timeout: float) -> int | None:
            try:
                fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
                fcntl.flock(self._pen, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return self._wait(timeout)
            os.close(self._turn)
            return self._pen

        def _wait(self, timeout: float) -> int | None:
            threading.Thread(target=self._queue, name="write-lock", daemon=True).start()
            self._got.wait(timeout)
            with self._decided:
                if self._got.is_set():
                    return self._pen
                self._given_up = True
                return None

        def _queue(self) -> None:
            fcntl.flock(self._turn, fcntl.LOCK_EX)
            fcntl.flock(self._pen, fcntl.LOCK_EX)
            os.close(self._turn)
            with self._decided:
                if self._given_up:
                    os.close(self._pen)
                else:
                    self._got.set()

    def _opened(path: str) -> int:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

else:
    from filelock import FileLock, Timeout

    class WriteLock:
        """Held by one process at a time; the caller sees to its own threads."""

        def __init__(self, vault: Path) -> None:
            self._lock = FileLock(f"{vault}.lock", thread_local=False, poll_interval=0.002)

        def acquire(self, timeout: float) -> bool:
            try:
                self._lock.acquire(timeout)
            except Timeout:
                return False
            return True

        def release(self) -> None:
            self._lock.release()
