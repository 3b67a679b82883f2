"""Legalization of the Torch dialect to TTIR: the walk, and one rule an op, by family."""
