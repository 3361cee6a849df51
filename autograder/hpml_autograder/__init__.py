"""Grades lab submissions: collect, stage, build, run, check, score, emit."""
