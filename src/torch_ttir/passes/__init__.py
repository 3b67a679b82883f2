"""Passes: each changes a module in place; one module a pass."""
