"""Runs the microbenchmarks of this room and compares them with published measurements."""
