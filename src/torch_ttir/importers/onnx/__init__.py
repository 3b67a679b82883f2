"""ONNX models to modules of `torch.operator "onnx.<op>"` on named arguments; torch is not needed."""
