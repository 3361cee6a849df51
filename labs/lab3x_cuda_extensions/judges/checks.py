"""Generator names of lab.toml -> how to plan and judge them."""
import lab3x_judge as judges
import lab3x_ways as ways
from hpml_autograder.lab import Check, Data

DATA = Data(judges.inputs, judges.other, judges.result, technique=ways.technique)
CHECKS = {"correct": Check(judges.plan, judges.judge), "target": Check(judges.plan_counted, judges.judge_target)}
