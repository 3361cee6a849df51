"""Generator names of lab.toml -> how to plan and judge them."""
import lab3_answers as answers
import lab3_answers_a as answers_a
import lab3_clean as clean
import lab3_conv as conv
import lab3_correct as correct
import lab3_inputs as inputs
import lab3_kernels as kernels
import lab3_measure as measure
import lab3_own as own
import lab3_policy as policy
from hpml_autograder.lab import Check, Data

DATA = Data(inputs.inputs, inputs.other, inputs.result, inputs.repeats)


def no_runs(test, context):
    return []


CHECKS = {
    "kernel": Check(kernels.plan, kernels.judge),
    "measure": Check(measure.plan, measure.judge),
    "kernel_table": Check(answers_a.plan_table, answers_a.judge_table),
    "analysis": Check(answers_a.plan_analysis, answers_a.judge_analysis),
    "rates": Check(no_runs, answers_a.judge_rates),
    "speedups": Check(no_runs, answers_a.judge_speedups),
    "clean": Check(clean.plan, clean.judge),
    "conv": Check(conv.plan, conv.judge),
    "conv_format": Check(conv.plan, conv.judge_format),
    "conv_no_shared": Check(conv.plan_counted, conv.each_run(conv.no_shared, "no shared memory", True)),
    "conv_shared": Check(conv.plan_counted, conv.each_run(conv.tiles, "tiles in shared memory")),
    "conv_loads": Check(conv.plan_counted, conv.each_run(conv.coalesced, "sectors per load request", True)),
    "conv_stores": Check(conv.plan_counted, conv.each_run(conv.stores, "sectors per store request", True)),
    "conv_tiled": Check(conv.plan_counted, conv.each_run(conv.tiled, "sectors loaded against the direct kernel's", True)),
    "conv_conflicts": Check(conv.plan_counted, conv.each_run(conv.conflicts, "bank conflicts of shared memory", True)),
    "conv_calls": Check(conv.plan_counted, conv.each_run(conv.calls, "calls of cuDNN")),
    "conv_time": Check(conv.plan_counted, conv.each_run(conv.time, "printed time against simulated time")),
    "own": Check(own.plan, own.judge),
    "own_time": Check(own.plan_beside, own.judge_time),
    "own_technique": Check(own.plan_technique, own.judge_technique),
    "rules": Check(no_runs, answers_a.judge_rules),
    "sum": Check(correct.plan_sum, correct.judge_sum),
    "format": Check(correct.plan_format, correct.judge_format),
    "launch": Check(policy.plan, policy.each_run(policy.launch, "grid and block of every launch")),
    "sectors": Check(policy.plan, policy.each_run(policy.sectors, "sectors per request, loads and stores", True)),
    "explicit": Check(policy.plan, policy.each_run(policy.explicit, "API trace: cudaMalloc, copies, cudaFree")),
    "managed": Check(policy.plan, policy.each_run(policy.managed, "API trace: managed, no copies, cudaFree")),
    "faults": Check(policy.plan, policy.each_run(policy.faults, "page faults cold and warm, bytes moved", True)),
    "time": Check(policy.plan, policy.each_run(policy.time, "printed times against simulated times", True)),
    "table": Check(answers.plan_table, answers.judge_table),
    "table_cpu": Check(no_runs, answers.judge_table_cpu),
    "charts": Check(no_runs, answers.judge_charts),
    "reasons": Check(no_runs, answers.judge_reasons),
}
