"""Examinations on paper: one PDF of everybody's sheets, and answer forms that are read back from a scan."""
