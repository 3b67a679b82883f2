"""Pipelines as data, and the parser of pipeline text."""
