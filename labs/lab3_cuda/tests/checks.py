"""Generator names of lab.toml -> how to plan and judge them."""
import lab3_answers as answers
import lab3_correct as correct
import lab3_data as data
import lab3_policy as policy
from hpml_autograder.check import Check


INPUTS = data.inputs


def no_runs(test, context):
    return []


CHECKS = {
    "sum": Check(correct.plan_sum, correct.judge_sum),
    "format": Check(correct.plan_format, correct.judge_format),
    "launch": Check(policy.plan, policy.each_run(policy.launch, "grid and block of every launch")),
    "sectors": Check(policy.plan, policy.each_run(policy.sectors, "sectors per request, loads and stores")),
    "explicit": Check(policy.plan, policy.each_run(policy.explicit, "API trace: cudaMalloc, copies, cudaFree")),
    "managed": Check(policy.plan, policy.each_run(policy.managed, "API trace: managed, no copies, cudaFree")),
    "faults": Check(policy.plan, policy.each_run(policy.faults, "page faults cold and warm, bytes moved")),
    "time": Check(policy.plan, policy.each_run(policy.time, "printed times against simulated times")),
    "table": Check(answers.plan_table, answers.judge_table),
    "table_cpu": Check(no_runs, answers.judge_table_cpu),
    "charts": Check(no_runs, answers.judge_charts),
    "reasons": Check(no_runs, answers.judge_reasons),
}
