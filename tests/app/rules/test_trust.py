from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.access.agents import TRUST
from app.errors import NotAllowed, ScopeDenied
from app.rules.visibility import WriteRight, admit, may_read, write_right
from store.records import SCOPE_KINDS, USER, Agent, Scope

NAMES = st.sampled_from(["a", "b", "shop"])
AGENTS = st.builds(
    Agent,
    id=NAMES,
    name=NAMES,
    trust=st.sampled_from(TRUST),
    workspaces=st.lists(NAMES, max_size=2).map(tuple),
    write_scopes=st.lists(st.sampled_from(SCOPE_KINDS), unique=True).map(tuple),
)
SCOPES = st.just(USER) | st.builds(
    Scope, st.sampled_from(["agent", "workspace", "conversation"]), NAMES
)


@given(AGENTS, SCOPES, st.booleans())
def test_nobody_writes_beyond_what_it_reads_and_the_owner_allowed(
    agent: Agent, scope: Scope, own: bool
) -> None:
    word = write_right(agent, scope, own)
    if word in (WriteRight.DIRECT, WriteRight.REVIEW):
        assert may_read(agent, scope, own)
        assert scope.kind in agent.write_scopes
        assert word == agent.trust
        assert admit(agent, scope, own) == (agent.trust == "direct")
    else:
        with pytest.raises((ScopeDenied, NotAllowed)):
            admit(agent, scope, own)


@given(AGENTS, SCOPES)
def test_a_foreign_scope_is_denied_before_anything_else_is_said(agent: Agent, scope: Scope) -> None:
    if not may_read(agent, scope):
        with pytest.raises(ScopeDenied, match="facts to share go to a workspace"):
            admit(agent, scope)


def test_an_unknown_trust_is_no_trust() -> None:
    assert write_right(Agent("a", "a", trust="whatever"), USER) == WriteRight.READ_ONLY
