"""Generator names of lab.toml -> how to plan and judge them."""
import lab1_kernels as kernels
import lab1_policy as policy
import lab1_programs as programs
from hpml_autograder.check import Check


def no_runs(test, context):
    return []


CHECKS = {
    "calls": Check(kernels.plan, kernels.judge),
    "format": Check(programs.plan_lines, programs.each_program(programs.format_problem, "both lines")),
    "rates": Check(programs.plan_lines, programs.each_program(programs.rate_problem, "B and F from N and T")),
    "results": Check(programs.plan_results, programs.each_program(programs.result_problem, "R on three data sets")),
    "arguments": Check(programs.plan_arguments, programs.judge_arguments),
    "second_half": Check(programs.plan_second_half, programs.judge_second_half),
    "symbols": Check(no_runs, policy.judge_symbols),
    "loop": Check(kernels.plan, policy.judge_loop),
    "dot": Check(kernels.plan, policy.judge_dot),
}
