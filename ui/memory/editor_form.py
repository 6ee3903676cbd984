"""The editor's face: title, tabs, text, fields and buttons; `ui/memory/editor.py` does the rest."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.entries.browse import Draft
from app.errors import Invalid
from app.rules.fields import parse_scope
from app.text.three_way import CLASH, choose, merge_tags, merge_text
from app.text.words import title_of
from store.instants import Clock
from store.records import Entry, EntryDraft
from ui.memory.field_form import FIELD_NAMES, LISTS, Fields, FieldsForm
from ui.memory.markdown_editor import MarkdownEdit, Preview
from ui.toolkit.action_registry import keys_text
from ui.toolkit.formatting import age, from_qt, moment_text, number_text, size_text, who
from ui.toolkit.help import explain, explain_tabs
from ui.toolkit.plain_text import as_html, plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.widgets import (
    ElidedLabel,
    ElidedPill,
    KeyButton,
    ScrolledIfLow,
    over_a_line,
    restyle,
    tool,
)


class Form(NamedTuple):
    """Everything a person can set on a memory."""

    key: str = ""
    content: str = ""
    fields: Fields = Fields()

    @staticmethod
    def of(entry: Entry) -> Form:
        return Form(entry.key, entry.content, Fields.of(entry))

    @staticmethod
    def of_draft(draft: Draft, before: Form) -> Form:
        """The draft over what was there; a field it does not know stays."""
        kept: dict[str, Any] = dict(draft.fields)
        known = {name: kept[name] for name in FIELD_NAMES if name in kept}
        if "scope" in known:
            known["scope"] = parse_scope(str(known["scope"]))
        for name in LISTS & known.keys():
            known[name] = tuple(known[name])
        fields = before.fields._replace(**known)
        key, content = kept.get("key", before.key), kept.get("content", before.content)
        return Form(str(key), str(content), fields)

    def plain(self) -> dict[str, object]:
        return {"key": self.key, "content": self.content, **self.fields.plain()}

    def changes_from(self, entry: Entry) -> dict[str, object]:
        """The fields of `entry` that the form would change."""
        wanted = self.fields.values() | {
            "key": self.key.strip() or entry.key,
            "content": self.content,
        }
        return {name: value for name, value in wanted.items() if getattr(entry, name) != value}

    def as_new(self) -> EntryDraft:
        values: dict[str, Any] = self.fields.values()
        return EntryDraft(self.content, key=self.key.strip() or None, **values)

    @staticmethod
    def merged(base: Form, mine: Form, theirs: Form) -> Form | None:
        """Both changes of `base` in one; None where they disagree on a field or a line."""
        content = merge_text(base.content, mine.content, theirs.content)
        key = choose(base.key, mine.key, theirs.key)
        values = {
            name: choose(*(getattr(form.fields, name) for form in (base, mine, theirs)))
            for name in FIELD_NAMES
            if name not in LISTS
        }
        if content is None or CLASH in (key, *values.values()):
            return None
        for name in LISTS:
            sides = (getattr(form.fields, name) for form in (base, mine, theirs))
            values[name] = merge_tags(*sides)
        return Form(str(key), content, Fields(**values))  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        return len(self.content.encode())

    @property
    def empty(self) -> bool:
        return not self.content.strip() and not self.key.strip()


def slot_of(entry: Entry) -> str:
    return slot_of_id(entry.id)


def slot_of_id(ident: str) -> str:
    return f"entry:{ident}"


EDIT, PREVIEW, HISTORY = 0, 1, 2


class Pages(QStackedWidget):
    """Asks for the height of a few lines and takes all there is: where it is low, the fields below
    are whole before the text grows."""

    LINES = 130

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.LINES)


class EmptyRoom(QWidget):
    """A page whose content is made when it is first looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def furnish(self, view: QWidget) -> None:
        self._column.addWidget(view)


