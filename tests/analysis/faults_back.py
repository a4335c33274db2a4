"""Each finding's fault put back into today's code, and its test run on that: ``python -m tests.analysis.faults_back``.

A line a fault: caught, or what survived. The tree is copied; nothing is changed here. Names as arguments choose some.
"""

from __future__ import annotations

import sys

from tests.faultsback import Fault, main

LAB, SITE = "games/lab", "games/site/experiments"
FOLDERS = "tests/games/test_experiment_folders.py::test_what_goes_out_comes_in_and_goes_out_again_is_the_same_report"
FAULTS = (
    Fault("high 1", f"{LAB}/folders/reading.py",
          "if (not only or name in only) and self._digest(name, digest) != written",
          'if name != "aggregates.parquet" and self._digest(name, digest) != written',
          "tests/lab/test_altered.py::test_altered_measures_are_not_reported"),
    Fault("high 1, sealed anew", f"{LAB}/folders/verifying.py",
          "wrong = _wrong_measure(AGGREGATES, aggregates or {}, summary)", "wrong = None",
          "tests/lab/test_altered.py::test_altered_measures_with_new_digests_and_a_new_seal_are_found_by_measuring_again"),
    Fault("high 2, hypotheses", f"{SITE}/registering.py",
          '"declared": loaded.experiment.plain() if loaded.experiment is not None else {},', '"declared": {},',
          "tests/games/test_register.py::test_the_digest_covers_the_hypotheses"),
    Fault("high 2, posted date", f"{LAB}/analysis/provenance.py", "if self.claimed:", "if False:",
          "tests/games/test_register.py::test_a_posted_date_is_a_claim"),
    Fault("high 2, after the data", f"{SITE}/likeness.py",
          "changed = list(_changed(found[0], document)) if found else []", "changed: list[str] = []",
          "tests/games/test_bent_questions.py::test_a_question_that_was_changed_after_its_answer_says_what_was_changed"),
    Fault("high 3, clone", f"{SITE}/declaring.py",
          "document=_with_fresh_seeds(experiment) if fresh_seeds else experiment.document",
          "document=experiment.document",
          "tests/games/test_register.py::test_a_clone_has_as_many_seeds_that_none_of_its_family_has"),
    Fault("high 3, mark", f"{SITE}/registering.py",
          "return Seen(sum(planned[key] for key in found), tuple(sorted(experiments)))", "return Seen()",
          "tests/games/test_register.py::test_the_same_seeds_again_are_said_first_and_make_the_answer_exploratory"),
    Fault("high 4", f"{SITE}/provenance.py",
          '"" if is_whole and played == planned else "stopped" if is_whole else str(experiment.status),', '"",',
          "tests/games/test_register.py::test_who_stopped_it_after_how_many_runs_is_said_first"),
    Fault("high 5", f"{LAB}/scenarios/scenario.py",
          "title = changed_title(pack, title, changes) if changes else title", "pass",
          "tests/lab/test_scenario.py::test_what_is_changed_of_a_preset_is_part_of_its_title"),
    Fault("high 6, independent seeds", f"{LAB}/folders/manifestplan.py",
          '**({"pairing": pairing} if (pairing := folder.manifest.get(EXPERIMENT, {}).get("pairing")) else {}),', "",
          f"{FOLDERS}[independent]"),
    Fault("high 6, hypotheses", f"{SITE}/importing.py", "            declared=declared,\n", "", f"{FOLDERS}[common]"),
    Fault("medium: delivery", f"{LAB}/analysis/delivery.py",
          "return self.runs > 0 and self.arrived == 0", "return False",
          "tests/analysis/test_delivery.py::test_no_effect_of_what_never_came_is_no_verdict"),
    Fault("medium: time of the run", f"{SITE}/exporting.py",
          "if experiment.frozen_at is not None and experiment.ended is not None:", "if False:", f"{FOLDERS}[common]"),
    Fault("medium: versions", f"{LAB}/folders/folder.py", '"scipy", "statsmodels", ', "",
          "tests/lab/test_again.py::test_a_run_folder_is_played_again_with_its_hypotheses_and_name"),
    Fault("medium: models", f"{LAB}/folders/reporting.py", 'if agent.get("profile"))', "if False)",
          "tests/lab/test_again.py::test_manifest_and_report_name_the_models_that_were_asked_and_what_they_cost"),
    Fault("medium: rank test of three", f"{LAB}/analysis/comparing.py",
          'return found if one.test == "t" else _untested(found, METHODS[one.test], "two_groups")', "return found",
          "tests/analysis/test_declared_tests.py::test_a_rank_test_of_three_groups_is_refused_rather_than_another"),
    Fault("medium: again from its manifest", f"{LAB}/folders/manifestplan.py",
          "experiment=None if declared is None else Experiment.read(declared),", "experiment=None,",
          "tests/lab/test_again.py::test_a_run_folder_is_played_again_with_its_hypotheses_and_name"),
    Fault("medium: the zip's declaration", f"{LAB}/folders/publishing.py",
          'yield "declaration.json", _json(', '_ = ("declaration.json", ',
          "tests/lab/test_publishing.py::test_its_metadata_are_an_ro_crate_that_tells_of_every_file"),
    Fault("medium: skewed at n = 8", f"{LAB}/scenarios/hypotheses.py",
          'is_small = self.form.pairing == "independent" and self.seeds <= SMALL', "is_small = False",
          "tests/analysis/test_design.py::test_few_seeds_of_their_own_are_compared_by_permutation_where_no_test_is_named"),
    Fault("medium: Wilcoxon with ties", f"{LAB}/analysis/ranks.py",
          "if len(moved) > EXACT_MAX or len(set(sizes)) == len(moved):\n        exact = len(moved) <= EXACT_MAX",
          "if True:\n        exact = len(set(sizes)) == len(moved)",
          "tests/analysis/test_declared_tests.py::test_tied_ranks_go_through_every_sign"),
    Fault("medium: log-rank at n = 6", f"{LAB}/analysis/survival.py",
          "if max(len(of), len(against)) > EXACT_MAX:", "if True:",
          "tests/analysis/test_levels.py::test_a_log_rank_of_three_a_group_counts_its_twenty_arrangements"),
    Fault("medium: rank-biserial's interval", f"{LAB}/analysis/effects.py", "z = t_quantile(n + m - 2)", "z = 1.6",
          "tests/analysis/test_levels.py::test_intervals_of_the_rank_biserial_cover_at_eight_seeds"),
    Fault("medium: seats share a run", f"{LAB}/analysis/clusters.py",
          '"groups": [codes[row.cluster] for row in rows]', '"groups": list(range(len(rows)))',
          "tests/analysis/test_declared_tests.py::test_seats_of_one_run_are_no_further_evidence"),
    Fault("medium: figures", f"{LAB}/analysis/report/figures.py",
          'drawing.text(start + SHOWN / 2, len(rows) * ROW + 35, legend.across, "", "middle")', "pass",
          "tests/analysis/test_report.py::test_a_figure_says_its_axes_with_units_its_n_and_what_is_drawn"),
    Fault("medium: bytes of a run", f"{LAB}/folders/recorder.py", "LEVEL: Final = ", "LEVEL: Final = -100 + 0 * ",
          "tests/lab/test_packed.py::test_a_run_of_mining_takes_less_than_150_kilobytes"),
    Fault("medium: a cluster", f"{LAB}/folders/merging.py", "part = number % len(ordered)", "part = 0",
          "tests/lab/test_cluster.py::test_slurms_tasks_merge_into_the_bytes_of_one_machine"),
    Fault("what holds: ties by rounding", f"{LAB}/analysis/intervals.py",
          "return [found[value] for value in values]", "return list(values)",
          "tests/analysis/test_declared_tests.py::test_values_that_differ_by_rounding_are_tied"),
)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(FAULTS, sys.argv[1:]))
