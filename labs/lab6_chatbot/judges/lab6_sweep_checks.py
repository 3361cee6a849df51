"""Generator names of lab.toml for sweep and export (S1-S4, E1-E3): how to plan and judge them."""
import lab6_analysis as analysis
import lab6_bayes as bayes
import lab6_greedy as greedy
import lab6_hyperband as hyperband
import lab6_onnx as onnx
import lab6_search as search
import lab6_sweep_file as sweep_file
from hpml_autograder.lab import Check

CHECKS = {
    "valid_files": Check(sweep_file.plan, sweep_file.judge),
    "invalid_files": Check(sweep_file.plan, sweep_file.judge),
    "hidden_files": Check(sweep_file.plan, sweep_file.judge),
    "grid": Check(search.plan_grid, search.judge_grid),
    "random_search": Check(search.plan_random, search.judge_random),
    "bayes": Check(bayes.plan_bayes, bayes.judge_bayes),
    "hyperband": Check(hyperband.plan, hyperband.judge),
    "best_run": Check(analysis.plan_tables, analysis.judge_best),
    "importance": Check(analysis.plan_tables, analysis.judge_importance),
    "run_log": Check(analysis.plan_log, analysis.judge_log),
    "sweep": Check(analysis.plan_sweep, analysis.judge_sweep),
    "onnx_structure": Check(onnx.plan, onnx.judge_structure),
    "onnx_weights": Check(onnx.plan, onnx.judge_weights),
    "onnx_open": Check(onnx.plan_open, onnx.judge_open),
    "onnx_values": Check(onnx.plan, onnx.judge_values),
    "scripted_replies": Check(greedy.plan, greedy.judge_scripted),
    "replies_of_files": Check(greedy.plan, greedy.judge_files),
    "latency": Check(greedy.plan, greedy.judge_latency),
    "latency_ratio": Check(greedy.plan_ratio, greedy.judge_ratio),
}
