"""What an attempt to break this program's promises found once, by its number, and the tests that
keep each from coming back. `tests/test_promises.py` fails for one that names no test.

    pytest $(python -m tests.promises A1)      the tests of one number, and of all that begin so
"""

from __future__ import annotations

import sys

CARE, API, MCP, UI = "tests/app/care", "tests/app/api", "tests/app/mcp", "tests/ui"
JOURNAL, MOVED = f"{CARE}/test_erase_journal.py", "tests/store/file/test_moved_files.py"
PURGE, WIPE = "tests/store/care/test_purge.py", f"{CARE}/test_wipe.py"
WRITER, CROWDING = (
    "tests/app/learning/test_writing_model.py",
    "tests/app/hydration/test_crowding.py",
)
INBOX, MUTATED = "tests/app/review/test_inbox.py", f"{CARE}/test_mutated_vaults.py"
GUARDS, SERVING = f"{API}/test_guards.py", "tests/app/test_serving.py"
LOCAL = "tests/app/learning/test_conversations.py"
MIRRORS = "tests/app/markdown/mirror/test_mirrors.py"
ERASING, WAL = f"{UI}/memory/test_erase_dialog.py", "tests/store/care/test_wal.py"
MISLEADING, TRUST = f"{MCP}/test_misleading_text.py", f"{MCP}/test_trust.py"
HIDDEN, DEPENDENCIES = "tests/app/text/test_hidden.py", "tests/test_dependencies.py"

