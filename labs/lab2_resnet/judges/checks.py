"""Generator names of lab.toml -> how to plan and judge them."""
import lab2_answers as answers
import lab2_batch_norm as batch_norm
import lab2_compare as compare
import lab2_conv as conv
import lab2_costs as costs
import lab2_loading as loading
import lab2_models as models
import lab2_optimize as optimize
import lab2_optimizers as optimizers
import lab2_speed as speed
import lab2_trace as trace
import lab2_training as training
from hpml_autograder.lab import Check


def no_runs(test, context):
    return []


CHECKS = {
    "conv": Check(conv.plan, conv.judge),
    "conv_speed": Check(speed.plan, speed.judge),
    "batch_norm": Check(batch_norm.plan, batch_norm.judge),
    "optimizer": Check(optimizers.plan, optimizers.judge),
    "optimizer_state": Check(optimizers.plan_state, optimizers.judge_state),
    "networks": Check(costs.plan_networks, costs.judge_networks),
    "layers": Check(costs.plan_layers, costs.judge_layers),
    "compare": Check(compare.plan, compare.judge),
    "paleo": Check(models.lines_of(models.drawn_paleo, models.asks_for), models.numbers_judge(models.paleo)),
    "tta": Check(models.lines_of(models.drawn_tta, models.are_enough), models.judge_tta),
    "utilisation": Check(models.lines_of(models.drawn_utilisation), models.numbers_judge(models.utilisation, 1e-7)),
    "fold": Check(optimize.plan_fold, optimize.judge_fold),
    "fuse": Check(optimize.plan_fuse, optimize.judge_fuse),
    "memory": Check(optimize.plan_memory, optimize.judge_memory),
    "self_times": Check(trace.plan("self"), trace.judge_self),
    "trace_file": Check(trace.plan("write"), trace.judge_write),
    "record": Check(trace.plan_record, trace.judge_record),
    "traced": Check(training.plan_traced, training.judge_traced),
    "files": Check(loading.plan_files, loading.judge_files),
    "hostile": Check(loading.plan_files, loading.judge_hostile),
    "batches": Check(loading.plan_batches, loading.judge_batches),
    "workers": Check(loading.plan_workers, loading.judge_workers),
    "loader_errors": Check(loading.plan_errors, loading.judge_errors),
    "overlap": Check(loading.plan_overlap, loading.judge_overlap),
    "times": Check(loading.plan_times, loading.judge_times),
    "evaluate": Check(loading.plan_evaluate, loading.judge_evaluate),
    "options": Check(loading.plan_options, loading.judge_options),
    "refused": Check(loading.plan_refused, loading.judge_refused),
    "train": Check(training.plan_train, training.judge_train),
    "train_optimizers": Check(training.plan_optimizers, training.judge_optimizers),
    "train_without": Check(training.plan_without, training.judge_without),
    "train_workers": Check(training.plan_workers, training.judge_workers),
    "q1": Check(no_runs, answers.question("q1_convolutions")),
    "q2": Check(no_runs, answers.question("q2_features")),
    "q3": Check(no_runs, answers.question("q3_parameters", "q3_gradients")),
    "q4": Check(no_runs, answers.question("q4_parameters", "q4_gradients")),
    "c3": Check(no_runs, answers.question("c3_shape")),
    "c4": Check(no_runs, answers.question("c4_bound", "c4_same")),
    "c5": Check(no_runs, answers.question("c5_never_smaller", "c5_small_batch")),
    "u1": Check(no_runs, answers.question("u1_one_block", "u1_raise")),
}
