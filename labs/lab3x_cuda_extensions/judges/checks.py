"""Generator names of lab.toml -> how to plan and judge them."""
import lab3x_judge as judges
from hpml_autograder.lab import Check

INPUTS = judges.inputs
CHECKS = {"correct": Check(judges.plan, judges.judge), "target": Check(judges.plan, judges.judge_target)}
