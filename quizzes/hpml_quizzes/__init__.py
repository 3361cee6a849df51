"""Quizzes whose answers are computed: templates, draws, validator, exporters, grader."""
