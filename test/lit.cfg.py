"""Lit's configuration: `tt-opt` and `tt-run` of this checkout, and `filecheck` from PyPI."""

import os
import sys

import lit.formats

config.name = "torch-ttir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit", "e2e", "onnx"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "..", "build", "lit")

_SOURCE = os.path.join(config.test_source_root, "..", "src")
_SCRIPTS = os.path.dirname(sys.executable)
config.environment["PATH"] = os.pathsep.join((_SCRIPTS, os.environ["PATH"]))
config.environment["PYTHONPATH"] = os.path.abspath(_SOURCE)
# Tests run side by side; threads of their own would only get in each other's way.
config.environment["OMP_NUM_THREADS"] = "1"
config.substitutions += [
    (r"(?<![\w/.-])tt-opt(?![\w-])", f"{sys.executable} -m torch_ttir.tools.tt_opt"),
    (r"(?<![\w/.-])tt-run(?![\w-])", f"{sys.executable} -m torch_ttir.tools.tt_run"),
    ("%python", sys.executable),
]
