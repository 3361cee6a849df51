"""Grading many hand-ins: plan, store, workers on this machine or by Slurm, and the finish."""