class EditorForm(QWidget):
    """Holds a `Form` and says when the person changed it."""

    edited = Signal()

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self._last = Fields()
        self.version_count = 0
        self._stored = False
        # By whom and when, in ever fewer words; it makes way while there is a draft.
        self._written: tuple[str, ...] = ("",)
        self._act: Callable[[], None] | None = None
        self._drafted = ""  # what the head says of an edit that is not saved
        self._looks: dict[QWidget | None, Callable[[], None]] = {}
        self._build()
        self._connect()

    def _build(self) -> None:
        self.title = ElidedLabel()
        self.title.setProperty("look", "title")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.origin = ElidedPill()
        self.versions = QToolButton()
        self.versions.setProperty("look", "flush")
        self.back = tool("←")
        self.back.setProperty("look", "quiet")
        self.back.setAccessibleName(self.tr("Back to the list"))
        self.back.hide()
        self.notice = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.notice.setProperty("look", "notice")
        self.notice.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.notice.hide()
        self.fields = FieldsForm(self._theme, self._clock)
        self.key = self.fields.key
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addLayout(self._header())
        column.addLayout(self._tab_row())
        column.addWidget(self.notice)
        column.addWidget(self._build_pages(), 1)
        self._field_room = ScrolledIfLow(self.fields)
        column.addWidget(self._field_room)
        column.addLayout(self._footer())

    def _header(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.back)
        row.addWidget(self.title)
        row.addWidget(self.origin, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        row.addWidget(self.versions)
        self._head = row
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()

    def _fit_head(self) -> None:
        """What it is called goes before where it comes from, which is said in as many words as
        there is room for, and both before how often it was written: the history says it as well."""
        edges = self.contentsMargins()
        room = self.width() - edges.left() - edges.right() - 48 - 2 * self._head.spacing()
        for words in (self._drafted, self.tr("draft")) if self._drafted else self._written:
            self.origin.setText(words)
            if self.title.sizeHint().width() + self.origin.sizeHint().width() <= room:
                break
        self.origin.setAccessibleName(self._drafted or self._written[0])
        parts = (self.title, self.origin, self.versions)
        needed = sum(part.sizeHint().width() for part in parts)
        self.versions.setVisible(self._stored and needed <= room)

    def _tab_row(self) -> QVBoxLayout:
        self.tabs = QTabBar(drawBase=False, expanding=False, usesScrollButtons=False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setAccessibleName(self.tr("Views of this memory"))
        return over_a_line(self.tabs)

    def _build_pages(self) -> QStackedWidget:
        self.pages = Pages()
        self.body = MarkdownEdit(self._theme)
        self.body.setAccessibleName(self.tr("Memory, in markdown"))
        explain(
            self.body,
            self.tr("The text agents get, word for word; an empty line starts a paragraph."),
        )
        self.body.setPlaceholderText(self.tr("What should be remembered?"))
        self.preview = Preview()
        self.preview.setAccessibleName(self.tr("Preview"))
        self.history_page = EmptyRoom()
        self.conflict_page = EmptyRoom()
        for name, page in (
            (self.tr("Edit"), self.body),
            (self.tr("Preview"), self.preview),
            (self.tr("History"), self.history_page),
        ):
            self.tabs.addTab(name)
            self.pages.addWidget(page)
        explain_tabs(
            self.tabs,
            self.tr("Write here."),
            self.tr("How it reads, with its headings and lists."),
            self.tr("Every text it had, and who wrote it; bring any of them back."),
        )
        self.pages.addWidget(self.conflict_page)
        return self.pages

    def _footer(self) -> QHBoxLayout:
        self.forget = QPushButton(self.tr("Forget"))
        self.restore = QPushButton(self.tr("Restore"))
        self.correct = QPushButton(self.tr("Correct…"))
        self.discard = QPushButton(self.tr("Discard"))
        self.status = ElidedLabel()
        self.status.setProperty("look", "mute")
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.save = KeyButton(self.tr("Save"), keys_text("Ctrl+S"), self._theme)
        self.save.setProperty("look", "primary")
        for button in (self.forget, self.restore, self.correct, self.discard):
            button.setAccessibleName(button.text())
        explain(self.forget, self.tr("Puts it into the trash; it can be brought back."))
        explain(self.restore, self.tr("Takes it out of the trash."))
        explain(
            self.correct, self.tr("Forgets the wrong text and keeps the right one in its place.")
        )
        explain(self.discard, self.tr("Throws away what you typed since it was saved."))
        explain(self.save, self.tr("Keeps it; from now on agents get this text."))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.forget)
        row.addWidget(self.restore)
        row.addWidget(self.correct)
        row.addWidget(self.status, 1)
        row.addWidget(self.discard)
        row.addWidget(self.save)
        return row

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._turn)
        self.body.textChanged.connect(self.edited)
        self.edited.connect(self._show_title)
        self.fields.changed.connect(self.edited)
        self.notice.linkActivated.connect(lambda _link: self._act() if self._act else None)
        self.versions.clicked.connect(lambda: self.tabs.setCurrentIndex(HISTORY))

    def add_tab(self, name: str, page: QWidget) -> int:
        """Adds a further view of the memory shown; returns its number."""
        self.pages.insertWidget(self.pages.count() - 1, page)
        return self.tabs.addTab(name)

    def take_keyboard(self) -> None:
        """Into the text, whichever page was in front: what is typed next is written there. While
        two versions stand side by side they stay."""
        if self.tabs.isEnabled():
            self.tabs.setCurrentIndex(0)
        self.body.setFocus()

    def when_seen(self, page: QWidget, look: Callable[[], None]) -> None:
        """Calls `look` when that page comes in front, and when another memory does so in it: what
        nobody looks at is not read."""
        self._looks[page] = look

    def form(self) -> Form:
        with suppress(Invalid):  # half a scope while it is being typed
            self._last = self.fields.fields()
        return Form(self.key.text(), self.body.text(), self._last)

    def show_form(self, form: Form) -> None:
        """Shows without saying it was edited; the cursor stays where it can."""
        blocker = QSignalBlocker(self)
        if self.key.text() != form.key:
            self.key.setText(form.key)
            self.key.setCursorPosition(0)
        if self.body.text() != form.content:
            self.body.set_text(form.content)
        self._last = form.fields
        self.fields.set_fields(form.fields)
        blocker.unblock()
        self._show_title()
        if self.pages.currentWidget() is self.preview:
            self.preview.show_markdown(form.content)

    def _show_title(self) -> None:
        """The name a person knows it by, which follows the first line as it is typed."""
        name = title_of(self.key.text().strip(), self.body.text()) or self.tr("New memory")
        if name != self.title.text():
            self.title.setText(name)
            self.title.setToolTip(plain_tip(name))
            self._fit_head()

    def clear(self) -> None:
        """Nothing of what was shown is left, nor anything to undo."""
        self.tell("")
        self.show_form(Form())
        self.body.set_text("")  # also what was typed and taken back
        self.title.setText("")
        self.preview.show_markdown("")
        self.origin.setToolTip("")

    def show_origin(self, entry: Entry | None) -> None:
        """Who wrote it and when; None: it is new."""
        self._stored = entry is not None
        if entry is None:
            self.versions.hide()
            self._written = (self.tr("new"),)
            self._fit_head()
            return
        words = self.tr("written by {who} · {when}")
        when = age(entry.written_at, self._clock())
        self._written = words.format(who=who(entry.source), when=when), when
        self._fit_head()
        self.origin.setToolTip(
            plain_tip(
                self.tr(
                    "Source: {source}\nCreated: {created}\nWritten: {written}\nId: {id}"
                ).format(
                    source=who(entry.source),
                    created=moment_text(entry.created_at),
                    written=moment_text(entry.written_at),
                    id=entry.id,
                )
            )
        )

    def show_versions(self, number: int) -> None:
        self.version_count = number
        self.versions.setText(counted("%Ln versions", number))
        self.versions.setAccessibleName(self.versions.text())
        self._fit_head()

    def show_state(self, *, dirty: bool, kept: bool, stored: bool, trashed: bool = False) -> None:
        """Counts and buttons as the form stands."""
        form = self.form()
        new = dirty and not stored  # of what is stored, the head says it
        size = size_text(form.size)
        state = self.tr("draft kept") if kept else self.tr("not saved")
        told = self.tr("draft, agents still get the saved text")
        self._drafted = told if dirty and stored else ""
        self._fit_head()
        self.status.setText(f"{size} · {state}" if new else size)
        exact = self.tr("{bytes} bytes · {chars} characters")
        exact = exact.format(bytes=number_text(form.size), chars=number_text(len(form.content)))
        self.status.setToolTip(
            plain_tip(f"{exact}\n{told if stored else state}" if dirty else exact)
        )
        self.body.setReadOnly(trashed)  # what is in the trash is read, and restored to be changed
        self.fields.setEnabled(not trashed)
        self.save.setEnabled(dirty and bool(form.content.strip()))
        self.discard.setVisible(dirty)
        for button, useful in (
            (self.forget, stored),
            (self.restore, trashed),
            (self.correct, stored and not dirty),
        ):
            button.setEnabled(useful)
            button.setVisible(useful)  # what is typed is told in the room it leaves

    def cut_behind_cursor(self) -> str:
        """Takes the text behind the cursor out; none when either part would be empty."""
        cursor = self.body.textCursor()
        text = self.body.text()
        place = from_qt(text, cursor.position())
        rest = text[place:].strip()
        if not rest or not text[:place].strip():
            return ""
        cursor.setPosition(cursor.position())
        cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        return rest

    def show_conflict(self, show: bool) -> None:
        if show:
            self.pages.setCurrentWidget(self.conflict_page)
            self._field_room.hide()
        else:
            self._turn(self.tabs.currentIndex())
        self.tabs.setEnabled(not show)
        self.notice.setVisible(bool(self.notice.text()) and not show)  # the view says it itself

    def tell(
        self,
        words: str,
        act: Callable[[], None] | None = None,
        link: str = "",
        *,
        calm: bool = False,
    ) -> None:
        """A line above the text; `link` is the words that do `act`. No words: nothing there.
        `calm`: it is no bad news."""
        self._act = act
        look = "notice-calm" if calm else "notice"
        if self.notice.property("look") != look:
            restyle(self.notice, look)
        self.notice.setVisible(bool(words))
        more = f" <a href='#'>{as_html(link)}</a>" if link else ""
        self.notice.setText(as_html(words) + more)
        self.notice.setAccessibleName(words)

    def _turn(self, tab: int) -> None:
        self.pages.setCurrentIndex(tab)
        self._field_room.setVisible(tab in (EDIT, PREVIEW))
        if tab == PREVIEW:
            self.preview.show_markdown(self.body.text())
        look = self._looks.get(self.pages.currentWidget())
        if look is not None:
            look()
