"""Readers of the exported files. They see only the file, share no code with the writers, and grade what they read."""
