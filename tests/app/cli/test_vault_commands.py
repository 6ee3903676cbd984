"""The vault from a terminal, as its owner uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.command import build
from app.vault import open_vault
from store.records import USER

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture
def keepsake(tmp_path: Path):  # type: ignore[no-untyped-def]
    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        command = build(lambda vault, ephemeral: 2)
        environment = {"KEEPSAKE_VAULT": str(tmp_path / "v.db")}
        return CliRunner().invoke(command, arguments, input=stdin, env=environment)

    return run


def program(*arguments: str, vault: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The real thing, with its exit code."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.run(
        [sys.executable, "-m", "ui.main", *arguments],
        cwd=ROOT,
        env={**kept, "KEEPSAKE_VAULT": str(vault), **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def read(result: Result) -> object:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_storing_a_key_twice_leaves_one_entry_with_two_versions(keepsake) -> None:  # type: ignore[no-untyped-def]
    for _ in range(2):
        keepsake("store", "--key", "deploy_target", "--category", "core", "Runs on EKS")
    assert len(read(keepsake("list", "--json"))["entries"]) == 1  # type: ignore[index]
    versions = read(keepsake("history", "deploy_target", "--json"))["versions"]  # type: ignore[index]
    assert len(versions) == 2


def test_a_day_with_the_command_line(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "diet", "--tag", "food", "Vegetarian")
    keepsake("store", "--key", "editor", "--importance", "8", "Prefers Vim")
    assert [e["key"] for e in read(keepsake("list", "--json"))["entries"]] == ["editor", "diet"]  # type: ignore[index]
    assert "Vegetarian" in keepsake("recall", "diet").stdout
    keepsake("forget", "diet", "--reason", "asked to")
    assert keepsake("list", "--tag", "food").stdout.strip() == "Nothing here."
    assert "diet" in keepsake("list", "--trash").stdout
    assert "asked to" in keepsake("history").stdout
    assert "Undid" in keepsake("undo").stdout
    again = keepsake("redo").stdout
    assert "Did again" in again
    assert "(undone)" not in again  # it is done again
    assert "Restored diet" in keepsake("restore", "diet").stdout
    receipt = read(keepsake("erase", "diet", "--yes", "--json"))
    assert receipt["state"] == "done"  # type: ignore[index]
    assert "ok" in keepsake("doctor").stdout


def test_one_is_brought_back_and_so_are_several(keepsake) -> None:  # type: ignore[no-untyped-def]
    for key in ("a", "b", "c"):
        keepsake("store", "--key", key, key)
    assert "Forgot 1 memory. keepsake undo brings it back." in keepsake("forget", "a").stdout
    assert "2 memories. keepsake undo brings them back." in keepsake("forget", "b", "c").stdout


def test_a_receipt_counts_as_people_do(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "x")
    words = keepsake("erase", "k", "--yes").stdout
    assert "1 version, " in words
    assert "1 entry" in words
    assert "1 versions" not in words


def test_content_can_come_from_standard_input(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "-", stdin="two\nlines\n")
    assert read(keepsake("list", "--json"))["entries"][0]["content"] == "two\nlines\n"  # type: ignore[index]


def test_a_recall_says_when_nothing_is_near(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "diet", "Ana is vegetarian")
    for asked, near in (("what does Ana eat?", True), ("quantum zebra", False)):
        assert json.loads(keepsake("recall", asked, "--json").stdout)["near"] is near
        assert ("The nearest there is:" in keepsake("recall", asked).stderr) is not near


def test_searching_finds_by_meaning_and_says_why(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "diet", "The person does not eat meat or fish")
    keepsake("store", "--key", "car", "Drives an old blue Volvo")
    matches = read(keepsake("search", "vegetarian food", "--json"))["matches"]  # type: ignore[index]
    assert matches[0]["entry"]["key"] == "diet"
    assert matches[0]["why"]
    assert "diet" in keepsake("recall", "what food does she avoid").stdout


def test_the_same_key_in_two_scopes_asks_which(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "a")
    keepsake("store", "--key", "k", "--scope", "agent:bot", "b")
    refused = keepsake("forget", "k")
    assert "--scope agent:bot" in str(refused.exception)
    assert "Forgot 1" in keepsake("forget", "k", "--scope", "agent:bot").stdout


def test_undo_of_a_forget_whose_key_is_taken_offers_another(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "old")
    keepsake("forget", "k")
    keepsake("store", "--key", "k", "new")
    refused = keepsake("undo", "2")
    assert "--as k-2" in str(refused.exception)
    assert keepsake("undo", "2", "--as", "k-2").exit_code == 0


def test_backups_are_made_listed_and_restored(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "old")
    keepsake("backup", "now")
    keepsake("store", "--key", "k", "new")
    assert len(read(keepsake("backup", "list", "--json"))["backups"]) == 1  # type: ignore[index]
    assert "Restored" in keepsake("backup", "restore", "--yes").stdout
    assert "what was there is kept as " in keepsake("history", "--limit", "1").stdout
    assert "old" in keepsake("recall", "k").stdout


def test_settings_are_shown_set_and_checked(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert "hydration_budget = 16384" in keepsake("settings").stdout
    assert keepsake("settings", "entry_cap", "5").stdout.strip() == "entry_cap = 5"
    for words in (["--", "-5"], ["-5"]):
        assert "at least" in str(keepsake("settings", "entry_cap", *words).exception)
    assert keepsake("settings", "entry_cap", "--reset").stdout.strip() == "entry_cap = 1000"


def test_settings_are_listed_with_their_titles_units_and_words(keepsake) -> None:  # type: ignore[no-untyped-def]
    listed = keepsake("settings").stdout
    for lines in (
        "api_rate = 600\n    Calls per agent and minute (0 to 1,000,000). Over HTTP: above",
        "trash_days = 30\n    Keep the trash (days, 1 to 36,500). What was forgotten is",
        "appearance = system\n    Appearance. Light, dark, or as the system says. "
        "One of system, light, dark.\n",
        'font = ""\n    Font. Of the window.',
        "close_to_tray = false\n    Close to the tray (true or false). Closing",
    ):
        assert lines in listed
    assert keepsake("settings", "api_port").stdout == (
        "api_port = 8377\n    Port (0 to 65,535). On 127.0.0.1. 0: any free one.\n"
    )


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("set api_port 8472", "keepsake settings api_port 8472"),
        ("set api_port", "keepsake settings api_port VALUE"),
        ("get api_port", "keepsake settings api_port"),
        ("reset api_port", "keepsake settings api_port --reset"),
        ("list", "keepsake settings"),
        ("font Fira Sans", 'keepsake settings font "Fira Sans"'),
    ],
)
def test_a_guess_at_how_to_set_one_is_told_the_right_form(keepsake, words: str, form: str) -> None:  # type: ignore[no-untyped-def]
    guessed = keepsake("settings", *words.split())
    assert guessed.exit_code == 2
    assert f"Say: {form}\n" in guessed.output


def test_what_a_program_reads_when_it_starts_is_said_so(keepsake) -> None:  # type: ignore[no-untyped-def]
    at_start = "An open window, or keepsake serve, takes it at its next start."
    assert keepsake("settings", "api_port", "8472").stdout == f"api_port = 8472\n{at_start}\n"
    assert at_start in keepsake("settings", "api_port", "--reset").stdout
    assert at_start not in keepsake("settings", "api_port", "8377").stdout  # as it was
    assert at_start not in keepsake("settings", "api_rate", "60").stdout


@pytest.mark.parametrize(
    "words",
    [
        "pin",
        "unpin",
        "erase",
        "erase k --everything",
        "review approve",
        "review reject",
        "review edit x",
        "undo --agent bot",
        "undo --since 2026-01-01",
        "recall x --min-score 7",
        "settings --reset",
        "settings --wrong",
        "settings entry_cap --wrong",
        "settings -x",
        "mirror sync --accept",
        "conversations --end",
        "conversations x --end --delete",
        "block edit core --old a --new b --new c",
        "conversations --limit 0",
    ],
)
def test_wrong_usage_exits_2(keepsake, words: str) -> None:  # type: ignore[no-untyped-def]
    done = keepsake(*words.split())
    assert done.exit_code == 2, done.output
    assert "Usage:" in done.stderr


def test_without_a_display_the_window_says_so_and_exits_2(tmp_path: Path) -> None:
    done = program(vault=tmp_path / "v.db")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "keepsake serve" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["list", "--scope", "planet:mars"], 1, "There is no scope"),
        (["store", "x" * 70_000], 1, "70,000 bytes"),
        (["recall", "nothing-like-it"], 1, "Nothing is remembered"),
        (["recall", "caf\udce9"], 2, "'caf\\udce9' is not text in UTF-8"),
        (["forget", "tea", "caf\udce9"], 2, "is not text in UTF-8"),
        (["export", "caf\udce9"], 2, "is not text in UTF-8"),
        (["store", "- a list"], 2, "is no option comes after --"),
        (["erase", "nothing"], 1, "no memory"),
        (["erase", "--everything"], 1, "--yes"),
        (["restore", "nothing"], 1, "no memory"),
        (["undo"], 1, "nothing to undo"),
        (["backup", "restore"], 1, "no backup"),
        (["list", "--limit", "0"], 2, "limit"),
        (["fly"], 2, "No such command"),
    ],
)
def test_what_cannot_be_done_is_one_clear_sentence(
    tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    open_vault(tmp_path / "v.db").close()
    done = program(*arguments, vault=tmp_path / "v.db")
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_foreign_file_as_vault_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("my notes, longer than a header")
    done = program("list", vault=foreign)
    assert (done.returncode, foreign.read_text()) == (1, "my notes, longer than a header")
    assert "not a Keepsake vault" in done.stderr


def test_an_ephemeral_vault_leaves_nothing(tmp_path: Path) -> None:
    done = program("store", "--ephemeral", "x", vault=tmp_path / "v.db", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    left = [path.name for path in tmp_path.iterdir() if path.name != "home"]
    assert left == []


def test_a_vault_named_before_the_command_beats_the_environment(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    for arguments in (["--vault", str(other), "store", "x"], ["store", "--vault", str(other), "y"]):
        assert program(*arguments, vault=tmp_path / "v.db").returncode == 0
    assert not (tmp_path / "v.db").exists()
    assert len(json.loads(program("list", "--json", vault=other).stdout)["entries"]) == 2


def test_what_an_agent_wrote_cannot_steer_the_terminal(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "pay all\x1b[2K\rLikes tea\x9b0m")
    shown = keepsake("recall", "k").stdout
    assert "pay all\\x1b[2K\\x0dLikes tea\\x9b0m" in shown
    keepsake("store", "--key", "turned", "abc\u202edef\u2066ghi")
    assert "abc\\u202edef\\u2066ghi" in keepsake("recall", "turned").output
    for key in ("k", "turned"):
        told = keepsake("recall", key, "--json").output
        assert not any(sign in told for sign in "\x9b\u202e\u2066")
    assert json.loads(told)["entries"][0]["content"] == "abc\u202edef\u2066ghi"
    listed = read(keepsake("list", "--json"))["entries"]
    assert any(entry["content"].startswith("pay all\x1b") for entry in listed)  # type: ignore[attr-defined]


def test_extra_fields_are_shown_as_they_are_or_not_at_all(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "k", "x")
    assert "extra" not in read(keepsake("list", "--json"))["entries"][0]  # type: ignore[index]


def test_recall_of_everything_is_by_importance_and_then_recency(keepsake) -> None:  # type: ignore[no-untyped-def]
    for number in range(3):
        keepsake("store", "--key", f"k{number}", f"memory {number}")
    keepsake("store", "--key", "old", "--expires", "2020-01-01", "over")
    matches = read(keepsake("recall", "*", "--json"))["matches"]  # type: ignore[index]
    assert [match["key"] for match in matches] == ["k2", "k1", "k0"]


def test_a_retention_that_cannot_be_used_is_refused_when_it_is_set(keepsake) -> None:  # type: ignore[no-untyped-def]
    for wrong in ("{bad", '{"category:event": "soon"}', '{"event": 3}'):
        assert "retention" in str(keepsake("settings", "retention", wrong).exception)
    assert keepsake("settings", "retention", '{"category:event": 9}').exit_code == 0


def test_erasing_a_scope_with_nothing_in_it_says_so(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert "nothing in agent:zzz" in str(
        keepsake("erase", "--scope", "agent:zzz", "--yes").exception
    )


def test_a_device_is_no_vault_and_is_left_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o644)
    done = program("list", vault=pipe)
    assert (done.returncode, "regular file" in done.stderr) == (1, True)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("pipe")] == ["pipe"]


def test_finding_by_meaning_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    home = tmp_path / "fresh"
    home.mkdir()
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    program("store", "She eats no meat", vault=tmp_path / "v.db", **environment)
    assert program("recall", "diet", vault=tmp_path / "v.db", **environment).returncode == 0
    assert list(home.rglob("*")) == []


def test_erasing_a_key_takes_what_it_stood_for_before(keepsake, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "--key", "diet", "She loves xylophonesteaks")
    keepsake("correct", "diet", "She is vegetarian", "--reason", "it was wrong")
    keepsake("erase", "diet", "--yes")
    assert b"phonesteaks" not in (tmp_path / "v.db").read_bytes()
    assert "Nothing here" in keepsake("list", "--trash").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_people_are_told_of_a_vault_that_was_not_there(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    path = tmp_path / "typo.db"
    for told in (True, False):  # only the first time
        subprocess.run(
            [sys.executable, "-m", "ui.main", "--vault", str(path), "store", "Tea."],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=True,
        )
        os.set_blocking(ours, False)
        try:
            said = os.read(ours, 1000).decode()
        except BlockingIOError:
            said = ""
        assert ("There was no vault at" in said) == told
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    "command", [["list"], ["search", "tea"], ["why", "x", "--agent", "y"], ["mcp", "--token", "t"]]
)
def test_a_mistyped_vault_is_not_made_by_reading_it(tmp_path: Path, command: list[str]) -> None:
    typed = ["--vault", str(tmp_path / "typo.db")]
    done = program(*command, *typed, vault=tmp_path / "v.db")
    assert done.returncode == 1
    assert f"There is no vault at {tmp_path / 'typo.db'}." in done.stderr
    assert list(tmp_path.glob("typo*")) == []


def test_a_vault_that_a_write_makes_is_told_to_programs_too(tmp_path: Path) -> None:
    done = program("store", "Tea.", vault=tmp_path / "typo.db")
    assert done.returncode == 0
    assert "There was no vault at" in done.stderr


def test_a_slip_of_the_pen_is_answered_with_what_was_meant(keepsake) -> None:  # type: ignore[no-untyped-def]
    done = keepsake("serch", "tea")
    assert (done.exit_code, "Did you mean search?" in done.stderr) == (2, True)
    keepsake("store", "--key", "deploy_target", "EKS")
    assert "Did you mean deploy_target?" in str(keepsake("forget", "deploy_traget").exception)
    assert "keepsake list --trash" in str(keepsake("restore", "nothing").exception)
    assert str(keepsake("history", "nothing").exception).endswith("See keepsake list.")
    assert "keepsake settings lists them" in str(keepsake("settings", "trash").exception)


@pytest.mark.parametrize("command", [["store", "-"], ["block", "set", "core", "-"]])
def test_what_is_piped_in_another_encoding_is_refused(keepsake, command: list[str]) -> None:  # type: ignore[no-untyped-def]
    done = keepsake(*command, stdin="café".encode("latin-1"))
    assert "not text in UTF-8 (byte 3)" in str(done.exception)
    assert keepsake(*command, stdin="茶\r\ncafé".encode()).exit_code == 0


def test_an_empty_inbox_is_no_wrong_usage(keepsake) -> None:  # type: ignore[no-untyped-def]
    for command in ("approve", "reject"):
        done = keepsake("review", command, "--all")
        assert (done.exit_code, done.stdout) == (0, "The inbox is empty.\n")
        assert keepsake("review", command).exit_code == 2


def test_the_built_in_writer_has_no_endpoint_to_test(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert "--endpoint and --model" in str(keepsake("writer", "--test").exception)


def test_a_model_that_is_not_there_is_named_and_words_still_find(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("store", "Green tea at eight")
    keepsake("settings", "embedding_model", "no-such/model")
    for command in (["search", "tea"], ["recall", "green tea"]):
        done = keepsake(*command)
        assert (done.exit_code, "Green tea" in done.stdout) == (0, True)
        assert done.stderr.startswith("Found by words alone. ")
    assert keepsake("search", "tea", "--mode", "keyword").stderr == ""


def test_help_and_version_are_there_as_everywhere(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert keepsake("store", "-h").output == keepsake("store", "--help").output
    done = keepsake("--version")
    assert (done.exit_code, done.output.startswith("keepsake")) == (0, True)


def test_who_stores_what_has_ended_is_told(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert "nobody is shown it" in keepsake("store", "x", "--expires", "2020-01-01").stdout
    assert "nobody" not in keepsake("store", "y", "--expires", "2999-01-01").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_answer_that_finds_no_room_is_one_sentence(tmp_path: Path, form: list[str]) -> None:
    open_vault(tmp_path / "v.db").close()
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ui.main", "list", "--vault", str(tmp_path / "v.db"), *form],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "keepsake: The answer cannot be written: No space left on device.\n"


def test_a_terminal_without_the_letters_gets_them_spelt(tmp_path: Path) -> None:
    vault = str(tmp_path / "v.db")
    program("store", "--key", "tea", "茶 tea", vault=tmp_path / "v.db")
    old = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    shown, told = (
        subprocess.run(
            [sys.executable, "-m", "ui.main", "list", "--vault", vault, *form],
            cwd=ROOT,
            env=old,
            check=True,
            stdout=subprocess.PIPE,
            encoding="latin-1",
        ).stdout
        for form in ([], ["--json"])
    )
    assert r"\u8336 tea" in shown
    assert json.loads(told)["entries"][0]["content"] == "茶 tea"


def test_without_a_backup_there_is_nothing_to_restore(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert "keepsake backup now" in str(keepsake("backup", "restore", "--yes").exception)


def test_no_calls_are_said_of_the_log_that_is_asked(keepsake) -> None:  # type: ignore[no-untyped-def]
    """It is kept for a while, or not at all: it may have made some."""
    keepsake("agents", "add", "claude")
    assert keepsake("calls", "claude").stdout == "No call of claude is in the log.\n"
    since = keepsake("calls", "claude", "--since", "7d").stdout
    assert since == "No call of claude in that time is in the log.\n"


def test_agents_are_listed_by_the_name_that_is_shown(keepsake) -> None:  # type: ignore[no-untyped-def]
    for name, ident in (("Zed", "a-zed"), ("aider", "aider"), ("Claude", "claude")):
        keepsake("agents", "add", name, "--id", ident)
    lines = keepsake("agents", "list").stdout.splitlines()
    shown = [line.partition("  [")[0] for line in lines]
    assert shown == ["aider", "Claude (claude)", "Zed (a-zed)"]


def test_one_call_is_one_call(keepsake) -> None:  # type: ignore[no-untyped-def]
    keepsake("agents", "add", "cody")
    keepsake("hydrate", "--agent", "cody", "--tell")
    assert "1 call, last seen" in keepsake("agents", "list").stdout


def test_a_rejected_block_is_named_as_a_block(keepsake, tmp_path) -> None:  # type: ignore[no-untyped-def]
    vault = open_vault(tmp_path / "v.db")
    vault.agents.add("rev", trust="review")
    asked = {"name": "core", "content": "- tea", "expected_updated_at": None}
    vault.review.propose("rev", "block", USER, asked)
    vault.close()
    keepsake("review", "reject", "--all")
    assert "rejected the proposal to write the core block" in keepsake("undo").stdout
