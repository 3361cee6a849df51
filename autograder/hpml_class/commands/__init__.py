"""The commands, one module each: NAME, HELP, add_arguments(parser), run(options) -> exit code."""
