"""Each finding's fault put back into today's code, and its test run on that: ``python -m tests.studies.faults_back``.

A line a fault: caught, or what survived. The tree is copied; nothing is changed here. Names as arguments choose some.
"""

from __future__ import annotations

import sys

from tests.faultsback import Fault, main

STUDIES, WEB, EXPORTS = "games/site/studies", "games/site/web", "games/site/exports"
PLAN, LEAVING, TIDY = "tests/studies/test_plan.py", "tests/studies/test_leaving.py", "tests/studies/test_tidy.py"
ERASING, KEEPING = "tests/studies/test_erasing.py", "tests/studies/test_page_keeping.py"
REHEARSAL, API = "tests/studies/test_rehearsal.py", "tests/studies/test_studies_api.py"
CLOSED = f"{LEAVING}::test_a_closed_browser_in_matches_of_one_round_is_neither_played_nor_paid"
DECISIONS = f"{TIDY}::test_every_decision_has_payoff_arm_the_others_move_and_times_also_where_nobody_decided"
SCRIPT = f"{TIDY}::test_the_python_script_that_comes_with_the_data_runs_at_once"
LABELS = f"{TIDY}::test_labels_stand_in_a_table_of_their_own_that_alone_leads_from_data_to_people"
ERASED = f"{ERASING}::test_what_a_member_left_is_gone_and_their_match_and_the_register_verify"
LATE = f"{KEEPING}::test_a_page_whose_time_is_over_keeps_what_was_written_and_can_be_read"
MARKDOWN = f"{KEEPING}::test_markdown_is_set_and_html_is_shown_as_written"
DIFFER = f"{REHEARSAL}::test_people_differ_in_what_they_do_and_so_does_their_pay_and_the_clock_runs"
REST = f"{API}::test_a_study_goes_from_its_file_to_its_data_by_rest"
FAULTS = (
    Fault("high 1", f"{STUDIES}/walking.py",
          '(arm_for(session, study, member) if study.is_drawn(name) else "")', "arm_for(session, study, member)",
          f"{PLAN}::test_who_practises_alone_is_drawn_into_an_arm_with_a_group_and_not_before"),
    Fault("high 1, groups that lack somebody", f"{STUDIES}/walking.py",
          "    begun = _begun(session, study)\n", "    begun: set[str] = set()\n",
          f"{PLAN}::test_a_group_that_has_begun_is_completed_before_another_arm_is_filled"),
    Fault("high 1, the operator reads nothing of it", f"{WEB}/sessions.py", "arms=view.arms(stand),", "arms=[],",
          "tests/studies/test_study_pages.py::test_the_operators_room_counts_each_arm_and_who_dropped_out_of_it"),
    Fault("high 2", f"{WEB}/studies.py",
          "rules_told(study, one.arm, source, lang) if source", 'rules_told(study, "", source, lang) if source',
          "tests/studies/test_study_pages.py::test_whoever_has_an_arm_reads_the_instructions_of_that_arm"),
    Fault("high 2, no step is named", f"{STUDIES}/planning.py",
          "(name for name in form.steps if differs(arms, name)) if len(arms) > 1 else iter(())", "iter(())",
          f"{PLAN}::test_without_a_word_arms_are_drawn_before_the_first_step_that_differs"),
    Fault("high 2, check", f"{STUDIES}/planning.py",
          "for name in names[: names.index(at)] if len(arms) > 1 else ():", "for name in ():",
          f"{PLAN}::test_what_cannot_be_walked_in_an_arm_is_a_fault_of_the_file"),
    Fault("high 2, bundled", f"{STUDIES}/files/partners-and-strangers.yaml", "assign: {at: rules", "assign: {at: play",
          f"{PLAN}::test_instructions_of_a_bundled_study_are_those_of_the_reader_s_arm[partners-and-strangers]"),
    Fault("high 3", f"{STUDIES}/gathering.py",
          "seen=member.seen, active=member.seen, gone_at=_gone_since(member),",
          "seen=clock.now(), active=clock.now(), gone_at=None,",
          f"{LEAVING}::test_who_is_gone_is_gone_when_the_next_match_begins"),
    Fault("high 3, nobody is out", f"{STUDIES}/gathering.py", "for work in (_away, _finished", "for work in (_finished",
          CLOSED),
    Fault("high 3, counts as played", f"{STUDIES}/gathering.py",
          'why = "gone" if is_gone else "missed" if is_missed(seat.run, seat.seat) else "played"', 'why = "played"',
          CLOSED),
    Fault("high 3, is paid what a substitute played", f"{STUDIES}/earning.py", "or n in foreign else", "else",
          f"{LEAVING}::test_what_a_substitute_plays_on_earns_the_seat_something_and_its_holder_nothing"),
    Fault("high 3, is paid what nobody decided", f"{STUDIES}/earning.py",
          "is_lost = is_missed(run, one.seat)", "is_lost = False",
          f"{LEAVING}::test_who_decides_nothing_in_a_match_is_told_as_missed_and_earns_nothing_there"),
    Fault("high 4, payoff", f"{EXPORTS}/sessions.py", '"payoff": _amount(row["payoff"])', '"payoff": None', DECISIONS),
    Fault("high 4, arm", f"{EXPORTS}/sessions.py",
          '"round": self.run.study_round, "arm": self.arm,', '"round": self.run.study_round, "arm": "",', DECISIONS),
    Fault("high 4, step", f"{EXPORTS}/sessions.py",
          '"practice": self.is_practice, "step": step,', '"practice": self.is_practice, "step": None,',
          DECISIONS),
    Fault("high 4, step of the study", f"{EXPORTS}/sessions.py",
          '"study_step": self.run.study_step,', '"study_step": "",', DECISIONS),
    Fault("high 4, time stamp", f"{EXPORTS}/sessions.py",
          '"decided": came.get((step, seat)) or stored.get(step),', '"decided": None,', DECISIONS),
    Fault("high 4, the partner's move", f"{EXPORTS}/sessions.py",
          "for other, done in sorted(together[step].items()) if other != seat}", "for other, done in ()}", DECISIONS),
    Fault("high 4, rows that timed out", f"{EXPORTS}/sessions.py",
          '"action": row["action"],\n', '"action": row["action"] if stand_in(flags) is None else None,\n', DECISIONS),
    Fault("high 4, moves of programs", f"{EXPORTS}/sessions.py",
          "        for row in rows:\n            step, seat,",
          '        for row in [one for one in rows if one["kind"] == "person"]:\n            step, seat,', DECISIONS),
    Fault("high 4, the study's question", f"{EXPORTS}/sessionfiles.py",
          'for script in ("analysis.py", "analysis.R"):', "for script in ():", SCRIPT),
    Fault("high 5, withdrawal", f"{WEB}/studies.py", 'in ("withdraw", "erase"):', "in ():",
          f"{ERASING}::test_one_withdraws_from_any_page_and_only_who_is_sure"),
    Fault("high 5, during a match", f"{STUDIES}/erasing.py",
          "return member_erase(member.pk) if not _plays_on(member) else None", "return member_erase(member.pk)",
          f"{ERASING}::test_who_asks_while_a_match_goes_on_leaves_at_once_and_is_erased_when_it_is_over"),
    Fault("high 5, answers", f"{STUDIES}/erasing.py", "Visit.objects.filter(member=member).update(data={})", "pass",
          ERASED),
    Fault("high 5, messages", f"{STUDIES}/erasing.py", "(found := words_erase(run_id, held))", "(found := None)",
          ERASED),
    Fault("high 5, labels", f"{STUDIES}/erasing.py",
          'update(label="", name="", in_ranking=False, extra={}, ', "update(", ERASED),
    Fault("high 5, by an operator", f"{STUDIES}/operating.py", "erasure_ask(member, who=who)", "pass", ERASED),
    Fault("medium: a missing file passes check", f"{STUDIES}/planning.py",
          "if FILE_NAME.fullmatch(words.strip()):", "if False:",
          f"{PLAN}::test_a_text_beside_the_study_is_read_and_one_that_is_missing_is_named"),
    Fault("medium: raw Markdown", f"{WEB}/marktext.py",
          "SafeString(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))",
          'SafeString(text.replace("<", "&lt;").replace(">", "&gt;"))', MARKDOWN),
    Fault("medium: raw Markdown of a question", f"{WEB}/marktext.py",
          "SafeString(_MARKDOWN.renderInline(text))", "SafeString(text)", MARKDOWN),
    Fault("medium: a slider that was not touched", f"{STUDIES}/values.py",
          'is_set = question.shape != "slider" or sent.get(f"{name}{MOVED}") == "yes"', "is_set = True",
          f"{KEEPING}::test_a_required_slider_that_nobody_has_set_is_asked_for"),
    Fault("medium: a limit without a clock", f"{WEB}/studies.py",
          "left = max(1, int((one.until - clock.now()).total_seconds()) + 1) if one.until else None", "left = None",
          LATE),
    Fault("medium: what was typed is thrown away", f"{STUDIES}/answering.py",
          "written_on(member), facts=", "{}, facts=", LATE),
    Fault("medium: what was typed is told to nobody", f"{WEB}/studies.py",
          "draft_keep(one, at, {name: str(value) for name, value in request.POST.items()})", "pass", LATE),
    Fault("medium: labels in no table", f"{EXPORTS}/sessions.py", '"label": one.label, **', "**", LABELS),
    Fault("medium: Prolific's parameters in no table", f"{EXPORTS}/sessions.py",
          "more = sorted({name for one in members for name in one.extra})", "more: list[str] = []", LABELS),
    Fault("medium: sessions have no name", f"{STUDIES}/walking.py", "name=name.strip()[:80]", 'name=""', REST),
    Fault("medium: an empty table has no header", f"{EXPORTS}/sessionfiles.py",
          "    writer.writerow([one.name for one in columns])\n",
          "    if rows:\n        writer.writerow([one.name for one in columns])\n",
          f"{TIDY}::test_tables_that_are_empty_have_their_header_and_all_of_them_open_in_pandas"),
    Fault("medium: answers as JSON in a cell", f"{EXPORTS}/sessions.py",
          '[row for one in visits for row in _answers(one, study)]',
          '[{**visit_row(one), "value": json.dumps(one.data)} for one in visits if one.data]',
          f"{TIDY}::test_answers_are_rows_with_a_number_where_they_are_one"),
    Fault("medium: everybody is paid the same", f"{STUDIES}/rehearsed.py",
          'self.rng.choice(careless or able, "policy", play.run.study_round, seat)', "able[0]", DIFFER),
    Fault("medium: nobody takes any time", f"{STUDIES}/rehearsed.py",
          'return usual * exp(SPREAD * drawn) * (SLOWER if "slow" in self.habits else 1.0)', "return 0.5",
          f"{REHEARSAL}::test_the_time_of_a_turn_runs_out_for_who_decides_slowly"),
    Fault("medium: no clock of pages", f"{STUDIES}/rehearsing.py",
          "yield from (one.until for one in self.going.values() if one.until is not None)", "pass",
          f"{REHEARSAL}::test_the_time_of_a_page_runs_out_for_who_reads_slowly"),
    Fault("medium: no clock of turns", f"{STUDIES}/rehearsing.py", 'if turn and turn.get("deadline"):', "if False:",
          f"{REHEARSAL}::test_the_time_of_a_turn_runs_out_for_who_decides_slowly"),
    Fault("medium: leaving is not rehearsed", f"{STUDIES}/rehearsing.py",
          'if "leaving" in walker.habits and walker.does("leaves", 1 / STOPS):', "if False:",
          f"{REHEARSAL}::test_who_closes_their_page_in_a_match_is_dropped_after_the_time_allowed_and_not_paid_for_it"),
    Fault("medium: no page of keys", f"{WEB}/urls.py",
          '    path("studies/keys", sessions.keys, name="study_keys_page"),\n', "",
          "tests/studies/test_study_preview.py::test_the_page_of_keys_lists_all_of_the_schema_with_an_example_of_each"),
    Fault("medium: keys that no list has", f"{STUDIES}/keys.py",
          '        if "properties" in inner:\n', '        if "properties" in inner and name != "gather":\n',
          f"{API}::test_every_key_of_a_file_is_listed_with_what_it_means_and_an_example"),
    Fault("medium: REST cannot open", f"{WEB}/studyapi.py",
          '@router.post("/sessions", response={201: SessionOut}, auth=experimenters, url_name="session_open")\n', "",
          REST),
    Fault("medium: REST cannot export", f"{WEB}/studyapi.py",
          '@router.get("/sessions/{session}/files/{name}", auth=experimenters, url_name="session_file", '
          'openapi_extra=FILE)\n', "", REST),
    Fault("medium: a game of one's own is a folder", "games/core/registry.py", 'return place.endswith(".py")',
          "return False",
          "tests/declare/test_first_game_page.py::test_the_page_writes_a_game_of_no_more_than_fifty_lines"),
    Fault("medium: a known label takes its owner's place", f"{WEB}/studies.py",
          "if known is not None and (signed or known.pk == mine):", "if known is not None:",
          "tests/studies/test_second_browsers.py::test_a_stranger_with_a_members_label_learns_no_address"),
)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(FAULTS, sys.argv[1:]))