# number: (what went wrong, file: names of tests)
PROMISES: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "A1.1": (
        "Wiping a scope left all but its entries in the backups, and sentences in the vault.",
        {
            WIPE: (
                "test_no_byte_of_a_wiped_scope_is_left_in_any_file",
                "test_the_conversation_deleted_before_goes_from_the_backups_with_its_agents_scope",
            ),
            PURGE: ("test_of_a_word_in_every_column_nothing_is_left_when_all_is_wiped",),
        },
    ),
    "A1.2": (
        "An erase that was interrupted could never be finished.",
        {
            JOURNAL: (
                "test_a_mirrored_file_that_became_a_link_leaves_the_erase_pending",
                "test_a_folder_in_the_place_of_a_mirrored_file_leaves_the_erase_pending",
                "test_a_mirror_that_cannot_be_written_leaves_the_erase_pending",
                "test_what_goes_wrong_after_the_rows_are_gone_is_pending_and_never_nothing_was_changed",
                "test_an_erase_killed_after_its_rows_are_gone_is_resumed_by_upkeep",
                "test_the_journal_of_an_erase_holds_marks_and_no_word",
                "test_a_resumed_erase_finds_what_was_quoted_meanwhile",
                "test_a_resumed_erase_is_not_done_while_its_words_are_in_the_file",
            ),
            f"{CARE}/test_erase_killed.py": (
                "test_6_erases_cut_short_or_hindered_all_end",
                "test_200_erases_cut_short_or_hindered_all_end",
            ),
        },
    ),
    "A1.3": (
        "An erased memory came back with a mirrored folder that had been away.",
        {
            JOURNAL: (
                "test_what_was_erased_while_the_folder_was_away_does_not_come_back_with_it",
                "test_a_copy_of_an_erased_file_is_removed_under_whatever_name_it_returns",
                "test_a_backup_restored_while_an_erase_waits_does_not_bring_it_back",
            ),
        },
    ),
    "A1.4": (
        "Text survived in calls, kept replies and reasons, and the receipt said done.",
        {
            JOURNAL: (
                "test_what_agents_asked_and_were_answered_goes_with_the_memory",
                "test_the_answer_to_appended_turns_goes_with_the_conversation_and_with_what_was_said",
                "test_a_piece_on_a_free_page_of_a_backup_is_found_and_goes",
            ),
            f"{API}/test_erased_words.py": (
                "test_a_rejected_proposal_and_all_that_was_said_of_it",
                "test_a_deleted_conversation_with_the_answers_to_its_turns",
                "test_block_replies_after_a_wipe_of_the_user_scope",
            ),
            PURGE: ("test_every_text_column_is_purged_or_known_to_hold_no_words",),
        },
    ),
    "A1.5": (
        "Proposals, a block's past and conversations could not be erased; copies were not named.",
        {
            JOURNAL: (
                "test_a_proposal_can_be_erased_with_the_reasons_given_for_it",
                "test_a_blocks_past_can_be_erased_and_the_block_stays",
                "test_an_agent_that_deletes_its_run_leaves_no_turn_in_a_backup",
            ),
            WIPE: ("test_a_scope_that_holds_only_proposals_or_messages_can_be_wiped",),
            "tests/app/cli/test_erase.py": (
                "test_a_rejected_proposal_is_erased_by_its_id",
                "test_the_question_names_the_copies_that_stay",
                "test_json_names_the_copies_that_stay_too",
            ),
            f"{UI}/review/test_inbox.py": ("test_a_rejected_proposal_is_found_again_and_erased",),
        },
    ),
    "window A1.2": (
        "Erased text stayed in the editor, and one key put it back into the vault.",
        {
            ERASING: (
                "test_an_erased_memory_leaves_the_editor_and_typing_does_not_bring_it_back",
                "test_what_is_typed_at_the_moment_of_an_erase_does_not_bring_it_back",
                "test_removing_the_samples_takes_the_open_one_out_of_the_editor",
                "test_a_blocks_past_is_erased_and_an_erased_block_leaves_its_editor",
            ),
        },
    ),
    "A2": (
        "Opening somebody's vault sent them the writing model's key.",
        {
            WRITER: (
                "test_the_endpoint_of_a_foreign_vault_gets_no_request_at_all",
                "test_an_endpoint_is_confirmed_once_per_machine_outside_the_vault",
                "test_a_key_goes_to_no_other_origin_than_the_one_it_was_entered_for",
            ),
            f"{UI}/vault/test_writer_settings.py": (
                "test_a_model_the_vault_brought_is_used_only_when_confirmed",
            ),
        },
    ),
    "A3": (
        "Agents let themselves into workspaces, and named folders of this machine.",
        {
            TRUST: (
                "test_only_the_owner_lets_an_agent_into_a_workspace_whether_it_is_in_use_or_not",
                "test_an_agent_that_may_only_read_cannot_ask_to_be_let_in",
                "test_a_wish_is_said_once_and_their_number_is_bounded",
            ),
            f"{MCP}/test_workspaces.py": (
                "test_over_http_a_path_is_refused_as_invalid",
                "test_a_workspace_has_no_control_characters_in_its_name",
            ),
        },
    ),
    "A4": (
        "Acknowledged writes were lost when the file was moved, deleted or replaced.",
        {
            MOVED: (
                "test_a_write_into_nowhere_is_refused",
                "test_what_was_put_in_its_place_is_whole",
                "test_a_new_vault_where_the_old_one_was_deleted_is_new",
            ),
            f"{API}/test_moved_vault.py": ("test_a_write_is_refused_with_what_to_do",),
        },
    ),
    "A5": (
        "A restore that was cut short let revoked agents in.",
        {
            f"{CARE}/test_restore_killed.py": (
                "test_a_reader_meets_the_old_vault_or_the_new_one_at_every_step",
                "test_a_killed_restore_lets_no_revoked_agent_in",
                "test_a_restore_killed_at_every_step",
            ),
        },
    ),
    "A6": (
        "The damaged file that was kept went with the next upkeep.",
        {
            f"{CARE}/test_rescue.py": (
                "test_a_damaged_file_stays_until_a_person_removes_it",
                "test_an_erase_reaches_into_a_kept_vault_that_can_be_opened",
            ),
        },
    ),
    "A7": (
        "There were ways round the review, hidden characters passed, folders wrote as the owner.",
        {
            TRUST: ("test_a_remark_in_the_index_reaches_nobody_unreviewed",),
            INBOX: (
                "test_every_field_is_shown_with_what_it_was",
                "test_hidden_characters_are_counted_wherever_they_are",
            ),
            HIDDEN: (
                "test_what_nobody_sees_is_left_out_and_can_be_shown",
                "test_a_sentence_hidden_after_an_emoji_does_not_pass",
            ),
            f"{API}/test_poison.py": ("test_agents_get_no_character_that_nobody_sees",),
            MISLEADING: (
                "test_tools_answer_without_misleading_tags_or_hidden_characters",
                "test_resources_and_instructions_are_cleaned_too",
            ),
            MIRRORS: ("test_edits_of_a_reviewed_agent_wait_in_the_inbox",),
            "tests/app/markdown/test_notes.py": (
                "test_files_of_a_workspace_with_a_reviewed_agent_wait_but_the_owners_edit_does_not",
            ),
            f"{API}/mem0/test_self_hosted.py": (
                "test_who_is_reviewed_is_told_that_nothing_was_changed_yet",
            ),
        },
    ),
    "A8": (
        "Conversations did not obey trust.",
        {
            LOCAL: (
                "test_an_agent_that_may_only_read_changes_no_run",
                "test_an_agent_under_review_ends_its_run_and_deletes_none",
            ),
            f"{API}/test_conversations.py": ("test_trust_counts_for_every_change_of_a_run",),
        },
    ),
    "A9": (
        "A website wrote lines and commands into the log.",
        {GUARDS: ("test_a_path_writes_nothing_of_its_own_into_the_log",)},
    ),
    "A10": (
        "Text of agents was shown as HTML, with local files in it.",
        {
            f"{UI}/toolkit/test_plain_text.py": (
                "test_every_label_box_and_tip_goes_through_the_helper",
                "test_what_looks_like_html_is_shown_and_nothing_is_loaded",
            ),
        },
    ),
    "A11": (
        "History told agents what was edited away before their time.",
        {
            "tests/app/memory/test_memory.py": (
                "test_history_begins_when_the_agent_did",
                "test_history_of_a_workspace_begins_when_the_agent_was_let_in",
            ),
        },
    ),
    "A12": (
        "One agent's core entries silenced the owner's for everybody.",
        {
            CROWDING: (
                "test_one_agents_core_does_not_silence_the_owners_for_another",
                "test_an_agent_places_only_so_much_core_where_others_see_it",
            ),
        },
    ),
    "A13": (
        "The lowest versions that were declared did not work, and one was not declared.",
        {
            DEPENDENCIES: (
                "test_what_the_program_imports_is_declared",
                "test_a_requirement_of_one_system_does_not_count_for_all",
            ),
        },
    ),
    "A14 exports": (
        "A zip in the making was readable by others and followed links.",
        {
            "tests/app/markdown/test_export.py": (
                "test_a_zip_in_the_making_is_private_and_follows_no_link",
                "test_every_folder_that_is_made_on_the_way_is_the_owners_alone",
            ),
        },
    ),
    "A14 ending": (
        "SIGTERM took a minute or was swallowed; calls were lost, runs stayed open.",
        {
            SERVING: ("test_serve_ends_soon_amid_its_work_and_the_calls_are_written",),
            f"{MCP}/test_everyday.py": (
                "test_however_a_client_ends_it_its_calls_are_kept_and_its_run_is_over",
            ),
            f"{UI}/window/test_ending.py": (
                "test_a_signal_closes_it_within_two_seconds_and_the_calls_are_written",
            ),
        },
    ),
    "A14 socket": (
        "Another user could take the name of a window's socket.",
        {
            f"{UI}/window/test_startup.py": (
                "test_a_windows_socket_lies_where_only_its_user_can_take_the_name",
            ),
        },
    ),
    "A14 slow": (
        "Second heads and import bodies had no deadline.",
        {
            SERVING: ("test_a_second_request_has_a_deadline_for_its_head_too",),
            f"{API}/test_slow_bodies.py": (
                "test_an_import_that_trickles_is_given_up_and_a_large_one_is_not",
            ),
        },
    ),
    "A14 imports": (
        "A small zip of an agent cost a minute and half a gigabyte.",
        {
            f"{API}/test_poison.py": (
                "test_an_agents_zip_is_bounded_by_what_it_unpacks_to",
                "test_an_agents_import_is_bounded_in_time",
            ),
        },
    ),
    "A14 proposals": (
        "One agent's thousands of proposals hid those of all others.",
        {
            INBOX: (
                "test_nobodys_proposals_are_buried_under_anothers",
                "test_an_agent_proposes_only_so_much",
            ),
        },
    ),
    "A14 log": (
        "A damaged log lost writes and nobody was told; read-only media could not be read.",
        {
            WAL: (
                "test_a_flipped_byte_in_the_log_after_a_kill_is_told_and_the_log_is_kept",
                "test_a_vault_on_read_only_media_can_be_read_and_not_changed",
            ),
        },
    ),
    "A14 stuck": (
        "Writers behind a stuck lock made readers wait.",
        {GUARDS: ("test_writers_behind_a_stuck_lock_keep_nobody_from_reading",)},
    ),
    "A14 mutated": (
        "Files that something else wrote into ended in tracebacks; foreign triggers were not seen.",
        {
            MUTATED: (
                "test_no_mutated_vault_ends_in_a_traceback",
                "test_agents_are_told_of_damage_and_not_what_was_found",
                "test_an_index_of_another_format_is_made_anew",
                "test_hundreds_of_mutated_vaults",
            ),
            f"{CARE}/test_doctor.py": (
                "test_a_structure_that_is_not_ours_is_found",
                "test_a_trigger_under_a_name_of_ours_is_found",
            ),
        },
    ),
    "A14 ephemeral": (
        "A throw-away vault that was killed stayed.",
        {
            "tests/app/test_throw_away.py": (
                "test_a_throw_away_vault_that_was_killed_is_cleared_away_by_the_next",
            ),
        },
    ),
    "A14 folders": (
        "Two workspaces shared a folder of notes.",
        {"tests/app/markdown/test_notes.py": ("test_no_two_workspaces_share_a_folder",)},
    ),
    "B12": (
        "A client that sends all before it reads saw a reset instead of 413.",
        {GUARDS: ("test_a_client_that_sends_all_before_it_reads_gets_its_413",)},
    ),
}

# The ten steps of hardening that came of it, and the numbers above that show each.
STEPS: dict[int, tuple[str, ...]] = {
    1: ("A1.2", "A1.3"),
    2: ("A1.1", "A1.4", "A1.5"),
    3: ("A2",),
    4: ("A3",),
    5: ("A4",),
    6: ("A5", "A6"),
    7: ("A7", "A8", "A11"),
    8: ("A7",),
    9: ("A9", "A10"),
    10: ("A12", "A13", "A14 imports", "A14 proposals", "A14 slow"),
}


def nodes(number: str) -> list[str]:
    """The tests of a number, and of all that begin so, as pytest names them."""
    return [
        f"{file}::{name}"
        for one, (_, files) in PROMISES.items()
        if one == number or one.startswith((f"{number}.", f"{number} "))
        for file, names in files.items()
        for name in names
    ]


if __name__ == "__main__":
    sys.stdout.write(" ".join(nodes(sys.argv[1])) + "\n")
