"""The tree that students get: exported by a list of what may go, then searched for what must not."""
