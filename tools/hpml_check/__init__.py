"""The steps of `make check`: what they are, how they run, what they took."""
