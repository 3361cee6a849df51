"""Generator names of lab.toml -> how to plan and judge them."""
import lab1_answers as answers
import lab1_gemm as gemm
import lab1_kernels as kernels
import lab1_laws as laws
import lab1_measured as measured
import lab1_policy as policy
import lab1_programs as programs
import lab1_stream as stream
import lab1_sums as sums
import lab1_tools as tools
from hpml_autograder.lab import Check


def no_runs(test, context):
    return []


CHECKS = {
    "calls": Check(kernels.plan, kernels.judge),
    "library": Check(kernels.plan, kernels.judge),
    "format": Check(programs.plan_lines, programs.each_program(programs.format_problem, "both lines")),
    "rates": Check(programs.plan_lines, programs.each_program(programs.rate_problem, "B and F from N and T")),
    "results": Check(programs.plan_results, programs.each_program(programs.result_problem, "R on three data sets")),
    "arguments": Check(programs.plan_arguments, programs.judge_usage),
    "second_half": Check(programs.plan_second_half, programs.judge_second_half),
    "symbols": Check(no_runs, policy.judge_symbols),
    "loop": Check(kernels.plan, policy.judge_loop),
    "dot": Check(kernels.plan, policy.judge_dot),
    "ratio": Check(measured.plan_ratio, measured.judge_ratio),
    "time_scale": Check(measured.plan_beside, measured.beside(measured.time_scale, measured.dot_claim)),
    "stream_ratio": Check(measured.plan_beside, measured.beside(measured.stream_ratio, measured.stream_claim)),
    "peak_ratio": Check(measured.plan_beside, measured.beside(measured.peak_ratio)),
    "stream_check": Check(stream.plan_check, stream.each(stream.check_problem, "four kernels, four lines, the check value")),
    "stream_rates": Check(stream.plan_stream, stream.each(stream.rate_problem, "counted bytes by the smallest time")),
    "formula": Check(stream.plan_formula, stream.each(stream.formula_problem, "cores x GHz x FLOP per cycle")),
    "laws": Check(laws.plan, laws.judge),
    "laws_arguments": Check(laws.plan_arguments, programs.judge_usage),
    "sums_calls": Check(sums.plan_calls, sums.judge_calls),
    "sums_program": Check(sums.plan_program, sums.judge_program),
    "products": Check(gemm.plan_product, gemm.judge_product),
    "gemm_lines": Check(gemm.plan_lines, gemm.judge_lines),
    "race": Check(gemm.plan_race, gemm.judge_race),
    "numbers": Check(tools.plan, tools.judge),
    "numbers_arguments": Check(tools.plan_arguments, programs.judge_arguments),
    "q1_effect": Check(no_runs, answers.question(answers.effect, "what the second half changes")),
    "q1_mean": Check(no_runs, answers.question(answers.mean_reason, "which mean, and why")),
    "q2_roof": Check(no_runs, answers.question(answers.roofline, "ridge, roof, bound")),
    "q2_points": Check(programs.plan_small,
                       programs.with_programs(answers.question(answers.points, "ten points from your own times"))),
    "q2_under": Check(no_runs, answers.question(answers.selection("q2_under", lambda part: part < 0.5),
                                                "points below half of the roof")),
    "q2_above": Check(no_runs, answers.question(answers.selection("q2_above", lambda part: part > 1),
                                                "points above the roof")),
    "q3_causes": Check(no_runs, answers.question(answers.causes, "five causes")),
    "q4_values": Check(programs.plan_small,
                       programs.with_programs(answers.question(answers.values, "five observed sums"))),
    "q4_exact": Check(no_runs, answers.question(answers.exact, "the exact sum")),
    "q4_reason": Check(no_runs, answers.question(answers.reason, "why they differ")),
    "q4_fix": Check(no_runs, answers.question(answers.fix, "what helps")),
}
