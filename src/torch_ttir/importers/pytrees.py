"""Pytree structures from text, with the classes of transformers that they name."""

from __future__ import annotations

import importlib
import re

from torch.utils import _pytree as pytree

_UNREGISTERED = re.compile(r"Deserializing ([\w.]+) in pytree is not registered")
# Packages whose output classes are pytree nodes as soon as their module is imported.
_PACKAGES = ("transformers", "diffusers")


def loads(text: str) -> pytree.TreeSpec:
    """Return the structure that `treespec_dumps` wrote.

    Raises `NotImplementedError` for a class that is not registered.
    """
    while True:
        try:
            return pytree.treespec_loads(text)
        except NotImplementedError as reason:
            if not register_named_class(reason):
                raise


def register_named_class(reason: BaseException) -> bool:
    """Import the class that an error about a pytree names; say whether it is now registered."""
    match = _UNREGISTERED.search(str(reason))
    if match is None or match[1].split(".")[0] not in _PACKAGES:
        return False
    module, _, name = match[1].rpartition(".")
    try:
        cls = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return False
    return cls in pytree.SUPPORTED_NODES
