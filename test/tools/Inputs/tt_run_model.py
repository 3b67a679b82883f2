"""Write into a folder model.pt2, its program as model.mlir, and other.pt2 of other weights."""

import sys
from pathlib import Path

import torch

import torch_ttir

folder = Path(sys.argv[1])
for seed, name in enumerate(("model", "other")):
    torch.manual_seed(seed)
    program = torch.export.export(torch.nn.Linear(4, 3), (torch.randn(2, 4),))
    torch.export.save(program, folder / f"{name}.pt2")
    if name == "model":
        torch_ttir.compile(program).save(folder / name)
