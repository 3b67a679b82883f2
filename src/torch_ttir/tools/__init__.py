"""Command-line tools: options, files and exit codes, and no compiler logic."""
