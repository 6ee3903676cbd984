"""A key that is heard in every program: on X11 any client may grab one from the root window.

Through libxcb, which Qt's own plugin there needs, on a connection of our own: Qt never sees the
grab. Wayland, Windows and macOS let the person bind `keepsake capture` in their own settings."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_int, c_uint8, c_uint16, c_uint32, c_void_p

from PySide6.QtCore import QKeyCombination, QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence

KEY_PRESS, MAPPING_NOTIFY = 2, 34
ASYNC = 1
SHIFT, CAPS_LOCK, CONTROL, ALT, NUM_LOCK, META = 1, 2, 4, 8, 16, 64
XK_F1 = 0xFFBE
MASKS = {
    Qt.KeyboardModifier.ShiftModifier: SHIFT,
    Qt.KeyboardModifier.ControlModifier: CONTROL,
    Qt.KeyboardModifier.AltModifier: ALT,
    Qt.KeyboardModifier.MetaModifier: META,
}
# Held down by accident: the key works all the same.
LOCKS = (0, CAPS_LOCK, NUM_LOCK, CAPS_LOCK | NUM_LOCK)


def keysym_and_mask(text: str) -> tuple[int, int] | None:
    """`Ctrl+Alt+K` as X names the key and what is held with it; None for a key it has no name for
    here: letters, digits, signs of ASCII and the F keys have one."""
    sequence = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1:
        return None
    pressed: QKeyCombination = sequence[0]  # type: ignore[index]
    mask = sum([bit for held, bit in MASKS.items() if held in pressed.keyboardModifiers()])
    key = pressed.key().value
    if Qt.Key.Key_Space.value <= key <= Qt.Key.Key_AsciiTilde.value:
        return ord(chr(key).lower()), mask
    if Qt.Key.Key_F1.value <= key <= Qt.Key.Key_F35.value:
        return XK_F1 + key - Qt.Key.Key_F1.value, mask
    return None


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Screens(ctypes.Structure):
    _fields_ = (("data", POINTER(c_uint32)), ("rem", c_int), ("index", c_int))


class XConnection:
    """The few calls of libxcb that a grab takes. Raises OSError where there is no X server."""

    def __init__(self) -> None:
        self._xcb = xcb = ctypes.CDLL("libxcb.so.1")
        self._keysyms = keysyms = ctypes.CDLL("libxcb-keysyms.so.1")
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = [c_void_p]
        for library, name, result, arguments in (
            (xcb, "connect", c_void_p, [c_void_p, c_void_p]),
            (xcb, "disconnect", None, [c_void_p]),
            (xcb, "connection_has_error", c_int, [c_void_p]),
            (xcb, "get_file_descriptor", c_int, [c_void_p]),
            (xcb, "get_setup", c_void_p, [c_void_p]),
            (xcb, "setup_roots_iterator", _Screens, [c_void_p]),
            (xcb, "poll_for_event", POINTER(c_uint8), [c_void_p]),
            (xcb, "request_check", c_void_p, [c_void_p, _Cookie]),
            (xcb, "flush", c_int, [c_void_p]),
            (
                xcb,
                "grab_key_checked",
                _Cookie,
                [c_void_p, c_uint8, c_uint32, c_uint16, c_uint8, c_uint8, c_uint8],
            ),
            (xcb, "ungrab_key", _Cookie, [c_void_p, c_uint8, c_uint32, c_uint16]),
            (keysyms, "key_symbols_alloc", c_void_p, [c_void_p]),
            (keysyms, "key_symbols_free", None, [c_void_p]),
            (keysyms, "key_symbols_get_keycode", POINTER(c_uint8), [c_void_p, c_uint32]),
        ):
            call = getattr(library, f"xcb_{name}")
            call.restype, call.argtypes = result, arguments
        self._connection = xcb.xcb_connect(None, None)
        if self.broken:
            xcb.xcb_disconnect(self._connection)
            raise OSError("There is no X server.")
        self._root = xcb.xcb_setup_roots_iterator(xcb.xcb_get_setup(self._connection)).data[0]

    @property
    def broken(self) -> bool:
        return bool(self._xcb.xcb_connection_has_error(self._connection))

    @property
    def descriptor(self) -> int:
        return int(self._xcb.xcb_get_file_descriptor(self._connection))

    def keycodes(self, keysym: int) -> list[int]:
        """The keys of this keyboard that write it."""
        symbols = self._keysyms.xcb_key_symbols_alloc(self._connection)
        found = self._keysyms.xcb_key_symbols_get_keycode(symbols, keysym)
        codes: list[int] = []
        while found and found[len(codes)]:
            codes.append(int(found[len(codes)]))
        self._free(found)
        self._keysyms.xcb_key_symbols_free(symbols)
        return codes

    def grab(self, keycode: int, mask: int) -> bool:
        """Says whether it is ours now; another program may have it."""
        cookie = self._xcb.xcb_grab_key_checked(
            self._connection, 0, self._root, mask, keycode, ASYNC, ASYNC
        )
        error = self._xcb.xcb_request_check(self._connection, cookie)
        self._free(error)
        return not error

    def release(self, keycode: int, mask: int) -> None:
        self._xcb.xcb_ungrab_key(self._connection, keycode, self._root, mask)
        self._xcb.xcb_flush(self._connection)

    def events(self) -> list[int]:
        """The kinds of the events that wait."""
        kinds = []
        while event := self._xcb.xcb_poll_for_event(self._connection):
            kinds.append(event[0] & 0x7F)
            self._free(event)
        return kinds

    def close(self) -> None:
        self._xcb.xcb_disconnect(self._connection)


def available() -> bool:
    """Whether programs may take a key for themselves here."""
    return QGuiApplication.platformName() == "xcb"


class GlobalKey(QObject):
    """`pressed`: the key was, whatever program is in front. One that nobody chose costs nothing."""

    pressed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.taken = ""
        self._x: XConnection | None = None
        self._grabbed: list[tuple[int, int]] = []
        self._notifier: QSocketNotifier | None = None

    def take(self, text: str) -> bool:
        """Listens for `Ctrl+Alt+K`, and no longer for what it was before; empty: for none. False
        where another program has it, or the keyboard does not."""
        self._release()
        self.taken = text
        wanted = keysym_and_mask(text)
        if not text or not available():
            return True
        if wanted is None or not self._connect():
            return False
        assert self._x is not None
        keysym, mask = wanted
        for keycode in self._x.keycodes(keysym):
            for lock in LOCKS:
                if self._x.grab(keycode, mask | lock):
                    self._grabbed.append((keycode, mask | lock))
        return any(held == mask for _, held in self._grabbed)

    def _connect(self) -> bool:
        if self._x is None:
            try:
                self._x = XConnection()
            except OSError:
                return False
            self._notifier = QSocketNotifier(self._x.descriptor, QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._read)
            self.destroyed.connect(self._x.close)
        return True

    def _release(self) -> None:
        for keycode, mask in self._grabbed:
            assert self._x is not None
            self._x.release(keycode, mask)
        self._grabbed = []

    def _read(self) -> None:
        assert self._x is not None
        assert self._notifier is not None
        kinds = self._x.events()
        if self._x.broken:
            self._notifier.setEnabled(False)
        if MAPPING_NOTIFY in kinds:  # another keyboard: the same letter is elsewhere
            self.take(self.taken)
        if KEY_PRESS in kinds:
            self.pressed.emit()
