"""Machines that share one memory through a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import Invalid, Refused
from app.outcomes import Saved
from app.vault import Vault
from store.records import Entry, EntryDraft, Scope
from tests.app.sync.conftest import MachineMaker


def store(vault: Vault, content: str, **fields: object) -> Entry:
    outcome = vault.memory.entries.store(EntryDraft(content, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    assert isinstance(outcome.entry, Entry)
    return outcome.entry


def told(vault: Vault) -> dict[str, str]:
    """The active memories by key."""
    with vault.database.read() as db:
        rows = db.execute("SELECT key, content FROM entries WHERE state = 'active'").fetchall()
    return dict(rows)


@pytest.fixture
def pair(machine: MachineMaker, folder: Path) -> tuple[Vault, Vault]:
    """A laptop and a desk that take part."""
    laptop, desk = machine("laptop"), machine("desk", hours=24)
    phrase = laptop.machines.add(folder, "laptop")
    desk.machines.join(folder, phrase, "desk")
    laptop.machines.sync()
    return laptop, desk


def meet(*vaults: Vault) -> None:
    for _ in range(3):
        for vault in vaults:
            vault.machines.sync()


def test_what_one_machine_wrote_is_on_the_other(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    store(laptop, "Production runs in Ohio.", key="deploys", tags=("infra",), importance=7)
    meet(laptop, desk)
    with desk.database.read() as db:
        row = db.execute("SELECT content, tags, importance, source FROM entries").fetchone()
    assert row == ("Production runs in Ohio.", '["infra"]', 7, "owner")
    assert [one.name for one in desk.machines.status().machines if not one.mine] == ["laptop"]


def test_two_edits_of_one_text_merge_by_character(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    store(laptop, "Tea in the morning. Bread at noon.", key="food")
    meet(laptop, desk)
    store(laptop, "Green tea in the morning. Bread at noon.", key="food")
    store(desk, "Tea in the morning. Bread and cheese at noon.", key="food")
    meet(laptop, desk)
    assert (
        told(laptop)
        == told(desk)
        == {"food": "Green tea in the morning. Bread and cheese at noon."}
    )


def test_the_later_writer_of_a_field_wins_and_tags_are_united(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    store(laptop, "x is y", key="x", importance=3, tags=("a",))
    meet(laptop, desk)
    store(laptop, "x is y", key="x", importance=4, tags=("a", "b"))
    store(desk, "x is y", key="x", importance=9, tags=("a", "c"))  # its clock is a day ahead
    meet(laptop, desk)
    for vault in (laptop, desk):
        with vault.database.read() as db:
            importance, tags = db.execute("SELECT importance, tags FROM entries").fetchone()
        assert importance == 9
        assert tags == '["a", "c", "b"]'


def test_one_key_written_on_two_machines_is_two_memories_the_same_everywhere(
    pair: tuple[Vault, Vault],
) -> None:
    laptop, desk = pair
    first = store(laptop, "Deploys on Friday.", key="deploys")
    second = store(desk, "Deploys on Monday.", key="deploys")
    meet(laptop, desk)
    assert told(laptop) == told(desk)
    assert told(desk) == {
        "deploys": first.content,
        f"deploys-{second.id[-4:]}": second.content,
    }
    assert [clash.why for clash in laptop.machines.status().clashes] == ["key"]


def test_a_block_begun_on_both_has_the_lines_of_both(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    laptop.memory.blocks.replace("core", "- tea\n- bread\n", expected_updated_at=None)
    desk.memory.blocks.replace("core", "- tea\n- cheese\n", expected_updated_at=None)
    meet(laptop, desk)
    texts = []
    for vault in (laptop, desk):
        with vault.database.read() as db:
            texts.append(db.execute("SELECT id, content FROM blocks").fetchall())
    assert texts[0] == texts[1]
    assert texts[0][0][1].splitlines() == ["- tea", "- bread", "- cheese"]


def test_a_join_with_memories_of_its_own_brings_them(machine: MachineMaker, folder: Path) -> None:
    laptop, desk = machine("laptop"), machine("desk")
    store(laptop, "The laptop's word.", key="greeting")
    store(desk, "The desk's word.", key="greeting")
    store(desk, "Only here.", key="own")
    phrase = laptop.machines.add(folder, "laptop")
    desk.machines.join(folder, phrase, "desk")
    meet(laptop, desk)
    assert told(laptop) == told(desk)
    assert set(told(laptop).values()) == {"The laptop's word.", "The desk's word.", "Only here."}


def test_the_folder_holds_no_word_of_it(pair: tuple[Vault, Vault], folder: Path) -> None:
    laptop, desk = pair
    store(laptop, "canarycanarycanary", key="canarykey", tags=("canarytag",))
    meet(laptop, desk)
    for path in folder.iterdir():
        assert b"canary" not in path.read_bytes()


def test_an_erase_reaches_the_other_machine(pair: tuple[Vault, Vault], folder: Path) -> None:
    laptop, desk = pair
    entry = store(laptop, "canarycanary words", key="bird")
    meet(laptop, desk)
    assert "bird" in told(desk)
    receipt = laptop.erasure.erase([entry.id])
    assert receipt.state == "done"
    assert "desk" in receipt.sentence
    assert [one.away for one in laptop.machines.status().erasing] == [("desk",)]
    meet(laptop, desk)
    assert "bird" not in told(desk)
    assert laptop.machines.status().erasing == ()
    for vault in (laptop, desk):
        for path in [vault.path, *vault.path.parent.glob("**/*")]:
            if path.is_file():
                assert b"canarycanary" not in path.read_bytes(), path


def test_an_edit_made_where_the_erase_was_not_known_brings_nothing_back(
    pair: tuple[Vault, Vault],
) -> None:
    laptop, desk = pair
    entry = store(laptop, "canarycanary words", key="bird")
    meet(laptop, desk)
    store(desk, "canarycanary words, edited", key="bird", hook="canaryhook")
    laptop.erasure.erase([entry.id])
    meet(laptop, desk)
    assert told(laptop) == told(desk) == {}
    for vault in (laptop, desk):
        for path in vault.path.parent.glob("**/*"):
            assert not path.is_file() or b"canary" not in path.read_bytes(), path


def test_forgetting_and_undoing_travel(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    entry = store(laptop, "Here and gone.", key="gone")
    meet(laptop, desk)
    desk.memory.entries.forget([entry.id])
    meet(laptop, desk)
    assert told(laptop) == {}
    desk.history.undo_last()
    meet(laptop, desk)
    assert told(laptop) == {"gone": "Here and gone."}
    with laptop.database.read() as db:
        actors = {row[0] for row in db.execute("SELECT actor FROM change_groups").fetchall()}
    assert "sync:desk" in actors


def test_what_came_from_another_machine_can_be_undone_here(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    store(laptop, "First.", key="one")
    meet(laptop, desk)
    store(laptop, "Second.", key="one")
    meet(laptop, desk)
    group = next(g for g in desk.history.groups() if g.actor == "sync:laptop")
    desk.history.undo(group.id)
    meet(laptop, desk)
    assert told(laptop) == told(desk) == {"one": "First."}


def test_an_agent_travels_without_its_token_and_its_revocation_too(
    pair: tuple[Vault, Vault],
) -> None:
    laptop, desk = pair
    _, token = laptop.agents.add("Claude", "claude", trust="review")
    meet(laptop, desk)
    agent = desk.agents.read("claude")
    assert (agent.trust, agent.revoked_at) == ("review", None)
    with pytest.raises(Exception, match="token"):
        desk.agents.authenticate(token)
    there = desk.agents.rotate("claude")
    assert desk.agents.authenticate(there).id == "claude"
    laptop.agents.revoke("claude")
    meet(laptop, desk)
    with pytest.raises(Exception, match=r"token|revoked"):
        desk.agents.authenticate(there)


def test_settings_of_memory_and_saved_searches_travel(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    laptop.settings.set("hydration_budget", 9_000)
    laptop.settings.set("appearance", "dark")
    laptop.saved_searches.keep("infra", "tag:infra")
    meet(laptop, desk)
    assert desk.settings["hydration_budget"] == 9_000
    assert desk.settings["appearance"] == "system"
    assert desk.saved_searches.all() == {"infra": "tag:infra"}
    desk.saved_searches.drop("infra")
    desk.settings.reset("hydration_budget")
    meet(laptop, desk)
    assert laptop.saved_searches.all() == {}
    assert laptop.settings["hydration_budget"] == 16_384


def test_a_tag_that_is_muted_on_one_machine_leaves_the_folders_of_the_other(
    pair: tuple[Vault, Vault], tmp_path: Path
) -> None:
    laptop, desk = pair
    shop, notes = Scope("workspace", "shop"), tmp_path / "notes"
    store(laptop, "Earns a canary.", key="pay", scope=shop, tags=("salary",))
    meet(laptop, desk)
    desk.mirrors.add(notes, shop)
    assert "canary" in "".join(path.read_text() for path in notes.rglob("*.md"))
    laptop.settings.set("muted_tags", "salary: cloud")
    meet(laptop, desk)
    assert any(desk.mirrors.behind(mirror) for mirror in desk.mirrors.listed())
    desk.mirrors.sync_all()
    assert "canary" not in "".join(path.read_text() for path in notes.rglob("*.md"))


def test_memories_of_a_run_stay_on_their_machine(pair: tuple[Vault, Vault]) -> None:
    laptop, desk = pair
    store(laptop, "Scratch.", key="scratch", scope=Scope("conversation", "run-1"))
    meet(laptop, desk)
    assert told(desk) == {}


def test_a_removed_machine_reads_nothing_written_afterwards(
    pair: tuple[Vault, Vault], folder: Path
) -> None:
    laptop, desk = pair
    store(laptop, "Before.", key="before")
    meet(laptop, desk)
    laptop.machines.remove("desk")
    store(laptop, "After.", key="after")
    laptop.machines.sync()
    with pytest.raises(Refused, match="took this one out"):
        desk.machines.sync()
    assert told(desk) == {"before": "Before."}
    store(desk, "From the one that was removed.", key="late")
    with pytest.raises(Refused):
        desk.machines.sync()
    laptop.machines.sync()
    assert "late" not in told(laptop)


def test_a_third_machine_joins_and_the_removed_ones_key_does_not_open_its_files(
    pair: tuple[Vault, Vault], machine: MachineMaker, folder: Path
) -> None:
    laptop, _ = pair
    laptop.machines.remove("desk")
    phone = machine("phone")
    phone.machines.join(folder, laptop.machines.pair(), "phone")
    store(laptop, "For the phone.", key="phone")
    meet(laptop, phone)
    assert told(phone) == {"phone": "For the phone."}


def test_a_wrong_phrase_and_a_strange_folder_are_told_in_words(
    machine: MachineMaker, folder: Path, tmp_path: Path
) -> None:
    laptop, desk = machine("laptop"), machine("desk")
    laptop.machines.add(folder, "laptop")
    with pytest.raises(Refused, match="No phrase fits"):
        desk.machines.join(folder, "bada bing bada boom", "desk")
    (tmp_path / "empty").mkdir()
    with pytest.raises(Invalid, match="has not arrived yet"):
        desk.machines.join(tmp_path / "empty", "x", "desk")
    with pytest.raises(Refused, match="not shared"):
        desk.machines.sync()


def test_a_folder_that_is_away_loses_nothing(pair: tuple[Vault, Vault], folder: Path) -> None:
    laptop, desk = pair
    away = folder.rename(folder.with_name("unplugged"))
    store(laptop, "Written meanwhile.", key="m")
    with pytest.raises(Refused, match="is not there"):
        laptop.machines.sync()
    folder.mkdir()  # an empty mount point
    with pytest.raises(Refused, match="is not there"):
        laptop.machines.sync()
    folder.rmdir()
    away.rename(folder)
    meet(laptop, desk)
    assert told(desk) == {"m": "Written meanwhile."}


def test_half_a_file_is_waited_for_and_a_changed_one_left_out(
    pair: tuple[Vault, Vault], folder: Path
) -> None:
    laptop, desk = pair
    before = set(folder.iterdir())
    store(laptop, "One.", key="one")
    laptop.machines.sync()
    (new,) = set(folder.iterdir()) - before
    whole = new.read_bytes()
    new.write_bytes(whole[: len(whole) // 2])
    assert "has not arrived whole" in desk.machines.sync().waits[0]
    new.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert "changed on its way" in desk.machines.sync().waits[0]
    assert told(desk) == {}
    new.write_bytes(whole)
    assert desk.machines.sync().waits == ()
    assert told(desk) == {"one": "One."}


def test_a_restored_vault_goes_on_as_another_machine_and_what_it_went_back_to_is_told(
    pair: tuple[Vault, Vault],
) -> None:
    laptop, desk = pair
    store(laptop, "As it was.", key="one")
    meet(laptop, desk)
    backup = laptop.backups.now()
    store(laptop, "As it became.", key="one")
    store(laptop, "Later.", key="later")
    meet(laptop, desk)
    laptop.backups.restore(backup)
    meet(laptop, desk)
    assert told(laptop) == told(desk) == {"one": "As it was."}


def test_many_files_are_put_together(
    pair: tuple[Vault, Vault], folder: Path, machine: MachineMaker
) -> None:
    laptop, desk = pair
    for number in range(70):
        store(laptop, f"Number {number}.", key=f"n{number}")
        laptop.machines.sync()
    assert len(list(folder.iterdir())) < 20
    meet(laptop, desk)
    assert told(laptop) == told(desk)
    phone = machine("phone")
    phone.machines.join(folder, desk.machines.pair(), "phone")
    assert told(phone) == told(desk)


def test_when_it_is_true_and_who_is_never_told_it_is_on_the_other(
    pair: tuple[Vault, Vault],
) -> None:
    laptop, desk = pair
    at = "2026-03-01T00:00:00.000000Z"
    entry = store(laptop, "Lives in Bonn.", true_until=at, verified_at=at, muted_for=("cloud",))
    meet(laptop, desk)
    there = desk.entries.read(entry.id)
    assert (there.true_until, there.verified_at, there.muted_for) == (at, at, ("cloud",))
    desk.memory.entries.change(entry.id, {"true_until": None, "muted_for": ("*",)})
    meet(laptop, desk)
    here = laptop.entries.read(entry.id)
    assert (here.true_until, here.verified_at, here.muted_for) == (None, at, ("*",))
