from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rules.visibility import (
    Standing,
    agent_slug,
    hearing_of,
    is_live,
    may_read,
    muted_name,
    parse_muted_tags,
    readable_scopes,
    working_scopes,
)
from store.instants import plus, to_instant
from store.records import TRASHED, USER, Agent, Scope
from tests.fakes import NOON, an_entry

NAMES = st.sampled_from(["a", "b", "c", "shop", "lab"])
AGENTS = st.builds(Agent, id=NAMES, name=NAMES, workspaces=st.lists(NAMES, max_size=3).map(tuple))
SCOPES = st.just(USER) | st.builds(
    Scope, st.sampled_from(["agent", "workspace", "conversation"]), NAMES
)
NOW = to_instant(NOON)


@given(AGENTS, SCOPES, st.booleans())
def test_an_agent_reads_user_its_own_its_workspaces_and_its_runs(
    agent: Agent, scope: Scope, own: bool
) -> None:
    expected = {
        "user": True,
        "agent": scope.id == agent.id,
        "workspace": scope.id in agent.workspaces,
        "conversation": own,
    }
    assert may_read(agent, scope, own) == expected[scope.kind]


@given(AGENTS, NAMES, NAMES)
def test_a_run_draws_from_one_workspace_and_nothing_unreadable(
    agent: Agent, workspace: str, run: str
) -> None:
    scopes = working_scopes(agent, Standing(workspace, run))
    assert set(scopes) <= set(readable_scopes(agent, [run]))
    assert sum(scope.kind == "workspace" for scope in scopes) == (workspace in agent.workspaces)
    assert sum(scope.kind == "agent" for scope in scopes) == 1


def test_an_entry_ends_at_its_instant() -> None:
    assert is_live(an_entry(expires_at=plus(NOW, microseconds=1)), NOW)
    assert not is_live(an_entry(expires_at=NOW), NOW)
    assert not is_live(an_entry(state=TRASHED), NOW)


def test_a_tag_is_muted_for_an_agent_however_its_name_is_written() -> None:
    hearing = hearing_of(Agent("claude-code", "Claude Code"), "health: Claude Code, CLOUD", "")
    assert hearing.muted_tags == ("health",)
    assert parse_muted_tags("pay: Cloud; home: *") == {"pay": ("cloud",), "home": ("*",)}


def test_a_tag_that_is_named_twice_is_muted_for_all_who_are_named() -> None:
    assert parse_muted_tags("pay: cloud; #Pay: cursor, cloud") == {"pay": ("cloud", "cursor")}


@given(st.text(max_size=90) | st.from_regex(r"[a-z]{60,63}[-. ]+[a-z]+", fullmatch=True))
def test_the_id_of_an_agent_names_that_agent(name: str) -> None:
    """What is muted for an id that ends where it was cut would else be told to that agent."""
    assert muted_name(agent_slug(name)) == agent_slug(name)
