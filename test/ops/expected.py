"""Ops of PyTorch's database that do not pass all their float32 samples, each with the reason."""

from __future__ import annotations

REASONS: dict[str, str] = {}
"""What TTIR cannot express, by a short name; ops with another reason could be said, and are not."""

EXPECTED: dict[str, str] = {}
"""The reason of each op: a key of `REASONS`, or a sentence of its own."""
